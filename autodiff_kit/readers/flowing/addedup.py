"""Layer 5: several targets, whose gradients are added up.

One idea: who asks for a list of losses gets one gradient, that of their sum. It is said where more than
one of them has a part in the answer.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding

_FEW = 3  # that are called by their names


def tell_added_up(case: Case, found: Finding) -> None:
    """Say that the targets are added up, if several of them are what the answer is about."""
    counted = [one for one in case.account.request.targets if _has_a_part(case, one)]
    if len(counted) < 2 or found.status == "zero" and found.cause != "cancelled":
        return
    names = [f"`{case.names.of(one)}`" for one in counted]
    few = len(names) <= _FEW
    shown = " and ".join(names if few else [names[0], f"{len(names) - 1} more targets"])
    if all(one is counted[0] for one in counted):
        found.also.append(
            f"{names[0]} stands {len(names)} times among the targets, and counts as often."
        )
    elif found.status in _WORDS:
        found.also.append(f"{shown} are added up: {_WORDS[found.status]}")


_WORDS = {
    "flows": "this is the gradient of their sum. For the gradient of one, ask for that one alone.",
    "zero": "it is the gradient of their sum that is zero. Ask for each of them alone.",
    "not finite": "one that is not finite spoils the gradient of the sum. Ask for each alone.",
}


def _has_a_part(case: Case, target: object) -> bool:
    """Whether a gradient can come from a target to the source."""
    return any(place in case.leads for place in case.places_of_target(target))
