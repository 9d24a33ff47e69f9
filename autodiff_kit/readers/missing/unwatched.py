"""Layer 5: a source that is not on the tape.

One idea: constants, tensors of other tapes, and variables that were not watched or never read are told
apart by what is known of their beginning.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.others import came_from, record_of, recorder, tape_name
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.mending.watching import watch
from autodiff_kit.readers.missing.begun import begun_before
from autodiff_kit.readers.missing.copies import copy_of, exchanged_on, is_made_anew, new_tensor
from autodiff_kit.readers.missing.nameless import made_in_passing
from autodiff_kit.readers.missing.nottrained import (
    moving_average,
    not_trainable,
    of_an_optimizer,
)
from autodiff_kit.readers.missing.rebound import rebound
from autodiff_kit.readers.missing.remade import another_variable
from autodiff_kit.readers.missing.replaced import replaced
from autodiff_kit.readers.missing.unused import never_read, not_used
from autodiff_kit.readers.program.lines import line_of, spot_of
from autodiff_kit.readers.program.spots import calls_at
from autodiff_kit.tensor import Tensor

_BEFORE = "inside the with block, before `{}` is used"
# A place in a list is filled in the block, and by then the next line may have used it.
_AS_IT_IS_MADE = (
    "`{}` is made inside the with block: tell {}.watch of it there, in the line after, before it is "
    "used. Or have the tape watch, first thing inside the block, the tensor that it is made of."
)


def source_not_on_tape(case: Case) -> Finding | None:
    """The tape does not watch the source."""
    if case.source_places:
        return None
    if type(case.source) is Tensor:
        return _tensor_not_on_tape(case)
    return _variable_not_on_tape(case)


def _tensor_not_on_tape(case: Case) -> Finding:
    name, birth = case.source_name, case.source_birth
    if is_made_anew(case):
        return new_tensor(case, birth.line, birth.type if birth.computed else "")
    if birth.computed:
        return _computed_and_unwatched(case)
    record = None if birth.known else record_of(case.source)
    if record is not None:
        return _recorded_by_another(case, record)
    what = "a constant" if birth.known else "a plain tensor"  # which it may have been computed as
    return not_used(case, f"it is {what}") or case.none(
        "not watched",
        f"`{name}` is {what}, and a tape watches only trainable variables by itself.{_seen(case)}",
        watch(case, name),
        line=birth.line,
    )


def _seen(case: Case) -> str:
    """A sentence about another tape that knew the source, as that of an inner block may."""
    other = tape_name(case, recorder(case.source))
    if other is None or other == case.tape_name:
        return ""
    return f" That `{other}` follows it is of no help: each tape watches what it is told to itself."


def _computed_and_unwatched(case: Case) -> Finding:
    name, birth = case.source_name, case.source_birth
    if birth.type in ("ReadVariableOp", "Identity"):
        return copy_of(case, birth.line, birth.type)
    result = _result_of(birth)
    told = f"it is a plain tensor, {result}"
    code, advice = watch(case, name, _BEFORE.format(name)), ""
    if name[-1:] == "]" and case.time.state(birth.time) == "recording":
        code, advice = "", _AS_IT_IS_MADE.format(name, case.tape_name)
    other = rebound(case) or replaced(case) or not_used(case, told) or made_in_passing(case)
    return other or case.none(
        "not watched",
        f"`{name}` is a plain tensor, {result}, and a tape watches only trainable variables by itself.",
        code, birth.type, birth.line, advice,
    )  # fmt: skip


def _result_of(birth: Birth) -> str:
    """What made a tensor: random numbers are scaled and shifted, which is not what was written."""
    calls = [ast.unparse(call.func) for call in calls_at(birth.spot)]
    drawn = [name for name in calls if ".random." in f".{name}"]
    return f"drawn by {drawn[0]}" if len(drawn) == 1 else f"the result of {birth.type}"


def _recorded_by_another(case: Case, record: Any) -> Finding:
    """The source was computed while another tape recorded; that one knows what came of it."""
    line = line_of(spot_of(record))
    if came_from(case.source, case.target):
        return exchanged_on(case, recorder(case.source), line)
    if came_from(case.target, case.source) is False:
        return new_tensor(case, line, record[0].type)
    name, other = case.source_name, tape_name(case, recorder(case.source))
    others = f"`{other}`" if other else "another tape"
    return case.none(
        "not watched",
        f"`{name}` is a plain tensor, the result of {record[0].type}. {others} recorded it, and "
        f"`{case.tape_name}` does not watch it: a tape watches only trainable variables by itself.",
        watch(case, name, _BEFORE.format(name)),
        record[0].type, line,
    )  # fmt: skip


def _variable_not_on_tape(case: Case) -> Finding:
    name, variable = case.source_name, case.source
    if not variable._trainable:
        kept = moving_average(case) or of_an_optimizer(case)
        unused = kept or not_used(case, "it was made with trainable=False")
        return unused or not_trainable(case)
    if not case.tape.watches_variables:
        told = "the tape was made with watch_accessed_variables=False"
        return not_used(case, told) or case.none(
            "variables not watched",
            "The tape was made with watch_accessed_variables=False, so it watches only what it is "
            "told to.",
            watch(case, name),
            line=case.entered,
        )
    born = case.source_birth
    if case.made_after(born) and case.mentions(name, born.line):
        return new_tensor(case, born.line, "")
    return another_variable(case) or begun_before(case) or never_read(case)
