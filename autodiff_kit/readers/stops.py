"""Layer 5: what to say about an operation through which no gradient flows.

One idea: a table from the type of the operation to a cause, a reason and a way out.
"""

from __future__ import annotations

from typing import NamedTuple

RELAX = (
    "y = ad.relax.straight_through({x})    # floor's value, a gradient of one\n"
    "y = ad.relax.sigmoid_sum({x}, ...)    # or a smooth staircase: see ad.relax"
)


class Stop(NamedTuple):
    """Why the way ends at an operation."""

    cause: str
    why: str
    fix: str


def _stops() -> dict[str, Stop]:
    table: dict[str, Stop] = {}

    def add(types: str, cause: str, why: str, fix: str) -> None:
        table.update(dict.fromkeys(types.split(), Stop(cause, why, fix)))

    add(
        "Floor Ceil Round Rint FloorDiv",
        "no gradient",
        "{op} is flat between its jumps, so its derivative would be zero nearly everywhere: it has no "
        "gradient, and the way from {target} back to {source} ends there.",
        RELAX,
    )
    add(
        "Less LessEqual Greater GreaterEqual Equal NotEqual LogicalAnd LogicalOr LogicalNot "
        "LogicalXor IsNan IsInf IsFinite",
        "no gradient",
        "{op} answers True or False, and no gradient flows through an answer.",
        "y = ad.sigmoid(k * (a - b))    # a soft comparison, steeper for a larger k",
    )
    add(
        "ArgMax ArgMin TopKV2 Where OneHot Unique UniqueV2 RandomShuffle",
        "no gradient",
        "{op} gives or takes positions, which are whole numbers: no gradient flows through them.",
        "weights = ad.nn.softmax(k * x)    # a soft choice, sharper for a larger k",
    )
    add(
        "Cast",
        "cast to int",
        "The value was cast to an integer (or bool) on the way, and no gradient flows through "
        "integers.",
        "keep the value floating, for example ad.cast(..., ad.float32); to round and keep a "
        "gradient use ad.relax.straight_through",
    )
    add(
        "Shape Size Rank ZerosLike OnesLike",
        "only the shape",
        "Only the shape of {source} was used ({op}), and its values do not enter {target}.",
        "compute {target} from the values of {source}",
    )
    add(
        "StopGradient",
        "stop_gradient",
        "ad.stop_gradient passes the value on and takes it for a constant: that is its purpose.",
        "leave ad.stop_gradient out if the gradient is wanted",
    )
    add(
        "SelectV2",
        "condition",
        "{source} enters ad.where only as its condition. A condition chooses, and no gradient flows "
        "to it.",
        "weight = ad.sigmoid(k * x); y = weight * a + (1 - weight) * b    # a soft choice",
    )
    return table


STOPS = _stops()
NEVER_FLOATING = frozenset(
    "Less LessEqual Greater GreaterEqual Equal NotEqual LogicalAnd LogicalOr LogicalNot LogicalXor "
    "IsNan IsInf IsFinite All Any ArgMax ArgMin Where Shape Size Rank".split()
)
OTHER = Stop(
    "no gradient",
    "No gradient flows from {op} to this input of it.",
    "compute the value from other operations, or give it a gradient with ad.custom_gradient",
)
RETURNED_NONE = Stop(
    "custom None",
    "The gradient function of {op} returned None for this input, which means: no gradient.",
    "return a tensor of the input's shape from the gradient function",
)


def stop_of(op_type: str, own_rule: bool) -> Stop:
    """What to say about an operation; ``own_rule`` if the learner wrote its gradient."""
    return RETURNED_NONE if own_rule else STOPS.get(op_type, OTHER)
