"""Layer 3. Random numbers without a global state: from a seed in the call, or from a Generator.

One idea: a seed of two integers is put through Philox once, so that even neighbouring seeds open
unrelated streams; a Generator is a stream that moves on.

Source: https://www.tensorflow.org/api_docs/python/tf/random/Generator
"""

from __future__ import annotations

import operator
import threading
from typing import Any

import numpy as np

from autodiff_kit import draws, philox
from autodiff_kit.convert import convert_to_tensor
from autodiff_kit.draws import Kernel, Source
from autodiff_kit.dtypes import as_dtype, float32
from autodiff_kit.tensor import Tensor

__all__ = [
    "Generator", "stateless_normal", "stateless_truncated_normal", "stateless_uniform",
]  # fmt: skip

_MASK64 = (1 << 64) - 1
_SCRAMBLER = 0x02461E29_3EC8F720  # the key TensorFlow puts a seed through


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = float32,
    name: str | None = None,
) -> Tensor:
    """Random numbers in [minval, maxval), the same for the same seed; bit for bit TensorFlow's.

    Args:
      shape: the shape of the result, a list or a tensor of integers.
      seed: two integers.
      minval: the lower bound; for floats it broadcasts with the result.
      maxval: the upper bound, which is never drawn; 1 for floats, required for integers, but with
        ``minval=None, maxval=None`` all that the dtype holds may be drawn.
      dtype: float16, float32, float64, int32 or int64; without bounds uint32 or uint64 too.
      name: ignored, as in TensorFlow's eager mode.

    Returns:
      A tensor; for floats, of `shape` broadcast with the bounds.

    Raises:
      ValueError: for another dtype, or integers without `maxval`.
      InvalidArgumentError: if `seed` is not two integers, `shape` is not a vector, or
        `minval >= maxval` for integers.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_uniform

    >>> import autodiff_kit as ad
    >>> ad.random.stateless_uniform([3], seed=[1, 2], maxval=10, dtype=ad.int32).shape
    TensorShape([3])
    """
    return _uniform(fixed(seed), shape, minval, maxval, dtype)


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    name: str | None = None,
) -> Tensor:
    """Normally distributed numbers, the same for the same seed of two integers.

    The other arguments, the result and the errors are those of `ad.random.normal`.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_normal

    >>> import autodiff_kit as ad
    >>> ad.random.stateless_normal([2], seed=[1, 2], mean=3.0, stddev=0.0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([3., 3.], dtype=float32)>
    """
    return _normal(philox.normal, fixed(seed), shape, mean, stddev, dtype)


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    name: str | None = None,
) -> Tensor:
    """Normal numbers within two deviations, the same for the same seed of two integers.

    The other arguments, the result and the errors are those of `ad.random.normal`.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_truncated_normal

    >>> import autodiff_kit as ad
    >>> ad.random.stateless_truncated_normal([2, 3], seed=[1, 2]).shape
    TensorShape([2, 3])
    """
    return _normal(philox.truncated_normal, fixed(seed), shape, mean, stddev, dtype)


class Generator:
    """A stream of random numbers of its own, apart from the global seed.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/Generator

    >>> import autodiff_kit as ad
    >>> one, other = ad.random.Generator.from_seed(1), ad.random.Generator.from_seed(1)
    >>> bool((one.normal([3]).numpy() == other.normal([3]).numpy()).all())
    True
    """

    def __init__(self, stream: philox.Stream) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    @classmethod
    def from_seed(cls, seed: int) -> Generator:
        """A generator whose numbers follow from an integer of any size."""
        try:
            number = operator.index(seed)
        except TypeError:
            raise TypeError(f"A seed must be an integer, got {seed!r}") from None
        return cls(philox.Stream(number >> 128 & _MASK64, 0).skip(number))

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32
    ) -> Tensor:
        """The next numbers in [minval, maxval); arguments and errors as `stateless_uniform`."""
        return _uniform(self._next, shape, minval, maxval, dtype)

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32
    ) -> Tensor:
        """The next normally distributed numbers; arguments and errors as `ad.random.normal`."""
        return _normal(philox.normal, self._next, shape, mean, stddev, dtype)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32
    ) -> Tensor:
        """The next normal numbers within two deviations; arguments as `ad.random.normal`."""
        return _normal(philox.truncated_normal, self._next, shape, mean, stddev, dtype)

    def _next(self, _kernel: str, blocks: int) -> philox.Stream:
        with self._lock:
            stream = self._stream
            self._stream = stream.skip(blocks)
        return stream


def _uniform(source: Source, shape: Any, minval: Any, maxval: Any, dtype: Any) -> Tensor:
    kind = as_dtype(dtype)
    if minval is None and maxval is None and kind.is_integer:
        return draws.any_integers("StatelessRandomUniformFullIntV2", source, shape, kind)
    return draws.uniform("StatelessRandomUniform{}V2", source, shape, minval, maxval, dtype)


def _normal(
    kernel: Kernel, source: Source, shape: Any, mean: Any, stddev: Any, dtype: Any
) -> Tensor:
    truncated = kernel is philox.truncated_normal
    type_ = "StatelessTruncatedNormalV2" if truncated else "StatelessRandomNormalV2"
    return draws.normal(type_, kernel, source, shape, mean, stddev, dtype)


def fixed(seed: Any, type_: str = "StatelessRandomGetKeyCounter") -> Source:
    """Return where the numbers of a seed of two integers come from; `type_` is for the errors."""
    pair = convert_to_tensor(seed)
    if not pair.dtype.is_integer:
        words = f"Value for attr 'Tseed' of {pair.dtype.error_name} is not in the list of allowed"
        raise draws.refusal(type_, f"{words} values: int32, int64; a seed is two integers")
    if pair.shape != (2,):
        raise draws.refusal(
            type_, f"seed must have shape [2], not {draws.plain(pair.shape)}; for example [1, 2]"
        )
    low, high = (int(number) & _MASK64 for number in pair._value)
    block = philox.blocks(philox.Stream(_SCRAMBLER, low | high << 64), np.zeros(1, np.uint64))
    first, second, third, fourth = block[0].tolist()
    stream = philox.Stream(first | second << 32, (third | fourth << 32) << 64)
    return lambda _kernel, _blocks: stream
