"""Layer 5: what to say about an operation through which no gradient flows.

One idea: a table from the type of the operation to a cause, a reason and a way out. Code that takes
the operation's place is made of the learner's own text, in `instead`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.kinds import ANSWERS, CATEGORICAL, ROUNDING, SHAPE_ONLY


class Stop(NamedTuple):
    """Why the way ends at an operation, what to do, and the code for it."""

    cause: str
    why: str
    advice: str
    fix: str = ""


STOPPED = "Leave it out if the gradient is wanted."
_FLAT = Stop(
    "no gradient",
    "{op} is flat between its jumps, so its derivative would be zero nearly everywhere: it has "
    "no gradient, and the way from `{target}` back to `{source}` ends there.",
    "Put a relaxation in its place: straight_through has floor's values and a gradient of one; "
    "sigmoid_sum and piecewise_linear are smooth staircases with an honest gradient.",
)
_ANSWER = Stop(
    "no gradient",
    "{op} answers True or False, and no gradient flows through an answer.",
    "Put a soft answer in its place, a number between 0 and 1 that depends smoothly on what is "
    "asked about.",
)
_POSITION = Stop(
    "no gradient",
    "{op} gives or takes positions, which are whole numbers: no gradient flows through them.",
    "Put a soft choice in its place: weights that add up to one, ad.nn.softmax of what is "
    "compared, sharper for a larger factor.",
)
_SHAPE = Stop(
    "only the shape",
    "Only the shape of `{source}` was used ({op}); its values do not enter `{target}`.",
    "Compute the target from the values.",
    "{target} = ad.reduce_sum({source})    # for example",
)
_DRAWN = Stop(
    "no gradient",
    "{op} draws at random, with chances that come from `{source}`. What comes out only jumps from one "
    "class to another: a draw is no function that a gradient flows through.",
    "Let the logarithm of the probability of what was drawn enter the loss, times what it cost, as a "
    "constant (REINFORCE).",
)
_POSITIONS = "ArgMax ArgMin ArgSort TopKV2 Where OneHot Unique UniqueWithCounts"
STOPS = {
    **dict.fromkeys((*ROUNDING, "FloorDiv"), _FLAT),
    **dict.fromkeys(ANSWERS, _ANSWER),
    **dict.fromkeys(_POSITIONS.split(), _POSITION),
    **dict.fromkeys(CATEGORICAL, _DRAWN),
    **dict.fromkeys(SHAPE_ONLY, _SHAPE),
    "RandomShuffle": Stop(
        "no gradient",
        "{op} has no gradient, as in TensorFlow.",
        "Shuffle the positions, and gather.",
    ),
    "Cast": Stop(
        "cast to int",
        "The value was cast to an integer or bool on the way, and no gradient flows through "
        "integers.",
        "Keep the value floating; to round it and keep a gradient, use a relaxation.",
    ),
    "StopGradient": Stop(
        "stop_gradient",
        "ad.stop_gradient passes the value on and takes it for a constant: that is its purpose.",
        STOPPED,
    ),
    "SelectV2": Stop(
        "condition",
        "`{source}` enters ad.where only as its condition. A condition chooses, and no gradient "
        "flows to it.",
        "Mix the two softly instead of choosing: weigh them with a soft answer between 0 and 1, "
        "and with one minus that.",
    ),
}
ON_PURPOSE = (
    "If it is a constant there on purpose, as a target or an advantage is, None is right: `{}` learns "
    "from a loss of its own, or gets its values by assign, as a target network does."
)
OTHER = Stop(
    "no gradient",
    "No gradient flows from {op} to this input of it.",
    "Compute the value from other operations, or give it a gradient of its own.",
    "@ad.custom_gradient    # on a function that returns the value and its gradient function",
)


def stop_of(op_type: str) -> Stop:
    """What to say about an operation whose gradient is the kit's own."""
    return STOPS.get(op_type, OTHER)


def cast_to(operation: Operation) -> str:
    """The kind of dtype that a cast makes, as NumPy has it: "f", "i", "u" or "b"; "" for no cast."""
    return np.dtype(operation.attrs["dtype"]).kind if operation.type == "Cast" else ""
