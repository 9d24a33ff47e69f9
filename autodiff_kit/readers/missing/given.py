"""Layer 5: targets that were never computed from anything.

One idea: nothing, or a number that the learner wrote down, has no way back.
"""

from __future__ import annotations

import ast

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.ended import end_of, was_to_go_on
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.program.lines import covers, nodes_in
from autodiff_kit.tensor import Tensor

CAUGHT = (
    "stands in an `except` branch, so an error came before it and was caught there. Print that error, "
    "or leave out the try: it says what went wrong."
)


def no_target(case: Case) -> Finding | None:
    """The target is an empty list."""
    if case.account.request.targets:
        return None
    return case.none(
        "no target",
        f"`{case.target_name}` holds nothing: there is no target, and so no gradient.",
        "",
        advice="Look at how it is filled: the loop that should do so may not have run once. Print its "
        "length before you ask.",
    )


def constant_target(case: Case) -> Finding | None:
    """The target is a constant that the learner made."""
    birth = case.target_birth
    if case.target_places or type(case.target) is not Tensor or birth.type != "Const":
        return None
    advice = (
        "Compute it with operations of the kit. If a loop or a branch should have done so, look "
        "whether it ran."
    )
    ending = end_of(case) if was_to_go_on(case) else ""
    if ending:
        depend = f"If `{case.target_name}` is to depend on `{case.source_name}`"
        advice = f"{depend}, go on with what was made of it."
    if after_an_error(birth):
        advice = f"The line {CAUGHT}"
    return case.none(
        "constant target",
        f"`{case.target_name}` is a constant that was made here. A constant holds numbers only: no way "
        f"leads back from it to `{case.source_name}`.{ending}",
        "",
        line=birth.line,
        advice=advice,
    )


def after_an_error(birth: Birth) -> bool:
    """Whether a line stands in an `except` branch."""
    handlers = nodes_in(birth.code.co_filename, ast.ExceptHandler)
    return birth.line is not None and any(covers(h, birth.line.number) for h in handlers)
