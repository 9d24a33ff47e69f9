"""Layer 5: a piece of the program that is to stand at another place of it.

One idea: a text may be written again further down only if its names mean the same there, and if
computing it twice gives the same.
"""

from __future__ import annotations

import ast
import sys
from types import ModuleType
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.mending.here import written_as
from autodiff_kit.readers.program.asked import led_to
from autodiff_kit.readers.program.lines import nodes_in, segment
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.spelled import Spelled, node_of, read
from autodiff_kit.readers.program.spots import statement_of

_DRAWN = ("random", "dropout", "shuffle")


def reused(case: Case, place: int, at: int) -> Spelled | None:
    """How an operation is written, if its arguments may be written again where another one stands.

    Args:
      case: the source, the target and the tape.
      place: the operation whose text is wanted.
      at: the operation in whose place the text is to stand.
    """
    node = written_as(case, place) or _piece(case, place)
    code, there = case.spot(place).code, case.spot(at).code
    if node is None or not _is_seen(node, code, there) or _ran_again(case, place, at):
        return None
    before, after = statement_of(case.spot(place)), statement_of(case.spot(at))
    if before is not after and not _means_the_same(case, node, before, after, code, there):
        return None
    return _taken_apart(code.co_filename, node)


def _is_seen(node: ast.expr, code: Any, there: Any) -> bool:
    """Whether the names of an expression are seen in some code: it is the same, or stands within."""
    if code is there:
        return True
    within = any(one is there for one in code.co_consts)
    return within and names_in(node).isdisjoint(there.co_varnames)


def _piece(case: Case, place: int) -> ast.Subscript | None:
    """The expression of ``p[0, 1]``, None for anything else."""
    if case.operation(place).type != "StridedSlice":
        return None
    node = node_of("StridedSlice", case.spot(place))
    return node if isinstance(node, ast.Subscript) else None


def _taken_apart(file: str, node: ast.expr) -> Spelled | None:
    if not isinstance(node, ast.Subscript):
        return read(file, node)
    parts = segment(file, node.value), segment(file, node.slice)
    return Spelled(segment(file, node), parts, {}, "StridedSlice")


def _ran_again(case: Case, place: int, at: int) -> bool:
    """Whether the same piece of the program was run once more in between, as in a loop."""
    return any(place < one < at for one in case.rounds(place))


def _means_the_same(
    case: Case,
    node: ast.expr,
    before: ast.stmt | None,
    after: ast.stmt | None,
    code: Any,
    there: Any,
) -> bool:
    """Whether an expression of one statement has the same value in a later one; what stands in a
    function within may run at any time.
    """
    if before is None or after is None or (before.end_lineno or before.lineno) >= after.lineno:
        return False
    if not all(_is_a_function_of_a_module(case, n) for n in ast.walk(node) if _is_call(n)):
        return False
    read_there = {
        ast.unparse(n) for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute))
    }
    end = after.lineno if code is there else sys.maxsize
    return not read_there & stored(code.co_filename, before.lineno, end)


def stored(file: str, first: int, end: int) -> set[str]:
    """What is assigned to from one line on, up to another one that does not count."""
    nodes: list[Any] = [*nodes_in(file, ast.Name), *nodes_in(file, ast.Attribute)]
    within = [one for one in nodes if first <= one.lineno < end]
    return {ast.unparse(one) for one in within if isinstance(one.ctx, ast.Store)}


def _is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call)


def _is_a_function_of_a_module(case: Case, call: ast.AST) -> bool:
    """Whether a call is of the kit or of NumPy, and draws nothing: a layer of the learner's may."""
    text = ast.unparse(getattr(call, "func", call))
    root = text.split(".", 1)[0]
    return (
        root.isidentifier()
        and isinstance(led_to(root, case.names.frame), ModuleType)
        and not any(word in text for word in _DRAWN)
    )
