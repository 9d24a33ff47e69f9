"""Layer 5: what to say about an operation through which no gradient flows.

One idea: a table from the type of the operation to a cause, a reason and a way out.
"""

from __future__ import annotations

from typing import NamedTuple


class Stop(NamedTuple):
    """Why the way ends at an operation, what to do, and the code for it."""

    cause: str
    why: str
    advice: str
    fix: str


def _stops() -> dict[str, Stop]:
    table: dict[str, Stop] = {}

    def add(types: str, cause: str, why: str, advice: str, fix: str) -> None:
        table.update(dict.fromkeys(types.split(), Stop(cause, why, advice, fix)))

    add(
        "Floor Ceil Round Rint FloorDiv",
        "no gradient",
        "{op} is flat between its jumps, so its derivative would be zero nearly everywhere: it has "
        "no gradient, and the way from `{target}` back to `{source}` ends there.",
        "Put a relaxation in its place: straight_through has floor's values and a gradient of one; "
        "sigmoid_sum and piecewise_linear are smooth staircases with an honest gradient.",
        "ad.relax.straight_through({x})",
    )
    add(
        "Less LessEqual Greater GreaterEqual Equal NotEqual LogicalAnd LogicalOr LogicalNot "
        "LogicalXor IsNan IsInf IsFinite All Any",
        "no gradient",
        "{op} answers True or False, and no gradient flows through an answer.",
        "Put a soft comparison in its place: near 0 and 1 away from the boundary, steeper for a "
        "larger factor.",
        "ad.sigmoid(10.0 * ({x} - threshold))    # instead of {x} > threshold",
    )
    add(
        "ArgMax ArgMin TopKV2 Where OneHot Unique UniqueV2 RandomShuffle",
        "no gradient",
        "{op} gives or takes positions, which are whole numbers: no gradient flows through them.",
        "Put a soft choice in its place: weights that add up to one, sharper for a larger factor.",
        "ad.nn.softmax(10.0 * {x})    # instead of the position of the largest",
    )
    add(
        "Cast",
        "cast to int",
        "The value was cast to an integer or bool on the way, and no gradient flows through "
        "integers.",
        "Keep the value floating; to round it and keep a gradient, use a relaxation.",
        "ad.relax.straight_through({x})    # whole numbers, as floats, with a gradient",
    )
    add(
        "Shape Size Rank ZerosLike OnesLike",
        "only the shape",
        "Only the shape of `{source}` was used ({op}); its values do not enter `{target}`.",
        "Compute the target from the values.",
        "{target} = ad.reduce_sum({source})    # for example",
    )
    add(
        "StopGradient",
        "stop_gradient",
        "ad.stop_gradient passes the value on and takes it for a constant: that is its purpose.",
        "Leave it out if the gradient is wanted.",
        "ad.identity({x})    # instead of ad.stop_gradient({x})",
    )
    add(
        "SelectV2",
        "condition",
        "`{source}` enters ad.where only as its condition. A condition chooses, and no gradient "
        "flows to it.",
        "Mix the two softly instead of choosing.",
        "weight = ad.sigmoid(10.0 * {source})\nweight * a + (1.0 - weight) * b",
    )
    return table


STOPS = _stops()
for _type, _name in (("Round", "ad.round"), ("Ceil", "ad.math.ceil"), ("Rint", "ad.math.rint")):
    STOPS[_type] = STOPS[_type]._replace(
        advice="Keep the values, and on the way back pretend that it had been {x} itself.",
        fix="{x} + ad.stop_gradient(" + _name + "({x}) - {x})",
    )
NEVER_FLOATING = frozenset(
    "Less LessEqual Greater GreaterEqual Equal NotEqual LogicalAnd LogicalOr LogicalNot LogicalXor "
    "IsNan IsInf IsFinite All Any ArgMax ArgMin Where Shape Size Rank".split()
)
OTHER = Stop(
    "no gradient",
    "No gradient flows from {op} to this input of it.",
    "Compute the value from other operations, or give it a gradient of its own.",
    "@ad.custom_gradient    # on a function that returns the value and its gradient function",
)
RETURNED_NONE = Stop(
    "custom None",
    "The gradient function that was given to this operation ({op}) returned None for this input: no "
    "gradient.",
    "Let it return a tensor of the input's shape.",
    "return dy    # in the gradient function, for example, instead of None",
)


def stop_of(op_type: str, own_rule: bool) -> Stop:
    """What to say about an operation; ``own_rule`` if the learner wrote its gradient."""
    return RETURNED_NONE if own_rule else STOPS.get(op_type, OTHER)
