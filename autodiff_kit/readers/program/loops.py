"""Layer 5: what each round of a loop of the learner's computes, and why a loop had no round.

One idea: what stands in an inner branch may not run although the loop does, so it does not count. What
a loop goes through tells why nothing came, if a name leads to it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeGuard

from autodiff_kit.readers.program.asked import NOWHERE, is_reference
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.spots import called
from autodiff_kit.readers.program.words import root_of

Look = Callable[[str], Any]  # from a reference to what it leads to, or NOWHERE

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise)
_CHOOSING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match)
_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_SAFE = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
_WITH_WHOLES: dict[Any, Any] = {**_SAFE, ast.FloorDiv: operator.floordiv}
_IN_PASSING = ("enumerate", "zip", "reversed", "sorted", "list", "tuple", "iter")
_OF_A_DICT = ("items", "values", "keys")


ONCE = "gives its elements only once, and had given them before"
EMPTY = "is empty"


class Loop(NamedTuple):
    """A loop or a comprehension: what runs in a round, what it goes through or asks, and its names."""

    node: Any
    body: list[Any]
    through: ast.expr
    bound: set[str]


def loops_in(scope: ast.AST) -> Iterator[Loop]:
    """The loops in a piece of a program, the outer ones first."""
    for node in ast.walk(scope):
        if isinstance(node, (ast.For, ast.AsyncFor)):
            yield Loop(node, node.body, node.iter, names_in(node.target))
        elif isinstance(node, ast.While):
            yield Loop(node, node.body, node.test, set())
        elif isinstance(node, _COMPREHENSIONS):
            made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            bound = {name for one in node.generators for name in names_in(one.target)}
            yield Loop(node, made, node.generators[0].iter, bound)
        elif isinstance(node, ast.Call) and called(node) in ("map", "filter"):
            yield from _mapped(node)


def _mapped(call: ast.Call) -> Iterator[Loop]:
    """``map(lambda x: f(x), xs)``, which goes through its last argument."""
    if len(call.args) == 2 and isinstance(call.args[0], ast.Lambda) and not call.keywords:
        made: Any = call.args[0]
        yield Loop(call, [made.body], call.args[1], {one.arg for one in made.args.args})


def use_in(loop: Loop, name: str) -> Any:
    """Where each round of a loop reads the value that a name has before it, None if not surely."""
    bound = {*loop.bound}
    for part in _surely(loop.body):
        for node, user in _computed(part, None):
            if root_of(name) not in bound and _is_read(node, name) and _takes_the_value(user):
                return node
        stored = [n for n in ast.walk(part) if isinstance(n, ast.Name)]
        bound |= {n.id for n in stored if isinstance(n.ctx, ast.Store)}
    return None


def _is_read(node: Any, name: str) -> bool:
    kinds = (ast.Name, ast.Attribute, ast.Subscript)
    return isinstance(node, kinds) and isinstance(node.ctx, ast.Load) and ast.unparse(node) == name


def _surely(body: list[Any]) -> Iterator[Any]:
    """The parts of a body that run whenever it does."""
    for part in body:
        if isinstance(part, _CHOOSING):
            head = getattr(part, "test", getattr(part, "iter", None))
            if head is not None:
                yield head
            if any(isinstance(one, _LEAVING) for one in ast.walk(part)):
                return
        elif isinstance(part, (ast.With, ast.AsyncWith)):
            yield from _surely(part.body)
        else:
            yield part
        if isinstance(part, _LEAVING):
            return


def _takes_the_value(user: Any) -> bool:
    """Whether a piece of a program computes with what stands in it, and does not only hand it on."""
    if isinstance(user, ast.Call):
        return ast.unparse(user.func).startswith("ad.")
    return isinstance(user, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.AugAssign, ast.Subscript))


def _computed(node: Any, user: Any) -> Iterator[tuple[Any, Any]]:
    """The parts of an expression that are computed whenever it is, each with what it stands in."""
    yield node, user
    if isinstance(node, _LATER):
        return
    if isinstance(node, ast.Attribute):  # of `w.shape` and `w.assign` no value is read
        deeper = isinstance(node.value, (ast.Attribute, ast.Call))
        inner: list[Any] = [node.value] if deeper else []
    elif isinstance(node, _COMPREHENSIONS):
        inner = [node.generators[0].iter]
    elif isinstance(node, ast.IfExp):
        inner = [node.test]
    else:
        inner = list(ast.iter_child_nodes(node))
    for one in inner:
        yield from _computed(one, node)


def mentions(loop: Loop, name: str) -> bool:
    """Whether a loop reads a name anywhere in its body."""
    nodes = [node for part in loop.body for node in ast.walk(part)]
    return root_of(name) not in loop.bound and any(_is_read(node, name) for node in nodes)


def why_no_round(loop: Loop, look: Look) -> str:
    """Why a loop had nothing to do, in words; "" if what the names lead to does not tell."""
    if isinstance(loop.node, ast.While):
        return f"`{ast.unparse(loop.through)}` did not hold when it was first asked"
    told = (_why_empty(node, look) for node in gone_through(loop.through))
    return next((words for words in told if words), "")


def sieve_of(loop: Loop, look: Look) -> str:
    """What the conditions of a comprehension let nothing through of, in words; "" if it has none."""
    generators = getattr(loop.node, "generators", [])
    tests = [f"`{ast.unparse(test)}`" for one in generators for test in one.ifs]
    if not tests:
        return ""
    full = len(generators) == 1 and bool(length_of(loop.through, look))
    empty = "" if full else ", unless there was nothing to go through"
    return f"with the condition {' and '.join(tests)}, which held for none of its elements{empty}"


def gone_through(node: ast.expr) -> Iterator[ast.expr]:
    """What an iterable is made of: where one of them has nothing, nothing comes."""
    if isinstance(node, ast.Call) and called(node) in _IN_PASSING:
        for one in node.args:
            yield from gone_through(one)
    elif isinstance(node, ast.Call) and called(node) in _OF_A_DICT and not node.args:
        yield from gone_through(getattr(node.func, "value", node))
    else:
        yield node


def _why_empty(node: ast.expr, look: Look) -> str:
    if _is_range(node):
        return _no_numbers(node, look)
    value, text = _value(node, look), ast.unparse(node)
    if hasattr(value, "__next__"):
        return f"`{text}` {ONCE}"
    return f"`{text}` {EMPTY}" if _length(value) == 0 else ""


def _is_range(node: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and called(node) == "range"


def _range(call: ast.Call, look: Look) -> range | None:
    """The numbers of a ``range(...)``, None if its ends are not certain."""
    ends = [_value(one, look) for one in call.args]
    return range(*ends) if len(ends) in (1, 2) and all(isinstance(n, int) for n in ends) else None


def _no_numbers(call: ast.Call, look: Look) -> str:
    numbers = _range(call, look)
    if numbers is None or numbers:
        return ""
    known = {ast.unparse(one): _value(one, look) for one in call.args}
    told = [f"`{text}` is {n}" for text, n in known.items() if text != str(n)]
    because = f", for {' and '.join(told)}" if told else ""
    return f"`{ast.unparse(call)}` {EMPTY}{because}"


def _value(node: ast.expr, look: Look) -> Any:
    """What an expression leads to, NOWHERE if that is not certain."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return node.elts
    if isinstance(node, ast.Call) and called(node) == "len" and len(node.args) == 1:
        return _length(_value(node.args[0], look))
    if isinstance(node, ast.BinOp) and type(node.op) in _WITH_WHOLES:
        sides = [_value(one, look) for one in (node.left, node.right)]
        known = all(type(one) is int for one in sides) and (sides[1] or type(node.op) in _SAFE)
        return _WITH_WHOLES[type(node.op)](*sides) if known else NOWHERE
    if is_reference(ast.unparse(node)):
        return look(ast.unparse(node))
    try:
        return ast.literal_eval(node)
    except ValueError:
        return NOWHERE


def length_of(node: ast.expr, look: Look) -> int | None:
    """How many elements an expression has; None if that is not certain."""
    return _length(_range(node, look) if _is_range(node) else _value(node, look))


def _length(value: Any) -> int | None:
    try:
        return len(value)
    except TypeError:
        return None
