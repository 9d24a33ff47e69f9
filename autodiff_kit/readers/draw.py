"""Layer 5: `draw`, the recorded graph as a picture and in words.

One idea: the picture shows what a learner would draw on paper: names, operations, and how far the
gradient comes.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from autodiff_kit.lines import user_frame
from autodiff_kit.readers.facts.account import Account, value_of
from autodiff_kit.readers.facts.arguments import refuse_no_tape, refuse_released
from autodiff_kit.readers.facts.values import values_of
from autodiff_kit.readers.shown.drawing import Drawing
from autodiff_kit.readers.shown.fold import fold
from autodiff_kit.readers.shown.graph import Graph
from autodiff_kit.readers.shown.labels import Labels, labels_for
from autodiff_kit.readers.shown.show import brief

__all__ = ["Drawing", "draw"]

WIDEST = 7  # more nodes from left to right than this are too small to be read


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
    _refuse(direction, max_nodes, target is None and (gradients or sources is not None))
    frame = user_frame()
    refuse_no_tape(tape, "draw")
    refuse_released(tape, "draw")
    labels = labels_for("draw", frame, tape, target, sources, names)
    account = None
    if target is not None:
        account = Account(tape, target, [] if sources is None else sources)
    graph = Graph(tape, labels, account)
    notes = []
    if graph.left_out:
        notes.append(
            f"Left out, because they do not lead there: {graph.left_out} of the tape's records."
        )
    extra: dict[Any, list[str]] = defaultdict(list)
    if values:
        notes += _add_values(graph, labels, extra)
    if gradients and account is not None:
        _add_gradients(graph, account, extra)
    total = fold(graph, max_nodes)
    if total > len(graph.nodes):
        notes.append(
            f"Folded from {total} nodes to {len(graph.nodes)}; draw(..., max_nodes={total}) shows all."
        )
    direction = direction or ("LR" if graph.depth <= WIDEST else "TB")
    return Drawing(graph, direction, notes, {k: v for k, v in extra.items() if k in graph.nodes})


def _refuse(direction: Any, max_nodes: int, without_target: bool) -> None:
    if direction not in ("LR", "TB", None):
        raise ValueError(f"direction must be 'LR' or 'TB', not {direction!r}")
    if max_nodes < 3:
        raise ValueError(f"max_nodes must be at least 3, not {max_nodes!r}")
    if without_target:
        raise ValueError(
            "gradients and sources need a target to go back from: draw(tape, target, ...)"
        )


def _add_gradients(graph: Graph, account: Account, extra: dict[Any, list[str]]) -> None:
    for key, node in graph.nodes.items():
        arrived = account.total.get(node.place)
        if arrived is not None:
            shown = "several" if isinstance(arrived, dict) else brief(value_of(arrived))
            extra[key].append(f"gradient {shown}")


def _add_values(graph: Graph, labels: Labels, extra: dict[Any, list[str]]) -> list[str]:
    at_hand = {
        ("constant", *t._home[2:]): t._value for t in labels.tensors if type(t._home) is tuple
    }
    known: dict[Any, Any] = {**at_hand, **values_of(graph.tape, labels.tensors)}
    missing = 0
    for key, node in graph.nodes.items():
        if key in known:
            extra[key].append(f"value {brief(known[key])}")
        else:
            missing += node.place >= 0
    if not missing:
        return []
    return [f"Values not shown: {missing}. A tape keeps only what its rules need."]
