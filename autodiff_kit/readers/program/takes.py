"""Layer 5: what an expression of the learner's takes the values of, for certain.

One idea: a shape, a comparison and a call of a function that nobody knows are left out of it; what is
still read then is computed with.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from autodiff_kit.readers.program.asked import called_so
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.spots import called
from autodiff_kit.readers.program.statement import nodes_read

_KINDS = ("shape", "dtype", "ndim", "name", "trainable")
_PYTHONS = ("sum", "zip", "list", "tuple", "reversed", "enumerate", "abs", "pow", "float")
_CUT = (
    "stop_gradient", "argmax", "argmin", "argsort", "int", "len", "size", "shape", "rank", "zeros_like",
    "ones_like",
)  # fmt: skip


def values_in(part: ast.AST, frame: Any) -> ast.AST:
    """An expression without the parts that take no value, or of which nobody knows what they take.

    Args:
      part: the expression.
      frame: the learner's, who knows what is called ``ad`` there.
    """
    changed: ast.AST = _Values(frame).visit(copy.deepcopy(part))
    return changed


class _Values(ast.NodeTransformer):
    def __init__(self, frame: Any) -> None:
        self.known = {**frame.f_globals, **frame.f_locals}

    def visit_Compare(self, _node: ast.Compare) -> ast.Constant:
        return ast.Constant(True)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return ast.Constant(0) if node.attr in _KINDS else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return self.generic_visit(node) if self._is_known(node) else ast.Constant(0)

    def _is_known(self, call: ast.Call) -> bool:
        """Whether it is certain that a function computes with the values that it is given."""
        if called(call) in _CUT:
            return False
        text = ast.unparse(call.func)
        root = text.split(".")[0]
        module = self.known.get(root, called_so(root))
        of_the_kit = isinstance(module, ModuleType) and module.__name__.startswith("autodiff_kit")
        return of_the_kit or text in _PYTHONS or called(call) == "gradient"


def looped(statement: ast.stmt, node: ast.AST) -> Iterator[ast.expr]:
    """What the names of an expression go through that a comprehension around it binds."""
    names = names_in(node)
    for loop in nodes_read(statement):
        if isinstance(loop, ast.comprehension):
            yield from (values for target, values in _pairs(loop) if names & names_in(target))


def _pairs(loop: ast.comprehension) -> list[tuple[ast.expr, ast.expr]]:
    """What a comprehension binds, and what to; a zip one after the other."""
    targets = getattr(loop.target, "elts", [])
    is_zip = isinstance(loop.iter, ast.Call) and called(loop.iter) == "zip"
    zipped = getattr(loop.iter, "args", []) if is_zip else []
    if targets and len(targets) == len(zipped):
        return [*zip(targets, zipped, strict=True)]
    return [(loop.target, loop.iter)]
