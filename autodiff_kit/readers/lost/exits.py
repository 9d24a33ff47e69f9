"""Layer 5: all the places of one line at which values leave the tensors.

One idea: who mends one of two has half of a gradient, which looks like a whole one. So they are named
together, and the code is that of the whole expression.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.cells import share_names
from autodiff_kit.readers.program.kept import kept_in
from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.listed import is_a_list
from autodiff_kit.readers.program.numpys import is_plain_later
from autodiff_kit.readers.program.returns import lambda_of
from autodiff_kit.readers.program.spots import expression_at, statement_of
from autodiff_kit.readers.program.statement import code_of

_PLAIN = ("np.", "numpy.", "math.", "float")
_METHODS = (".numpy", ".item")


def beside(event: Any, events: list[Any]) -> list[ast.Call]:
    """The calls at which values leave in the statement of an event, in the order they are written."""
    statement = statement_of(event.spot)
    same = [e for e in events if e.code is event.code]
    same = [e for e in same if statement_of(e.spot) is statement]
    nodes = [expression_at(e.spot) for e in same]
    calls = [node for node in dict.fromkeys(nodes) if isinstance(node, ast.Call)]
    if statement is None or len(calls) < len(set(nodes)):
        return []
    return in_order(calls)


def in_order(calls: list[ast.Call]) -> list[ast.Call]:
    """Some calls as they are written, so that the same is said whichever of them a source is in."""
    return sorted(calls, key=lambda call: (call.lineno, call.col_offset))


def constants_beside(case: Case, event: Any, exits: list[ast.Call]) -> list[ast.Call]:
    """The other calls in the statement that make an array of a tensor, which does not depend on the
    source: as a tensor it serves there as well, and whoever differentiates by it gets a gradient.
    """
    statement = statement_of(event.spot)
    calls = [n for n in (ast.walk(statement) if statement else ()) if isinstance(n, ast.Call)]
    made = [n for n in calls if n not in exits and ast.unparse(n.func).endswith(".numpy")]
    return [n for n in made if _is_one_of_them(case, event, n.func.value)]  # type: ignore[attr-defined]


def _is_one_of_them(case: Case, event: Any, node: ast.expr) -> bool:
    """Whether an expression is known to be a tensor that goes with the source."""
    text, frame = ast.unparse(node), case.names.frame
    if share_names(event.code, frame) and is_reference(text):
        return getattr(led_to(text, frame), "dtype", None) is case.source.dtype
    places = case.stored.places_of(event.code, node)
    values = [case.values.get(place) for place in places]
    if places:
        return all(
            getattr(one, "dtype", None) == case.source.dtype.as_numpy_dtype for one in values
        )
    return isinstance(node, ast.Name) and node.id in _arriving(case, event)


def _arriving(case: Case, event: Any) -> set[str]:
    """The parameters of the gradient function that an event stands in: what arrives has the dtype of
    what was computed.
    """
    around = case.flow.text.inside.get(statement_of(event.spot), [])  # type: ignore[arg-type]
    words = [ast.unparse(word) for one in around for word in one.decorator_list]
    if not any("custom_gradient" in word for word in words):
        return set()
    inner: Any = lambda_of(event.code) if event.code.co_name == "<lambda>" else around[-1]
    own = inner is not None and (inner is not around[-1] or len(around) > 1)
    return {one.arg for one in inner.args.args} if own else set()


def whole_code(case: Case, event: Any, exits: list[ast.Call]) -> str:
    """The learner's expression in which no value leaves any more; "" if that may not mend it."""
    statement: Any = statement_of(event.spot)
    whole = getattr(statement, "value", None)
    if not exits or statement not in case.flow.text.read or not isinstance(whole, ast.expr):
        return ""
    inside = _in_lambda(statement, exits)
    if inside is not None:
        whole = inside
    elif not _keeps_tensors(statement) or is_plain_later(case, statement):
        return ""
    file = event.code.co_filename
    known, exits = case.stored.places_of, [*exits, *_later_rounds(case, statement, whole, exits)]
    new = kept_in(
        whole,
        exits,
        lambda node: bool(known(event.code, node)),
        lambda node: is_a_list(case.flow.text, statement, node),
        case.source.dtype.name,
    )
    old = segment(file, whole)
    return f"{new}    # instead of {old}" if new and "\n" not in old + new else ""


def _in_lambda(statement: Any, exits: list[ast.Call]) -> ast.expr | None:
    """What a lambda computes in which all of the calls stand, if it has a name or is returned, as the
    gradient function of ``return y, lambda dy: ...``: it gives its value to whoever calls it.
    """
    value = getattr(statement, "value", None)
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    for part in parts if isinstance(statement, (ast.Return, ast.Assign)) else ():
        if isinstance(part, ast.Lambda):
            nodes = set(ast.walk(part.body))
            if all(call in nodes for call in exits):
                return part.body
    return None


def _later_rounds(
    case: Case, statement: Any, whole: ast.expr, exits: list[ast.Call]
) -> list[ast.Call]:
    """The calls in an expression that get a tensor in the next round of a loop, once it is one."""
    text = case.flow.text
    made = text.made_by(statement)
    calls = [n for n in ast.walk(whole) if isinstance(n, ast.Call) and n not in exits]
    calls = [n for n in calls if _is_plain(ast.unparse(n.func))]
    return [n for n in calls if text.mentions(statement, made, code_of(n))]


def _is_plain(function: str) -> bool:
    return function.startswith(_PLAIN) or function.endswith(_METHODS)


def leaves_again(event: Any, code: str) -> bool:
    """Whether a call that takes only numbers or arrays stands around what the code stands for."""
    statement, file = statement_of(event.spot), event.code.co_filename
    inside, old = expression_at(event.spot), code.partition("# instead of ")[2]
    calls = [n for n in (ast.walk(statement) if statement else ()) if isinstance(n, ast.Call)]
    around = [n for n in calls if n is not inside and any(m is inside for m in ast.walk(n))]
    beyond = [n for n in around if len(segment(file, n)) > len(old)]
    return any(ast.unparse(n.func).startswith(_PLAIN) for n in beyond)


def _keeps_tensors(statement: Any) -> bool:
    """Whether what a statement gives its value to can hold a tensor: a name, a list or the caller."""
    if isinstance(statement, (ast.Return, ast.Expr)):
        return True
    if isinstance(statement, ast.AugAssign):  # the number that it began with may become a tensor
        return isinstance(statement.target, ast.Name)
    if not isinstance(statement, ast.Assign):
        return False
    return all(isinstance(one, (ast.Name, ast.Tuple)) for one in statement.targets)


def all_named(exits: list[ast.Call]) -> str:
    """The calls in words: ``np.mean(port)` and `np.std(port)``."""
    written = list(dict.fromkeys(f"`{ast.unparse(call)}`" for call in exits))
    if len(written) == 1:
        return f"{written[0]} each time"
    return " and ".join([", ".join(written[:-1]), written[-1]])
