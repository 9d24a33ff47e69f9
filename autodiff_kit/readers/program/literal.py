"""Layer 5: numbers that stand in the learner's program.

One idea: no rule of a sum or a choice needs what is put in, so a tape does not keep the 1.0 of
``w * x + 1.0``, nor the -inf of ``ad.where(mask, scores, -np.inf)``; but it is still to be read in
the program.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.program.cells import where_bound
from autodiff_kit.readers.program.lines import Spot, spot_of, tree_of
from autodiff_kit.readers.program.nodes import nodes_of
from autodiff_kit.readers.program.spelled import is_written, spelled
from autodiff_kit.readers.program.words import replaced, word

_NOT_KEPT = {"AddV2": (0, 1), "Sub": (0, 1), "SelectV2": (1, 2)}  # inputs that no rule asks for
_COUNTS: dict[type, Any] = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply,
    ast.Div: np.divide, ast.Pow: np.float_power}  # fmt: skip


def literal_input(record: Any, operation: Operation, number: int, like: Any) -> Any:
    """A number or a list of numbers that is written as an input of a sum or a choice, or None.

    Args:
      record, operation: the sum or the choice.
      number: which of its inputs.
      like: a value of the dtype that a number takes on there, None if it is not known.
    """
    if number not in _NOT_KEPT.get(operation.type, ()) or like is None:
        return None
    spot = spot_of(record)
    text = _written(operation.type, spot, number)
    value = number_in(text, spot.code.co_filename) if text else None
    if value is None:
        return None
    with np.errstate(over="ignore"):
        return np.asarray(value, np.asarray(like).dtype)[()]


def beside(operation: Operation, number: int) -> int | None:
    """Which input of a sum or a choice gives its dtype to a number that is written as another."""
    inputs = _NOT_KEPT.get(operation.type, ())
    return sum(inputs) - number if number in inputs else None


@lru_cache(maxsize=1024)
def _written(op_type: str, spot: Spot, number: int) -> str:
    """How an input is written, "" if that is not certain."""
    text = spelled(op_type, spot)
    if text is None or not is_written(text, op_type) or number >= len(text.arguments):
        return ""
    return text.arguments[number]


def number_in(text: str, file: str) -> Any:
    """The number, or the array of numbers, that an expression stands for; None if it is no literal.

    A name counts if the file binds it once only, to such an expression: ``NEG = -np.inf``; in a
    notebook the last cell may that did it before.

    >>> number_in("-np.inf", ""), number_in("2.0 ** -3", ""), number_in("x + 1.0", "")
    (array(-inf), array(0.125), None)
    """
    try:
        value = np.asarray(_evaluated(ast.parse(text.strip(), mode="eval").body, file))
    except (ValueError, SyntaxError, TypeError, OverflowError):
        return None
    return value if value.dtype.kind in "if" else None


def arithmetic(node: ast.expr, part: Callable[[ast.expr], Any]) -> Any:
    """The value of sums, products, quotients and powers; ``part`` gives that of anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return np.negative(arithmetic(node.operand, part))
    if isinstance(node, ast.BinOp) and type(node.op) in _COUNTS:
        sides = arithmetic(node.left, part), arithmetic(node.right, part)
        with np.errstate(all="ignore"):
            return _COUNTS[type(node.op)](*sides)
    return part(node)


def _evaluated(node: ast.expr, file: str) -> Any:
    """The value of a literal expression; ValueError for any other."""
    return arithmetic(node, lambda part: _written_out(part, file))


def _written_out(node: ast.expr, file: str) -> Any:
    """The value of a part of it in which nothing is computed."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_evaluated(one, file) for one in node.elts]
    text = ast.unparse(node).lower()
    if text == "float('inf')" or re.fullmatch(r"\w+\.inf", text):
        return np.inf
    if text == "float('-inf')":
        return -np.inf
    if isinstance(node, ast.Name):
        bound = _bound_once(tree_of(where_bound(file, node.id)), node.id)
        return _evaluated(bound, "") if bound is not None else _refuse(node)
    return ast.literal_eval(node)


def _refuse(node: ast.expr) -> Any:
    raise ValueError(f"{ast.unparse(node)} is no number")


@lru_cache(maxsize=256)
def _bound_once(tree: ast.Module | None, name: str) -> ast.expr | None:
    """What a name is bound to, if the whole file binds it nowhere else."""
    nodes = list(nodes_of(tree)) if tree is not None else []
    stored = [n for n in nodes if isinstance(n, ast.Name) and n.id == name]
    stored = [n for n in stored if not isinstance(n.ctx, ast.Load)]
    others = [n for n in nodes if name in [getattr(n, k, "") for k in ("arg", "asname", "name")]]
    bound = [n for n in nodes if isinstance(n, ast.Assign) and n.targets == stored]
    return bound[0].value if len(bound) == 1 and not others else None


def exchanged(whole: str, old: str, new: str) -> str:
    """An expression with another part in the place of one; "" if that stands there more than once.

    >>> exchanged("ad.where(x > 0, x, NEG)", "NEG", "-1e9"), exchanged("a + a", "a", "b")
    ('ad.where(x > 0, x, -1e9)', '')
    """
    part = old.strip()
    return replaced(part, new, whole) if len(word(part).findall(whole)) == 1 else ""
