"""Layer 5: whether a function of the learner's does anything with one of its parameters.

One idea: its code tells for certain, and its text tells apart who only asks a parameter for its shape.
"""

from __future__ import annotations

import ast
import dis
from typing import Any

from autodiff_kit.readers.program.lines import compare_with_text
from autodiff_kit.readers.program.returns import function_of, lambda_of

_SHAPE_ONLY = [
    f"{module}.{name}"
    for name in ("ones_like", "zeros_like", "shape", "rank", "size") for module in ("ad", "np")
]  # fmt: skip


def is_used(code: Any, name: str) -> bool:
    """Whether a function does more with a parameter than to ask for its shape."""
    compare_with_text([code])
    if any(name in code.co_names for name in ("locals", "vars", "eval", "exec")):
        return True
    node: Any = lambda_of(code) if code.co_name == "<lambda>" else function_of(code)
    if node is not None:
        return _beyond_shape(node, name)
    read = [one.argval for one in dis.get_instructions(code) if not one.opname.startswith("STORE")]
    return any(name == one or isinstance(one, tuple) and name in one for one in read)


def _beyond_shape(function: Any, name: str) -> bool:
    """Whether a name is read in a function other than as ``dy.shape`` or ``ad.ones_like(dy)``."""
    body = function.body if isinstance(function.body, list) else [function.body]
    nodes = [node for statement in body for node in ast.walk(statement)]
    plain = [
        n.value for n in nodes if isinstance(n, ast.Attribute) and n.attr in ("shape", "dtype")
    ]
    for call in [n for n in nodes if isinstance(n, ast.Call)]:
        if ast.unparse(call.func) in _SHAPE_ONLY:
            plain += [*call.args, *(keyword.value for keyword in call.keywords)]
    harmless = {id(node) for node in plain}
    read = [n for n in nodes if isinstance(n, ast.Name) and n.id == name]
    return any(id(node) not in harmless for node in read)
