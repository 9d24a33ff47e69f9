"""Layer 5: a variable that is not finite by now.

One idea: a loop that diverged leaves a variable that is NaN, and the tape may have read it before: then
nothing on the tape says so, and the variable itself does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.tensor import Tensor

SLOWER = (
    "Look at the step before: too large a learning rate makes a loop diverge, and it ends like this. "
    "Lower the learning rate, and begin again from finite values."
)


_EARLIER = (
    " If ad.explain is asked before the variables get their new values, it says where it began."
)


def spoilt(case: Case) -> Any | None:
    """The source, or a variable that the target was computed from, if it is not finite by now."""
    if type(case.source) is not Tensor and not np.all(
        np.isfinite(tensor_behind(case.source)._value)
    ):
        return case.source
    for one, places in case.tape.variables.items():
        # An infinity in another variable may be meant, as in a smallest loss so far.
        if (
            one.trainable
            and case.above & set(places)
            and np.any(np.isnan(tensor_behind(one)._value))
        ):
            return one
    return None


def with_spoilt(case: Case, found: Finding) -> Finding:
    """The finding, with a variable that is not finite by now said first."""
    variable = spoilt(case)
    if variable is None or found.cause == "source not finite":
        return found
    name = case.source_name if variable is case.source else case.names.of(variable)
    if found.cause == "data not finite":
        found.also.append(
            f"`{name}` itself is not finite by now: begin again from finite values when that is mended."
        )
        return found
    value = np.ravel(tensor_behind(variable)._value)
    what = value[~np.isfinite(value)][0]
    later = case.tape.find(tensor_behind(variable)) < 0
    since = ", by now: it was given a new value after the tape had read it" if later else ""
    found.why = f"`{name}` itself is not finite ({what}){since}. {found.why}"
    if found.cause in ("value unknown", "zero"):
        found.cause, found.advice, found.fix = "source not finite", f"{SLOWER}{_EARLIER}", ""
    return found
