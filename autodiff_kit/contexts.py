"""Layer 0: variables of the context, as a thread and a task have them.

One idea: a tape records what its own thread does, as in TensorFlow. A new thread has begun with an
empty context in all of Python's history; where Python 3.14 and later run without the global lock, or
with ``-X thread_inherit_context=1``, it begins with a copy, and would record on a tape that is not its.
"""

from __future__ import annotations

import sys
import threading
from contextvars import ContextVar
from typing import Any, TypeVar, cast

_T = TypeVar("_T")


class _Here(threading.local):
    """What tells this thread from every other, those that have ended included."""

    def __init__(self) -> None:
        self.mark = object()


_HERE = _Here()


class OwnVar:
    """A `ContextVar` whose value counts in the thread that set it, whoever copied the context."""

    def __init__(self, name: str, default: Any) -> None:
        self._pair: ContextVar[tuple[Any, Any]] = ContextVar(name, default=(None, default))
        self._default = default

    def get(self) -> Any:
        """The value that this thread has set."""
        mark, value = self._pair.get()
        return value if mark is _HERE.mark else self._default

    def set(self, value: Any) -> Any:
        """Set it for this thread, and return the token for `reset`."""
        return self._pair.set((_HERE.mark, value))

    def reset(self, token: Any) -> None:
        """Go back to what was before the `set` that gave the token."""
        self._pair.reset(token)


def own_var(name: str, default: _T) -> ContextVar[_T]:
    """A variable of the context that a new thread does not take over from the one that starts it.

    Args:
      name: for whoever debugs.
      default: what it is in a thread that has not set it.
    """
    if getattr(sys.flags, "thread_inherit_context", 0):
        return cast("ContextVar[_T]", OwnVar(name, default))
    return ContextVar(name, default=default)
