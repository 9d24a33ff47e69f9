"""What a workload may ask of a library, so that one loss function serves them all.

One idea: a library is an object whose attributes are its own functions under NumPy's names (`lib.sin`
is `torch.sin`), so that nothing stands between the workload and the library. `gradient` and the others
take a function and its leaves and return the library's own values: converting them is not timed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Function = Callable[..., Any]


class Library:
    """One library; what it does not offer itself is composed here from what it does."""

    name = ""
    package = ""  # what must be importable

    # Functions under NumPy's names; `__init__` fills them in.
    sin: Function
    exp: Function
    log: Function
    tanh: Function
    relu: Function
    matmul: Function
    where: Function
    mean: Function  # (x)
    prod: Function  # (x, axis)
    concat: Function  # (list)
    gather: Function  # (x, indices)

    def leaf(self, value: Any) -> Any:
        """Something to differentiate with respect to."""
        raise NotImplementedError

    def parameter(self, value: Any) -> Any:
        """A weight, as a user of this library would hold it."""
        return self.leaf(value)

    def constant(self, value: Any) -> Any:
        """A value that no gradient is wanted for."""
        raise NotImplementedError

    def sum(self, x: Any, axis: int | None = None) -> Any:
        """The sum of all elements or along one axis."""
        raise NotImplementedError

    def max(self, x: Any, axis: int) -> Any:
        """The greatest elements along one axis, which stays with length 1; treated as constants."""
        raise NotImplementedError

    def keep(self, x: Any) -> Any:
        """A column of what was reduced along the last axis."""
        return x[:, None]

    def softmax(self, x: Any) -> Any:
        """Softmax along the last axis."""
        e = self.exp(x - self.max(x, -1))
        return e / self.keep(self.sum(e, -1))

    def logsumexp(self, x: Any) -> Any:
        """The logarithm of the sum of exponentials along the last axis."""
        top = self.max(x, -1)
        return self.log(self.sum(self.exp(x - top), -1)) + top[:, 0]

    def to_numpy(self, x: Any) -> Any:
        """A result as a NumPy array."""
        raise NotImplementedError

    def gradient(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        """The gradient of the scalar ``f(*leaves)`` for each leaf."""
        raise NotImplementedError

    def jacobian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        """The jacobian of the vector ``f(x)``, row by row."""
        raise NotImplementedError

    def hessian(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        """The matrix of second derivatives of the scalar ``f(x)``."""
        raise NotImplementedError

    def hvp(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        """The hessian of ``f(x)`` times ``v``; the leaves are x and v."""
        raise NotImplementedError

    def third(self, f: Function, leaves: Sequence[Any]) -> Sequence[Any]:
        """The third derivative of ``f(x)`` for a scalar x."""
        raise NotImplementedError

    def adam(self, f: Function, values: Sequence[Any], rate: float) -> Callable[[], Any]:
        """A function that takes one step of Adam on the scalar ``f(*parameters)``."""
        raise NotImplementedError

    def retained(self, f: Function, leaves: Sequence[Any]) -> Callable[[], Any]:
        """Run ``f(*leaves)`` once; the function returned only goes the way back, again and again."""
        raise NotImplementedError
