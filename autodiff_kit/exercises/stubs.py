"""Has anything been written yet? ``answer = ...`` and ``def rule(x): ...`` say that nothing has.

One idea: a stub holds nothing but dots, in a value or in the body of a function.
"""

from __future__ import annotations

import dis
from types import CodeType
from typing import Any

from autodiff_kit.teaching.values import has_dots

_IDLE = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "POP_TOP"}


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
    return all(step.opname in _IDLE for step in dis.get_instructions(code))


def mentions_dots(answer: Any) -> bool:
    """Does a function still use ``...`` as a value?

    >>> def half(x):
    ...     y = ...
    ...     return x * y
    >>> mentions_dots(half), mentions_dots(abs)
    (True, False)
    """
    code = _code(answer)
    return code is not None and ... in code.co_consts


def _code(answer: Any) -> CodeType | None:
    code = getattr(answer, "__code__", None)
    return code if isinstance(code, CodeType) else None
