"""Layer 5: a target that adds up what other blocks recorded.

One idea: what a sum held before is a number to this tape. It is what is left without what this block
added; if it is not what the sum began with, earlier rounds went into it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.others import block_of
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.lost.beside import Lost
from autodiff_kit.readers.program.lines import covers
from autodiff_kit.readers.program.rounds import loop_around, sum_of_rounds
from autodiff_kit.readers.program.spots import called, statement_of
from autodiff_kit.readers.program.statement import code_of

AROUND = (
    "Put the block around the whole loop, or ask the tape in each round and add up the gradients."
)
_SCALING = ("Mul", "RealDiv", "Neg", "Identity")


def earlier_rounds(case: Case) -> Iterator[Lost]:
    """What the target adds up beside what this tape recorded."""
    place = _sum_of(case)
    if place is None:
        return
    made: Any = statement_of(case.spot(place))
    block, line = block_of(case.tape), case.line(place)
    loop = loop_around(case.flow.text, block, made)
    name = sum_of_rounds(case.flow.text, made, loop) if place in case.target_places else ""
    held, added = _added(made)
    outside = bool(held) and _comes_from_outside(case, block, made, held)
    if not name and not outside:
        return  # no value is asked for: on a long tape all of them would be computed once more
    whole, part = _known(case, place)
    if whole is None or part is None:
        return
    if name and _is_more(case, made, name, np.asarray(whole) - np.asarray(part)):
        yield (
            line,
            f"`{name}` adds up the rounds of a loop, each with a block of its own, and "
            f"`{case.tape_name}` knows the last round alone: what was in `{name}` before counts as a "
            f"constant. {AROUND}",
        )
    elif outside and not np.array_equal(whole, part):
        yield (
            line,
            f"`{held}` held something already when the block of `{case.tape_name}` began: that counts "
            f"as a constant, and only what was added to it in this block ({line.where}: {added}) has a "
            "gradient. If it comes from blocks before, add up their gradients instead, one list to "
            "the other, and apply these once.",
        )


def _sum_of(case: Case) -> int | None:
    """The addition to something untracked that the target is, be it divided by a number after that."""
    place = case.target_places[0] if case.target_places else -1
    while case.kind(place) in _SCALING:
        tracked = _tracked(case, place)
        place = tracked[0] if len(tracked) == 1 else -1
    return place if case.kind(place) == "AddV2" and len(_tracked(case, place)) == 1 else None


def _tracked(case: Case, place: int) -> list[int]:
    return [one for one in case.operation(place).places if one >= 0]


def _known(case: Case, place: int) -> tuple[Any, Any]:
    """A sum, and what was added in this block; None for what is not known."""
    whole, part = (case.values.get(one) for one in (place, *_tracked(case, place)))
    if place in case.target_places:
        whole = tensor_behind(case.target)._value
    return whole, part


def _is_more(case: Case, made: Any, name: str, before: Any) -> bool:
    """Whether a sum is not any more what it began with, which is a plain number in the text."""
    text = case.flow.text
    begun = [s for s in text.binders((text.owner(made, name), name)) if s is not made]
    first = [_number(getattr(s, "value", None)) for s in begun]
    if not first or None in first:
        return False
    off = 1e-4 * (1.0 + np.abs(before))
    return all(bool(np.any(np.abs(before - one) > off)) for one in first)


def _number(value: Any) -> Any:
    """The number that is written, alone or in ``ad.constant(0.0)``; None if it is something else."""
    if isinstance(value, ast.Call) and called(value) == "constant" and value.args:
        value = value.args[0]
    return getattr(value, "value", None) if isinstance(value, ast.Constant) else None


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


def _comes_from_outside(case: Case, block: Any, statement: Any, name: str) -> bool:
    """Whether the sum lives longer than the block: it is an attribute, or a loop is around both."""
    text = case.flow.text
    if block not in text.read or not covers(block, statement.lineno):
        return False
    givers = [s for s in text.read if any(got == name for _, got in text.receivers(s))]
    begun = any(s is not statement and covers(block, s.lineno) for s in givers)
    return ("." in name or loop_around(text, block) is not None) and not begun
