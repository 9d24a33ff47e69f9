"""Layer 5: what `draw` returns: a diagram for the eye and the same in words.

One idea: a picture that cannot be read aloud is half a picture.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.readers.shown.graph import FLOWS, STOPS, Graph, Node
from autodiff_kit.readers.shown.mermaid import folded_words, source

NOTHING = "Nothing was recorded on this tape."


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
