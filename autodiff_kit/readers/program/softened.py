"""Layer 5: a condition of the learner's as a number between 0 and 1.

One idea: the operands stay as they are written. What is larger decides the sign, equality is a hump
and no step, "and" is a product; a part that has nothing to do with the source is only cast.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.spelled import bracketed, read
from autodiff_kit.readers.program.spots import called

GREATER = ("Greater", "GreaterEqual", "greater", "greater_equal")
LESS = ("Less", "LessEqual", "less", "less_equal")
EQUAL = ("Equal", "equal")
UNEQUAL = ("NotEqual", "not_equal")
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult, ast.Pow)

Matters = Callable[[ast.expr], bool]


def softened(
    file: str, node: ast.expr, matters: Matters | None, factor: str = "10.0"
) -> str | None:
    """The soft form of a condition, None if there is none.

    Args:
      file: where the condition is written.
      node: the condition.
      matters: whether a part of it depends on the source; None if that cannot be told.
      factor: how steep a single comparison is to be.
    """
    joined = _joined(node)
    if joined is not None and matters is None:
        return None
    if joined is not None and matters is not None:
        kind, parts = joined
        soft = [_part(file, part, matters) for part in parts]
        return _JOIN[kind](*map(bracketed, soft)) if all(soft) else None  # type: ignore[arg-type]
    text = read(file, node)
    operands = [*text.arguments] if text is not None else []
    if text is not None and len(operands) == 1:
        operands += [text.keywords["y"]] if "y" in text.keywords else []
    if text is None or len(operands) != 2:
        return None
    return compared(text.function, operands[0], operands[1], factor)


def compared(function: str, left: str, right: str, factor: str = "10.0") -> str | None:
    """The soft form of one comparison.

    >>> compared("Greater", "x", "t"), compared("less", "a + b", "0.5"), compared("Less", "0.0", "x")
    ('ad.sigmoid(10.0 * (x - t))', 'ad.sigmoid(10.0 * (0.5 - (a + b)))', 'ad.sigmoid(10.0 * x)')
    >>> compared("Equal", "a", "b"), compared("not_equal", "a", "0.0")
    ('ad.exp(-ad.square((a - b) / 0.1))', '1.0 - ad.exp(-ad.square(a / 0.1))')
    """
    if function in GREATER:
        return f"ad.sigmoid({factor} * {bracketed(_difference(left, right))})"
    if function in LESS:
        return f"ad.sigmoid({factor} * {bracketed(_difference(right, left))})"
    hump = f"ad.exp(-ad.square({bracketed(_difference(left, right))} / 0.1))"
    if function in EQUAL:
        return hump
    return f"1.0 - {hump}" if function in UNEQUAL else None


def mixture(weight: str, yes: str, no: str) -> str:
    """Two values in the place of a choice between them."""
    return f"{weight} * {bracketed(yes)} + (1.0 - {weight}) * {bracketed(no)}"


def _difference(left: str, right: str) -> str:
    if right in ("0", "0.0"):
        return left
    if left in ("0", "0.0"):
        return f"-{bracketed(right)}"
    node = ast.parse(left, mode="eval").body
    is_plain = isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC)
    return f"{left if is_plain else bracketed(left)} - {bracketed(right)}"


_JOIN: dict[str, Callable[..., str]] = {
    "and": lambda a, b: f"{a} * {b}",
    "or": lambda a, b: f"1.0 - (1.0 - {a}) * (1.0 - {b})",
    "not": lambda a: f"1.0 - {a}",
}


def _joined(node: ast.expr) -> tuple[str, list[ast.expr]] | None:
    """Whether a condition is made of others by and, or, not, and of which."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        return ("and" if isinstance(node.op, ast.BitAnd) else "or"), [node.left, node.right]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        return "not", [node.operand]
    if isinstance(node, ast.Call):
        name = called(node)
        kind, count = name.removeprefix("logical_"), 1 if name == "logical_not" else 2
        if name.startswith("logical_") and kind in _JOIN and len(node.args) == count:
            return kind, node.args
    return None


def _part(file: str, node: ast.expr, matters: Matters) -> str | None:
    if matters(node):
        return softened(file, node, matters)
    return f"ad.cast({segment(file, node)}, ad.float32)"
