"""Layer 5: what a `where` in the learner's program chooses between.

One idea: read from the program's own text which branch holds the danger, and when it is chosen.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from autodiff_kit.readers.program.lines import Line, covers, nodes_in, segment
from autodiff_kit.readers.program.spelled import on_a_side
from autodiff_kit.readers.program.spots import called

_OPPOSITE = {
    ast.Lt: ">=",
    ast.LtE: ">",
    ast.Gt: "<=",
    ast.GtE: "<",
    ast.Eq: "!=",
    ast.NotEq: "==",
}


class Choice(NamedTuple):
    """The condition under which the dangerous branch is chosen, that branch, and the other one."""

    condition: str
    branch: str
    other: str


def choice_on(line: Line, first: bool) -> Choice | None:
    """The `where` on a line, seen from its dangerous branch; None if none is found there.

    Args:
      line: where the `where` stands.
      first: whether the first branch is the dangerous one.
    """
    found = _where_call(line)
    if found is None:
        return None
    condition, yes, no = (segment(line.file, part) for part in found.args)
    return Choice(condition, yes, no) if first else Choice(opposite(condition), no, yes)


def _where_call(line: Line) -> ast.Call | None:
    calls = [one for one in nodes_in(line.file, ast.Call) if covers(one, line.number)]
    return next((one for one in calls if len(one.args) == 3 and called(one) == "where"), None)


def opposite(condition: str) -> str:
    """The condition that holds where this one does not.

    >>> opposite("x <= 0"), opposite("bad"), opposite("ad.greater(x, 0)"), opposite("(a < b) == c")
    ('x > 0', 'ad.logical_not(bad)', 'ad.logical_not(ad.greater(x, 0))', '(a < b) != c')
    """
    node = ast.parse(condition.strip(), mode="eval").body
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPPOSITE:
        left, right = (
            on_a_side(ast.get_source_segment(condition.strip(), side) or "")
            for side in (node.left, node.comparators[0])
        )
        return f"{left} {_OPPOSITE[type(node.ops[0])]} {right}"
    return f"ad.logical_not({condition})"
