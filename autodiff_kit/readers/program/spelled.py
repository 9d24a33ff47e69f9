"""Layer 5: how the learner wrote one operation.

One idea: advice is code only where the learner's own text is known for certain; where two calls on a
line might be meant, nothing is said.
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from autodiff_kit.readers.program.lines import Spot, covers, line_of, nodes_in, segment
from autodiff_kit.readers.program.nodes import expression
from autodiff_kit.readers.program.spots import called, expression_at

_SIGNS: dict[str, Any] = {
    "AddV2": ast.Add, "Sub": ast.Sub, "Mul": ast.Mult, "RealDiv": ast.Div, "Pow": ast.Pow,
    "FloorDiv": ast.FloorDiv, "MatMul": ast.MatMult, "Greater": ast.Gt, "GreaterEqual": ast.GtE,
    "Less": ast.Lt, "LessEqual": ast.LtE, "Equal": ast.Eq, "NotEqual": ast.NotEq,
    "LogicalAnd": ast.BitAnd, "LogicalOr": ast.BitOr, "LogicalNot": ast.Invert,
}  # fmt: skip
_CALLS = {
    "RealDiv": ("truediv", "divide"),
    "AddV2": ("add",),
    "Sub": ("subtract",),
    "SquaredDifference": ("squared_difference",),
    "Mul": ("multiply",),
    "ArgMax": ("argmax",),
    "ArgMin": ("argmin",),
    "TopKV2": ("top_k",),
    "SelectV2": ("where",),
    "GreaterEqual": ("greater_equal",),
    "LessEqual": ("less_equal",),
    "NotEqual": ("not_equal",),
    "MatMul": ("matmul",),
    "StopGradient": ("stop_gradient",),
    "Cast": ("cast", "saturate_cast"),
    "OneHot": ("one_hot",),
    "GatherV2": ("gather", "embedding_lookup"),
    "RandomShuffle": ("shuffle",),
    "Multinomial": ("categorical",),
    "StatelessMultinomial": ("stateless_categorical",),
    "Sum": ("reduce_sum",),
    "Mean": ("reduce_mean",),
    "Prod": ("reduce_prod",),
    "MatrixDeterminant": ("det",),
    "SelfAdjointEigV2": ("eigh", "eigvalsh"),
    "SegmentSum": ("segment_sum",),
    "SegmentMean": ("segment_mean",),
    "SegmentMax": ("segment_max",),
    "SegmentMin": ("segment_min",),
    "UnsortedSegmentSum": ("unsorted_segment_sum",),
    "EnsureShape": ("ensure_shape",),
    "LogicalAnd": ("logical_and",),
    "LogicalOr": ("logical_or",),
    "LogicalNot": ("logical_not",),
}


_PARTS = {  # functions of the kit that an operation is a part of
    "Sqrt": ("norm", "reduce_euclidean_norm", "reduce_std"),
    "Minimum": ("clip_by_value",),
    "Maximum": ("clip_by_value",),
    "SelectV2": ("dropout",),
}


class Spelled(NamedTuple):
    """The text of an operation, of its arguments and of the keywords, and the name that was called."""

    whole: str
    arguments: tuple[str, ...]
    keywords: dict[str, str]
    function: str

    @property
    def name(self) -> str:
        """What is called, as it is written: ``ad.math.log``."""
        return self.whole[: self.whole.index("(")]

    def with_first(self, first: str, without: str, function: str = "") -> str:
        """The same call, or that of another function, with another first argument.

        Args:
          without: a keyword that is left out.
        """
        named = [f"{key}={value}" for key, value in self.keywords.items() if key != without]
        return f"{function or self.name}({', '.join([first, *self.arguments[1:], *named])})"


def spelled(op_type: str, spot: Spot) -> Spelled | None:
    """How an operation is written; None if that is not certain."""
    node = node_of(op_type, spot)
    return read(spot.code.co_filename, node) if node is not None else None


def node_of(op_type: str, spot: Spot) -> ast.expr | None:
    """The expression that an operation is written as; None if that is not certain."""
    node = expression_at(spot)
    if node is not None:
        return node
    line = line_of(spot)
    nodes = [one for one in nodes_in(line.file, ast.expr) if covers(one, line.number)]
    found = [one for one in nodes if _is(one, op_type)]
    return found[0] if len(found) == 1 else None


def is_written(one: Spelled | None, op_type: str) -> bool:
    """Whether the text is the operation itself, not a function of the kit that it is a part of."""
    if one is None:
        return False
    return one.function in _CALLS.get(op_type, (op_type.lower(),)) or one.function == op_type


def _is(node: ast.expr, op_type: str) -> bool:
    if isinstance(node, ast.Call):
        names = (*_CALLS.get(op_type, (op_type.lower(),)), *_PARTS.get(op_type, ()))
        return called(node) in names
    return _sign(node) == op_type


def _sign(node: ast.expr) -> str:
    sign: Any = getattr(node, "op", None)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        sign = node.ops[0]
    return next((name for name, kind in _SIGNS.items() if isinstance(sign, kind)), "")


def read(file: str, node: ast.expr) -> Spelled | None:
    """A call, an operator or a comparison taken apart; None for anything else."""
    parts: list[ast.expr] = []
    keywords: dict[str, str] = {}
    if isinstance(node, ast.Call):
        if any(isinstance(a, ast.Starred) for a in node.args):
            return None
        parts, name = node.args, called(node)
        keywords = {k.arg: segment(file, k.value) for k in node.keywords if k.arg}
    elif isinstance(node, ast.BinOp):
        parts, name = [node.left, node.right], _sign(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        parts, name = [node.operand], _sign(node)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        parts, name = [node.left, node.comparators[0]], _sign(node)
    else:
        return None
    return Spelled(segment(file, node), tuple(segment(file, p) for p in parts), keywords, name)


def instead(code: str, text: Spelled | None) -> str:
    """Code, and what of the learner's it takes the place of, if that has one line."""
    return f"{code}    # instead of {text.whole}" if text and "\n" not in text.whole else code


def on_a_side(text: str) -> str:
    """A piece of a program so that it can stand on one side of a comparison.

    >>> on_a_side("a - b"), on_a_side("a if c else b"), on_a_side("a == b")
    ('a - b', '(a if c else b)', '(a == b)')
    """
    loose = (ast.IfExp, ast.Compare, ast.BoolOp, ast.Lambda, ast.NamedExpr)
    node = expression(text)
    refused = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return f"({text})" if node is None or isinstance(node, loose) or refused else text


def bracketed(text: str) -> str:
    """A piece of a program so that it can stand beside an operator.

    >>> bracketed("a - b"), bracketed("f(a)"), bracketed("w[0]"), bracketed("-2.0")
    ('(a - b)', 'f(a)', 'w[0]', '(-2.0)')
    """
    plain = (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.Constant)
    return text if isinstance(expression(text), plain) else f"({text})"
