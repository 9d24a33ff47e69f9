"""Layer 5: a variable that was made in the middle of an expression.

One idea: what was computed from it has the name, and is a plain tensor. The variable itself has none,
so nobody can ask for it and no optimizer gets it: it has to be the last thing that is made.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.program.asked import NOWHERE, is_reference, led_to
from autodiff_kit.readers.program.spots import called, span_of, statement_of


def made_in_passing(case: Case) -> Finding | None:
    """The source was computed in one line with the making of a variable that has no name."""
    birth = case.source_birth
    statement: Any = statement_of(birth.spot)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or birth.line is None:
        return None
    made = [
        n for n in ast.walk(statement.value) if isinstance(n, ast.Call) and called(n) == "Variable"
    ]
    if len(made) != 1 or made[0] is statement.value:
        return None
    if not all(_is_no_tensor(case, one) for one in _beside(statement.value, made[0])):
        return None
    written, target = ast.unparse(statement.targets[0]), case.source_name
    return case.none(
        "not watched",
        f"`{target}` is a plain tensor, the result of {birth.type}. The ad.Variable that is made in "
        "this line has no name: nothing leads back to it, no optimizer can change it, and a tape does "
        f"not watch `{target}`.",
        _last(statement.value, made[0], written),
        birth.type,
        birth.line,
        "Compute first, and make the ad.Variable of the result. To ask for this tensor once, "
        f"{case.tape_name}.watch({target}) inside the with block, before it is used, is enough.",
    )


def _beside(node: ast.AST, made: ast.Call) -> Iterator[str]:
    """What else an expression reads; what a function of math's or NumPy's is given are numbers."""
    numbers = isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("math.", "np."))
    if node is made or numbers:
        return
    if isinstance(node, (ast.Name, ast.Attribute)):
        yield ast.unparse(node)
        return
    for part in ast.iter_child_nodes(node):
        yield from _beside(part, made)


def _is_no_tensor(case: Case, name: str) -> bool:
    """Whether a name surely leads to nothing that a gradient may be wanted of."""
    value = led_to(name, case.names.frame) if is_reference(name) else NOWHERE
    return name.startswith("ad.") or value is not NOWHERE and not is_tensor(value)


def _last(value: ast.expr, made: ast.Call, written: str) -> str:
    """The line with the variable made of the result; "" if it is given more than a value."""
    more = {keyword.arg for keyword in made.keywords}
    if len(made.args) != 1 or more - {"dtype"} or more and isinstance(made.args[0], ast.Call):
        return ""
    inside = _Unmade(span_of(made)).visit(copy.deepcopy(value))
    return f"{written} = {ast.unparse(made.func)}({ast.unparse(inside)})"


class _Unmade(ast.NodeTransformer):
    """Puts a constant, or the tensor that it was made of, in the place of the variable."""

    def __init__(self, span: Any) -> None:
        self.span = span

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if span_of(node) != self.span:
            return self.generic_visit(node)
        given = node.args[0]
        if isinstance(given, ast.Call) and ast.unparse(given.func).startswith("ad."):
            return given
        return ast.Call(ast.parse("ad.constant", mode="eval").body, [given], node.keywords)
