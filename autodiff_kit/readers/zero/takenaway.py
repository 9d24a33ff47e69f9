"""Layer 5: a value that is added, and taken away again.

One idea: who draws a sample around a mean and asks how far it is from that mean gets the noise alone.
The gradients of the two ways cancel for every sample, and nothing is left to learn from.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import DIFFERENCES, SAME_NUMBERS
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.program.spelled import Spelled, bracketed, instead


def taken_away(case: Case, place: int, found: Finding) -> bool:
    """Whether all that is made of a value is what is left of it when it was taken away again."""
    differences = {at: number for at in case.path for number in _sum_in(case, at, place)}
    if not differences or case.leads_around(lambda at: at in differences, [place]):
        return False
    at = min(differences)
    _tell(case, at, differences[at], place, found)
    return True


def _sum_in(case: Case, at: int, place: int) -> list[int]:
    """Which input of a difference is a sum that has the other one in it."""
    operation = case.operation(at)
    if operation.type not in DIFFERENCES:
        return []
    first, second = operation.places
    pairs = ((0, first, second), (1, second, first))
    return [
        n for n, whole, part in pairs if _is(case, part, place) and _contains(case, whole, place)
    ]


def _is(case: Case, at: int, place: int) -> bool:
    """Whether a value is another one, in a new shape or as it is."""
    while at >= 0 and at != place and case.operation(at).type in SAME_NUMBERS:
        at = case.operation(at).places[0]
    return at == place


def _contains(case: Case, at: int, place: int) -> bool:
    """Whether one value is a sum of another one and of what does not depend on that."""
    if at < 0 or at == place:
        return False
    while at >= 0 and at != place:
        operation = case.operation(at)
        if operation.type in SAME_NUMBERS or operation.type == "Sub":
            at, rest = operation.places[0], operation.places[1:2]
        elif operation.type == "AddV2":
            first, second = operation.places
            at, rest = (first, (second,)) if first in case.below else (second, (first,))
        else:
            return False
        if any(one in case.below for one in rest):
            return False
    return at == place


def _tell(case: Case, at: int, number: int, place: int, found: Finding) -> None:
    kind = case.operation(at).type
    written = text_of(case, at)
    names = written.arguments if written is not None and len(written.arguments) == 2 else ()
    whole = f"`{names[number].strip()}`" if names else "a sum"
    part = f"`{names[1 - number].strip()}`" if names else "what is a part of it"
    if not names and case.name(place):
        part = f"`{case.name(place)}`"
    found.op, found.line = kind, case.line(at)
    found.why = (
        f"The ways cancel each other: {part} is in {whole} already, and is taken away again here. What "
        "is left does not depend on it, whatever its value."
    )
    found.advice = (
        f"If {whole} is to be held as it is, as a sample or an action whose probability is asked for, "
        "let no gradient go back through it:"
    )
    found.fix = _held(written, number) if written is not None and names else ""
    if not found.fix:
        found.advice = f"{found.advice[:-1]} (ad.stop_gradient)."


def _held(text: Spelled, number: int) -> str:
    """The difference with a constant in the place of the sum."""
    if "\n" in text.whole:
        return ""
    parts = [*text.arguments]
    parts[number] = f"ad.stop_gradient({parts[number].strip()})"
    if text.function in ("Sub", "-"):
        code = f"{parts[0]} - {bracketed(parts[1]) if number == 0 else parts[1]}"
        code = f"{bracketed(text.arguments[0])} - {parts[1]}" if number else code
    else:
        code = f"{text.name}({', '.join(parts)})"
    return instead(code, text)
