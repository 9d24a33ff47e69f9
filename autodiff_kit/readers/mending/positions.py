"""Layer 5: what to put in place of a position.

One idea: weights that add up to one stand for a choice. What they are multiplied with depends on what
the position was for: a number, a one-hot vector, or a row of a table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.floating import is_floating
from autodiff_kit.readers.facts.kinds import MOVES, ROUNDING
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.mending.here import Here, here
from autodiff_kit.readers.mending.onehots import (
    CLASSES,
    are_weights,
    like_labels,
    marked_by_position,
    weighed_mask,
)
from autodiff_kit.readers.mending.taken import WRITTEN, index_takers, only_cast_back
from autodiff_kit.readers.program.cells import at_hand
from autodiff_kit.readers.program.spelled import bracketed

Mend = tuple[str, str]  # a sentence, "" for the usual one, and code, "" if there is none
SOFT = "weights that add up to one, sharper for a larger factor"


def positions(case: Case, operation: Operation, spot: Here | None) -> Mend:
    """What may stand for the position of the largest or smallest, or for several positions."""
    indexed = index_takers(case, operation.place)
    if operation.type == "TopKV2":
        mask = weighed_mask(case, operation, indexed[0], spot) if len(indexed) == 1 else ("", "")
        return mask if mask[0] else (_TOP + _of_rows(case, indexed), "")
    if operation.type == "ArgSort":
        return _SORTED + (_SCORED if indexed else ""), ""
    weights = _weights(case, operation, spot)
    if operation.place in case.target_places:
        return _the_extreme(case, operation, spot)
    if indexed:
        taker = indexed[0]
        code = _instead_of_taker(case, operation, taker, weights) if len(indexed) == 1 else ""
        if code and taker.type == "OneHot" and are_weights(case, operation):
            return marked_by_position(case, operation, taker, weights)
        what = "the one-hot vector" if taker.type == "OneHot" else "the row, and mix all rows"
        soft = f"the weights {weights}" if are_weights(case, operation) else SOFT
        advice = f"Put {soft}, in place of {what}." if code else chosen_rows(case, taker, operation)
        return advice + _by_draws(case, operation, taker), code
    function, word = _extreme(operation)
    soft = f"the weights {weights}" if weights and are_weights(case, operation) else SOFT
    advice = (
        f"Put a soft position in its place: {soft}, times the positions, added up. Or, if the {word} "
        "value itself is meant and not where it stands, as the value of the best action is, take "
        f"ad.reduce_{function}, which has a gradient."
    )
    if like_labels(case, operation):
        advice = f"{CLASSES} {advice[0].lower()}{advice[1:]}"
    if spot is None or not weights or not only_cast_back(case, operation.place):
        return advice, ""
    value = case.values[operation.places[0]]
    dtype = "" if value.dtype.name == "float32" else f", dtype=ad.{value.dtype.name}"
    before, name = spot.named(weights, "weights", "soft_weights")
    places = f"ad.range({value.shape[-1]}.0{dtype})"
    return advice, before + spot.instead(f"ad.reduce_sum({name} * {places}, axis=-1)")


def _of_rows(case: Case, indexed: list[Operation]) -> str:
    return " " + chosen_rows(case, indexed[0]) if indexed else ""


def _the_extreme(case: Case, operation: Operation, spot: Here | None) -> Mend:
    """Who asks for the derivative of the position itself mostly means the largest or smallest value."""
    function, word = _extreme(operation)
    advice = (
        f"If the {word} value is meant, as for a saliency map, take ad.reduce_{function} of the same, "
        "which has a gradient."
    )
    value = case.values.get(operation.places[0])
    of = spot.argument(0, "input") if spot is not None else ""
    if spot is None or value is None or not of:
        return advice, ""
    axis = f", axis={operation.attrs['axis']}" if value.ndim > 1 else ""
    return advice, spot.instead(f"ad.reduce_{function}({of}{axis})")


def _extreme(operation: Operation) -> tuple[str, str]:
    return ("max", "largest") if operation.type == "ArgMax" else ("min", "smallest")


_TOP = (
    "Its second result holds positions, and only the first, the values, has a gradient: compute with "
    "the values, or weigh all elements softly with ad.nn.softmax instead of taking the largest."
)
_SORTED = (
    "The positions only jump. ad.sort gives the values in order, and they have a gradient; a soft rank "
    "of each value is the sum of ad.sigmoid of its differences from all the others."
)
_SCORED = (
    " If they only order or choose rows by a score, let the score itself enter too: multiply the rows "
    "that were taken by theirs."
)


_WHOLE = "It is used as an index, and an index has to be whole. "
_MIXED = (
    "Mix all rows softly instead of taking one: ad.tensordot(ad.nn.softmax(scores), rows, 1), where "
    "scores has a number for each of the rows, larger the better it fits."
)
ROWS = (  # of those that were taken because they are the nearest
    f"{_WHOLE}{_MIXED} Or keep the row that was taken, and on the way back pretend that it had been "
    "what it was chosen for: z + ad.stop_gradient(row - z), where row is what was taken, and z what it "
    "was to be like, of the same shape."
)
_DRAWN = (
    " Or, where no derivative is to be had of what a choice earns, as in a game, draw it at random "
    "with the chances ad.nn.softmax({scores}), and let the logarithm of the probability of what was "
    "drawn enter `{target}`: minus that, times what it earned (REINFORCE)."
)
ROWS_TAKEN = (
    "as a saliency map of words does, give the rows that are taken there a name, and ask for the "
    "gradient of that"
)
_BETWEEN = (
    " Where neighbours lie close to each other, as the points of a curve or of a picture do, go "
    "straight from one to the next: with low = ad.floor({0}), the entry at low times 1 - ({0} - low), "
    "plus the next one times {0} - low. That has a gradient."
)
_NO_ORDER = " Where they have no order, m"
_SHARED = (
    "It is used as an index to write at, and an index has to be whole. Share what is written between "
    "the two places around it: with low = ad.floor(position), the part 1 - (position - low) goes to "
    "low, and the part position - low to the next one. These parts have a gradient."
)


def between(case: Case, place: int) -> str:
    """What to do where the number with decimals at a place was made whole to serve as an index.

    Nothing where it was whole from the beginning: the position of a largest one is no place between.
    """
    place = case.before(place, *ROUNDING)
    if place >= 0 and not is_floating(case, place):
        return ""
    name = case.name(place) if place >= 0 else None
    return _BETWEEN.format(name or "position")


def looked_up(case: Case, place: int, taker: Operation | None) -> str:
    """What to do where the number at a place was cast to serve as an index to read at.

    Args:
      taker: the operation that takes the index; None if Python does.
    """
    table = _table_of(case, taker) if taker is not None else ""
    mixed, ids = _of_table(_MIXED, table), taker is not None and _are_ids(case, taker)
    if ids:
        return f"{_WHOLE}{mixed} To see how much each index counts, {ROWS_TAKEN}."
    return f"{_WHOLE.strip()}{between(case, place)}{_NO_ORDER}{mixed[1:]}"


def _weights(case: Case, operation: Operation, spot: Here | None) -> str:
    """The weights in place of one position along the last axis, ``""`` if that is not certain."""
    value = case.values.get(operation.places[0])
    scores = spot.argument(0, "input") if spot is not None else ""
    if value is None or not scores or operation.attrs["axis"] % value.ndim != value.ndim - 1:
        return ""
    if are_weights(case, operation):
        return scores
    sign = "-" if operation.type == "ArgMin" else ""
    return f"ad.nn.softmax({sign}10.0 * {bracketed(scores)})"


def _instead_of_taker(case: Case, operation: Operation, taker: Operation, weights: str) -> str:
    """The weights instead of the one-hot vector, or of the row, that the position was for."""
    spot = here(case, taker.place) if taker.type not in WRITTEN else None
    if spot is None or not weights or spot.code is not case.spot(operation.place).code:
        return ""
    count = case.values[operation.places[0]].shape[-1]
    if operation.place not in taker.places:  # it was cast or cut on the way
        return ""
    if taker.type == "OneHot":
        depth = taker.attrs.get("depth", _known(case, taker, 1))
        plain = set(spot.text.keywords if spot.text else ()) <= {"depth", "indices"}
        return spot.instead(weights) if plain and depth == count else ""
    plain = not set(spot.text.keywords if spot.text else ()) - {"params", "indices", "ids"}
    text = spot.argument(0, "params")
    table = _known(case, taker, 0)
    if table is None:
        table = _constant(case, spot, text, case.values[operation.places[0]].dtype)
    if not plain or not text or table is None or np.shape(table)[:1] != (count,):
        return ""
    before, name = spot.named(weights, "weights", "soft_weights")
    return before + spot.instead(f"ad.tensordot({name}, {text}, 1)")


def _constant(case: Case, spot: Here, text: str, dtype: Any) -> Any:
    """A table that the tape does not track, if the text leads to it and it goes with the weights."""
    table = at_hand(text, spot.code, case.names.frame)
    value = tensor_behind(table)._value if is_tensor(table) else table
    return value if isinstance(value, np.ndarray) and value.dtype == dtype else None


def _by_draws(case: Case, operation: Operation, taker: Operation) -> str:
    """A sentence about choices at random, where a number is looked up that nothing computes."""
    looked_up = taker.type in ("GatherV2", "GatherNd") and taker.places[0] < 0
    if operation.type != "ArgMax" or not looked_up:
        return ""
    return _DRAWN.format(scores=_scores(case, operation), target=case.target_name)


def _scores(case: Case, operation: Operation) -> str:
    """What the learner calls the numbers that decided; "scores" if that has no name."""
    return case.name(operation.places[0]) or "scores"


def _known(case: Case, operation: Operation, number: int) -> Any:
    value = input_value(case, operation.place, number)
    return value.item() if getattr(value, "shape", None) == () else value


def chosen_rows(case: Case, taker: Operation, operation: Operation | None = None) -> str:
    """What to do where a whole number is used as an index, for which there is no code in general.

    Args:
      operation: the one that took the position of the largest or smallest, if one did.
    """
    if taker.type == "OneHot":
        return (
            "It is used as an index, and an index has to be whole. Put weights that add up to one in "
            "place of the one-hot vector: ad.nn.softmax of something that is larger where the position "
            "is nearer."
        )
    if taker.type in WRITTEN:
        return _SHARED
    smallest = operation is not None and operation.type == "ArgMin"
    return _of_table(ROWS if smallest else f"{_WHOLE}{_MIXED}", _table_of(case, taker))


def _table_of(case: Case, taker: Operation) -> str:
    """What the learner calls the rows that an index is taken of; "" if that is not certain."""
    spot = here(case, taker.place)
    return spot.argument(0, "params") if spot is not None else ""


def _of_table(words: str, table: str) -> str:
    """Advice about all rows, with the name of their table if there is one."""
    if not table:
        return words
    return words.replace("all rows", f"the rows of {table}").replace("rows, 1)", f"{table}, 1)")


_MOVED = MOVES | {"Cast", "Watch"}


def _are_ids(case: Case, taker: Operation) -> bool:
    """Whether the source itself, whole numbers of a floating dtype, is what is taken for an index."""
    value = np.asarray(tensor_behind(case.source)._value)
    before = leading_to(case.records, [taker.place]) & case.below - {taker.place}
    plain = all(case.operation(place).type in _MOVED for place in before)
    return plain and value.size > 1 and bool(np.all(value == np.floor(value)))
