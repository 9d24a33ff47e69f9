"""Layer 5: what the learner's line does with a tensor that becomes a number or an array there.

One idea: the tape notes only that a value left. Whether the line says ``float(x)``, ``math.exp(x)`` or
``table[i]``, the expression at that instruction tells; where it cannot be told, less is said.
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from autodiff_kit.readers.facts.account import leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import NEVER_FLOATING
from autodiff_kit.readers.facts.stops import cast_to, stop_of
from autodiff_kit.readers.lost.overwritten import added_into
from autodiff_kit.readers.mending.here import in_its_place
from autodiff_kit.readers.mending.positions import between
from autodiff_kit.readers.program.lines import target_of
from autodiff_kit.readers.program.listed import is_a_list
from autodiff_kit.readers.program.numpys import is_numpys, is_one_tensor, joined, kits_own
from autodiff_kit.readers.program.numpywords import instead_of
from autodiff_kit.readers.program.spots import called, calls_at, expression_at, statement_of
from autodiff_kit.readers.program.translated import in_own_words

_PLAIN = ("float", "int", "numpy")
_ONLY_SHAPE = ("size", "shape", "ndim", "zeros_like", "ones_like", "empty_like")
OWN = (
    "Use the kit's own operations all the way (ad.sin(x) instead of np.sin(x)), without .numpy(), "
    "float() or int()."
)
_LISTED = (
    "Keep the tensor itself in the list, without {}; of the tensors in it ad.stack makes one, which "
    "keeps them together."
)
_CHOICE = (
    "Weigh all the choices softly instead of taking one of them: give each a score, and add them up "
    "with the weights ad.nn.softmax(scores)."
)
_MATH = "Use the kit's own operations all the way (ad.sin(x) instead of math.sin(x))."


class Way(NamedTuple):
    """How a value left: in a few words for a bracket, what to do instead, and code or nothing."""

    how: str
    advice: str = OWN
    code: str = ""


def left_in(event: Any) -> ast.stmt | None:
    """The statement in which a value left the tensors."""
    return statement_of(event.spot, event.kind.lower().strip("()"))


def way_of(event: Any, case: Case | None = None) -> Way:
    """What the line does with the tensor."""
    node = expression_at(event.spot)
    if isinstance(node, ast.Call):
        return _call(event, node, case)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        put = f"put into `{ast.unparse(node)}`, which holds plain numbers"
        return Way(put, *added_into(case, event, node))
    if isinstance(node, ast.Subscript) and event.kind == "int()":
        return Way(f"as a position: `{ast.unparse(node)}`")
    return Way(event.kind if _is_on_its_line(event) else _vague(event))


def _call(event: Any, node: ast.Call, case: Case | None) -> Way:
    name = ast.unparse(node.func)
    if called(node) in _PLAIN:
        appended = _is_appended(statement_of(event.spot), "append")
        return Way(event.kind, _LISTED.format(event.kind) if appended else OWN)
    if is_numpys(node):
        return Way("NumPy", _instead_of_numpy(event, node, name, case))
    words, code = in_own_words(node)
    new, mark, old = code.partition("    # instead of ")
    code = f"{in_its_place(event.code.co_filename, node, new)}{mark}{old}" if new else ""
    if event.kind == "numpy()" and called(node).startswith("get_"):
        return Way(f"`{name}` gives arrays", words or OWN, code)
    usual = _MATH if name.startswith("math.") else "Use the kit's own operations all the way."
    return Way(f"`{name}` takes plain numbers", words or usual, code)


def _is_appended(statement: Any, *how: str) -> bool:
    """Whether a line only puts something into a list."""
    call = getattr(statement, "value", None)
    return isinstance(statement, ast.Expr) and isinstance(call, ast.Call) and called(call) in how


def _instead_of_numpy(event: Any, node: ast.Call, name: str, case: Case | None) -> str:
    """What to write instead of a function of NumPy's."""
    if called(node) == "concatenate" or joined(node):
        kits = "concat" if called(node) == "concatenate" else "stack"
        return f"Use ad.{kits} in the place of {name}: it keeps the tensors together."
    if case is not None and node.args and called(node) in ("array", "asarray"):
        if is_a_list(case.flow.text, statement_of(event.spot), node.args[0]):
            return f"Use ad.stack in the place of {name}: it keeps the tensors together."
    if case is not None and is_one_tensor(case, event, node):
        return f"Leave {name} out: what it is given is a tensor already."
    if called(node) in ("array", "asarray"):
        return (
            f"Leave {name} out if it is given one tensor; of a list of tensors, ad.stack makes one "
            "that keeps them together."
        )
    own = kits_own(node)
    go_on = "and go on with the tensor, without .numpy(), float() or int()."
    if own:
        return f"Use {own} in the place of {name}, {go_on}"
    return instead_of(called(node), name) or OWN


def _is_on_its_line(event: Any) -> bool:
    """Whether the line has the word in it by which the event is called."""
    words = ("np.", "numpy.") if event.kind == "NumPy" else (event.kind.strip("()") + "(",)
    calls = [f"{ast.unparse(call.func)}(" for call in calls_at(event.spot)]
    return any(word in text for text in (event.line.statement, *calls) for word in words)


def _vague(event: Any) -> str:
    return {
        "int()": "used as a whole number, such as a position or a size",
        "float()": "used as a plain number",
    }.get(event.kind, "used as an array")


def asks_only_the_shape(event: Any) -> bool:
    """Whether NumPy wanted to know how large a tensor is, as in ``np.zeros_like(x)``."""
    node = expression_at(event.spot)
    return event.kind == "NumPy" and isinstance(node, ast.Call) and called(node) in _ONLY_SHAPE


def is_written_out(event: Any) -> bool:
    """Whether the learner wrote the conversion: ``int(x)``, not ``table[x]``."""
    node = expression_at(event.spot)
    if node is None:
        return _is_on_its_line(event)
    return isinstance(node, ast.Call) and called(node) in _PLAIN


def is_collected(event: Any) -> bool:
    """Whether the number is put into an array or a list, beside others."""
    statement: Any = statement_of(event.spot)
    if isinstance(getattr(statement, "value", None), ast.ListComp):
        return True
    is_part = isinstance(statement, ast.Assign) and isinstance(target_of(statement), ast.Subscript)
    return is_part or _is_appended(statement, "append", "extend")


def made_whole(case: Case, event: Any) -> Finding | None:
    """Before a tensor served as a position or a size, an operation had made whole numbers of it."""
    way = case.below & leading_to(case.records, [event.subject])
    for operation in map(case.operation, sorted(way)):
        if operation.type in NEVER_FLOATING or cast_to(operation) not in ("", "f"):
            kind = "positions" if operation.type.startswith("Arg") else "whole numbers"
            if operation.type in NEVER_FLOATING and kind == "whole numbers":
                kind = "True or False"
            return case.none(
                stop_of(operation.type).cause,
                f"A value that depends on `{case.source_name}` became {kind} here ({operation.type}), "
                f"and then served to choose or to count at {event.line.where} "
                f"({way_of(event).how}). No gradient flows through that.",
                "",
                operation.type,
                case.line(operation.place),
                _CHOICE + (between(case, operation.places[0]) if operation.type == "Cast" else ""),
            )
    return None
