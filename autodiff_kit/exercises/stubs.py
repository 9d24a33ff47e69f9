"""Has anything been written yet? ``answer = ...`` and ``def rule(x): ...`` say that nothing has.

One idea: a stub holds nothing but dots, in a value or in the body of a function.
"""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from types import CodeType
from typing import Any

from autodiff_kit.teaching.values import has_dots

_LOADS = {"LOAD_CONST", "LOAD_COMMON_CONSTANT", "RETURN_CONST"}
_IDLE = {"RESUME", "NOP", "RETURN_VALUE", "POP_TOP"} | _LOADS


def is_stub(answer: Any) -> bool:
    """Is there nothing but dots in an answer, or in the body of a function?

    >>> def nothing(x):
    ...     "What it should do one day."
    ...     ...
    >>> is_stub(...), is_stub([..., 2]), is_stub(nothing), is_stub(lambda x: x), is_stub(None)
    (True, True, True, False, False)
    """
    code = _code(answer)
    if code is None:
        return has_dots(answer)
    constants = [c for c in code.co_consts if c is not None and c is not ...]
    if any(not isinstance(c, str) for c in constants):
        return False
    steps = list(dis.get_instructions(code))
    loaded = [step.argval for step in steps if step.opname in _LOADS]
    if any(value is not None and value is not ... for value in loaded):
        return False  # something is returned; a docstring is never loaded
    return all(step.opname in _IDLE for step in steps) and not _says_nothing(answer)


def mentions_dots(answer: Any) -> bool:
    """Does a function of the learner's still use ``...`` as a value?

    >>> def half(x):
    ...     y = ...
    ...     return x * y
    >>> mentions_dots(half), mentions_dots(abs)
    (True, False)
    """
    code = _code(answer)
    if code is None or ... not in code.co_consts or from_the_library(answer):
        return False
    tree = _tree(answer)
    return tree is None or _dots(tree) > sum(
        _dots(node.slice) for node in ast.walk(tree) if isinstance(node, ast.Subscript)
    )


def from_the_library(answer: Any) -> bool:
    """Is an answer a function of this package, given by its name?

    >>> import autodiff_kit as ad
    >>> from_the_library(ad.floor), from_the_library(lambda x: ad.floor(x))
    (True, False)
    """
    module = str(getattr(answer, "__module__", ""))
    return module.startswith("autodiff_kit.") and not module.startswith("autodiff_kit.exercises.")


def _dots(tree: ast.AST) -> int:
    return sum(isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(tree))


def _tree(function: Any) -> ast.AST | None:
    """What is written in a function, or None where its text can't be had or read alone."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None


def _says_nothing(function: Any) -> bool:
    """Is ``return None`` or ``pass`` written in a function? Compiled, they look like dots."""
    tree = _tree(function)
    if tree is None:
        return False
    returns = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
    nothing = [v is None or (isinstance(v, ast.Constant) and v.value is None) for v in returns]
    return any(nothing) or any(isinstance(node, ast.Pass) for node in ast.walk(tree))


def _code(answer: Any) -> CodeType | None:
    code = getattr(answer, "__code__", None)
    return code if isinstance(code, CodeType) else None
