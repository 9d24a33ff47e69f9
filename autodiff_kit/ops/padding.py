"""Layer 3: numbers put round a tensor.

One idea: a constant border keeps its gradient; a mirrored one gives it back to what it mirrors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor, beside, refuse_dtypes
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import no_gradient
from autodiff_kit.ops.integers import integer_array, listed
from autodiff_kit.tensor import Tensor

__all__ = ["pad"]

_VALUE = "; the value of a border is given as constant_values="

Border = tuple[tuple[int, int], ...]


def inside(dy: Any, paddings: Border) -> Any:
    """The part of a padded tensor that is not border."""
    shape = dy.shape
    return xp.strided_slice(
        dy, key=tuple([slice(a, n - b) for (a, b), n in zip(paddings, shape, strict=True)])
    )


def bordered(x: Any, value: Any, paddings: Border) -> Any:
    """`np.pad`, which takes four times the time with a small array."""
    sizes = [a + n + b for (a, b), n in zip(paddings, x.shape, strict=True)]
    whole = np.full(sizes, value, x.dtype)
    inside(whole, paddings)[...] = x
    return whole


_pad = operation(
    "Pad",
    "pad",
    lambda x, paddings: bordered(x, 0, paddings),
    lambda dy, _x, _y, paddings: inside(dy, paddings),
)
_pad_v2 = operation(
    "PadV2",
    "pad_v2",
    bordered,
    lambda dy, _x, _c, _y, paddings: inside(dy, paddings),
    no_gradient,
)


def _mirrors(rows: Any, before: int, after: int, mode: str) -> list[tuple[Any, Any]]:
    """For both borders along the first axis: the rows there, and those that they mirror."""
    end, gap = len(rows) - after, int(mode == "REFLECT")
    return [
        (rows[:before], rows[before + gap : 2 * before + gap][::-1]),
        (rows[end:], rows[end - after - gap : end - gap][::-1]),
    ]


def _mirrored(x: Any, paddings: Border, mode: str) -> Any:
    whole = bordered(x, 0, paddings)
    for axis, (before, after) in enumerate(paddings):
        for border, mirrored in _mirrors(whole.swapaxes(0, axis), before, after, mode):
            border[...] = mirrored
    return whole


def _folded(dy: Any, paddings: Border, mode: str) -> Any:
    """Each axis in turn is folded back at its mirrors, and what falls on one place is added up."""
    dx = dy.copy()
    for axis, (before, after) in enumerate(paddings):
        rows = dx.swapaxes(0, axis)
        for border, mirrored in _mirrors(rows, before, after, mode):
            mirrored += border
        dx = rows[before : len(rows) - after].swapaxes(0, axis)
    return dx


_mirror_pad = operation(
    "MirrorPad",
    "mirror_pad",
    _mirrored,
    lambda dy, _x, _y, paddings, mode: xp.mirror_pad_grad(dy, paddings=paddings, mode=mode),
)
operation(
    "MirrorPadGrad",
    "mirror_pad_grad",
    _folded,
    lambda ddx, _dy, _dx, paddings, mode: xp.mirror_pad(ddx, paddings=paddings, mode=mode),
)


def pad(
    tensor: Any,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Tensor:
    """A tensor with a border.

    Args:
      tensor: any tensor.
      paddings: for each axis how many places before and after, of shape ``(rank, 2)``.
      mode: ``"CONSTANT"``; ``"REFLECT"``, which mirrors at the outermost element; ``"SYMMETRIC"``,
        which mirrors behind it.
      constant_values: the value of a constant border; no gradient flows to it.
      name: ignored.

    Returns:
      A tensor of the same number of axes.

    Raises:
      ValueError: for another mode.
      InvalidArgumentError: for paddings of the wrong shape, negative ones, and mirrors that would
        have to show more than there is.

    Source: https://www.tensorflow.org/api_docs/python/tf/pad

    >>> import autodiff_kit as ad
    >>> ad.pad([1, 2, 3], [[2, 0]], "REFLECT")
    <Tensor: shape=(5,), dtype=int32, numpy=array([3, 2, 1, 2, 3], dtype=int32)>
    """
    x, kind = as_tensor(tensor), str(mode).upper()
    if kind not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise ValueError(
            'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". '
            f"Received `mode` = {kind}{'' if isinstance(mode, str) else _VALUE}"
        )
    border = _border(paddings, x._value.shape, kind)
    if not border:
        return xp.identity(x)
    if kind != "CONSTANT":
        return _mirror_pad(x, paddings=border, mode=kind)
    if type(constant_values) in (int, float) and constant_values == 0:
        return _pad(x, paddings=border)
    return _pad_v2(x, filling(constant_values, x, "PadV2", "constant_values"), paddings=border)


def filling(value: Any, x: Tensor, op_type: str, name: str) -> Tensor:
    """The one number of the dtype of ``x`` that fills what its elements leave free."""
    number = beside(value, x)
    refuse_dtypes(op_type, [x._value, number._value])
    if number._value.shape:
        raise InvalidArgumentError(
            f"{name} must be a scalar. Found: {listed(number._value.shape)} [Op:{op_type}]"
        )
    return number


def _border(paddings: Any, shape: tuple[int, ...], kind: str) -> Border:
    op_type = "Pad" if kind == "CONSTANT" else "MirrorPad"
    pairs = integer_array(paddings, op_type, "Tpaddings")
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise InvalidArgumentError(
            f"paddings must be a matrix with 2 columns: {listed(pairs.shape)} [Op:{op_type}]; say for "
            f"each axis how many places before and after, as {[[1, 1]] * len(shape)}"
        )
    if len(pairs) != len(shape):
        raise InvalidArgumentError(
            "The first dimension of paddings must be the rank of inputs"
            f"{listed(pairs.shape)} {listed(shape)} [Op:{op_type}]"
        )
    for (before, after), n in zip(pairs.tolist(), shape, strict=True):
        if before < 0 or after < 0:
            raise InvalidArgumentError(
                f"Paddings must be non-negative: {before} {after} [Op:{op_type}]"
            )
        if kind == "REFLECT" and max(before, after) >= max(n, 1):
            raise InvalidArgumentError(
                "paddings must be less than the dimension size: "
                f"{before}, {after} not less than {n} [Op:MirrorPad]"
            )
        if kind == "SYMMETRIC" and max(before, after) > n:
            raise InvalidArgumentError(
                "paddings must be no greater than the dimension size: "
                f"{before}, {after} greater than {n} [Op:MirrorPad]"
            )
    return tuple((a, b) for a, b in pairs.tolist())
