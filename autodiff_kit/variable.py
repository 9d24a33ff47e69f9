"""Layer 2: Variable, a name for a value that changes.

One idea: a variable holds a tensor. Reading it hands the tensor out, and tells the tapes; assigning
puts another tensor in its place, and what was recorded with the old one stays true.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import count
from typing import Any

from autodiff_kit import text
from autodiff_kit.convert import beside, convert_to_tensor
from autodiff_kit.define import operation
from autodiff_kit.dtypes import DType
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.keywords import knowing
from autodiff_kit.lines import origin, user_frame
from autodiff_kit.operators import Operators
from autodiff_kit.shapes import TensorShape
from autodiff_kit.tensor import Tensor, TensorRef, recording, tensor_of

__all__ = ["Variable"]

_numbers = count()
_read_value = operation("ReadVariableOp", "read_variable", lambda x: x, lambda dy, _x, _y: dy)


class Variable(Operators):
    """A tensor that can be replaced, and that tapes watch by themselves when it is trainable.

    Args:
      initial_value: what `ad.constant` takes, or a function without arguments that returns it.
      trainable: whether tapes watch it as soon as it is read; True if not given.
      name: the name; ``:0`` is appended, as TensorFlow does.
      dtype: the dtype to convert to.
      shape: the shape that the value must have.

    Raises:
      ValueError: without a value, or if its shape is not ``shape``.

    Source: https://www.tensorflow.org/api_docs/python/tf/Variable

    >>> import autodiff_kit as ad
    >>> ad.Variable([1, 2], dtype=ad.float32, name="x")
    <Variable 'x:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """

    __slots__ = ("__weakref__", "_name", "_number", "_tensor", "_trainable")

    @knowing
    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        name: str | None = None,
        dtype: Any = None,
        shape: Any = None,
    ) -> None:
        if callable(initial_value):
            initial_value = initial_value()
        if initial_value is None:
            raise ValueError("The `initial_value` arg to `ad.Variable` must be specified.")
        given = convert_to_tensor(initial_value, dtype)
        value = tensor_of(given._value, origin("Variable", user_frame()))
        if shape is not None and tuple(shape) != value.shape:
            raise ValueError(
                f"In this `ad.Variable` creation, the initial value's shape ({value.shape}) is not "
                f"compatible with the explicitly supplied `shape` argument ({tuple(shape)})."
            )
        self._tensor = value
        self._name = f"{name or 'Variable'}:0"
        self._trainable = trainable is not False
        self._number = next(_numbers)

    @property
    def name(self) -> str:
        """The name, with ``:0`` at its end."""
        return self._name

    @property
    def trainable(self) -> bool:
        """Whether tapes watch the variable by themselves."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        raise AttributeError(
            "property 'trainable' of 'Variable' object has no setter: it is given when the variable is "
            "made, ad.Variable(..., trainable=False). To freeze one later, leave it out of those that "
            "you give to the optimizer",
            name="trainable",
        )

    @property
    def initializer(self) -> None:
        """None: a variable has its value from the start. TensorFlow 1 ran this to give it one."""
        return None

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._tensor.dtype

    @property
    def shape(self) -> TensorShape:
        """The dimensions, which no assignment changes."""
        return self._tensor.shape

    @property
    def _value(self) -> Any:
        return self._tensor._value

    def get_shape(self) -> TensorShape:
        """The dimensions; the same as ``shape``."""
        return self.shape

    def _read(self) -> Tensor:
        """The tensor that the variable holds now; every tape that is to watch it is told."""
        tensor = self._tensor
        for tape in recording():
            if self not in tape.variables:
                if self._trainable and tape.watches_variables:
                    tape.watch_variable(self)
            elif tensor._home is not tape.home and tensor not in tape.aliases:
                tape.watch_variable(self)  # it was assigned since
        return tensor

    def read_value(self) -> Tensor:
        """The present value as a tensor of its own, which can serve as a source.

        >>> import autodiff_kit as ad
        >>> ad.Variable(3.0).read_value()
        <Tensor: shape=(), dtype=float32, numpy=3.0>
        """
        return _read_value(self._read())

    value = read_value

    def numpy(self) -> Any:
        """The present value as a NumPy scalar or a new array."""
        return self._read().numpy()

    def ref(self) -> TensorRef:
        """A key for dicts and sets, as in TensorFlow."""
        return TensorRef(self)

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Replace the value. No gradient flows through an assignment.

        Args:
          value: of the variable's shape; tensors must have its dtype, numbers are converted.
          use_locking, name: ignored; TensorFlow's spelling.
          read_value: whether to return the variable.

        Returns:
          The variable, or None.

        Raises:
          ValueError: if the shape or a tensor's dtype differs; the variable keeps its value.

        Source: https://www.tensorflow.org/api_docs/python/tf/Variable#assign

        >>> import autodiff_kit as ad
        >>> x = ad.Variable(3.0, name="x")
        >>> x.assign(4.0)
        <Variable 'x:0' shape=() dtype=float32, numpy=4.0>
        """
        given = convert_to_tensor(value, self.dtype)
        if given._value.shape != self._value.shape:
            shapes = TensorShape(self._value.shape), TensorShape(given._value.shape)
            raise ValueError(
                f"Cannot assign value to variable ' {self.name}': Shape mismatch.The variable shape "
                f"{shapes[0]}, and the assigned value shape {shapes[1]} are incompatible."
            )
        for tape in recording():
            tape.assigned(self, given)
        self._tensor = tensor_of(given._value)
        return self if read_value else None

    def assign_add(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Add to the value; otherwise as `assign`.

        >>> import autodiff_kit as ad
        >>> ad.Variable([1.0, 2.0]).assign_add([10.0, 10.0]).numpy()
        array([11., 12.], dtype=float32)
        """
        return self.assign(self._moved(delta, 1), read_value=read_value)

    def assign_sub(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Subtract from the value; otherwise as `assign`.

        >>> import autodiff_kit as ad
        >>> ad.Variable([1.0, 2.0]).assign_sub([1.0, 1.0]).numpy()
        array([0., 1.], dtype=float32)
        """
        return self.assign(self._moved(delta, -1), read_value=read_value)

    def _moved(self, delta: Any, sign: int) -> Tensor:
        small = type(delta) is int and abs(delta) < 128  # counters; the long way is for the rest
        given = convert_to_tensor(beside(delta, self._tensor) if small else delta, self.dtype)
        if given._value.shape != self._value.shape:
            raise InvalidArgumentError(
                f"Cannot update variable with shape {TensorShape(self._value.shape)} using a Tensor "
                f"with shape {TensorShape(given._value.shape)}, shapes must be equal: {self.name}"
            )
        value = self._tensor._value
        return tensor_of(value + given._value if sign > 0 else value - given._value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self._read().__array__(dtype, copy)

    def __bool__(self) -> bool:
        return bool(self._read())

    def __float__(self) -> float:
        return float(self._read())

    def __int__(self) -> int:
        return int(self._read())

    def __index__(self) -> int:
        return self._read().__index__()

    def __len__(self) -> int:
        says = "object of type 'Variable' has no len()"
        if not self._tensor._value.shape:
            raise TypeError(f"{says}, and this one is a single number, of shape ()")
        raise TypeError(f"{says}. Use x.shape[0] for the number of its elements or rows")

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self._read())

    __hash__ = object.__hash__

    def __iadd__(self, value: Any) -> Any:
        raise self._no_update("variable += value", "variable.assign_add(value)")

    def __isub__(self, value: Any) -> Any:
        raise self._no_update("variable -= value", "variable.assign_sub(value)")

    def __imul__(self, value: Any) -> Any:
        raise self._no_update("var *= value", "var.assign(var * value)")

    def __itruediv__(self, value: Any) -> Any:
        raise self._no_update("var /= value", "var.assign(var / value)")

    def __ipow__(self, value: Any) -> Any:
        raise self._no_update("var **= value", "var.assign(var ** value)")

    @staticmethod
    def _no_update(written: str, instead: str) -> RuntimeError:
        """Otherwise the name would silently be that of a tensor from now on."""
        return RuntimeError(
            f"`{written}` with `ad.Variable`s is not supported. Use `{instead}` to modify the "
            f"variable, or `out = {written.replace('=', '').replace('  ', ' ')}` if you need to get a "
            "new output Tensor."
        )

    def __copy__(self) -> Variable:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        """Another variable of the same value and name: a teacher or target network is copied so."""
        other = memo[id(self)] = object.__new__(type(self))
        state: Any = self.__reduce_ex__(2)[2]  # what Python itself would copy, in two dicts
        for name, value in {**(state[0] or {}), **state[1]}.items():
            own = name in Variable.__slots__  # the name, and flags; the rest is a derived class's
            setattr(other, name, value if own else deepcopy(value, memo))
        other._tensor = tensor_of(self._value, origin("Variable", user_frame()))
        other._number = next(_numbers)
        return other

    def __repr__(self) -> str:
        return text.variable_repr(self.name, self._tensor._value)

    def __format__(self, spec: str) -> str:
        return format(self._tensor, spec) if spec else repr(self)
