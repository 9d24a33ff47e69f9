"""Layer 5: a gradient function of the learner's that raises an error, or returns what does not fit.

One idea: such a function runs only when a gradient is asked for, far from the line that it belongs to.
The error knows the line in it; where the kit refused what it returned, that is the line that returns.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.wrapped import ran_again
from autodiff_kit.readers.missing.returned import gradient_function
from autodiff_kit.readers.program.lines import Line, line_at
from autodiff_kit.readers.program.returns import line_of_return

_FITS = (
    "It gets one gradient for each result, and must return one for each input, of the input's shape "
    "and dtype, or None where none is to flow."
)


def own_rule_failed(case: Case, operation: Operation, error: Exception) -> Finding:
    """Which gradient function it is, what happened, and where in it."""
    function = gradient_function(operation)
    code, called = getattr(function, "__code__", None), _called(operation)
    line = _line_in(error.__traceback__, code)
    found = Finding(case.source_name, "error", "refused", op=operation.type)
    if line is not None:
        again = ran_again(operation)
        found.why = (
            f"{again or f'The gradient function of {called} was called'}, and it stops with an error: "
            f"{_words(error)}"
        )
        found.advice = "It runs only when a gradient is asked for. Try that line with what arrives."
    else:
        found.why = f"The gradient function of {called} does not fit: {_words(error)}"
        found.advice = _FITS
        line = line_of_return(code) if code is not None else None
    found.line = line if line is not None else case.line(operation.place)
    return found


def _called(operation: Operation) -> str:
    """The function or the operation that the rule belongs to."""
    if operation.type == "CustomGradient":
        return f"`{operation.attrs['name']}`"
    return f"{operation.type} ({operation.definition.rule_name})"


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _line_in(traceback: TracebackType | None, code: Any) -> Line | None:
    """The innermost line that ran in a function or in the learner's code below it, when it stopped."""
    found, inside = None, False
    while traceback is not None:
        frame = traceback.tb_frame
        inside = inside or frame.f_code is code
        if inside and "__autodiff_kit__" not in frame.f_globals:
            found = line_at(frame.f_code.co_filename, traceback.tb_lineno)
        traceback = traceback.tb_next
    return found
