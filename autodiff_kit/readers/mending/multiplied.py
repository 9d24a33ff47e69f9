"""Layer 5: what a gradient function returns, times what arrives.

One idea: where the two have one shape, or one number arrives, the learner's own expression lacks
nothing but the factor.
"""

from __future__ import annotations

import ast
from inspect import CO_VARARGS
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.returns import function_of, lambda_of, returns_of
from autodiff_kit.readers.program.spelled import bracketed


def times_what_arrives(step: Step, code: Any, name: str) -> str:
    """The function's own expression times its parameter; "" where more is needed than that."""
    if code.co_flags & CO_VARARGS or not _fits_to_multiply(step):
        return ""
    if code.co_name == "<lambda>":
        node = lambda_of(code)
        old = segment(code.co_filename, node) if node is not None else ""
        product = _times(code, node.body, name) if node is not None else ""
        new = f"{old.split(':')[0]}: {product}"
    else:
        function = function_of(code)
        returns = returns_of(function) if function is not None else []
        value = returns[0].value if len(returns) == 1 else None
        old = segment(code.co_filename, returns[0]) if value is not None else ""
        product = _times(code, value, name) if value is not None else ""
        new = f"return {product}"
    return f"{new}    # instead of {old}" if product and "\n" not in old else ""


def _fits_to_multiply(step: Step) -> bool:
    """Whether what arrived times what was returned has the shapes of what was returned."""
    if isinstance(step.dy, (list, tuple, dict)):
        return False
    shape = np.shape(dense(step.dy))
    return shape == () or all(
        np.shape(dense(dx)) == shape for _, dx in step.pairs if dx is not None
    )


def _times(code: Any, node: ast.expr, name: str) -> str:
    """An expression, or each of several in a tuple or a list, times a name."""
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]
    texts = [segment(code.co_filename, part) for part in parts]
    if any(text in ("", "None") for text in texts):
        return ""
    products = ", ".join(f"{name} * {bracketed(text)}" for text in texts)
    if isinstance(node, ast.List):
        return f"[{products}]"
    return f"({products})" if isinstance(node, ast.Tuple) else products
