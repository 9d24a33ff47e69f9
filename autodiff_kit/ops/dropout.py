"""Layer 3: dropout, and looking rows up.

One idea: the same random numbers as TensorFlow's, from the same seeds, so that the same elements drop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit import random
from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.namespace import xp
from autodiff_kit.ops.gathering import gather
from autodiff_kit.ops.integers import integer, integers
from autodiff_kit.ops.select import where
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["dropout", "embedding_lookup"]


def dropout(
    x: Any, rate: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Sets elements to zero at random and divides the others by the probability to stay.

    Args:
      x: a floating tensor.
      rate: the probability of an element to become zero, in [0, 1).
      noise_shape: the shape of the random choice, which is broadcast to ``x``: where it has a 1, all
        along that axis stay or go together.
      seed: as in `ad.random.uniform`.
      name: ignored.

    Returns:
      A tensor of the same shape and dtype; ``x`` itself if ``rate`` is the number 0.

    Raises:
      ValueError: for a rate outside [0, 1), and for integers.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/dropout

    >>> import autodiff_kit as ad
    >>> ad.random.set_seed(1)
    >>> ad.nn.dropout([1.0, 1.0, 1.0, 1.0, 1.0], 0.5)
    <Tensor: shape=(5,), dtype=float32, numpy=array([0., 2., 2., 0., 0.], dtype=float32)>
    """
    x = as_tensor(x)
    if x._value.dtype.kind != "f":
        raise ValueError(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. "
            f"Received: x_dtype={x.dtype!s}"
        )
    share = as_tensor(rate) if is_tensor(rate) else rate
    number = float(share._value) if is_tensor(share) and not share._value.shape else share
    if not isinstance(number, (int, float, np.number)) or not 0 <= number < 1:
        raise ValueError(
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
        )
    if number == 0 and not is_tensor(rate):
        random.uniform((), seed=seed)  # TensorFlow goes on in its stream here too
        return x
    shape = _noise_shape(noise_shape, x._value.shape)
    return _dropped(x, share, random.uniform(shape, seed=seed, dtype=x.dtype))


def stateless_dropout(x: Tensor, rate: float, seed: Any, noise_shape: Any) -> Tensor:
    """`dropout` with draws that the two numbers of the seed settle; TensorFlow has it in
    ``tf.nn.experimental``.
    """
    shape = _noise_shape(noise_shape, x._value.shape)
    return _dropped(x, rate, random.stateless_uniform(shape, seed, dtype=x.dtype))


def _dropped(x: Tensor, rate: Any, noise: Tensor) -> Tensor:
    kind = x._value.dtype.type
    kept = noise._value >= kind(rate._value if is_tensor(rate) else rate)
    return where(tensor_of(kept), x * (1.0 / (1.0 - rate)), tensor_of(kind(0)))


def _noise_shape(given: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """None stands for the length that the tensor has there, or for the tensor's whole shape."""
    if given is None:
        return shape
    if not isinstance(given, (list, tuple)) or len(given) != len(shape):
        return integers(given)
    return tuple(m if n is None else integer(n) for n, m in zip(given, shape, strict=True))


def embedding_lookup(
    params: Any, ids: Any, max_norm: float | None = None, name: str | None = None
) -> Tensor:
    """The rows of a table that have the given numbers.

    Args:
      params: a tensor whose first axis counts the rows.
      ids: an integer tensor of row numbers.
      max_norm: the Euclidean norm to which longer rows are shortened.
      name: ignored.

    Returns:
      A tensor of shape ``ids.shape + params.shape[1:]``.

    Raises:
      InvalidArgumentError: for a number that no row has.

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/embedding_lookup

    >>> import autodiff_kit as ad
    >>> ad.nn.embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1])
    <Tensor: shape=(1, 2), dtype=float32, numpy=array([[3., 4.]], dtype=float32)>
    """
    rows = gather(params, ids)
    if max_norm is None:
        return rows
    rank = as_tensor(ids)._value.ndim
    axes = tuple(range(rank, rows._value.ndim))
    norm = xp.sqrt(xp.reduce_sum(xp.square(rows), axis=axes, keepdims=True))
    limit = as_tensor(float(max_norm), rows.dtype)
    return rows * limit / xp.maximum(norm, limit)
