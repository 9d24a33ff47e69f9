"""Layer 3. `ad.random`: TensorFlow's random operations.

One idea: the numbers come from a stream that no gradient flows into; bounds, mean and deviation
are applied to them with the kit's own operations, so gradients flow into those as in TensorFlow.

Source: https://www.tensorflow.org/api_docs/python/tf/random
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from autodiff_kit import draws, lazy, philox
from autodiff_kit.choices import categorical, stateless_categorical
from autodiff_kit.convert import convert_to_tensor
from autodiff_kit.define import operation
from autodiff_kit.dtypes import float32
from autodiff_kit.keywords import knowing
from autodiff_kit.opdef import no_gradient
from autodiff_kit.seeds import open_stream, set_seed
from autodiff_kit.stateless import (
    Generator,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
)
from autodiff_kit.tensor import Tensor

__all__ = [
    "Generator", "categorical", "normal", "set_seed", "shuffle", "stateless_categorical",
    "stateless_normal", "stateless_truncated_normal", "stateless_uniform", "truncated_normal",
    "uniform",
]  # fmt: skip
__dir__ = lazy.shown(globals())
if not TYPE_CHECKING:
    __getattr__ = lazy.refusing(__name__)


_shuffled = operation("RandomShuffle", "random_shuffle", lambda x, order: x[order], no_gradient)


@knowing
def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Random numbers, all values in [minval, maxval) equally likely; bit for bit TensorFlow's.

    Args:
      shape: the shape of the result, a list or a tensor of integers.
      minval: the lower bound; for floats it broadcasts with the result.
      maxval: the upper bound, which is never drawn; 1 for floats, required for integers.
      dtype: float16, float32, float64, int32 or int64.
      seed: the operation's own seed, an integer; see `set_seed`.
      name: ignored, as in TensorFlow's eager mode.

    Returns:
      A tensor; for floats, of `shape` broadcast with the bounds.

    Raises:
      ValueError: for another dtype, or integers without `maxval`.
      InvalidArgumentError: if `minval >= maxval` for integers, or `shape` is not a vector.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/uniform

    >>> import autodiff_kit as ad
    >>> ad.random.set_seed(5)
    >>> ad.random.uniform([3], maxval=10, dtype=ad.int32, seed=10)
    <Tensor: shape=(3,), dtype=int32, numpy=array([9, 3, 6], dtype=int32)>
    """
    source = partial(open_stream, seed=seed)
    return draws.uniform("RandomUniform{}", source, shape, minval, maxval, dtype)


@knowing
def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed random numbers; TensorFlow's to a few units in the last place.

    Args:
      shape: the shape of the result, a list or a tensor of integers.
      mean: the mean; it broadcasts with the result.
      stddev: the standard deviation; it broadcasts with the result.
      dtype: float16, float32 or float64.
      seed: the operation's own seed, an integer; see `set_seed`.
      name: ignored, as in TensorFlow's eager mode.

    Returns:
      A tensor of `shape` broadcast with `mean` and `stddev`.

    Raises:
      TypeError: if `mean` or `stddev` does not fit the dtype.
      InvalidArgumentError: for a dtype that is not floating, or a `shape` that is not a vector.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/normal

    >>> import autodiff_kit as ad
    >>> ad.random.set_seed(5)
    >>> ad.random.normal([2], mean=3.0, stddev=0.0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([3., 3.], dtype=float32)>
    """
    source = partial(open_stream, seed=seed)
    return draws.normal("RandomStandardNormal", philox.normal, source, shape, mean, stddev, dtype)


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed random numbers, those beyond two deviations drawn again.

    Arguments, result and errors are those of `normal`.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/truncated_normal

    >>> import autodiff_kit as ad
    >>> ad.random.truncated_normal([2, 3]).shape
    TensorShape([2, 3])
    """
    source = partial(open_stream, seed=seed)
    return draws.normal(
        "TruncatedNormal", philox.truncated_normal, source, shape, mean, stddev, dtype
    )


def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """The rows of a tensor in random order. No gradient flows through it, as in TensorFlow.

    Args:
      value: a tensor; its first dimension is shuffled.
      seed: the operation's own seed, an integer; see `set_seed`.
      name: ignored, as in TensorFlow's eager mode.

    Returns:
      A tensor of the same shape and dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/shuffle

    >>> import autodiff_kit as ad
    >>> ad.random.set_seed(3)
    >>> ad.random.shuffle([0.0, 1.0, 2.0, 3.0, 4.0], seed=7).numpy()
    array([1., 3., 2., 0., 4.], dtype=float32)
    """
    tensor = convert_to_tensor(value)
    rows = tensor.shape[0] if tensor.shape else 0
    shuffles = rows > 1 and tensor.shape.num_elements() > 1
    blocks = (rows + 2) // 4 if shuffles else 0
    stream = open_stream(f"RandomShuffle/{tensor.dtype.name}", blocks, seed)
    order = philox.permutation(stream, rows) if shuffles else np.arange(rows)
    return _shuffled(tensor, order=order if tensor.shape else ())
