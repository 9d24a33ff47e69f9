"""Layer 5: a source that holds integers.

One idea: gradients flow to floating values only, so the line that made the integers is written once
more with a floating dtype.
"""

from __future__ import annotations

import ast
import copy
import re
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.positions import ROWS_TAKEN
from autodiff_kit.readers.mending.taken import used_as_index
from autodiff_kit.readers.mending.whole import whole_use
from autodiff_kit.readers.program.lines import Line, line_at, segment, statement_at
from autodiff_kit.readers.program.numpys import is_numpys
from autodiff_kit.tensor import Tensor

_MAKERS = ("Variable", "constant", "convert_to_tensor")
_WHOLE = re.compile(r"u?int(8|16|32|64)$")
_INDEX = (
    "It is used as an index at {where}, and an index has to be whole: do not ask for its gradient. To "
    f"see how much each index counts, {ROWS_TAKEN}. To learn which row is best, mix all rows with "
    "weights that add up to one (ad.nn.softmax), and ask for the gradient of what the weights are made "
    "of."
)
_MAY_BE_WHOLE = (
    "What counts, chooses, or says a position or a shape has to stay whole: do not ask for its "
    "gradient. If it is only computed with, make it of floating numbers, and what it meets there too."
)
_MAKE = "Make it of floating numbers, and what it meets in an operation too: they need one dtype."
_COMPUTE = "Compute it from floating numbers: ad.cast(n, ad.float32) makes them of integers."


def integer_source(case: Case) -> Finding | None:
    """Gradients flow to floating values only."""
    if case.source.dtype.is_floating:
        return None
    computed = type(case.source) is Tensor and case.source_birth.computed
    line = case.source_birth.line
    fix = "" if computed or line is None else floating(line)
    advice = _COMPUTE if computed else _MAKE
    index, use = used_as_index(case), _whole_use(case, line, fix)
    if index is not None:
        fix, advice = "", _INDEX.format(where=index.where)
    elif use is not None:
        fix, advice = "", f"{use} {_MAY_BE_WHOLE}"
    truth = case.source.dtype.name == "bool"
    return case.none(
        "integer source",
        f"`{case.source_name}` holds {case.source.dtype.name} values. Gradients flow to floating "
        f"values only: {'True or False' if truth else 'an integer'} cannot move by a little.",
        fix,
        line=line,
        advice=advice,
    )


def _whole_use(case: Case, line: Line | None, fix: str) -> str | None:
    """Where the source may have to stay whole, in words; None if nothing says so."""
    made: Any = ast.parse(fix).body[0] if fix else None
    if line is None or made is None:
        return None
    name = ast.unparse(getattr(made, "target", None) or made.targets[0])
    use = whole_use(line.file, name, case.names.known)
    if use is None:
        return None
    return f"It goes into `{ast.unparse(use[1])}` ({line_at(use[0], use[1].lineno).where})."


def floating(line: Line) -> str:
    """The line that makes a variable or a constant, with float32; ``""`` if that is not certain.

    It is certain where the numbers are written out, NumPy's, or made with an integer dtype.
    """
    statement = copy.deepcopy(statement_at(line.file, line.number))
    calls = [n for n in ast.walk(statement) if _name(n) in _MAKERS] if statement else []
    if not isinstance(statement, ast.Assign) or len(calls) != 1:
        return ""
    call: Any = calls[0]
    made = [node for node in ast.walk(call) if _renamed(node)]
    if not made and not (call.args and _is_plain(call.args[0])):
        return ""
    if not any(k.arg == "dtype" for k in call.keywords) and not made:
        module = getattr(call.func, "value", None)
        wanted = f"{ast.unparse(module)}.float32" if module is not None else "'float32'"
        call.keywords.append(ast.keyword("dtype", ast.parse(wanted, mode="eval").body))
    whole, old = segment(line.file, statement), segment(line.file, statement.value)
    return whole.removesuffix(old) + ast.unparse(statement.value)  # an annotation stays


def _name(node: Any) -> str:
    """What a call calls, without the module."""
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", ""))


def _renamed(node: Any) -> bool:
    """Whether this is the name of an integer dtype, which then becomes float32."""
    for attribute in ("attr", "id", "value"):
        name = getattr(node, attribute, None)
        if isinstance(name, str) and _WHOLE.match(name):
            setattr(node, attribute, "float32")
            return True
    return False


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression is written numbers, or something of NumPy's."""
    if isinstance(node, ast.Call):
        return is_numpys(node)
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True
