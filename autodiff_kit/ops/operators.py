"""Layer 3: which operation each Python operator stands for.

One idea: an operator is the operation itself, put into the class, so that `x * y` costs nothing extra.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_kit.operators import Operators
from autodiff_kit.ops import arithmetic, matmul
from autodiff_kit.tensor import Tensor

BINARY: dict[str, Callable[..., Any]] = {
    "add": arithmetic.add,
    "sub": arithmetic.subtract,
    "mul": arithmetic.multiply,
    "truediv": arithmetic.truediv,
    "floordiv": arithmetic.floordiv,
    "mod": arithmetic.floormod,
    "pow": arithmetic.pow,
    "matmul": matmul.matmul,
}
UNARY: dict[str, Callable[..., Any]] = {"neg": arithmetic.negative}


def install() -> None:
    """Give tensors and variables their operators."""
    for name, op in BINARY.items():
        setattr(Operators, f"__{name}__", op)
        setattr(Operators, f"__r{name}__", _reflected(op))
    for name, op in UNARY.items():
        setattr(Operators, f"__{name}__", op)


def _reflected(op: Callable[..., Any]) -> Callable[[Any, Any], Tensor]:
    def reflected(y: Any, x: Any) -> Tensor:
        return op(x, y)  # type: ignore[no-any-return]

    return reflected
