"""Layer 5: a zero that comes from inside a relaxation of floor.

One idea: the learner wrote one call, not the relu or the sigmoid in it, so the call is what is spoken
of. All that one call records has the same instruction.
"""

from __future__ import annotations

import ast

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.program.lines import segment, spot_of
from autodiff_kit.readers.program.spots import called, calls_at

_FLAT = "Wherever a gradient arrives, the value lies on a flat part of ad.relax."
_STEEP = "between its steps the slope is 0 to the last digit, because they are so steep."
RELAXED = {
    "piecewise_linear": (
        f"{_FLAT}piecewise_linear, which is exactly floor there; only its ramps, the last part of "
        "each step, have a slope.",
        "Make the ramps wider, or take a relaxation that is nowhere flat.",
        "ad.relax.piecewise_linear(x, width={width})    # or ad.relax.sigmoid_sum(x)",
    ),
    "sigmoid_sum": (
        f"{_FLAT}sigmoid_sum: {_STEEP}",
        "Make the steps less steep.",
        "ad.relax.sigmoid_sum(x, sharpness=5.0)",
    ),
    "sigmoid_nearest": (
        f"{_FLAT}sigmoid_nearest: {_STEEP}",
        "Make the steps less steep.",
        "ad.relax.sigmoid_nearest(x, sharpness=5.0)",
    ),
    "detour": (
        "ad.relax.detour has the gradient 0 everywhere: its two ways cancel each other. That is what "
        "it is there to show.",
        "Take a relaxation whose gradient is of use.",
        "ad.relax.straight_through(x)    # or ad.relax.sigmoid_sum(x)",
    ),
}


def relaxed(case: Case, place: int, found: Finding) -> bool:
    """Whether the zero comes from inside a relaxation of floor; then that is what is spoken of."""
    here = case.spot(place)
    around = range(max(0, place - 9), min(len(case.records), place + 10))
    parts = {case.operation(p).type for p in around if case.spot(p) == here}
    calls = [call for call in calls_at(here) if called(call) in RELAXED]
    if len(calls) != 1 or not parts & {"Floor", "Round"}:
        return False
    found.line = case.line(place)
    found.why, found.advice, fix = RELAXED[called(calls[0])]
    argument = _argument(calls[0], here[0].co_filename)
    if "{width}" in fix:
        width = _width(case, place)
        fix = fix.replace("{width}", width) if width else "ad.relax.sigmoid_sum(x)"
    found.fix = fix.replace("(x", f"({argument}") if argument else ""
    return True


def _width(case: Case, place: int) -> str:
    """A ramp so wide that every value lies on it; "" if none narrower than the step is certain."""
    here = case.spot(place)
    records = enumerate(case.records)
    floors = [p for p, one in records if spot_of(one) == here and one[0].type == "Floor"]
    value = input_value(case, floors[-1], 0) if floors else None
    if value is None or not np.size(value):
        return ""
    flat = 1.0 - float(np.min(value - np.floor(value)))
    return next((text for text in ("0.5", "0.75", "0.9") if flat < float(text) - 0.02), "")


def _argument(call: ast.Call, file: str) -> str:
    """What the relaxation was given, as it is written; ``""`` if that is not certain."""
    given = [*call.args, *(k.value for k in call.keywords if k.arg == "x")]
    if not given or isinstance(given[0], ast.Starred):
        return ""
    return segment(file, given[0])
