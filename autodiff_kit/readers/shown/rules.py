"""Layer 5: the rules of the way back in symbols, with the learner's own names.

One idea: a rule is read from its own source, so that what is shown is what is run. What the tape knows
(axes, shapes) is filled in, branches not taken are dropped, helpers are written out. Where the source
says it in the engine's words, `WRITTEN` says it in a textbook's; a test computes with each of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.opdef import OPERATIONS, OpDef, no_gradient
from autodiff_kit.operation import OUTPUT
from autodiff_kit.readers.shown.functions import Unreadable
from autodiff_kit.readers.shown.sources import Reading, renamed
from autodiff_kit.readers.shown.written import WRITTEN
from autodiff_kit.registry import GRADIENTS, missing

UNKNOWN = "the rule"
_WORD = re.compile(r"\b(?:dy|x|y)\b|(?<=\()[ab](?=\))")  # what is a name in words; not every "a" is
LONGEST = 120  # a longer formula teaches nothing


def rule_text(
    op: OpDef, index: int, attrs: dict[str, Any], inputs: list[str], y: str, dy: str
) -> str:
    """The rule for one input, with names put in; ``""`` if no gradient flows.

    Args:
      op: the kind of operation.
      index: which input.
      attrs: the record's attributes.
      inputs: the names of the inputs.
      y, dy: the names of the output and of the gradient that comes in.

    >>> from autodiff_kit.opdef import all_operations
    >>> rule_text(all_operations()["Mul"], 0, {}, ["w", "x"], "z", "dz")
    'dz * x'
    >>> rule_text(all_operations()["Sin"], 0, {}, ["angle"], "height", "dheight")
    'dheight * cos(angle)'
    """
    formula = symbols(op, index, attrs)
    names = {"dy": dy, "y": y, **dict(zip(letters_of(len(inputs)), inputs, strict=True))}
    if formula.startswith('"'):
        return _WORD.sub(lambda match: names.get(match[0], match[0]), formula[1:])
    return renamed(formula, names) if formula else ""


def letters_of(count: int) -> list[str]:
    """What inputs are called in a rule: x; a and b; x0, x1, x2."""
    return {1: ["x"], 2: ["a", "b"], 3: ["a", "b", "c"]}.get(count, [f"x{i}" for i in range(count)])


def symbols(op: OpDef, index: int, attrs: dict[str, Any]) -> str:
    """The rule for one input in the letters dy, y and `letters_of` the inputs; words after a ``"``."""
    written = None if _overridden(op) else WRITTEN.get(op.type)
    if written:
        rule = written[min(index, len(written) - 1)]
        return str(rule(**attrs) if callable(rule) else rule or "")
    if op.type == "CustomGradient":
        return _learners(attrs, index)
    if op.rule_name:
        return f'"{op.rule_name}(op, dy)'
    if op.pull is missing and GRADIENTS.get(op.type) is not None:
        return f'"{getattr(GRADIENTS[op.type], "__name__", op.type)}(op, dy)'
    if op.pull is not None:
        return described(op.pull, op.type)
    if op.vjps[index] is no_gradient:
        return ""
    try:
        formula = _read(op, index, tuple(sorted(attrs.items())))
    except TypeError:  # an attribute without a hash, for example an array
        formula = _read.__wrapped__(op, index, tuple(attrs.items()))
    return "" if formula == "None" else formula


@lru_cache(maxsize=1024)
def _read(op: OpDef, index: int, attrs: tuple[tuple[str, Any], ...]) -> str:
    """The rule for one input from its source; kept, because the steps of a long replay are alike."""
    rule = op.vjps[index]
    try:
        formula = Reading(dict(attrs)).of(rule, ["dy", *letters_of(op.arity), "y"])
    except Unreadable:
        return described(rule, op.type)
    return formula if len(formula) <= LONGEST else described(rule, op.type)


def _learners(attrs: dict[str, Any], index: int) -> str:
    """The expression that the learner's own gradient function returns, or its name."""
    unknown = f'"{attrs["name"]}: its grad_fn(dy)'
    try:
        tree = ast.parse(Reading({}).of(attrs["grad_fn"], ["dy"]), mode="eval").body
    except (Unreadable, SyntaxError):
        return unknown
    if isinstance(tree, (ast.Tuple, ast.List)):
        returned = _for_each(tree, attrs)
        if index >= len(returned):
            return unknown
        tree = returned[index]
    formula = ast.unparse(tree)
    return "" if formula == "None" else f'"{formula}'


def _for_each(tree: ast.Tuple | ast.List, attrs: dict[str, Any]) -> list[ast.expr]:
    """What is returned for each input, or nothing if the expression does not say so one by one."""
    positional, keywords = attrs["counts"]
    variables = len(attrs["variables"])
    if variables and len(tree.elts) != 2:
        return []
    found = _leaves(tree.elts[0]) if variables else _leaves(tree)
    for_variables = _leaves(tree.elts[1]) if variables else []
    if len(found) == positional:
        found += [ast.Constant(None)] * keywords
    if len(found) != positional + keywords or len(for_variables) != variables:
        return []
    numbers = [part for place, part in enumerate(found) if place not in attrs["strings"]]
    return [*numbers, *for_variables]


def _leaves(tree: ast.expr) -> list[ast.expr]:
    if isinstance(tree, (ast.Tuple, ast.List)):
        return [leaf for part in tree.elts for leaf in _leaves(part)]
    return [tree]


def _overridden(op: OpDef) -> bool:
    """Whether the learner gave the operation another rule."""
    known = {"Broadcast": BROADCAST, "Output": OUTPUT}.get(op.type) or OPERATIONS.get(op.type)
    return known is not op


def described(rule: Callable[..., Any], op_type: str) -> str:
    """A rule in words: the first sentence of its docstring, or whose rule it is."""
    words = (rule.__doc__ or "").strip().split("\n")[0].rstrip(".").replace("``", "")
    return f'"{words}' if words else f'"{UNKNOWN} of {op_type}'
