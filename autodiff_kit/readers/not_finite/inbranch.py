"""Layer 5: the safe form of a dangerous branch of `where`.

One idea: the whole `where` is written once more with everything that was in it, and what is dangerous
in the branch gets a harmless argument where the branch is not chosen.
"""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import depending_on, inputs_of
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.kinds import SHAPE_ONLY
from autodiff_kit.readers.facts.spoiling import is_finite
from autodiff_kit.readers.mending.reused import stored
from autodiff_kit.readers.mending.safe import (
    DANGER,
    dangerous,
    new_names,
    passes,
    quotient,
    renamed,
)
from autodiff_kit.readers.program.choice import choice_on
from autodiff_kit.readers.program.lines import Line, segment
from autodiff_kit.readers.program.spelled import bracketed
from autodiff_kit.readers.program.spots import called, statement_of


def safe_in_branch(case: Any, operation: Operation, select: int) -> str:
    """Code in the learner's own words that has the same values and a finite gradient.

    It is for a dangerous operation in a branch that `where` did not choose; ``""`` if none is certain.
    """
    argument, call = dangerous(case, operation)
    if argument is None or call is None or operation.type not in DANGER:
        return ""
    line, there = case.line(operation.place), case.line(select)
    first, second = (_leads_to(case, operation.place, p) for p in case.operation(select).places[1:])
    chosen = choice_on(there, first) if first != second else None
    if chosen is None or case.spot(operation.place).code is not case.spot(select).code:
        return ""
    ok, new = new_names(case, operation.place, argument)
    safe_call = quotient(call, new) if operation.type == "RealDiv" else renamed(call, argument, new)
    inside = _in_branch(chosen.branch, call, safe_call, *_bound(case, operation.place, there))
    if inside == chosen.branch or "\n" in f"{inside}{argument}{chosen.condition}{chosen.other}":
        return ""
    if _more_may_be_sick(case, operation.place, select):
        inside = _all_safe(inside, ok, new)
    instead = f"    # instead of the where at {there.where}" if line != there else ""
    return (
        f"{ok} = {chosen.condition}\n"
        f"{new} = ad.where({ok}, {argument}, {DANGER[operation.type][1]})"
        "    # safe before the dangerous function\n"
        f"ad.where({ok}, {inside}, {chosen.other}){instead}"
    )


def safe_before(case: Any, operation: Operation, select: int) -> str:
    """Code for a dangerous operation that stands well before the `where`: its argument made safe there.

    ``""`` if that could change a value that the `where` takes.
    """
    argument, call = dangerous(case, operation)
    if argument is None or call is None or operation.type not in DANGER or "\n" in call:
        return ""
    if case.spot(operation.place).code is not case.spot(select).code:
        return ""
    x = input_value(case, operation.place, int(operation.type == "RealDiv"))
    _, safe, test = DANGER[operation.type]
    if x is None or not _changes_nothing(case, operation.place, select, passes(test, x)):
        return ""
    new = f"ad.where({test.format(x=bracketed(argument))}, {argument}, {safe})"
    code = quotient(call, new) if operation.type == "RealDiv" else renamed(call, argument, new)
    return f"{code}    # instead of {call}"


def _changes_nothing(case: Any, place: int, select: int, kept: Any) -> bool:
    """Whether all values are NaN or not chosen that an argument which is not kept leads to."""
    value = case.values.get(place)
    if value is None:
        return False
    spared = kept | np.isnan(value)
    condition = input_value(case, select, 0)
    if condition is not None and np.shape(condition) == np.shape(value):
        first = _leads_to(case, place, case.operation(select).places[1])
        spared = spared | (np.logical_not(condition) if first else condition)
    return bool(np.all(spared))


def _leads_to(case: Any, place: int, branch: int) -> bool:
    """Whether a branch was computed from a place; its shape alone does not count."""
    todo, seen = [branch], set()
    while todo:
        here = todo.pop()
        if here == place:
            return True
        if here >= 0 and here not in seen and case.operation(here).type not in SHAPE_ONLY:
            todo += inputs_of(case.records[here])
        seen.add(here)
    return False


def _bound(case: Any, place: int, there: Line) -> tuple[str | None, str]:
    """The name that a statement binds, and the expression that it gets, if the name keeps it."""
    statement = statement_of(case.spot(place))
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        name, after = statement.targets[0].id, (statement.end_lineno or statement.lineno) + 1
        if name not in stored(there.file, after, there.number):
            return name, segment(case.spot(place).code.co_filename, statement.value)
    return None, ""


def _in_branch(branch: str, call: str, safe_call: str, name: str | None, whole: str) -> str:
    """The whole branch with the safe call, also if it was computed before and has a name.

    >>> _in_branch("2 * ad.log(x)", "ad.log(x)", "ad.log(safe_x)", "y", "ad.where(...)")
    '2 * ad.log(safe_x)'
    >>> _in_branch("2 * a", "1 / x", "1 / safe_x", "a", "1 / x")
    '2 * (1 / safe_x)'
    >>> _in_branch("a", "1 / x", "1 / safe_x", "a", "b - 1 / x")
    'b - 1 / safe_x'
    """
    if call in branch:
        return branch.replace(call, safe_call, 1)
    if name is None or call not in whole:
        return branch
    computed = whole.replace(call, safe_call, 1)
    if branch == name:
        return computed
    bare = computed.endswith(")") and re.fullmatch(r"[\w.]+\([^()]*\)", computed)
    return renamed(branch, name, computed if bare else f"({computed})")


def _more_may_be_sick(case: Any, place: int, select: int) -> bool:
    """Whether something that comes in between from elsewhere is not finite, or not known."""
    between = depending_on(case.records[: select + 1], [place]) - {place, select}
    for other in between:
        operation = case.operation(other)
        for number, at in enumerate(operation.places):
            value = input_value(case, other, number) if at not in between | {place} else 0.0
            if value is None or not is_finite(value):
                return True
    return False


def _all_safe(expression: str, ok: str, new: str) -> str:
    """The expression with a harmless argument in all other dangerous calls too.

    >>> _all_safe("ad.math.log(safe) - 2.0 * ad.math.log(t + 1)", "ok", "safe")
    'ad.math.log(safe) - 2.0 * ad.math.log(ad.where(ok, t + 1, 1.0))'
    """
    harmless = {name: safe for names, safe, _ in DANGER.values() for name in names.split()}
    result = expression
    for node in ast.walk(ast.parse(expression.strip(), mode="eval")):
        if isinstance(node, ast.Call) and called(node) in harmless and len(node.args) == 1:
            call = ast.get_source_segment(expression.strip(), node) or ""
            argument = ast.get_source_segment(expression.strip(), node.args[0]) or ""
            if argument != new:
                wrapped = f"ad.where({ok}, {argument}, {harmless[called(node)]})"
                result = result.replace(call, renamed(call, argument, wrapped))
    return result
