"""Layer 3: clipping gradients, one by one or all by one factor.

One idea: nothing here needs a rule of its own; all is made of operations that have theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_kit.convert import as_tensor, operand
from autodiff_kit.namespace import xp
from autodiff_kit.ops.extremes import clip_by_value, maximum, minimum
from autodiff_kit.ops.reduction import reduce_sum
from autodiff_kit.ops.roots import sqrt
from autodiff_kit.ops.sums import add_n
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["clip_by_global_norm", "clip_by_norm", "clip_by_value"]


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The values, scaled down where their Euclidean norm is above ``clip_norm``.

    Args:
      t: a floating tensor.
      clip_norm: the largest norm; a negative one counts as 0. Of several numbers, one for each row
        for example, each must belong to elements that ``t`` has.
      axes: the axes along which the norm is taken; None for all.
      name: ignored.

    Returns:
      A tensor of the shape and dtype of ``t``.

    Raises:
      InvalidArgumentError: for an integer tensor.
      ValueError: if ``clip_norm`` would stretch ``t``.

    Source: https://www.tensorflow.org/api_docs/python/tf/clip_by_norm

    >>> import autodiff_kit as ad
    >>> ad.clip_by_norm([3.0, 4.0], 10.0)
    <Tensor: shape=(2,), dtype=float32, numpy=array([3., 4.], dtype=float32)>
    """
    x = as_tensor(t)
    limit = operand(clip_norm, x.dtype)
    if limit.dtype != x.dtype and not limit.dtype.is_bool:
        limit = xp.cast(limit, dtype=x.dtype.name)
    limit = maximum(limit, tensor_of(x._value.dtype.type(0)))
    squares = reduce_sum(x * x, axes, keepdims=True)
    positive = squares > 0  # the safe double `where`: sqrt has no finite slope at 0
    safe = xp.where(positive, squares, xp.ones_like(squares))
    norm = xp.where(positive, xp.sqrt(safe), squares)
    scaled = x * limit
    if scaled._value.shape != x._value.shape:
        raise ValueError(
            f"Shapes {x._value.shape} and {scaled._value.shape} are incompatible: a clip_norm of shape "
            f"{limit._value.shape} would stretch t"
        )
    return scaled / maximum(norm, limit)


def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The Euclidean norm of all elements of several tensors together.

    Args:
      t_list: a list of floating tensors of one dtype; None among them is passed over.
      name: ignored.

    Returns:
      A tensor of shape ().

    Raises:
      TypeError: if it is not a list.

    Source: https://www.tensorflow.org/api_docs/python/tf/linalg/global_norm

    >>> import autodiff_kit as ad
    >>> ad.linalg.global_norm([[3.0], None, [4.0]])
    <Tensor: shape=(), dtype=float32, numpy=5.0>
    """
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError(
            f"`t_list` should be a sequence of tensors. Received {type(t_list)}. A single tensor is "
            "given in a list."
        )
    tensors = [as_tensor(t) for t in t_list if t is not None]
    return sqrt(add_n([reduce_sum(t * t) for t in tensors]))


def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Tensor | None], Tensor]:
    """Several tensors, all scaled down by one factor if their common norm is above ``clip_norm``.

    Args:
      t_list: a list of floating tensors of one dtype, for example gradients; None stays None.
      clip_norm: the largest norm.
      use_norm: the common norm if it is known already.
      name: ignored.

    Returns:
      The list of clipped tensors, and their common norm; if that is not finite they are all NaN.

    Raises:
      TypeError: if it is not a list.

    Source: https://www.tensorflow.org/api_docs/python/tf/clip_by_global_norm

    >>> import autodiff_kit as ad
    >>> clipped, norm = ad.clip_by_global_norm([[3.0], None, [4.0]], 10.0)
    >>> clipped[0], clipped[1], norm
    (<Tensor: shape=(1,), dtype=float32, numpy=array([3.], dtype=float32)>, None, \
<Tensor: shape=(), dtype=float32, numpy=5.0>)
    """
    norm = global_norm(t_list) if use_norm is None else as_tensor(use_norm)
    limit, one = operand(clip_norm, norm.dtype), tensor_of(norm._value.dtype.type(1))
    # One of the two quotients is infinite or NaN if the norm is, and then everything is NaN.
    scale = limit * minimum(one / norm, one / limit) + (norm - norm)
    return [None if t is None else as_tensor(t) * scale for t in t_list], norm
