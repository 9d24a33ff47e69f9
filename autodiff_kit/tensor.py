"""Layer 0: Tensor, one fixed NumPy value.

One idea: a tensor never changes, so whoever keeps one keeps the value that was used. It knows no
gradients. Others leave notes on it. The first tape that records it writes which tape that is
(`_home`) and at which place of its list (`_index`). As long as there is none, `_home` is

- a tuple, its origin: which operation made it, on which line of the learner's, and when;
- None where nobody needs to know, as for what is computed on the way back;
- `SHARED` for numbers, which stand in many places at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from functools import partial
from typing import Any

import numpy as np

from autodiff_kit import text
from autodiff_kit.contexts import own_var
from autodiff_kit.dtypes import DType, as_dtype
from autodiff_kit.forms import Form
from autodiff_kit.operators import Operators
from autodiff_kit.shapes import TensorShape, shape_of

__all__ = ["Tensor", "TensorRef"]

# What to do where a program asks many elements for one yes or no.
CHOOSE = (
    "To choose for each element, ad.where(condition, a, b) takes the place of `if`, and "
    "ad.logical_and(x > a, x < b) that of `a < x < b`; one answer for all elements gives "
    "ad.reduce_all(condition) or ad.reduce_any(condition)."
)

# The home of tensors that stand for a number in many places: no tape leaves a note on them.
SHARED: Any = object()

# The tapes that record right now, outermost first. Each thread and each task has its own.
RECORDING: ContextVar[tuple[Any, ...]] = own_var("recording", ())
# Bound once: for `RECORDING.get()` Python would bind it at each call.
recording, record_on = RECORDING.get, RECORDING.set


class Tensor(Operators):
    """A value that cannot change: a NumPy array, or a NumPy scalar when the shape is ().

    Tensors come from `ad.constant`, from operations and from reading a `Variable`.

    Source: https://www.tensorflow.org/api_docs/python/tf/Tensor

    >>> import autodiff_kit as ad
    >>> x = ad.constant([1.0, 2.0])
    >>> x * 2
    <Tensor: shape=(2,), dtype=float32, numpy=array([2., 4.], dtype=float32)>
    """

    __slots__ = ("__weakref__", "_form", "_home", "_index", "_value")

    def __init_subclass__(cls) -> None:
        raise TypeError(
            f"class {cls.__name__}: nothing can be derived from Tensor, since operations return plain "
            "tensors; make a class that holds a tensor, or derive from ad.Variable"
        )

    _value: Any
    _home: Any
    _index: int
    _form: Form | None  # `form_of` fills it in

    def __init__(self, *_values: Any, **_options: Any) -> None:
        raise TypeError("Tensor() takes no arguments; ad.constant(value) makes a tensor of a value")

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return as_dtype(self._value.dtype)

    @property
    def shape(self) -> TensorShape:
        """The dimensions."""
        for tape in recording():
            tape.left(self, "shape")
        return shape_of(self._value.shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._value.ndim

    def get_shape(self) -> TensorShape:
        """The dimensions; the same as ``shape``."""
        return self.shape

    def numpy(self) -> Any:
        """The value as a NumPy scalar or as a new array, which may be changed freely.

        What is computed from it in NumPy is unknown to every tape.

        >>> import autodiff_kit as ad
        >>> ad.constant([1.0, 2.0]).numpy()
        array([1., 2.], dtype=float32)
        """
        return self._leave("numpy()")

    def _read(self) -> Tensor:
        """The tensor that an operation is to use; a variable's is the one that it holds now."""
        return self

    def ref(self) -> TensorRef:
        """A key for dicts and sets, as in TensorFlow."""
        return TensorRef(self)

    def _leave(self, how: str) -> Any:
        for tape in recording():
            tape.left(self, how)
        value = self._value
        return value.copy() if type(value) is np.ndarray else value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError(
                "A Tensor cannot be seen as an array without a copy: it never changes."
            )
        return np.array(self._leave("NumPy"), dtype)

    def __bool__(self) -> bool:
        value = self._leave("bool()")
        try:
            return bool(value)
        except ValueError as error:  # NumPy's words, for there is no yes or no for many elements
            raise ValueError(f"{str(error).rstrip('.')}. {CHOOSE}") from None

    def __float__(self) -> float:
        return float(self._only_element("float()"))

    def __int__(self) -> int:
        return int(self._only_element("int()"))

    def __index__(self) -> int:
        if self._value.dtype.kind not in "iu":
            raise TypeError(f"only an integer tensor can be an index, got {self!r}")
        return self._value.__index__()

    def _only_element(self, how: str) -> Any:
        if self._value.shape != ():
            raise TypeError(
                "only 0-dimensional arrays can be converted to Python scalars, got shape "
                f"{text.shape_str(self.shape)}; choose one element or reduce first"
            )
        return self._leave(how)

    def __len__(self) -> int:
        if not self._value.shape:
            raise TypeError("Scalar tensor has no `len()`")
        return self._value.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self._value.shape:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(len(self)))

    __hash__ = object.__hash__  # C's own: tensors are keys in every tape

    def __repr__(self) -> str:
        return text.tensor_repr(self._value)

    def __str__(self) -> str:
        return text.tensor_str(self._value)

    def __format__(self, spec: str) -> str:
        return format(self._value, spec)

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return tensor_of, (self._value,)


# A tensor with nothing in it yet. Loops that fill it in themselves are faster than `tensor_of`.
blank = partial(object.__new__, Tensor)


def tensor_of(value: Any, home: Any = None) -> Tensor:
    """A tensor with a value that is the kit's own: nobody else can change it, and it is not checked."""
    tensor = blank()
    tensor._value, tensor._home, tensor._index, tensor._form = value, home, -1, None
    return tensor


NOTHING = tensor_of(None)  # stands in a record where no rule needs the value


class TensorRef:
    """A hashable stand-in for a tensor or a variable: equal only to a stand-in of the very same one.

    Source: https://www.tensorflow.org/api_docs/python/tf/Tensor#ref

    >>> import autodiff_kit as ad
    >>> x = ad.constant(1.0)
    >>> {x.ref(): "x"}[x.ref()], x.ref().deref() is x
    ('x', True)
    """

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        """The tensor or variable itself."""
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorRef) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)
