"""Layer 5: NaN and infinities that the data brought in.

One idea: say what holds them and how many, and mend the expression that made them, if one did, rather
than the numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.data import data_name
from autodiff_kit.readers.facts.entering import Sick, input_value
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.infinite import held_array, infinite, made_of
from autodiff_kit.readers.facts.spoiling import may_be_a_mask
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.not_finite.halves import cast_of_data
from autodiff_kit.readers.not_finite.maskfactor import mask_multiplied
from autodiff_kit.readers.not_finite.outside import (
    asked_where,
    bound_so,
    followed,
    in_rounds,
    suspects_before,
)
from autodiff_kit.readers.program.lines import same_statement
from autodiff_kit.readers.program.spelled import is_written, spelled

_BEFORE = "# before it is used"


def sick_data(case: Case, born: Sick, found: Finding) -> Finding:
    """Say of data that it is not finite, whose name it is, and what to do about it."""
    found.cause = "data not finite"
    name, line = data_name(case, born.place, born.number)
    value = input_value(case, born.place, born.number)
    if value is None:  # a sum does not keep it
        value = held_array(case, born.place, born.number)
    made = made_of(case, born.place, born.number)
    what = f"`{name}`" if name else f"`{made.whole}`" if made else "A constant that goes in here"
    birth = case.birth_of_input(born.place, born.number)
    found.why = (
        f"{what} holds {_kinds(value)}. {_no_part(case, birth)} data that goes into "
        f"`{case.target_after(born.place)[1]}`, and everything computed from it is not finite either."
    )
    if line is not None and not same_statement(line, found.line):
        found.also.append(f"It was made at {line.where}.")
    cast = cast_of_data(case, born, made)
    if cast is not None:
        found.why = f"{what} holds {_kinds(value)}. {cast[0]}"
        found.advice = cast[1]
        return found
    if birth.computed and _made_before(case, birth, name, found):
        return found
    told = (infinite(made, name) if made is not None else None) or mask_multiplied(case, born)
    computed = (_print_it(birth), "") if birth.computed and not name else None
    added = case.kind(born.place) == "AddV2"
    found.advice, found.fix = told or computed or _replaced(name, value, added)
    if name:
        _in_the_file(case, name, birth, found)
    return found


def _no_part(case: Case, birth: Birth) -> str:
    """Why it is data to the tape, which is no matter of where its line stands."""
    if birth.computed and case.time.state(birth.time) == "recording":
        return (
            f"As far as `{case.tape_name}` knows, it was made of nothing that is watched: to the "
            "gradient it is"
        )
    return "It was not computed on this tape: it is"


def _in_the_file(case: Case, name: str, birth: Birth, found: Finding) -> None:
    """Tell what the learner's file does with data of this name: what made it, and what asks for it."""
    suspects = bound_so(case, name) if not birth.computed and found.fix else ""
    masks = asked_where(case, name) if found.fix.endswith(_BEFORE) else []
    if masks:
        found.fix = (
            f"{found.fix[: -len(_BEFORE)]}# after line {masks[-1]}, which asks where it is not finite, "
            "and before it is used"
        )
    if suspects:
        advice = f"{found.advice[0].lower()}{found.advice[1:]}"
        found.advice = f"{suspects.strip()} If the data came with them: {advice}"


def _made_before(case: Case, birth: Birth, name: str | None, found: Finding) -> bool:
    """If it was computed from what was not finite before: say where that began, as far as is known."""
    way = followed(case, birth, name)
    if not way.is_known:
        found.advice, found.fix = in_rounds(way), ""
        return True
    first = way.births[-1]
    if first is birth or first.line is None:
        return False
    found.also.append(f"That was computed from `{way.names[-1]}`, made at {first.line.where}.")
    made = spelled(first.type, first.spot) if first.computed else None
    is_plain = made is not None and is_written(made, first.type) and "\n" not in made.whole
    told = infinite(made, way.names[-1]) if made is not None and is_plain else None
    found.advice, found.fix = told or (_print_it(first), "")
    return True


def _print_it(birth: Birth) -> str:
    """What to do about numbers that an operation of the kit made."""
    where = f" at {birth.line.where}" if birth.line is not None else ""
    return (
        f"It was computed{where}: print what goes in there. The logarithm of 0, 0 / 0, 0 * inf and "
        f"inf - inf make such numbers.{suspects_before(birth)}"
    )


def _kinds(value: Any) -> str:
    """What a value holds that is not finite, and how often."""
    if value is None or np.all(np.isfinite(value)):
        return "NaN or inf"
    nan, infinite_too = np.any(np.isnan(value)), np.any(np.isinf(value))
    kind = "NaN and inf" if nan and infinite_too else "NaN" if nan else "inf"
    if may_be_a_mask(value):
        kind = "-inf"
    count = int(np.sum(~np.isfinite(value)))
    return f"{kind} ({count} of {np.size(value)} values)" if np.size(value) > 1 else kind


def _replaced(name: str | None, value: Any, added: bool) -> tuple[str, str]:
    """Other numbers in their place; a -inf that is added may be a mask, and must stay."""
    mask = added and value is not None and bool(np.any(np.isneginf(value)))
    if name and mask:
        return (
            "If this is a mask, -inf is what it was made for, but no NaN (0 * inf makes one): put 0 in "
            "its place. A row that is -inf everywhere must not be left.",
            f"{name} = ad.where(ad.math.is_nan({name}), 0.0, {name})    {_BEFORE}",
        )
    if name:
        return (
            "Leave those examples out, or put other numbers in their place, for example 0:",
            f"{name} = ad.where(ad.math.is_finite({name}), {name}, 0.0)    {_BEFORE}",
        )
    return "Find those values, and leave them out or put others in their place.", ""
