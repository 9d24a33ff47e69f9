"""Layer 5: whether a text is what ran.

One idea: compile it once more and look for the very same code. A file that was edited after it had
been loaded would otherwise lend its new lines to the old program.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=64)
def codes_of(text: str) -> set[Any] | None:
    """The signatures of all code in a text, None if it cannot be compiled for itself."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = compile(text, "", "exec", dont_inherit=True) if text else None
    except (SyntaxError, ValueError):
        return set()
    return None if whole is None else {signature(code) for code in _all(whole)}


def signature(code: Any) -> Any:
    """What two code objects have in common if they come from the same text."""
    constants = tuple([repr(c) for c in code.co_consts if not hasattr(c, "co_code")])
    return code.co_name, code.co_firstlineno, code.co_code, constants, code.co_names


def _all(code: Any) -> Iterator[Any]:
    yield code
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            yield from _all(constant)
