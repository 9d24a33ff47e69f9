"""Layer 5: what was computed before the tape's block began.

One idea: of the lines above the block, all that lead from the source to the target belong into it, not
the last one alone.
"""

from __future__ import annotations

import ast

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.questions import ASKS
from autodiff_kit.readers.facts.surely import Surely
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.lost.taken import given_before
from autodiff_kit.readers.mending.inside import all_inside
from autodiff_kit.readers.mending.needed import needed_above
from autodiff_kit.readers.mending.nesting import TAKE_INSIDE, own_block
from autodiff_kit.readers.missing.apart import Made, values_made
from autodiff_kit.readers.missing.rebound import value_in
from autodiff_kit.readers.program.asked import is_reference
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.spots import called, statement_of
from autodiff_kit.readers.program.statement import read_by, receivers_of


def before_the_block(case: Case) -> Finding:
    """The target was computed before the block; what to move into it."""
    birth, target, tape = case.target_birth, case.target_name, case.tape_name
    code, advice = (
        computed(case, "    # in the block"),
        f"Compute `{target}` in the block of `{tape}`.",
    )
    block, steps = own_block(case), _steps(case)
    needed = needed_above(case, block, inside=False) if block is not None else None
    if needed is not None:
        asked = any(map(_asks, needed))
    else:
        asked = bool(given_before(case, Surely(case), [tensor_behind(case.target)._home]))
        asked = asked or any(one.type == "Gradient" for one in steps)
    if asked:
        code, advice = "", TAKE_INSIDE.format(tape)
    elif len(needed or steps) > (needed is not None):
        last = Made(target, "not begun", birth.type, birth.spot, birth.time)
        code = all_inside(case, last, inside=False)
        advice = (
            f"Compute `{target}` in the block of `{tape}`, with all that leads from "
            f"`{case.source_name}` to it."
        )
    return case.none(
        "outside the tape",
        f"`{target}` was computed before the tape's block began, where the tape does not record.",
        code,
        birth.type,
        birth.line,
        advice,
    )


def without_a_block(case: Case) -> Finding:
    """The tape was made, and never entered."""
    tape, target, birth = case.tape_name, case.target_name, case.target_birth
    code = computed(case, "") if case.mentions(case.source_name) else ""
    return case.none(
        "outside the tape",
        f"`{tape}` records only in a with block, and it has none: so it did not see `{target}` being "
        "computed.",
        f"with {tape}:\n    {code}" if code else "",
        birth.type, birth.line,
        f"Compute `{target}`, and all that leads to it, in a block of `{tape}`.",
    )  # fmt: skip


def _asks(statement: ast.stmt) -> bool:
    """Whether a statement asks a tape for a gradient."""
    return any(called(n) in ASKS for n in ast.walk(statement) if isinstance(n, ast.Call))


def _steps(case: Case) -> list[Made]:
    """What was made of the source before the target was, the first one first."""
    for wide in (False, True):
        made = values_made(case, ("not begun",), wide)
        steps = [one for one in made if one.time < case.target_birth.time]
        if steps:
            return steps
    return []


def computed(case: Case, where: str) -> str:
    """The learner's own line that computes the target, to be put elsewhere; "" if it is not plain."""
    birth, name = case.target_birth, case.target_name
    statement = statement_of(birth.spot)
    if isinstance(statement, ast.AugAssign) or statement is not None and _reads_itself(statement):
        return ""  # its line alone goes on from what was computed outside
    value = value_in(birth.code.co_filename, statement, name) if is_reference(name) else ""
    return f"{name} = {value}{where}" if value else ""


def _reads_itself(statement: ast.stmt) -> bool:
    """Whether a statement computes the new value of a name from the old one."""
    read = {name for part in read_by(statement) for name in names_in(part)}
    return not read.isdisjoint(receivers_of(statement))
