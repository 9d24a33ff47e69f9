"""Layer 1: everything that is not a tensor yet becomes one here, or is refused.

One idea: a tensor owns its value. What the caller hands in is copied, checked and given a dtype the
way TensorFlow gives it: Python floats are float32, Python ints int32, NumPy keeps what it has.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.dtypes import DType, as_dtype, float32
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.forms import Form, form_of
from autodiff_kit.keywords import knowing
from autodiff_kit.lines import origin, user_frame
from autodiff_kit.operators import CLASSES, Operators
from autodiff_kit.owned import ALLOWED, USUAL, leaves_of, out_of_range, owned, shaped
from autodiff_kit.tensor import SHARED, Tensor, tensor_of

__all__ = ["constant", "convert_to_tensor", "is_tensor"]


@knowing
def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor that holds a copy of ``value``.

    Args:
      value: a number, nested lists of numbers, a NumPy array, or a tensor; no list of tensors, which
        `ad.stack` makes one tensor of.
      dtype: the dtype to convert to; without it Python floats become float32, Python ints int32
        (int64 if too large), and NumPy values keep theirs.
      shape: the shape to give to the values; a single value fills it.
      name: ignored, as in TensorFlow's eager mode.

    Returns:
      The tensor; a tensor that is given is returned as it is, and of a variable a copy of its value.
      A tape does not watch a constant until ``tape.watch`` is called.

    Raises:
      ValueError: for ragged lists, lists that hold tensors, strings, objects and None.
      TypeError: if a Python number does not fit ``dtype``, and for complex numbers.

    Source: https://www.tensorflow.org/api_docs/python/tf/constant

    >>> import autodiff_kit as ad
    >>> ad.constant([[1, 2], [3, 4]], dtype=ad.float32)
    <Tensor: shape=(2, 2), dtype=float32, numpy=
    array([[1., 2.],
           [3., 4.]], dtype=float32)>
    """
    if is_tensor(value):
        if type(value) is Tensor and (shape is None or tuple(shape) == value._value.shape):
            return convert_to_tensor(value, dtype)
        value = value.numpy()  # noted on the tapes: a copy lets no gradient through
    if _holds_tensor(value):
        raise ValueError(
            "Can't convert Python sequence with mixed types to Tensor: the list holds tensors or "
            "variables, and ad.constant takes numbers. Use ad.stack(...), which makes one tensor of "
            "them and lets their gradients through."
        )
    array = owned(value, None if dtype is None else as_dtype(dtype))
    if shape is not None:
        array = shaped(array, tuple(shape))
    return tensor_of(array[()], origin("Const", user_frame()))


def convert_to_tensor(
    value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None
) -> Tensor:
    """``value`` as a tensor: a tensor as it is, a variable read, anything else as a constant.

    Args:
      value: a tensor, a variable, or what `ad.constant` takes; lists may contain tensors.
      dtype: the dtype that the result must have.
      dtype_hint: the dtype to prefer where ``value`` leaves the choice.
      name: ignored.

    Returns:
      The tensor.

    Raises:
      ValueError: if a tensor has another dtype than the one asked for (use `ad.cast`).

    Source: https://www.tensorflow.org/api_docs/python/tf/convert_to_tensor

    >>> import autodiff_kit as ad
    >>> ad.convert_to_tensor(3, dtype_hint=ad.float64)
    <Tensor: shape=(), dtype=float64, numpy=3.0>
    """
    if is_tensor(value) and not isinstance(value, Tensor):
        value = value.read_value()
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(value, Tensor):
        if wanted is not None and wanted != value.dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype "
                f"{value.dtype.name}: {value!r}; use ad.cast to convert"
            )
        return value
    if wanted is None and dtype_hint is not None:
        hint = as_dtype(dtype_hint)
        tensor = pack(value, hint) if _holds_tensor(value) else operand(value, hint)
    else:
        tensor = as_tensor(value, wanted)
    if tensor._home is None:
        tensor._home = origin("Const", user_frame())
    return tensor


def is_tensor(x: Any) -> bool:
    """Whether ``x`` is a tensor or a variable.

    Source: https://www.tensorflow.org/api_docs/python/tf/is_tensor

    >>> import autodiff_kit as ad
    >>> ad.is_tensor(ad.constant(1.0)), ad.is_tensor(1.0)
    (True, False)
    """
    return isinstance(x, Operators)


def as_tensor(value: Any, dtype: DType | None = None) -> Tensor:
    """A tensor of whatever an operation was handed."""
    if type(value) is Tensor:
        return value
    if is_tensor(value):
        return value._read()
    if type(value) is np.ndarray and dtype is None and value.dtype in USUAL:
        return tensor_of(np.array(value)[()])
    if _holds_tensor(value):
        return pack(value, dtype)
    return tensor_of(owned(value, dtype)[()])


def pack(values: Any, dtype: DType | None) -> Tensor:
    """A nested list that contains tensors becomes one tensor, and stays differentiable."""
    like = next(leaf for leaf in leaves_of(values) if is_tensor(leaf)).dtype
    wanted = None if dtype == like else dtype  # as in TensorFlow, the first tensor decides
    parts = [pack(v, wanted) if _holds_tensor(v) else _part(v, wanted, like) for v in values]
    return stack_rows(parts, wanted)


def _part(value: Any, wanted: DType | None, like: DType) -> Tensor:
    """A tensor is cast later; a number has to fit what is wanted, or else what the tensors have."""
    if wanted is None or is_tensor(value):
        return operand(value, like)
    return as_tensor(value, wanted)


def stack_rows(rows: list[Tensor], dtype: DType | None) -> Tensor:
    """Stack tensors along a new first axis, cast to a dtype if one is given; `ops` puts the operation
    in this function's place.
    """
    raise NotImplementedError("autodiff_kit.ops is not imported")


def operand(value: Any, like: DType) -> Tensor:
    """The other operand of an operation: numbers and arrays follow the tensor's dtype."""
    if is_tensor(value) or _holds_tensor(value):
        return as_tensor(value)
    if isinstance(value, (np.ndarray, np.generic)):
        kind = value.dtype.kind
        if kind in "iub" or kind == "f" and like.is_floating:
            return tensor_of(np.array(value, like.as_numpy_dtype)[()])
        return as_tensor(value)
    try:
        return as_tensor(value, like)
    except TypeError:
        if isinstance(value, (bool, complex, str)) or like.is_bool:
            raise
        return as_tensor(value)  # the dtypes do not fit, and the operation says so


def operands(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Both inputs of a binary operation as tensors of one dtype."""
    if type(x) is Tensor and type(y) is float:
        return x, beside(y, x)
    if type(y) is Tensor and type(x) is float:
        return beside(x, y), y
    if type(x) is Tensor or isinstance(x, Operators):
        x = x if type(x) is Tensor else x._read()
        return x, y._read() if isinstance(y, Operators) else beside(y, x)
    if type(y) is Tensor or isinstance(y, Operators):
        y = y if type(y) is Tensor else y._read()
        return beside(x, y), y
    if _plain(x) and not _plain(y):
        like = as_tensor(y)
        if type(x) is float and not like.dtype.is_floating:  # 0.5 and [1, 2], or np.arange(3)
            like = operand(y, float32)
        return operand(x, like.dtype), like
    x = as_tensor(x)
    return x, operand(y, x.dtype)


def first_alone(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Both inputs of `ad.add`, `ad.matmul`: as in TensorFlow an array or a list that stands first is
    converted by itself. An array of float64 stays one, and does not go with a float32 variable.
    """
    return operands(x if isinstance(x, Operators) or _plain(x) else as_tensor(x), y)


def beside(value: Any, tensor: Tensor) -> Tensor:
    """What stands beside a tensor in an operation; a plain number, the usual case, in a short way."""
    if type(value) is float or type(value) is int:
        form = tensor._form or form_of(tensor)
        number = form.numbers.get(value)  # loops use the same few numbers again and again
        if number is not None:
            return number
        if form.kind == "f":
            try:
                number = tensor_of(_number(value, form))
            except OverflowError:
                raise out_of_range() from None
            if value and len(form.numbers) < 100:  # 0.0 and -0.0 are the same key
                form.numbers[value] = number
                number._home = SHARED
            return number
        if form.kind == "i" and type(value) is int and -128 <= value < 128:
            return tensor_of(form.dtype.type(value))  # fits every signed integer
    elif isinstance(value, Operators):
        return value._read()
    elif type(value) is np.ndarray:  # data, mostly of the tensor's own dtype
        if value.dtype is (tensor._form or form_of(tensor)).dtype:
            return tensor_of(np.array(value)[()])
    return operand(value, tensor.dtype)


def _number(value: Any, form: Form) -> Any:
    """A NumPy scalar beside scalars; beside arrays an array of shape (), on which NumPy is faster by
    a third of a microsecond: for a scalar it first looks whether its value fits.
    """
    if not form.shape:
        return form.dtype.type(value)
    number = np.array(value, form.dtype)
    number.flags.writeable = False
    return number


def _plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float)) and not isinstance(value, np.generic)


def _holds_tensor(value: Any) -> bool:
    """Whether nested lists have a tensor in them; long lists of numbers are gone through by type."""
    if not isinstance(value, (list, tuple)):
        return False
    types = set(map(type, value))
    if not CLASSES.isdisjoint(types):
        return True
    return any(issubclass(t, (list, tuple)) for t in types) and any(map(_holds_tensor, value))


def refuse_dtypes(op_type: str, values: list[Any]) -> None:
    """Raise TensorFlow's error if the values do not all have the first one's dtype."""
    first = as_dtype(values[0].dtype)
    for position, value in enumerate(values):
        other = as_dtype(value.dtype)
        if other is not first:
            raise InvalidArgumentError(
                f"cannot compute {op_type} as input #{position}(zero-based) was expected to be a "
                f"{first.error_name} tensor but is a {other.error_name} tensor [Op:{op_type}]; "
                "use ad.cast to make the dtypes equal"
            )


def refuse_kind(op_type: str, value: Any, kinds: str, hint: str = "use ad.cast") -> None:
    """Raise TensorFlow's error for a dtype that an operation does not accept."""
    allowed = [
        as_dtype(name).error_name for name in sorted(ALLOWED) if np.dtype(name).kind in kinds
    ]
    raise InvalidArgumentError(
        f"Value for attr 'T' of {as_dtype(value.dtype).error_name} is not in the list of allowed "
        f"values: {', '.join(allowed)} [Op:{op_type}]; {hint}"
    )
