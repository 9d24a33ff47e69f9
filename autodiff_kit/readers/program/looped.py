"""Layer 5: names that are left over from a loop.

One idea: after ``for v, g in zip(variables, gradients)`` the last variable is still called ``v``. Who
asks for ``model.trainable_variables`` then does not mean it by that name.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any

from autodiff_kit.readers.program.lines import covers, tree_of
from autodiff_kit.readers.program.nodes import nodes_of


def left_by_a_loop(name: str, frame: Any) -> bool:
    """Whether nothing but loops gave a name its value, and all of them are over."""
    tree = tree_of(frame.f_code.co_filename)
    loops = _loops(tree, name) if tree is not None else ()
    return bool(loops) and not any(covers(loop, frame.f_lineno) for loop in loops)


@lru_cache(maxsize=1024)
def _loops(tree: ast.Module, name: str) -> tuple[ast.For, ...]:
    """The loops that give a name its values, none if something else does too."""
    loops = [node for node in nodes_of(tree) if isinstance(node, ast.For)]
    given = {id(one): loop for loop in loops for one in ast.walk(loop.target)}
    stored = [node for node in nodes_of(tree) if _gives(node, name)]
    found = [given[id(node)] for node in stored if id(node) in given]
    return tuple(found) if len(found) == len(stored) else ()


def _gives(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.arg):
        return node.arg == name
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
