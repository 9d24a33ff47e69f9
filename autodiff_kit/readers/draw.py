"""Layer 5: `draw`, the recorded graph as a picture and in words.

One idea: the picture shows what a learner would draw on paper: names, operations, and how far the
gradient comes.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.convert import user_frame
from autodiff_kit.readers.account import Account, value_of
from autodiff_kit.readers.fold import fold
from autodiff_kit.readers.graph import FLOWS, STOPS, Graph, Node
from autodiff_kit.readers.labels import Labels
from autodiff_kit.readers.mermaid import folded_words, source
from autodiff_kit.readers.names import Names
from autodiff_kit.readers.replay import refuse_released
from autodiff_kit.readers.show import brief
from autodiff_kit.readers.values import values_of

__all__ = ["Drawing", "draw"]

NOTHING = "Nothing was recorded on this tape."
WIDEST = 7  # more nodes from left to right than this are too small to be read


class Drawing:
    """The recorded graph; it shows itself as a diagram in a notebook and prints as a list.

    mermaid: the diagram as Mermaid source, stable text.
    notes: what the picture does not show.
    """

    def __init__(
        self, graph: Graph, direction: str, notes: list[str], labels: dict[Any, list[str]]
    ) -> None:
        self._graph = graph
        self._labels = labels
        self.notes = notes
        self.title = self._title()
        self.mermaid = source(graph, direction, self.title, self._description(), labels)

    def _title(self) -> str:
        ends = {
            role: [node.name for node in self._graph.nodes.values() if role in node.roles]
            for role in ("source", "target")
        }
        words = [f"to {', '.join(ends['target'])}"] if ends["target"] else []
        if ends["source"]:
            words.insert(0, f"from {', '.join(dict.fromkeys(ends['source']))}")
        return " ".join(["The recorded graph", *words])

    def _description(self) -> str:
        nodes = self._graph.nodes
        parts = [
            _describe(node, [nodes[e.start] for e in self._graph.edges if e.end == key])
            for key, node in nodes.items()
        ]
        return " ".join([*parts, *self._stops(), *self.notes] or [NOTHING])

    def _stops(self) -> list[str]:
        nodes = self._graph.nodes
        return [
            f"No gradient flows from {_short(nodes[e.end])} back to "
            f"{_short(nodes[e.start])}: {e.cause}."
            for e in self._graph.edges
            if e.cause
        ]

    def __str__(self) -> str:
        lines = [self.title, ""] if self._graph.nodes else [NOTHING]
        for key, node in self._graph.nodes.items():
            extra = "".join(f", {one}" for one in self._labels.get(key, []))
            roles = f" ({' and '.join(node.roles)})" if node.roles else ""
            where = f"   [{node.line}]" if node.line and node.kind == "operation" else ""
            lines.append(f"{_title(node)}{roles}{extra}{where}")
            lines += [
                f"    from {_short(self._graph.nodes[edge.start])}{_edge_words(edge)}"
                for edge in self._graph.edges
                if edge.end == key
            ]
        return "\n".join([*lines, *[f"\n{note}" for note in self.notes]])

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        if not self._graph.nodes:
            return NOTHING
        notes = "".join(f"\n\n{note}" for note in [_legend(self._graph), *self.notes] if note)
        return f"```mermaid\n{self.mermaid}\n```{notes}"


def _title(node: Node) -> str:
    if node.kind == "folded":
        return folded_words(node)
    return f"{node.name} = {node.type}" if node.kind == "operation" else f"{node.name}: {node.kind}"


def _short(node: Node) -> str:
    return folded_words(node) if node.kind == "folded" else node.name


def _describe(node: Node, inputs: list[Node]) -> str:
    start = f" from {', '.join(map(_short, inputs))}" if inputs else ""
    return f"{_title(node)}{start}."


def _edge_words(edge: Any) -> str:
    if edge.cause:
        return f": no gradient flows back ({edge.cause})"
    if edge.kind == FLOWS:
        return ": the gradient flows back"
    return "" if edge.kind != STOPS else ": no gradient flows back"


def _legend(graph: Graph) -> str:
    words = {
        FLOWS: "thick line: the gradient flows back along it",
        "could flow": "thin line: it leads to no source that was asked for",
        STOPS: "dotted line: no gradient flows back",
    }
    if graph.account is None:
        words["could flow"] = "thin line: a gradient can flow back along it"
    used = {edge.kind for edge in graph.edges}
    text = "; ".join(meaning for kind, meaning in words.items() if kind in used)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def draw(
    tape: Any,
    target: Any = None,
    sources: Any = None,
    values: bool = False,
    gradients: bool = False,
    names: dict[str, Any] | None = None,
    direction: str | None = None,
    max_nodes: int = 40,
) -> Drawing:
    """Draw what a tape recorded.

    Args:
      tape: the `GradientTape` that recorded. It is only read.
      target: what to go back from, as in `GradientTape.gradient`; without it the whole tape is drawn.
      sources: what to go back to; without them the watched variables and constants.
      values: whether to show values, as far as the tape keeps them or they can be recomputed.
      gradients: whether to show the gradient that arrives at each place; needs a target.
      names: further names of tensors and variables; those of the caller's variables are known.
      direction: "LR", from left to right, or "TB", from top to bottom; without it the one that fits.
      max_nodes: a graph with more nodes is folded.

    Returns:
      A `Drawing`: a Mermaid diagram in a notebook, a list when printed. Thick lines are where the
      gradient flows from the target to the sources; dotted ones, with the cause, where none does.

    Raises:
      RuntimeError: if the tape has let go of its records.
      ValueError: for another direction, fewer than 3 nodes, or gradients without a target.
      TypeError: if target or sources are not tensors or variables.

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(2.5, name="x")
    >>> with ad.GradientTape() as tape:
    ...     y = ad.floor(x)
    >>> print(ad.draw(tape, y, x).mermaid.splitlines()[5].strip())
    n1 -. "Floor: no gradient" .-> n2
    """
    if direction not in ("LR", "TB", None):
        raise ValueError(f"direction must be 'LR' or 'TB', not {direction!r}")
    if max_nodes < 3:
        raise ValueError(f"max_nodes must be at least 3, not {max_nodes!r}")
    if target is None and (gradients or sources is not None):
        raise ValueError(
            "gradients and sources need a target to go back from: draw(tape, target, ...)"
        )
    frame = user_frame()
    refuse_released(tape, "draw")
    labels = Labels(tape, Names(frame, tape), names)
    account = None
    if target is not None:
        account = Account(tape, target, [] if sources is None else sources)
    graph = Graph(tape, labels, account)
    notes = []
    if graph.left_out:
        notes.append(
            f"Left out, because they do not lead there: {graph.left_out} of the tape's records."
        )
    extra: dict[Any, list[str]] = {}
    if values:
        notes += _add_values(graph, labels, extra)
    if gradients and account is not None:
        for key, node in graph.nodes.items():
            if node.place >= 0 and account.total.get(node.place) is not None:
                extra.setdefault(key, []).append(f"gradient {_brief(account.total[node.place])}")
    total = fold(graph, max_nodes)
    if total > len(graph.nodes):
        notes.append(
            f"Folded from {total} nodes to {len(graph.nodes)}; draw(..., max_nodes={total}) shows all."
        )
    direction = direction or ("LR" if graph.depth <= WIDEST else "TB")
    return Drawing(graph, direction, notes, {k: v for k, v in extra.items() if k in graph.nodes})


def _brief(gradient: Any) -> str:
    return brief(value_of(gradient)) if not isinstance(gradient, dict) else "several"


def _add_values(graph: Graph, labels: Labels, extra: dict[Any, list[str]]) -> list[str]:
    at_hand = {
        ("constant", *t._home[2:]): t._value for t in labels.tensors if type(t._home) is tuple
    }
    known: dict[Any, Any] = {**at_hand, **values_of(graph.tape, labels.tensors)}
    missing = 0
    for key, node in graph.nodes.items():
        if key in known:
            extra.setdefault(key, []).append(f"value {brief(known[key])}")
        else:
            missing += node.place >= 0
    if not missing:
        return []
    return [f"Values not shown: {missing}. A tape keeps only what its rules need."]
