"""Layer 5: what is made of straight pieces, so that its second derivative is 0 everywhere.

One idea: the records of a question's way back stand at the line of the question, and what they were
computed from before it tells whose derivative they are.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.operation import OUTPUT
from autodiff_kit.readers.facts.account import inputs_of
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.questions import Question, question_at
from autodiff_kit.readers.mending.weights import SOFT
from autodiff_kit.readers.program.lines import spot_of
from autodiff_kit.readers.program.spots import called, calls_at, key_of

LINES = "it is made of straight lines, so its second derivative is 0 everywhere"
PICKS = "it only picks among its inputs, so its second derivative is 0 everywhere"
SMOOTH = "Where the second derivative matters, take a smooth function in its place: {}."
UNIT = SMOOTH.format("ad.math.softplus, ad.tanh or ad.nn.gelu")
_LARGER = SMOOTH.format(
    "for a smooth maximum of x and c, c + ad.math.softplus(x - c); for a minimum, c - "
    "ad.math.softplus(c - x)"
)
_LARGEST = SMOOTH.format("ad.reduce_logsumexp(10.0 * x) / 10.0 is a smooth maximum")
_SMALLEST = SMOOTH.format("-ad.reduce_logsumexp(-10.0 * x) / 10.0 is a smooth minimum")
_CHOICE = SMOOTH.format("weights that add up to one, ad.nn.softmax of what is compared")

PIECES = {  # the operation, what it is called, why its second derivative is 0, and what to do
    "Relu": ("relu", LINES, UNIT),
    "Relu6": ("relu6", LINES, UNIT),
    "LeakyRelu": ("leaky_relu", LINES, UNIT),
    "Maximum": ("maximum", LINES, _LARGER),
    "Minimum": ("minimum", LINES, _LARGER),
    "clip_by_value": ("clip_by_value", LINES, SMOOTH.format("ad.tanh, scaled to the bounds")),
    "Max": ("reduce_max", PICKS, _LARGEST),
    "Min": ("reduce_min", PICKS, _SMALLEST),
    "TopKV2": ("top_k", PICKS, _CHOICE),
    "sort": ("sort", PICKS, _CHOICE),
    "MaxPool": ("max_pool", PICKS, SMOOTH.format("ad.nn.avg_pool")),
    "SelectV2": (
        "where",
        "it depends on its condition only by which of the two is chosen, and a choice has no slope",
        f"Where that matters, mix the two softly: weigh them with {SOFT}, and with one minus that.",
    ),
}

_WITHIN = {"TopKV2": "sort", "Maximum": "clip_by_value", "Minimum": "clip_by_value"}


def made_of_pieces(
    case: Case, place: int, question: Question, through: set[int] | None = None
) -> str:
    """Which of the `PIECES` a record on the way back belongs to; ``""`` if that is not certain.

    Args:
      through: the values that count among those that it was computed from; None for all.
    """
    before = _from_before(case, place, question)
    taken = {_whole(case, p) for p in before if through is None or p in through}
    users = [p for p in range(place) if not _asked(case, p, question)]
    users = [p for p in users if p in taken or taken & set(inputs_of(case.records[p]))]
    kinds = {_kind(case, p) for p in users} - {""}
    return kinds.pop() if len(kinds) == 1 else ""


def second_derivative_of(case: Case, place: int, call: Any = None) -> str:
    """Which of the `PIECES` put zeros in the place of its second derivative; ``""`` if none did.

    Args:
      call: the question that must have been asked there; None for any.
    """
    record = case.records[place]
    asked = question_at(spot_of(record)) if record[0].type == "ZerosLike" else None
    if asked is None or call not in (None, asked.call):
        return ""
    return made_of_pieces(case, place, asked)


def _from_before(case: Case, place: int, question: Question) -> set[int]:
    """The values from before the question that a record of its way back was computed from."""
    found, todo = set(), [place]
    while todo:
        for one in inputs_of(case.records[todo.pop()]):
            if _asked(case, one, question):
                todo.append(one)
            else:
                found.add(one)
    return found


def _whole(case: Case, place: int) -> int:
    """The operation itself for one of its several outputs."""
    record = case.records[place]
    return inputs_of(record)[0] if record[0] is OUTPUT else place


def _asked(case: Case, place: int, question: Question) -> bool:
    return key_of(case.spot(place)) == key_of(question.spot)


def _kind(case: Case, place: int) -> str:
    kind = case.kind(place)
    written = [called(call) for call in calls_at(case.spot(place))]
    name = _WITHIN.get(kind, "")
    return name if name in written else kind if kind in PIECES else ""
