"""Layer 5: how the learner wrote the question.

One idea: the call is read from the learner's own text, and what is a name there is the best name.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from autodiff_kit.readers.program.holders import attributes
from autodiff_kit.readers.program.imported import USUAL
from autodiff_kit.readers.program.lines import Spot, segment
from autodiff_kit.readers.program.nodes import expression
from autodiff_kit.readers.program.spelled import bracketed
from autodiff_kit.readers.program.spots import called, calls_at
from autodiff_kit.readers.program.words import root_of

NOWHERE = object()


def written_arguments(frame: Any, function: str) -> list[str]:
    """The arguments of the call of ``function`` that the frame is at, as the learner wrote them."""
    for node in calls_at(Spot(frame.f_code, frame.f_lasti)):
        if called(node) == function:
            arguments = _arguments(node)
            if not any(isinstance(a, ast.Starred) for a in arguments):
                return [segment(frame.f_code.co_filename, a) for a in arguments]
    return []


def _arguments(call: ast.Call) -> list[ast.AST]:
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    order = ("tape", "target", "sources")
    return [*call.args, *(named[name] for name in order if name in named)]


def written_parts(text: str, things: Any, count: int) -> list[str | None]:
    """``[x, y + 1]`` as its parts, if it was written as a display with that many of them."""
    node = expression(text)
    shown = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
    if node is None or any(isinstance(one, ast.Starred) for one in shown):
        return [None] * count
    if isinstance(node, (ast.List, ast.Tuple)) and len(shown) == count:
        return [ast.get_source_segment(text.strip(), one) for one in shown]
    if type(things) in (list, tuple) and len(things) == count and is_reference(text):
        return [f"{text.strip()}[{number}]" for number in range(count)]
    nested = isinstance(node, (ast.Dict, ast.List, ast.Tuple)) or isinstance(things, (list, tuple))
    return [text.strip()] if count == 1 and not nested else [None] * count


def one_of(text: str, things: Any, number: int) -> str:
    """The expression for one of several things that were asked for; ``""`` if that is not certain.

    >>> one_of("a.weights + b.weights", [1, 2], 1), one_of("vs", [1, [2, 3]], 1), one_of("w", 1, 0)
    ('(a.weights + b.weights)[1]', '', 'w')
    """
    if type(things) not in (list, tuple):
        return "" if isinstance(things, dict) else text.strip()
    if not text or any(isinstance(one, (list, tuple, dict)) for one in things):
        return ""
    return f"{bracketed(text.strip())}[{number}]"


def is_reference(text: str) -> bool:
    """Whether a piece of a program only names something: ``loss``, ``self.w``, ``weights[-1]``.

    >>> is_reference("model.w[-1]"), is_reference("x * 2"), is_reference("w[i]"), is_reference("f()")
    (True, False, False, False)
    """
    node = expression(text)
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Subscript) and _key(node) is NOWHERE:
            return False
        node = node.value
    return isinstance(node, ast.Name)


def references(nodes: list[Any]) -> Iterator[str]:
    """The names, attributes and parts that some pieces of a program read, but not what they call.

    >>> sorted(references([expression("ad.cast(self.x, ad.float32) + w[0]")]))
    ['ad', 'ad.float32', 'self.x', 'w[0]']
    """
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            todo += [node.func.value, *node.args, *(keyword.value for keyword in node.keywords)]
        elif isinstance(node, ast.expr) and is_reference(ast.unparse(node)):
            yield ast.unparse(node)
        else:
            todo += list(ast.iter_child_nodes(node))


def _key(node: ast.Subscript) -> Any:
    try:
        return ast.literal_eval(node.slice)
    except ValueError:
        return NOWHERE


def only_asked_by(case: Any, name: str) -> bool:
    """Whether a name is that of a helper which asks for others: it means nothing in the block."""
    asking, entered = case.names.frame.f_code, case.time.last("enter")
    root = root_of(name)
    elsewhere = entered is not None and entered.code is not asking and root in asking.co_varnames
    known = not root or root in case.names.known or hasattr(builtins, root)
    return elsewhere or not known


def led_to(text: str, frame: Any) -> Any:
    """What a reference leads to in a frame, NOWHERE if that cannot be told without computing."""
    return _followed(ast.parse(text.strip(), mode="eval").body, frame)


def is_a_tool(value: Any, name: str) -> bool:
    """Whether a name is the kit, NumPy or what Python has by itself: it brings no value along."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0] in ("autodiff_kit", "numpy", "math")
    return value is NOWHERE and hasattr(builtins, name)


def called_so(name: str) -> Any:
    """The module that the readers call ``ad``, ``np`` or ``math``, also where the learner does not."""
    modules = {usual: module for module, usual in USUAL.items()}
    return sys.modules.get(modules.get(name, ""), NOWHERE)


def _followed(node: ast.expr, frame: Any) -> Any:
    if isinstance(node, ast.Name):
        known = frame.f_locals if node.id in frame.f_locals else frame.f_globals
        return known.get(node.id, called_so(node.id))
    if isinstance(node, ast.Attribute):
        return attributes(_followed(node.value, frame)).get(node.attr, NOWHERE)
    if isinstance(node, ast.Subscript):
        held = _followed(node.value, frame)
        try:
            return held[_key(node)] if type(held) in (list, tuple, dict) else NOWHERE
        except (LookupError, TypeError):
            return NOWHERE
    return NOWHERE
