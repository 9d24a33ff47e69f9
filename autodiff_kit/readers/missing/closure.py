"""Layer 5: a source that the body of a custom gradient takes from outside.

One idea: such a function's rule has a gradient for each of its arguments, and for the variables that
the body reads. A tensor that the body sees only because it is there has no place among them.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.bodies import captured
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding


def not_an_argument(case: Case) -> Finding | None:
    """The result was made of the source in the body, and the source is none of the arguments."""
    found = captured(case)
    if found is None:
        return None
    step, place = found
    called, name = step.attrs["name"], case.source_name
    return case.none(
        "not an argument",
        f"The body of `{called}` uses `{name}`, or what was made of it, here. But `{called}` brings "
        "its own gradient (ad.custom_gradient): the way back goes through its gradient function, which "
        "has gradients for its arguments only.",
        "",
        case.operation(place).type,
        case.line(place),
        f"Make what the body uses there an argument of `{called}`, and let its gradient function "
        "return a gradient for that one as well.",
    )
