"""Layer 5: a value that meets itself.

One idea: what is subtracted from itself leaves 0, and what is divided by itself 1, whatever it is. Who
wants that value and the gradient of the one takes the other for a constant, as the old policy is in a
ratio of policies.
"""

from __future__ import annotations

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.mending.here import here

WITH_ITSELF = ("Sub", "SquaredDifference", "RealDiv")
_SIGN = {"Sub": "-", "RealDiv": "/"}


def with_itself(case: Case, operation: Operation) -> tuple[str, str]:
    """Why nothing flows through such an operation, and what to do."""
    how, left = ("divided by", "1") if operation.type == "RealDiv" else ("subtracted from", "0")
    one, other = _written(case, operation)
    if one != other:
        return (
            f"`{one}` and `{other}` are one and the same tensor, which is {how} itself here: that "
            f"leaves {left}, whatever it is.",
            _advice(operation, one, other),
        )
    name = one or case.name(operation.places[0])
    what = f"`{name}`" if name else "a value"
    why = f"{what} is {how} itself, which leaves {left}, whatever it is."
    return why, _advice(operation, one, other)


def _written(case: Case, operation: Operation) -> tuple[str, str]:
    """How the two are written there, both "" if that is not certain."""
    spot = here(case, operation.place)
    one, other = (spot.argument(0), spot.argument(1)) if spot is not None else ("", "")
    return (one, other) if one and other else ("", "")


def _advice(operation: Operation, one: str, other: str) -> str:
    """To take one of the two for a constant, or two different values."""
    sign = _SIGN.get(operation.type)
    if not sign or not one:
        return "Look at what was meant to stand on the other side."
    return (
        "If the other one is meant to be another value, put that there. If the value is to be this, "
        f"and the gradient that of `{one}`, take the other for a constant: {one} {sign} "
        f"ad.stop_gradient({other})."
    )
