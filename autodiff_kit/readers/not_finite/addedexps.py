"""Layer 5: a logarithm of exponentials that are added up with a plus, and one of them overflows.

One idea: log(exp(a) + exp(b)) is an ordinary number however large a and b are; `logforms` writes it so.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import TOTALS
from autodiff_kit.readers.not_finite.growth import is_one
from autodiff_kit.readers.not_finite.logforms import taken_apart
from autodiff_kit.readers.not_finite.mends import users

_SCALED = ("Mul", "RealDiv", "Broadcast", *TOTALS)  # what a sum may go through up to its logarithm
_SAY = "exp overflows. The logarithm of a sum of exponentials has a form that cannot."


def log_of_sum(case: Case, place: int) -> tuple[str, str] | None:
    """A sentence and code for an exponential that is only added to others below a logarithm."""
    sums, at = 0, place
    while len(case.takers.get(at, ())) == 1:
        log = users(case, at, "Log")
        if log is not None:
            found = taken_apart(case, log) if sums else None
            return (_SAY, found[1]) if found is not None and found[1] else None
        after = users(case, at, "AddV2", *_SCALED)
        if after is None or is_one(case, after):
            return None
        sums += case.kind(after) == "AddV2"
        at = after
    return None
