"""Layer 5: the second derivative of a function that brings its own gradient.

One idea: what is differentiated a second time is the gradient function. What that computes without
tensors made of the source is a constant.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.wrapped import wrapper_of

_MEND = (
    "If the derivative itself depends on `{source}`, compute it in that function with tensors made of "
    "`{source}`; or give it a derivative of its own, with ad.custom_gradient on a function of "
    "`{source}` and what arrives."
)


def made_by_its_rule(case: Case) -> Finding | None:
    """The target is what a learner's gradient function returned, and the source is not in it."""
    birth, source = case.target_birth, case.source_name
    if case.target_places or not birth.known:
        return None
    made = [one for one in own_rules(case) if _code_of(one) is birth.code]
    if not made:
        return None
    name = made[0].attrs["name"]
    return case.none(
        "second derivative",
        f"`{case.target_name}` is what the gradient function of `{name}` computed here "
        f"(ad.custom_gradient), and `{source}` does not occur in it: it is a constant to the tape.",
        f"{case.zero}    # if 0 is what is meant",
        "CustomGradient",
        birth.line,
        _MEND.format(source=source),
    )


def own_rules(case: Case) -> list[Operation]:
    """The steps with a learner's gradient function that took what was made of the source."""
    found = [p for p in sorted(case.below) if case.kind(p) == "CustomGradient"]
    steps = [case.operation(place) for place in found]
    return [step for step in steps if not wrapper_of(step)]


def of_its_own(case: Case) -> str:
    """A sentence for a derivative without the source in it, if such a function is on the way."""
    names = {one.attrs["name"]: one for one in own_rules(case)}
    if not names:
        return ""
    name = next(iter(names))
    return (
        f" `{name}` brings its own gradient function (ad.custom_gradient), and that is what is "
        f"differentiated here. {_MEND.format(source=case.source_name)}"
    )


def _code_of(operation: Operation) -> Any:
    return getattr(operation.attrs.get("grad_fn"), "__code__", None)
