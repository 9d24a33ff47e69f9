"""Layer 3. `categorical`: draws among a few classes, with chances that logits give.

One idea: the operation is on the tape, with the logits as its input and no rule, so that whoever asks
why no gradient comes to them is told where the way ends.

Source: https://www.tensorflow.org/api_docs/python/tf/random/categorical
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit import philox
from autodiff_kit.convert import as_tensor, is_tensor, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.draws import Source, plain, refusal
from autodiff_kit.dtypes import as_dtype, int32, int64
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.integers import integer_array
from autodiff_kit.seeds import open_stream
from autodiff_kit.stateless import fixed
from autodiff_kit.tensor import Tensor

__all__ = ["categorical", "stateless_categorical"]

# TensorFlow sets this many blocks aside for four draws, two words each.
_RESERVE = 256 * 8
_KINDS = (int32, int64)


def _drawn(logits: Any, stream: philox.Stream, num_samples: int, dtype: str) -> Any:
    return philox.choices(stream, logits, num_samples).astype(dtype)


_multinomial = operation("Multinomial", "multinomial", _drawn, no_gradient)
_stateless_multinomial = operation(
    "StatelessMultinomial", "stateless_multinomial", _drawn, no_gradient
)


def categorical(
    logits: Any,
    num_samples: Any,
    dtype: Any = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Draws among classes, each as likely as ``softmax(logits)`` says; TensorFlow's own.

    No gradient flows to the logits: a draw only jumps. What has a gradient is the logarithm of the
    probability of what was drawn, ``ad.nn.log_softmax(logits)`` at its place.

    Args:
      logits: a floating tensor of shape ``(batch, classes)``; what is not finite is never drawn.
      num_samples: how many draws for each row, one integer.
      dtype: int32 or int64, which it is if not given.
      seed: the operation's own seed, an integer; see `set_seed`.
      name: ignored, as in TensorFlow's eager mode.

    Returns:
      The numbers of the classes, shape ``(batch, num_samples)``; in a row without a finite logit the
      number of classes, which is none of them. With hundreds of rows TensorFlow's draws depend on how
      many threads it has, and these are those of one.

    Raises:
      ValueError: for another dtype.
      InvalidArgumentError: if ``logits`` is not a floating matrix with a class, or ``num_samples`` is
        negative or not one number.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/categorical

    >>> import autodiff_kit as ad
    >>> ad.random.set_seed(5)
    >>> ad.random.categorical([[0.0, 0.0, 1.0]], 4).numpy().tolist()
    [[0, 0, 2, 2]]
    """

    def source(kernel: str, blocks: int) -> philox.Stream:
        return open_stream(kernel, blocks, seed)

    return _categorical(_multinomial, "Multinomial", source, logits, num_samples, dtype)


def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = int64, name: str | None = None
) -> Tensor:
    """Draws among classes, the same for the same seed of two integers.

    The other arguments, the result and the errors are those of `ad.random.categorical`.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_categorical

    >>> import autodiff_kit as ad
    >>> ad.random.stateless_categorical([[0.0, 0.0]], 3, seed=[1, 2]).shape
    TensorShape([1, 3])
    """
    type_ = "StatelessMultinomial"
    source = fixed(seed, type_)
    return _categorical(_stateless_multinomial, type_, source, logits, num_samples, dtype)


def _categorical(
    draw: Any, type_: str, source: Source, logits: Any, num_samples: Any, dtype: Any
) -> Tensor:
    kind = int64 if dtype is None else as_dtype(dtype)
    if kind not in _KINDS:
        raise ValueError(
            f"Argument `dtype` got invalid value {kind}. Accepted dtypes are {_KINDS}."
        )
    x = as_tensor(logits)
    if x._value.dtype.kind != "f":
        refuse_kind(type_, x._value, "f")
    if x._value.ndim != 2:
        raise refusal(
            type_,
            f"logits should be a matrix, got shape {plain(x._value.shape)}; write [logits] for one row",
        )
    samples = _count(type_, num_samples)
    rows, classes = x._value.shape
    if classes == 0:
        raise refusal(type_, "num_classes should be positive, got 0")
    name = f"{type_}/{x.dtype.name}/{kind.name}"
    stream = source(name, rows * -(-samples // 4) * _RESERVE)
    return draw(x, stream=stream, num_samples=samples, dtype=kind.name)


def _count(type_: str, num_samples: Any) -> int:
    count = np.asarray(integer_array(num_samples))
    if is_tensor(num_samples) and count.dtype != np.int32:
        raise refusal(
            type_,
            f"cannot compute {type_} as input #1(zero-based) was expected to be a int32 tensor but is "
            f"a {count.dtype.name} tensor",
        )
    if count.ndim:
        raise refusal(type_, f"num_samples should be a scalar, got shape {plain(count.shape)}")
    if count < 0:
        raise refusal(type_, f"num_samples should be non-negative, got {int(count)}")
    return int(count)
