"""Layer 0: what tensors and variables have in common, the operators.

One idea: the operations are further up, so the operators are only named here; `ops` fills them in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autodiff_kit.habits import HINTS, NO_PART

if TYPE_CHECKING:
    from autodiff_kit.tensor import Tensor


CLASSES: set[type] = set()  # Tensor and Variable, and what learners derive from Variable


class Operators:
    """What tensors and variables have in common: the operators, which `ops` fills in."""

    __slots__ = ()
    __array_priority__ = 100  # NumPy leaves `array + tensor` to the tensor

    def __init_subclass__(cls) -> None:
        CLASSES.add(cls)

    if TYPE_CHECKING:

        def _read(self) -> Tensor: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __rfloordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __rmod__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __rmatmul__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __rand__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __ror__(self, other: Any) -> Tensor: ...
        def __xor__(self, other: Any) -> Tensor: ...
        def __rxor__(self, other: Any) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __getitem__(self, key: Any) -> Tensor: ...

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            f"{type(self).__name__!r} object does not support item assignment: {NO_PART}"
        )

    def __dir__(self) -> list[str]:
        return offered(self)

    def __delitem__(self, key: Any) -> None:  # Python itself would name another error
        raise TypeError(f"{type(self).__name__!r} object doesn't support item deletion")


class Elsewhere:
    """An attribute that a class has not, with a hint. (A `__getattr__` would slow down all others.)"""

    def __init__(self, name: str, hint: str) -> None:
        self.name, self.hint = name, hint

    def __get__(self, instance: Any, owner: Any) -> Any:
        says = f"{owner.__name__} object has no attribute '{self.name}'"
        # With a name, but without the object, Python adds no "Did you mean" of its own.
        raise AttributeError(f"{says}. Use {self.hint}.", name=self.name)


class Settable(Elsewhere):
    """One that others write to, as in `x.grad = None`: the answer is the same."""

    def __get__(self, instance: Any, owner: Any) -> Any:
        own = getattr(instance, "__dict__", {})  # what learners derive from Variable may have one
        return own[self.name] if self.name in own else super().__get__(instance, owner)

    def __set__(self, instance: Any, value: Any) -> None:
        if not hasattr(instance, "__dict__"):
            super().__get__(instance, type(instance))
        instance.__dict__[self.name] = value


def offered(one: Any) -> list[str]:
    """What `dir` is to show of an object: no names that are there only to be refused with a hint.

    >>> "cuda" in offered(Operators()), "cuda" in object.__dir__(Operators())
    (False, True)
    """
    own = getattr(one, "__dict__", {})
    kinds = [vars(kind) for kind in type(one).__mro__]

    def refused(name: str) -> bool:
        found = next((members[name] for members in kinds if name in members), None)
        return isinstance(found, Elsewhere) and name not in own

    return [name for name in object.__dir__(one) if not refused(name)]


for _name, _hint in HINTS.items():
    _kind = Settable if _name in ("grad", "requires_grad", "data") else Elsewhere
    setattr(Operators, _name, _kind(_name, _hint))
