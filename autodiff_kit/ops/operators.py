"""Layer 3: which operation each Python operator stands for.

One idea: an operator is the operation itself, put into the class, so that `x * y` costs nothing extra.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_kit.convert import beside
from autodiff_kit.operators import Operators
from autodiff_kit.ops import arithmetic, comparison, indexing, matmul, roots
from autodiff_kit.tensor import Tensor

BINARY: dict[str, Callable[..., Any]] = {
    "add": arithmetic.add,
    "sub": arithmetic.subtract,
    "mul": arithmetic.multiply,
    "truediv": arithmetic.divide,
    "floordiv": arithmetic.floordiv,
    "mod": arithmetic.floormod,
    "pow": arithmetic.pow,
    "matmul": matmul.matmul,
    "and": comparison.and_,
    "or": comparison.or_,
    "xor": comparison.xor,
}
# Python itself turns `1 < x` round.
ONE_WAY: dict[str, Callable[..., Any]] = {
    "neg": arithmetic.negative,
    "abs": roots.abs,
    "invert": comparison.invert,
    "lt": comparison.less,
    "le": comparison.less_equal,
    "gt": comparison.greater,
    "ge": comparison.greater_equal,
    "eq": comparison.eq,
    "ne": comparison.ne,
    "getitem": indexing.getitem,
}


def install() -> None:
    """Give tensors and variables their operators."""
    for name, op in BINARY.items():
        setattr(Operators, f"__{name}__", op)
        setattr(Operators, f"__r{name}__", _reflected(op))
    for name, op in ONE_WAY.items():
        setattr(Operators, f"__{name}__", op)


def _reflected(op: Callable[..., Any]) -> Callable[[Any, Any], Tensor]:
    def reflected(y: Any, x: Any) -> Tensor:
        y = y if type(y) is Tensor else y._read()
        return op(beside(x, y), y)

    return reflected
