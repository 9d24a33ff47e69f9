"""Layer 5: what `explain`, `replay` and `draw` are given, and advice if it is not what they take.

One idea: whoever asks without the tape, or for a tape that has let go of its records, is told what
to write.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from autodiff_kit.tape import GradientTape

_Function = TypeVar("_Function", bound=Callable[..., Any])


def with_its_arguments(function: _Function) -> _Function:
    """Let a call that lacks an argument say which: Python names the last one, forgotten is the first.

    Raises:
      TypeError: from the function that is made, if it is called without one of its arguments.

    >>> with_its_arguments(lambda tape, target, sources: 3)(1.0, 2.0)
    Traceback (most recent call last):
      ...
    TypeError: ad.<lambda> takes the tape first, then the target, then the sources: ad.<lambda>(tape, \
target, sources). The tape is missing here: the first argument is a float.
    """
    parameters = inspect.signature(function).parameters
    needed = [name for name, one in parameters.items() if one.default is one.empty]

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(parameters, args, strict=False)) | kwargs
        missing = [name for name in needed if name not in given]
        if missing:
            raise TypeError(_order(function.__name__) + _lacking(given, missing))
        return function(*args, **kwargs)

    return checked  # type: ignore[return-value]


def _order(what: str) -> str:
    return (
        f"ad.{what} takes the tape first, then the target, then the sources: "
        f"ad.{what}(tape, target, sources). "
    )


def _lacking(given: dict[str, Any], missing: list[str]) -> str:
    if "tape" in given and not isinstance(given["tape"], GradientTape):
        kind = type(given["tape"]).__name__
        return f"The tape is missing here: the first argument is a {kind}."
    named = " and ".join(f"the {name}" for name in missing)
    verb = "is" if missing in (["tape"], ["target"]) else "are"
    return f"{named[0].upper()}{named[1:]} {verb} missing here."


def refuse_no_tape(tape: Any, what: str) -> None:
    """Raise if the first argument is not a tape."""
    if tape is GradientTape:
        raise TypeError(
            "The first argument here is the class GradientTape, not a tape: "
            "with ad.GradientTape() as tape, with its brackets, makes one."
        )
    if not isinstance(tape, GradientTape):
        raise TypeError(f"{_order(what)}The first argument here is a {type(tape).__name__}.")


def refuse_released(tape: Any, what: str) -> None:
    """Raise if there is nothing left to be read."""
    if tape.released:
        raise RuntimeError(
            f"The tape has given its gradients and let go of its records: there is nothing to {what}. "
            f"Use ad.GradientTape(persistent=True), or call ad.{what} before gradient."
        )
