"""Layer 0: what tensors and variables have in common, the operators.

One idea: the operations are further up, so the operators are only named here; `ops` fills them in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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


class Elsewhere:
    """An attribute that a class has not, with a hint. (A `__getattr__` would slow down all others.)"""

    def __init__(self, name: str, hint: str) -> None:
        self.name, self.hint = name, hint

    def __get__(self, instance: Any, owner: Any) -> Any:
        says = f"{owner.__name__} object has no attribute '{self.name}'"
        # With a name, but without the object, Python adds no "Did you mean" of its own.
        raise AttributeError(f"{says}. Use {self.hint}.", name=self.name)


_PART = (
    "an ad.Variable: a Tensor never changes, and `x[0]` of a variable is a Tensor too. TensorFlow "
    "assigns to a part of a variable, the kit only to the whole: "
    "x.assign(ad.tensor_scatter_nd_update(x, [[0]], [5.0])), or x.assign(ad.where(mask, new, x))"
)

# What people type who come from NumPy or PyTorch, and what TensorFlow's variables have besides. A
# variable has an `assign` of its own.
HINTS = {
    "T": "ad.transpose(x)",
    "astype": "ad.cast(x, dtype)",
    "reshape": "ad.reshape(x, shape)",
    "sum": "ad.reduce_sum(x)",
    "mean": "ad.reduce_mean(x)",
    "max": "ad.reduce_max(x)",
    "min": "ad.reduce_min(x)",
    "item": "x.numpy()",
    "tolist": "x.numpy().tolist()",
    "size": "ad.size(x)",
    "detach": "ad.stop_gradient(x)",
    "backward": "tape.gradient(x, sources) on the GradientTape that recorded x",
    "grad": "tape.gradient(target, x): gradients are returned, not stored",
    "requires_grad": "tape.watch(x), or ad.Variable(..., trainable=True)",
    "assign": _PART,
    "assign_add": _PART.replace("nd_update", "nd_add"),
    "assign_sub": _PART.replace("nd_update", "nd_sub"),
    "scatter_nd_update": "x.assign(ad.tensor_scatter_nd_update(x, indices, updates))",
    "scatter_nd_add": "x.assign(ad.tensor_scatter_nd_add(x, indices, updates))",
    "scatter_nd_sub": "x.assign(ad.tensor_scatter_nd_sub(x, indices, updates))",
}
for _name, _hint in HINTS.items():
    setattr(Operators, _name, Elsewhere(_name, _hint))
