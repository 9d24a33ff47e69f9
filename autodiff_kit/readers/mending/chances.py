"""Layer 5: what to do where a class was drawn, with chances that were computed from the source.

One idea: a draw only jumps, so nothing in its place has its values and a gradient. What has one is the
logarithm of the probability of what was drawn, or a draw that is made soft (Gumbel-softmax).
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import CATEGORICAL, SAME_NUMBERS
from autodiff_kit.readers.facts.stops import cast_to
from autodiff_kit.readers.mending.here import Here, here
from autodiff_kit.readers.mending.taken import index_takers
from autodiff_kit.readers.program.asked import is_reference
from autodiff_kit.readers.program.spelled import bracketed

_SCORE = (
    "Let the logarithm of the probability of what was drawn enter {target}: {logarithm}, times what it "
    "cost, as a constant (REINFORCE). Over many draws the mean of that is the gradient that is wanted."
)
_SOFT = (
    "weights that add up to one in place of the one-hot vector of the draw, ad.nn.softmax of "
    "({logits} + noise) / temperature, with noise = -ad.math.log(-ad.math.log("
    "ad.random.uniform(ad.shape({logits})))) (Gumbel-softmax)"
)
_KEEP = SAME_NUMBERS | {"StridedSlice"}
_LAST = "    # last in the with block; only its gradient counts"


def drawn(case: Case, operation: Operation, spot: Here | None) -> tuple[str, str]:
    """What to say of a draw among classes, and code if it is certain to mend."""
    logits = spot.argument(0, "logits") if spot is not None else ""
    soft = _SOFT.format(logits=bracketed(logits) if logits else "logits")
    taker = _one_hot(case, operation)
    code = _softly(case, operation, taker, logits) if taker is not None else ""
    if code:
        return f"Draw softly: {soft}. Or keep the draw. {by_score(case, operation)[0]}", code
    advice, code = by_score(case, operation)
    return f"{advice} Or draw softly: {soft}.", code


def by_score(case: Case, operation: Operation) -> tuple[str, str]:
    """How a draw is learnt from by the logarithm of its probability, and code if that is certain."""
    spot = here(case, operation.place)
    logits = spot.argument(0, "logits") if spot is not None else ""
    name = _name_of_draw(case, operation)
    logarithm = _logarithm(case, operation, name or "drawn", logits or "logits")
    known = bool(name) and _still_means(case, operation, logits)
    code = ""
    if known and _can_be_added(case, operation):
        added = f"ad.stop_gradient({case.target_name}) * ad.reduce_sum({logarithm})"
        code = f"{case.target_name} += {added}{_LAST}"
    draws = _draws(case)
    several = f" Each of the {len(draws)} draws has such a logarithm: add them up."
    target = f"`{case.target_name}`" if case.target.dtype.is_floating else "the loss"
    return _SCORE.format(target=target, logarithm=logarithm) + several * (len(draws) > 1), code


def _logarithm(case: Case, operation: Operation, name: str, logits: str) -> str:
    place = _places_of_draw(case, operation).get(name)
    value = case.values.get(place) if place is not None else None
    every = f"ad.nn.log_softmax({logits})"
    if value is not None and not np.ndim(value):
        return f"{every}[0, {name}]"
    return f"ad.gather({every}, {name}, axis=1, batch_dims=1)"


def _places_of_draw(case: Case, operation: Operation) -> dict[str, int]:
    """The names of the draw, or of what has its numbers in another shape, and where these are."""
    drawn: Any = case.values.get(operation.place)
    found: dict[str, int] = {}
    for place, name in case.names.by_place.items() if drawn is not None else ():
        value: Any = case.values.get(place)
        same = value is not None and np.array_equal(np.ravel(value), np.ravel(drawn))
        if same and np.ndim(value) <= np.ndim(drawn) and _is_it(case, operation, place):
            found[name] = place
    return found


def _is_it(case: Case, operation: Operation, place: int) -> bool:
    """Whether a value is what was drawn, in the same order, in another shape or cast at the most."""
    while place > operation.place:
        one = case.operation(place)
        if one.type not in _KEEP and cast_to(one) not in ("i", "u"):
            return False
        place = one.places[0]
    return place == operation.place


def _name_of_draw(case: Case, operation: Operation) -> str:
    rows = len(case.values.get(operation.places[0], ()))
    for name, place in _places_of_draw(case, operation).items():
        shape = np.shape(case.values[place])
        if is_reference(name) and (not shape or shape[0] == rows):
            return name
    return ""


def _still_means(case: Case, operation: Operation, text: str) -> bool:
    """Whether the names in an expression still lead to what it was computed from."""
    if not text:
        return False
    before = leading_to(case.records, [operation.place])
    known = {case.name(place) for place in before}
    nodes = [*ast.walk(ast.parse(text, mode="eval"))]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    calls = any(isinstance(node, ast.Call) for node in nodes)
    return text in known or not calls and bool(names) and names <= known


def _can_be_added(case: Case, operation: Operation) -> bool:
    """Whether a line at the end of the block can add to the target what only this one draw decides."""
    target, frame = case.target, case.names.frame.f_code
    code = case.spot(operation.place).code
    here_too = code is frame or code.co_name == frame.co_name == "<module>"
    plain = is_reference(case.target_name) and case.names.bound(target)
    one = len(case.account.request.targets) == 1 and target.shape == () and len(_draws(case)) == 1
    return here_too and plain and one and target.dtype.is_floating


def _draws(case: Case) -> list[int]:
    return [p for p in case.below if case.operation(p).type in CATEGORICAL]


def _one_hot(case: Case, operation: Operation) -> Operation | None:
    takers = index_takers(case, operation.place)
    return takers[0] if len(takers) == 1 and takers[0].type == "OneHot" else None


def _softly(case: Case, operation: Operation, taker: Operation, logits: str) -> str:
    """Soft weights instead of the one-hot vector, if they have its shape and its dtype."""
    spot, scores = here(case, taker.place), case.values.get(operation.places[0])
    drawn = case.values.get(taker.places[0])
    if spot is None or scores is None or drawn is None or not _still_means(case, operation, logits):
        return ""
    shape = (*np.shape(drawn), taker.attrs.get("depth"))
    plain = set(spot.text.keywords if spot.text else ()) <= {"depth", "indices"}
    last = taker.attrs.get("axis") == np.ndim(drawn)
    if not plain or not last or shape != scores.shape or scores.dtype.name != "float32":
        return ""
    noise = f"ad.math.log(-ad.math.log(ad.random.uniform(ad.shape({logits}))))"
    return spot.instead(f"ad.nn.softmax({bracketed(logits)} - {noise})")
