"""Layer 5: a sum that was begun before the block, and goes on in it.

One idea: what a total held before is a number to this tape. Who adds up losses over several blocks, to
take the gradient of all of them, gets that of the last one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case, tensor_of
from autodiff_kit.readers.lost.beside import Lost
from autodiff_kit.readers.program.carried import Text, code_of
from autodiff_kit.readers.program.lines import covers
from autodiff_kit.readers.program.spots import statement_of

_SCALING = ("Mul", "RealDiv", "Neg", "Identity")


def begun_before(case: Case) -> Iterator[Lost]:
    """The sum that the target is, if it held something when the block began."""
    place = _sum_of(case)
    if place is None:
        return
    statement = statement_of(*case.records[place][-2:])
    name, added = _added(statement)
    if not name or not _comes_from_outside(case, statement, name) or not _held(case, place):
        return
    line = case.line(place)
    yield (
        line,
        f"`{name}` held something already when the block of `{case.tape_name}` began: that counts as a "
        f"constant, and only what was added to it in this block ({line.where}: {added}) has a "
        "gradient. If it comes from blocks before, add up their gradients instead, one list to the "
        "other, and apply these once.",
    )


def _sum_of(case: Case) -> int | None:
    """The addition to something untracked that the target is, be it divided by a number after that."""
    place = case.target_places[0] if case.target_places else -1
    while place >= 0 and case.operation(place).type in _SCALING:
        inputs = [one for one in case.operation(place).places if one >= 0]
        place = inputs[0] if len(inputs) == 1 else -1
    if place < 0 or case.operation(place).type != "AddV2":
        return None
    return (
        place if sorted(one < 0 for one in case.operation(place).places) == [False, True] else None
    )


def _added(statement: Any) -> tuple[str, str]:
    """What is added to, and what is added, in ``total += loss`` or ``total = total + loss``."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        return code_of(statement.target), code_of(statement.value)
    value = getattr(statement, "value", None)
    if not isinstance(statement, ast.Assign) or not isinstance(value, ast.BinOp):
        return "", ""
    name, sides = code_of(statement.targets[0]), [code_of(value.left), code_of(value.right)]
    if not isinstance(value.op, ast.Add) or sides.count(name) != 1:
        return "", ""
    return name, sides[1 - sides.index(name)]


def _comes_from_outside(case: Case, statement: Any, name: str) -> bool:
    """Whether the sum lives longer than the block: it is an attribute, or a loop is around both."""
    entered, text = case.time.last("enter"), case.flow.text
    block = statement_of(entered.code, entered.instruction) if entered is not None else None
    if block not in text.read or not covers(block, statement.lineno):
        return False
    loops = [one for one in text.within[block] if isinstance(one, (ast.For, ast.While))]
    begun = [one for one in text.read if one is not statement and name in _got(text, one)]
    return ("." in name or bool(loops)) and not any(covers(block, one.lineno) for one in begun)


def _got(text: Text, statement: ast.stmt) -> set[str]:
    return {name for _, name in text.receivers(statement)}


def _held(case: Case, place: int) -> bool:
    """Whether what was added to is not 0."""
    tracked = next(one for one in case.operation(place).places if one >= 0)
    whole, part = case.values.get(place), case.values.get(tracked)
    if place in case.target_places:
        whole = tensor_of(case.target)._value
    return whole is not None and part is not None and not np.array_equal(whole, part)
