"""Layer 5: what to put in place of an operation through which no gradient flows.

One idea: the code is made of the learner's own text and stands for the very expression that is cut off
there; where that is not certain, or no code can do it, words say what would.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import CATEGORICAL, COMPARISONS, ROUNDING
from autodiff_kit.readers.mending.chances import drawn
from autodiff_kit.readers.mending.here import Here, here
from autodiff_kit.readers.mending.mixed import mixed
from autodiff_kit.readers.mending.onehots import marked_largest
from autodiff_kit.readers.mending.positions import Mend, chosen_rows, looked_up, positions
from autodiff_kit.readers.mending.steepness import steepness
from autodiff_kit.readers.mending.straight import straight_through
from autodiff_kit.readers.mending.taken import (
    WRITTEN,
    counts_hits,
    index_takers,
    only_cast_back,
    read_as_number,
    takers,
)
from autodiff_kit.readers.program.softened import compared, softened
from autodiff_kit.readers.program.spelled import bracketed

ACCURACY = (
    "A count of hits only goes up when a decision flips, so it cannot be a loss. Take the cross "
    "entropy for the loss (ad.nn.sparse_softmax_cross_entropy_with_logits, or "
    "ad.nn.sigmoid_cross_entropy_with_logits for a yes or no), and keep the count to look at."
)
STEEPER = (
    "Put a soft comparison in its place: near 0 and 1 away from the boundary, steeper for a larger "
    "factor."
)
HUMP = (
    "Put a soft equality in its place: 1 where both are equal, and near 0 where they are further "
    "apart than the width, here 0.1."
)
# What code shows, and what is said without any.
_WIDTHS = {"the width, here 0.1.": "a width of your choice.", "; the width is 0.1.": "."}
WITHOUT = (
    "Go on with `{0}` itself, without the cast; what it is computed with then has to be {1} too. To "
    "round it and keep a gradient, use a relaxation."
)
NO_HUMP = "Put one minus a soft equality in its place: 0 where both are equal; the width is 0.1."


def without_width(advice: str) -> str:
    """Advice that no code stands beside: nothing is 0.1 wide there.

    >>> without_width("near 0 where they are further apart than the width, here 0.1. Before it")
    'near 0 where they are further apart than a width of your choice. Before it'
    """
    for shown, plain in _WIDTHS.items():
        advice = advice.replace(shown, plain)
    return advice


def instead_of(case: Case, operation: Operation) -> Mend:
    """What to say and to write about an operation; two empty texts if nothing more is known."""
    kind = operation.type
    if kind not in _WAYS and kind not in _OF_THE_TEXT:
        return "", ""
    if counts_hits(case, operation):
        return ACCURACY, ""
    spot = here(case, operation.place)
    if kind in _WAYS:
        return _WAYS[kind](case, operation, spot)
    return _OF_THE_TEXT[kind](operation, spot) if spot is not None else ("", "")


def _rounding(operation: Operation, spot: Here) -> Mend:
    argument = spot.argument(0, "x")
    if not argument:
        return "", ""
    if operation.type == "Floor":
        return "", spot.instead(f"ad.relax.straight_through({argument})")
    return (
        f"Keep the values, and on the way back pretend that it had been {argument} itself.",
        _straight(spot, argument, "{x}"),
    )


def _straight(spot: Here, argument: str, hard: str) -> str:
    """The value of the expression with the gradient of its argument.

    Args:
      spot: the expression.
      argument: its argument.
      hard: what to make of the expression so that it is floating.
    """
    before, name = spot.named(argument, "h", "before_rounding")
    if not before and ("random" in name or "dropout" in name):
        return ""  # written three times it would be three different values
    again = spot.whole if not before else _called_with(spot, argument, name)
    value = hard.format(x=again)
    return before + spot.instead(f"{name} + ad.stop_gradient({value} - {name})")


def _called_with(spot: Here, argument: str, name: str) -> str:
    first = spot.text.arguments[0] if spot.text is not None and spot.text.arguments else argument
    return spot.whole.replace(first if first in spot.whole else argument, name, 1)


def _floor_division(_operation: Operation, spot: Here) -> Mend:
    upper, lower = spot.argument(0, "x"), spot.argument(1, "y")
    if not upper or not lower:
        return "", ""
    quotient = f"{bracketed(upper)} / {bracketed(lower)}"
    return "", spot.instead(f"ad.relax.straight_through({quotient})")


def _cast(case: Case, operation: Operation, spot: Here | None) -> Mend:
    indexed = index_takers(case, operation.place)
    if indexed and indexed[0].type in ("OneHot", *WRITTEN):
        return chosen_rows(case, indexed[0]), ""
    if indexed or read_as_number(case, operation.place):
        return looked_up(case, operation.places[0], indexed[0] if indexed else None), ""
    argument = spot.argument(0, "x") or spot.argument(0, "value") if spot is not None else ""
    wanted = np.dtype(operation.attrs["dtype"])
    words = NO_HUMP if wanted.kind == "b" else ""
    if spot is None or not argument:
        return words, ""
    if not only_cast_back(case, operation.place):
        return words or WITHOUT.format(argument, operation.attrs["source"]), ""
    if wanted.kind == "b":
        return words, spot.instead(compared("NotEqual", argument, "0.0") or "")
    value = case.values.get(operation.places[0])
    if value is not None and np.all((value >= 0) & (value <= np.iinfo(wanted).max)):
        return "", spot.instead(f"ad.relax.straight_through({argument})")
    return (
        "Keep the values as floats, and on the way back pretend that nothing had been cut off.",
        _straight(spot, argument, f"ad.cast({{x}}, ad.{operation.attrs['source']})"),
    )


def _comparison(case: Case, operation: Operation, spot: Here | None) -> Mend:
    marked = marked_largest(case, operation, spot)
    if marked[1]:
        return marked
    words = {"Equal": HUMP, "NotEqual": NO_HUMP}.get(operation.type, STEEPER)
    written = spot.text.arguments if spot is not None and spot.text is not None else []
    factor = steepness(case, operation, written, spot.file if spot is not None else "")
    code = softened(spot.file, spot.node, None, factor) if spot is not None else None
    if spot is None or code is None:
        return words, ""
    if only_cast_back(case, operation.place):
        return words, spot.instead(code)
    users = takers(case, operation.place)
    if all(user.type in ("Cast", "Sum") for user in users):
        return f"{words} Cast it to a floating dtype, not to an integer.", spot.instead(code)
    return f"{words} That is a number, {code}: leave out what can only take True or False.", ""


def _stop_gradient(_operation: Operation, spot: Here) -> Mend:
    argument = spot.argument(0, "input")
    if not argument:
        return "", ""
    straight = straight_through(argument)
    if straight:
        return (
            "The whole sum is a constant so. Leave the part that is to get the gradient outside:",
            spot.instead(straight),
        )
    return "", spot.instead(f"ad.identity({argument})")


def _shuffle(_operation: Operation, spot: Here) -> Mend:
    argument = spot.argument(0, "value")
    if not argument:
        return "", ""
    before, name = spot.named(argument, "rows")
    seed = spot.argument(1, "seed")
    more = f", seed={seed}" if seed else ""
    order = f"ad.random.shuffle(ad.range(ad.shape({name})[0]){more})"
    return "", before + spot.instead(f"ad.gather({name}, {order})")


# Where it is not certain how the operation is written, these have nothing to say.
_OF_THE_TEXT: dict[str, Callable[[Operation, Here], Mend]] = {
    **dict.fromkeys(ROUNDING, _rounding),
    "FloorDiv": _floor_division,
    "RandomShuffle": _shuffle,
    "StopGradient": _stop_gradient,
}
_WAYS: dict[str, Callable[[Case, Operation, Here | None], Mend]] = {
    **dict.fromkeys(CATEGORICAL, drawn),
    **dict.fromkeys(COMPARISONS, _comparison),
    **dict.fromkeys(("ArgMax", "ArgMin", "ArgSort", "TopKV2"), positions),
    "Cast": _cast,
    "SelectV2": mixed,
}
