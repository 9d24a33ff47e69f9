"""Layer 3: the ``[]`` operator: part of a tensor, chosen by position.

One idea: a read of a part gives back, for the whole, zeros with the gradient in the place of the part.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from autodiff_kit.convert import as_tensor
from autodiff_kit.define import op_of, operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.forms import FORMS, Form, form_of, form_with
from autodiff_kit.lines import LEARNER, asking, learners
from autodiff_kit.namespace import xp
from autodiff_kit.noted import noted, untracked
from autodiff_kit.operation import MAPS, overriding, recorded
from autodiff_kit.ops.gathering import boolean_mask
from autodiff_kit.ops.keys import LISTED, Key, complaint, is_mask, is_plain, position
from autodiff_kit.tensor import NOTHING, Tensor, blank, recording

__all__ = ["newaxis"]

newaxis = None

_getframe = sys._getframe
_KEPT = 1000  # positions of a form at most: a loop over a long series must not fill the memory


def _part(x: Any, key: Key) -> Any:
    try:
        part = x[key]
    except (IndexError, ValueError):
        raise complaint(key, x.shape) from None
    return part if type(part) is not np.ndarray or part.shape else part[()]


def _slice_rule(dy: Any, _x: Any, _y: Any, key: Key, shapes: Any) -> Any:
    if type(dy) is not Tensor:
        return _whole(dy, key, shapes[0])
    whole = _whole(dy._value, key, shapes[0])
    return noted(_SLICE_GRAD, dy, whole, {"key": key, "shape": shapes[0]})


def _add_part(total: Any, dy: Any, _positions: Any, attrs: Any) -> None:
    total[attrs["key"]] += dy


def _whole(dy: Any, key: Key, shape: tuple[int, ...]) -> Any:
    zeros = np.zeros(shape, dy.dtype)
    zeros[key] = dy
    return zeros[()]


def _stacked_slices(dy: Any, _x: Any, _y: Any, key: Key, shapes: Any) -> Any:
    zeros = np.zeros((len(dy), *shapes[0]), dy.dtype)
    zeros[(slice(None), *key)] = dy
    return zeros


strided_slice = operation(
    "StridedSlice",
    "strided_slice",
    _part,
    _slice_rule,
    stacked=(_stacked_slices,),
    add_in=_add_part,
)
_SLICE = op_of(strided_slice)

_slice_grad = operation(
    "StridedSliceGrad",
    "strided_slice_grad",
    _whole,
    lambda ddx, _dy, _dx, key, shape: xp.strided_slice(ddx, key=key),
)
_SLICE_GRAD = op_of(_slice_grad)


def getitem(x: Any, key: Any) -> Tensor:
    """``x[key]``: the part of ``x`` that the key names, as NumPy's basic indexing does.

    Args:
      x: a tensor or a variable.
      key: integers (scalar integer tensors too), slices with steps, ``...``, `ad.newaxis`, or several
        of them; or a tensor or array of bools, which chooses as `ad.boolean_mask` does.

    Returns:
      The part as a tensor; a slice beyond the end is cut, as in Python.

    Raises:
      TypeError: for any other key, for example floats.
      InvalidArgumentError: for a position beyond the end, too many positions, a second ``...`` or
        a step of 0.

    Source: https://www.tensorflow.org/api_docs/python/tf/Tensor#__getitem__

    >>> import autodiff_kit as ad
    >>> x = ad.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> x[-1, ::-1]
    <Tensor: shape=(2,), dtype=float32, numpy=array([4., 3.], dtype=float32)>
    """
    if type(x) is not Tensor:
        x = as_tensor(x)
    whole_form = x._form or form_of(x)
    numbers = type(key) is int or (
        type(key) is tuple and len(key) == 2 and type(key[0]) is int and type(key[1]) is int
    )
    known = whole_form.parts.get(key) if numbers else None
    if known is not None:
        part = x._value[key]
        attrs, form = known
    else:
        whole = key if type(key) is tuple else (key,)
        if not numbers and not all(map(is_plain, whole)):
            return _converted(x, key)
        part, attrs, form = _looked_up(x._value, whole_form, key, whole, numbers)
    if MAPS and overriding() is not None:
        return recorded(_SLICE, (x,), part, attrs)
    # As `noted`, written out: a program that reads elements one by one does hardly anything else,
    # and to call it took a tenth longer.
    frame: Any = _getframe(1)
    code = frame.f_code
    if code is not LEARNER.code:
        frame = asking() or learners(frame)
        code = frame.f_code
    out = None
    for tape in recording():
        home = tape.home
        if x._home is home:
            i = x._index
        elif (i := tape.aliases.get(x, -1)) < 0:
            continue
        records = tape.records
        if out is None:
            out = blank()
            out._value, out._home, out._index = part, home, len(records)
            out._form = form
        else:
            tape.aliases[out] = len(records)
        records.append((_SLICE, i, -1, NOTHING, NOTHING, NOTHING, attrs, code, frame.f_lasti))
    if out is None:
        return untracked("StridedSlice", part, form, code, frame.f_lasti)
    return out


def _looked_up(
    value: Any, whole_form: Form, key: Any, whole: Key, numbers: bool
) -> tuple[Any, dict[str, Any], Any]:
    """The part at a key, with the attributes of its record, and its form.

    The attributes are the same for all tensors of a form, and loops over positions ask for them again
    and again: those of one or two whole numbers are kept.
    """
    try:
        part = value[key]
    except (IndexError, ValueError):
        raise complaint(whole, value.shape) from None
    if type(part) is np.ndarray and not part.ndim:
        part = part[()]
    attrs = {"key": whole, "shapes": whole_form.shapes}
    if not numbers:
        return part, attrs, FORMS.get(type(part))
    found = form_with(part.dtype, part.shape)
    if len(whole_form.parts) < _KEPT:
        whole_form.parts[key] = attrs, found
    return part, attrs, found


def _converted(x: Tensor, key: Any) -> Tensor:
    if type(key) is not tuple and is_mask(key):
        return boolean_mask(x, key)
    whole = tuple(map(position, key if isinstance(key, (tuple, list)) else (key,)))
    try:
        return strided_slice(x, key=whole)
    except InvalidArgumentError as error:
        if type(key) is not list:
            raise
        raise InvalidArgumentError(f"{error}; {LISTED.format(key)}") from None
