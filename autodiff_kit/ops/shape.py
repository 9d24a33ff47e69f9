"""Layer 3: the same numbers in another shape.

One idea: what moved there moves back; what was copied comes back as a sum.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from autodiff_kit.broadcasting import sum_to
from autodiff_kit.convert import as_tensor
from autodiff_kit.define import op_of, operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted
from autodiff_kit.ops.integers import integers
from autodiff_kit.tensor import Tensor

__all__ = ["broadcast_to", "reshape", "transpose"]


def static_shape(shape: Any) -> tuple[int, ...]:
    """A shape as a tuple of ints, from a list, a tuple, an array or an integer tensor."""
    if type(shape) is tuple or type(shape) is list:
        for n in shape:
            if type(n) is not int:
                break
        else:
            return tuple(shape)
    return integers(shape)


def _reshaped(x: Any, shape: tuple[int, ...]) -> Any:
    return x.reshape(shape) if shape else x.reshape(shape)[()]


def reshaped_back(dy: Any, _x: Any, _y: Any, shapes: Any, **_how: Any) -> Any:
    """The rule of all that leaves the numbers in their order."""
    if type(dy) is not Tensor:
        return _reshaped(dy, shapes[0])
    return xp.reshape(dy, shape=shapes[0])


_reshape = operation("Reshape", "reshape", _reshaped, reshaped_back)
_RESHAPE = op_of(_reshape)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The elements in the same order under another shape.

    Args:
      tensor: any tensor.
      shape: the new dimensions; one of them may be -1 and is then computed.
      name: ignored.

    Returns:
      The tensor of that shape.

    Raises:
      InvalidArgumentError: if the number of elements does not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/reshape

    >>> import autodiff_kit as ad
    >>> ad.reshape([1.0, 2.0, 3.0, 4.0], [2, -1])
    <Tensor: shape=(2, 2), dtype=float32, numpy=
    array([[1., 2.],
           [3., 4.]], dtype=float32)>
    """
    x = tensor if type(tensor) is Tensor else as_tensor(tensor)
    wanted = static_shape(shape)
    if wanted and min(wanted) >= -1:
        try:
            result = x._value.reshape(wanted)
        except ValueError:
            pass  # what is wrong with it is found out below
        else:
            attrs = {"shape": wanted, "shapes": (x._value.shape,)}
            return noted(_RESHAPE, x, result, attrs)
    _refuse_misfit(wanted, x._value.size)
    return _reshape(x, shape=_without_gap(wanted, x._value.shape))


def _refuse_misfit(wanted: tuple[int, ...], size: int) -> None:
    known = math.prod([n for n in wanted if n != -1])
    gaps = [i for i, n in enumerate(wanted) if n == -1]
    fits = size % known == 0 if gaps and known else size == known
    says = ""
    if min(wanted, default=0) < -1:
        i = next(i for i, n in enumerate(wanted) if n < -1)
        says = f"Size {i} must be non-negative, not {wanted[i]}"
    elif len(gaps) > 1:
        says = f"Only one input size may be -1, not both {gaps[0]} and {gaps[1]}"
    elif not fits:
        says = (
            f"Input to reshape is a tensor with {size} values, but the requested shape "
            f"{list(wanted)} has {known}"
        )
    if says:
        raise InvalidArgumentError(f"{says} [Op:Reshape]")


def _without_gap(wanted: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The wanted shape of no elements with a number for its -1, for which lengths of 0 don't count."""
    if -1 not in wanted:
        return wanted
    known, size = (math.prod([n for n in lengths if n > 0]) for lengths in (wanted, shape))
    return tuple([size // known if n == -1 else n for n in wanted])


def _stretched(x: Any, shape: tuple[int, ...]) -> Any:
    if x.shape or not shape:
        return np.broadcast_to(x, shape)[()]
    # A single number seen at every place, as np.broadcast_to does it in eight times the time: what
    # comes back through the sum that nearly every loss ends with.
    return np.ndarray(shape, x.dtype, x, 0, (0,) * len(shape))


_broadcast_to = operation(
    "BroadcastTo",
    "broadcast_to",
    _stretched,
    lambda dy, x, _y, shape, shapes: sum_to(dy, None, None, shapes[0], shape),
)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """Copies along new axes and along axes of length 1, until the shape is ``shape``.

    Args:
      input: any tensor.
      shape: the new dimensions.
      name: ignored.

    Returns:
      The tensor of that shape.

    Raises:
      InvalidArgumentError: if the shapes do not broadcast.

    Source: https://www.tensorflow.org/api_docs/python/tf/broadcast_to

    >>> import autodiff_kit as ad
    >>> ad.broadcast_to([1.0, 2.0], [2, 2])
    <Tensor: shape=(2, 2), dtype=float32, numpy=
    array([[1., 2.],
           [1., 2.]], dtype=float32)>
    """
    return _broadcast_to(as_tensor(input), shape=static_shape(shape))


def _transposed_back(dy: Any, _x: Any, _y: Any, perm: tuple[int, ...]) -> Any:
    if type(dy) is not Tensor and perm:
        return dy.transpose(inverse(perm))
    return xp.transpose(dy, perm=inverse(perm))


_transpose = operation(
    "Transpose",
    "transpose",
    lambda x, perm: x.transpose(perm) if perm else x,
    _transposed_back,
)
_TRANSPOSE = op_of(_transpose)


@lru_cache(1000)
def inverse(perm: tuple[int, ...]) -> tuple[int, ...]:
    """The order that undoes another one."""
    return tuple([perm.index(axis) for axis in range(len(perm))])


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = None) -> Tensor:
    """The same numbers with the axes in another order.

    Args:
      a: any tensor.
      perm: for each new axis the old one that it was; None reverses them.
      conjugate, name: ignored.

    Returns:
      The tensor with permuted axes.

    Raises:
      InvalidArgumentError: if ``perm`` is not a permutation of the axes.

    Source: https://www.tensorflow.org/api_docs/python/tf/transpose

    >>> import autodiff_kit as ad
    >>> ad.transpose([[1.0, 2.0]])
    <Tensor: shape=(2, 1), dtype=float32, numpy=
    array([[1.],
           [2.]], dtype=float32)>
    """
    x = a if type(a) is Tensor else as_tensor(a)
    rank = x._value.ndim
    if perm is None:
        value = x._value
        turned = value.T if rank else value
        return noted(_TRANSPOSE, x, turned, {"perm": tuple(range(rank - 1, -1, -1))})
    order = tuple([axis + rank if axis < 0 else axis for axis in static_shape(perm)])
    if sorted(order) != list(range(rank)):
        raise InvalidArgumentError(
            f"transpose expects a vector of size {rank} that permutes the axes, but input(1) is "
            f"{list(order)} [Op:Transpose]; give the order of all axes in one list, perm="
            f"{list(range(rank))[::-1]} for example"
        )
    return _transpose(x, perm=order)
