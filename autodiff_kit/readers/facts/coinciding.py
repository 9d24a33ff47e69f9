"""Layer 5: equal eigenvalues or singular values, whose vectors a gradient arrived at.

One idea: their rule divides by the differences of the values. Of two that are equal it leaves out what
they would add, and of two that only rounding tells apart it makes something huge.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.readers.facts.account import Step, value_of

_WORDS = {"SelfAdjointEigV2": "eigenvalues", "Svd": "singular values"}
_SEEN = 0.01  # of the largest number that arrived


class Pair(NamedTuple):
    """Two values of one matrix that are equal, or nearly so."""

    first: float
    second: float
    largest: float


def equal_pair(step: Step) -> Pair | None:
    """The nearest two of the values that are equal or nearly so, if their vectors got a gradient."""
    operation = step.operation
    if operation.type not in _WORDS or not isinstance(step.dy, dict) or not operation.many:
        return None
    values, *vectors = [np.asarray(value_of(one)) for one in operation.outputs]
    n = values.shape[-1]
    arrived = [
        (each[..., :n], np.asarray(value_of(step.dy[number]))[..., :n])
        for number, each in enumerate(vectors, 1) if number in step.dy
    ]  # fmt: skip
    if not values.size or not arrived or not np.all(np.isfinite(values)):
        return None
    gaps = np.abs(values[..., :, None] - values[..., None, :])
    largest = np.broadcast_to(np.abs(values).max(-1)[..., None, None], gaps.shape)
    near = gaps <= np.sqrt(np.finfo(values.dtype).eps) * largest
    near &= np.where(gaps == 0, _reached(arrived), _turned(arrived)) & ~np.eye(n, dtype=bool)
    if not near.any():
        return None
    at = np.unravel_index(int(np.argmin(np.where(near, gaps, np.inf))), gaps.shape)
    first, second = sorted(float(values[(*at[:-2], k)]) for k in at[-2:])
    return Pair(first, second, float(largest[at]))


def _reached(arrived: list[Any]) -> Any:
    """For each two vectors whether a gradient came to one of them."""
    reached = sum(np.abs(dvectors).sum(-2) for _, dvectors in arrived) > 0
    return reached[..., :, None] | reached[..., None, :]


def _turned(arrived: list[Any]) -> Any:
    """For each two vectors whether what was computed changes when they turn in their plane.

    What is computed from all of a function of the matrix, ``v @ diag(f(w)) @ v.T``, hardly does.
    """
    turn: Any = 0.0
    for vectors, dvectors in arrived:
        seen = np.swapaxes(vectors, -1, -2) @ dvectors
        turn = turn + seen - np.swapaxes(seen, -1, -2)
    return np.abs(turn) > _SEEN * max(np.abs(dvectors).max() for _, dvectors in arrived)


def equal_words(step: Step, pair: Pair) -> str:
    """Why there is no gradient to be had, or none to be trusted."""
    what, kind = _WORDS[step.operation.type], step.operation.type
    if pair.first == pair.second:
        return (
            f"two of the {what} are equal ({pair.first:.4g}), so their vectors may point anywhere in a "
            "plane, and are no function of the matrix. A change of the matrix would turn them by any "
            f"angle, and the rule of {kind} leaves out what that adds, as TensorFlow's does"
        )
    return (
        f"two of the {what} are nearly equal ({pair.first:.4g}, {pair.second - pair.first:.1g} apart), "
        f"and the rule of {kind} divides by their difference, which is mostly rounding: what the "
        "vectors add to the gradient is huge, and its digits mean nothing"
    )
