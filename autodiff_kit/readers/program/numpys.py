"""Layer 5: the kit's own function in the place of NumPy's.

One idea: where the two do the same, the learner's expression is written again with the other name, and
whatever NumPy or ``ad.constant`` stands around it goes with it.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.spelled import bracketed
from autodiff_kit.readers.program.spots import called, expression_at, statement_of
from autodiff_kit.readers.program.statement import nodes_read

SAME = {
    "exp": "exp", "log": "math.log", "log1p": "math.log1p", "expm1": "math.expm1", "sqrt": "sqrt",
    "square": "square", "abs": "abs", "absolute": "abs", "sin": "sin", "cos": "cos", "tan": "tan",
    "tanh": "tanh", "sinh": "sinh", "cosh": "cosh", "arctan": "atan", "sort": "sort",
    "sum": "reduce_sum", "mean": "reduce_mean", "max": "reduce_max", "min": "reduce_min",
    "amax": "reduce_max", "amin": "reduce_min", "prod": "reduce_prod", "maximum": "maximum",
    "minimum": "minimum", "power": "pow", "clip": "clip_by_value", "stack": "stack",
    "arcsin": "asin", "arccos": "acos", "arctan2": "atan2", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh", "inv": "linalg.inv", "det": "linalg.det", "norm": "norm",
    "transpose": "transpose", "std": "math.reduce_std", "var": "math.reduce_variance",
    "floor": "relax.straight_through",
}  # fmt: skip
_WITH_AXIS = {"sum", "mean", "max", "min", "amax", "amin", "prod", "stack", "std", "var"}
_COUNT = {
    "maximum": 2,
    "minimum": 2,
    "power": 2,
    "clip": 3,
    "arctan2": 2,
}  # of arguments; all others have one
_JOINING = {"array", "asarray", "asanyarray"}
CONSTANTS = {"ad.constant", "ad.convert_to_tensor"}
_PLAIN = re.compile(
    r"(?<!\w)((np|numpy|math)\.|(float|int)\(|ad\.constant\()|\.(astype|item|dot|T)\b"
)


def joined(node: ast.Call) -> bool:
    """Whether NumPy makes one array of several things that are written there."""
    shown = (ast.List, ast.Tuple, ast.ListComp)
    return called(node) in _JOINING and bool(node.args) and isinstance(node.args[0], shown)


def is_one_tensor(case: Any, event: Any, node: ast.Call) -> bool:
    """Whether it is a tensor itself that is made an array, not a list of tensors."""
    if called(node) not in _JOINING or not node.args:
        return False
    return event.subject in case.stored.places_of(event.code, node.args[0])


def converted(call: ast.Call) -> ast.expr | None:
    """What a call only makes a number or an array of: ``x`` of ``float(x)`` and of ``x.numpy()``."""
    is_name = isinstance(call.func, ast.Name)
    if called(call) not in ("float", "numpy", "item") or call.keywords or len(call.args) != is_name:
        return None
    return call.args[0] if call.args else call.func.value  # type: ignore[attr-defined]


def kits_own(node: ast.Call) -> str:
    """The kit's name of a function of NumPy's, "" if it has none that does the same."""
    return f"ad.{SAME[called(node)]}" if called(node) in SAME else ""


def in_the_kit(case: Any, event: Any) -> str:
    """The learner's expression with the kit's functions; "" if that may not mend it."""
    node, statement = expression_at(event.spot), _statement(case, event)
    if statement is None or not isinstance(node, ast.Call):
        return ""
    parents = {c: p for p in nodes_read(statement) for c in ast.iter_child_nodes(p)}
    way = [node]
    while _goes_with_it(parents.get(way[-1])):
        way.append(parents[way[-1]])  # type: ignore[arg-type]
    if not _stands_free(parents.get(way[-1])) or not all(_is_sure(case, event, w) for w in way):
        return ""
    if is_plain_later(case, statement):
        return ""
    file = event.code.co_filename
    old, new = segment(file, way[-1]), _rewritten(file, way[-1], way)
    return "" if "\n" in old + new or not new else f"{new}    # instead of {old}"


def _statement(case: Any, event: Any) -> ast.stmt | None:
    found = statement_of(event.spot)
    return found if found in case.flow.text.read else None


def is_numpys(node: Any) -> bool:
    """Whether a piece of a program is a call of a function of NumPy's."""
    root = ast.unparse(node.func).partition(".")[0] if isinstance(node, ast.Call) else ""
    return root in ("np", "numpy")


def _is_constant(node: Any) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in CONSTANTS


def _goes_with_it(parent: Any) -> bool:
    """Whether what stands around an expression would make plain numbers of it again."""
    return is_numpys(parent) or _is_constant(parent)


def _stands_free(parent: Any) -> bool:
    """Whether a tensor is welcome where the expression stands."""
    if isinstance(parent, ast.Call):
        return ast.unparse(parent.func).startswith("ad.")
    return parent is None or isinstance(parent, (ast.BinOp, ast.UnaryOp))


def _is_sure(case: Any, event: Any, node: ast.Call) -> bool:
    keywords = {keyword.arg for keyword in node.keywords}
    if called(node) in _JOINING or _is_constant(node):
        one = _is_constant(node) or is_one_tensor(case, event, node)
        return one and len(node.args) == 1 and not keywords
    return is_the_same(node)


def is_the_same(node: ast.Call) -> bool:
    """Whether the kit has a function that takes these arguments and does the same with them."""
    keywords = {keyword.arg for keyword in node.keywords}
    count, name = _COUNT.get(called(node), 1), called(node)
    axes = {"axis", "keepdims"} if name in _WITH_AXIS else set()
    plain = all(_is_number(argument) for argument in node.args[1:])
    return name in SAME and len(node.args) == count and keywords <= axes and plain


def _is_number(node: ast.expr) -> bool:
    try:
        return isinstance(ast.literal_eval(node), (int, float))
    except ValueError:
        return False


def is_plain_later(case: Any, statement: ast.stmt) -> bool:
    """Whether the program goes on with what the statement makes as with an array or a number."""
    text = case.flow.text
    names = text.made_by(statement)
    later = [s for s in text.read if s is not statement and text.mentions(s, names)]
    return any(_PLAIN.search(text.read[s]) and case.flow.leads_to_it(s) for s in later)


def _rewritten(file: str, node: ast.expr, way: list[Any]) -> str:
    """An expression with the kit's functions in the place of those on the way."""
    if node not in way:
        return segment(file, node)
    assert isinstance(node, ast.Call)
    given = [_rewritten(file, argument, way) for argument in node.args]
    if called(node) in _JOINING or _is_constant(node):
        return bracketed(given[0])
    given += [f"{keyword.arg}={segment(file, keyword.value)}" for keyword in node.keywords]
    return f"{kits_own(node)}({', '.join(given)})"
