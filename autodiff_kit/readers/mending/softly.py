"""Layer 5: a decision in Python as a mixture, so that what it compares gets a gradient.

One idea: the comparison becomes a weight between 0 and 1. Both results are computed then, so the one
that was not computed before must be an expression that has a value everywhere.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value, input_values
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.mending.here import Here
from autodiff_kit.readers.mending.steepness import USUAL, factor_at
from autodiff_kit.readers.mending.weights import MIX, SLOPES
from autodiff_kit.readers.program.cells import at_hand
from autodiff_kit.readers.program.decided import Decision, decision_at
from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.literal import number_in
from autodiff_kit.readers.program.numpys import converted
from autodiff_kit.readers.program.softened import GREATER, LESS, compared, mixture
from autodiff_kit.readers.program.spelled import read
from autodiff_kit.readers.program.spots import called

_EVERYWHERE = {
    "tanh", "sin", "cos", "square", "sigmoid", "relu", "leaky_relu", "softplus", "abs", "identity",
    "constant", "convert_to_tensor", "zeros_like", "ones_like", "zeros", "ones", "maximum", "minimum",
    "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "add_n", "matmul", "negative", "add",
    "subtract", "multiply",
}  # fmt: skip
_PARTS = (ast.Name, ast.Attribute, ast.Subscript, ast.expr_context, ast.operator, ast.unaryop,
    ast.keyword, ast.List, ast.Tuple)  # fmt: skip


def mixed_softly(case: Case, events: list[Any]) -> str:
    """The code of a mixture in the place of the decision that was made; "" if it might not mend."""
    event = events[-1]
    if len({one.line for one in events}) > 1:
        return ""
    decision = decision_at(event.spot)
    if decision is None or not _is_one_number(case, event) or not _one_dtype(case):
        return ""
    if decision.begin[:6] != "return" and not _leads_on(case, decision):
        return ""
    weight = _weight(case, event, decision)
    if not weight or not all(one is None or _has_a_value(one) for one in decision.values):
        return ""
    spot = Here(case, decision.test, event.code)
    if isinstance(decision.node, ast.IfExp):
        spot = Here(case, decision.node, event.code)
        before, name = spot.named(weight, "weight", "soft_weight")
        return before + spot.instead(mixture(name, decision.yes, decision.no))
    name = spot.fresh("weight", "soft_weight")
    mixed = f"{decision.begin}{mixture(name, decision.yes, decision.no)}"
    return f"{name} = {weight}\n{mixed}    # instead of {decision.instead}"


def _leads_on(case: Case, decision: Decision) -> bool:
    """Whether what is chosen may reach the target, says the text."""
    inside = decision.node.body if isinstance(decision.node, ast.If) else []
    is_target = decision.begin == f"{case.target_name} = "
    return not inside or is_target or any(case.flow.leads_to_it(one) for one in inside)


def asked_for(event: Any) -> str:
    """What a decision asks of a number: its "order", "equality" or "inequality"; "" for others."""
    decision = decision_at(event.spot)
    test = decision.test if decision is not None else None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return ""
    kinds = {ast.Eq: "equality", ast.NotEq: "inequality"}
    order = isinstance(test.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
    return "order" if order else kinds.get(type(test.ops[0]), "")


def spelled_out(event: Any) -> str:
    """What to do instead of a choice by == or !=, in the learner's words; or "".

    It is said and not offered as code: where both sides are equal the hump has the slope 0.
    """
    decision = decision_at(event.spot)
    if decision is None or asked_for(event) not in ("equality", "inequality"):
        return ""
    file, text = event.code.co_filename, read(event.code.co_filename, decision.test)
    if text is None or len(text.arguments) != 2 or not decision.begin:
        return ""
    left, right = (_tensor_in(file, side) for side in _sides(decision.test))
    weight = compared(text.function, left, right)
    mixed = f"{decision.begin}{mixture('weight', decision.yes, decision.no)}"
    if not weight:
        return ""
    return f"{MIX} `weight = {weight}`, and `{mixed}`. The weight {SLOPES[asked_for(event)]}"


def _is_one_number(case: Case, event: Any) -> bool:
    """Whether one number is compared, not an array of one number."""
    if event.kind != "bool()":
        known = [case.values.get(event.subject)]
    else:
        inputs = input_values(case, event.subject)
        known = [value for value in inputs if value is not None]
    return bool(known) and all(value is not None and np.shape(value) == () for value in known)


def _one_dtype(case: Case) -> bool:
    """Whether all that was made of the source has the target's dtype: the weight has it too."""
    values = [case.values.get(place) for place in case.below]
    kinds = {np.asarray(one).dtype for one in values if np.asarray(one).dtype.kind == "f"}
    return kinds == {np.asarray(tensor_behind(case.target)._value).dtype}


def _weight(case: Case, event: Any, decision: Decision) -> str:
    """The comparison as a number between 0 and 1, "" for another question."""
    text = read(event.code.co_filename, decision.test)
    if text is None or text.function not in (*GREATER, *LESS):
        return ""
    if len(text.arguments) != 2 or text.keywords:
        return ""
    sides = [_tensor_in(event.code.co_filename, one) for one in _sides(decision.test)]
    if event.kind != "bool()":  # otherwise the kit has compared them as they are
        as_is = [side for side, whole in zip(sides, text.arguments, strict=True) if side == whole]
        if not all(_is_a_number(case, event, side) for side in as_is):
            return ""
    return compared(text.function, sides[0], sides[1], _steepness(case, event, sides)) or ""


def _sides(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.Compare):
        return [test.left, *test.comparators]
    return test.args if isinstance(test, ast.Call) else []


def _tensor_in(file: str, node: ast.expr) -> str:
    """What a number was made of: ``x`` for ``float(x)`` and ``x.numpy()``."""
    while isinstance(node, ast.Call) and (inner := converted(node)) is not None:
        node = inner
    return segment(file, node)


def _is_a_number(case: Case, event: Any, text: str) -> bool:
    """Whether a side is a plain number of Python's: NumPy's may have another dtype than a tensor."""
    if number_in(text, event.code.co_filename) is not None:
        return True
    return type(at_hand(text, event.code, case.names.frame)) in (int, float)


def _steepness(case: Case, event: Any, sides: list[str]) -> str:
    """How steep the weight may be: where the number is far from the boundary, less than usual."""
    values = [number_in(side, event.code.co_filename) for side in sides]
    operation = case.operation(event.subject)
    for number, value in enumerate(values):
        if value is None and event.kind != "bool()":
            values[number] = case.values.get(event.subject)
        elif value is None:
            values[number] = input_value(case, operation.place, number)
    if any(value is None or np.shape(value) != () for value in values):
        return USUAL
    return factor_at(abs(float(values[0]) - float(values[1])))


def _has_a_value(node: ast.expr) -> bool:
    """Whether an expression has a finite value wherever its parts have one, and is a number."""
    return all(_is_harmless(part) for part in ast.walk(node))


def _is_harmless(part: ast.AST) -> bool:
    if isinstance(part, ast.Constant):
        return type(part.value) in (int, float)
    if isinstance(part, ast.BinOp):
        whole = isinstance(part.right, ast.Constant) and part.right.value in (1, 2, 3, 2.0, 3.0)
        product = isinstance(part.op, (ast.Add, ast.Sub, ast.Mult, ast.MatMult))
        return product or isinstance(part.op, ast.Pow) and whole
    if isinstance(part, ast.UnaryOp):
        return isinstance(part.op, ast.USub)
    if isinstance(part, ast.Call):
        return ast.unparse(part.func).startswith("ad.") and called(part) in _EVERYWHERE
    return isinstance(part, _PARTS)
