"""Layer 5: numbers that stand in the learner's program.

One idea: no rule of a sum needs its inputs, so a tape does not keep the 1.0 of ``w * x + 1.0``; but it
is still to be read in the program.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.spelled import is_written, spelled

_SUMS = ("AddV2", "Sub")


def literal_input(record: Any, operation: Operation, number: int, like: Any) -> Any:
    """A number or a list of numbers that is written as an input of a sum, None if none is.

    Args:
      record, operation: the sum.
      number: which of its inputs.
      like: a value of the dtype that a number takes on there, None if it is not known.
    """
    if operation.type not in _SUMS or like is None:
        return None
    code, instruction = record[-2:]
    value = _written(operation.type, code, code.co_filename, instruction, number)
    return None if value is None else np.asarray(value, np.asarray(like).dtype)[()]


@lru_cache(maxsize=1024)
def _written(op_type: str, code: Any, _file: str, instruction: int, number: int) -> Any:
    text = spelled(op_type, code, instruction)
    if text is None or not is_written(text, op_type) or number >= len(text.arguments):
        return None
    try:
        value = np.asarray(ast.literal_eval(text.arguments[number].strip()))
    except (ValueError, SyntaxError, TypeError):
        return None
    return value if value.dtype.kind in "if" else None
