"""Layer 5: a straight-through sum whose halves are exchanged.

One idea: `soft + stop_gradient(hard - soft)` has the value of `hard` and the gradient of `soft`. The
other way round it has the value of `soft` and the gradient of `hard`, and `hard` has none.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.account import leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import nonzero
from autodiff_kit.readers.mending.here import here
from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.spelled import bracketed
from autodiff_kit.readers.program.spots import called


def halves_exchanged(case: Case, place: int) -> tuple[str, str]:
    """What to say and to write where a place without a gradient is one half of such a sum; or "".

    Args:
      place: where the operation is that lets no gradient through.
    """
    for user in case.takers.get(place, ()):
        if case.kind(user) == "Cast":
            return halves_exchanged(case, user)
        adds = case.kind(user) == "AddV2" and not _learns_beside(case, user, place)
        spot = here(case, user) if adds else None
        found = _halves(spot.node, spot.file) if spot is not None else None
        if spot is not None and found is not None:
            soft, hard, function = found
            code = f"{bracketed(soft)} + {function}({bracketed(hard)} - {bracketed(soft)})"
            return (
                f"The halves of this sum are exchanged: its value is that of {soft}, and its gradient "
                f"that of {hard}, which has none. The other way round it is straight through:",
                spot.instead(code),
            )
    return "", ""


def _learns_beside(case: Case, user: int, place: int) -> bool:
    """Whether something learns from the other half, if this one is what is stopped.

    So it is in `z + stop_gradient(row - z)`, where nothing is wrong for who asks for the row.
    """
    if case.kind(place) != "StopGradient":
        return False
    others = [p for p in case.operation(user).places if p != place]
    leaves = [p for p in leading_to(case.records, others) if case.records[p][0] is LEAF]
    totals = (case.account.total.get(p) for p in leaves)
    return any(one is not None and nonzero(one) for one in totals)


def _halves(node: Any, file: str) -> tuple[str, str, str] | None:
    """The soft and the hard half of ``hard + stop_gradient(soft - hard)``, and the function."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return None
    for hard, stopped in ((node.left, node.right), (node.right, node.left)):
        inner: Any = stopped.args[0] if isinstance(stopped, ast.Call) and stopped.args else None
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub):
            same = ast.unparse(inner.right) == ast.unparse(hard)
            if same and isinstance(stopped, ast.Call) and called(stopped) == "stop_gradient":
                function = segment(file, stopped.func)
                return segment(file, inner.left), segment(file, hard), function
    return None
