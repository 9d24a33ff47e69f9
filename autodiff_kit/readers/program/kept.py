"""Layer 5: an expression in which values leave the tensors, written again so that none does.

One idea: each call on the way from where a value leaves to the whole expression is the kit's own then,
or is left out because it only makes a number or an array. If one is neither, there is no such text.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

from autodiff_kit.readers.program.numpys import (
    CONSTANTS,
    converted,
    is_numpys,
    is_the_same,
    kits_own,
)
from autodiff_kit.readers.program.spots import called, span_of
from autodiff_kit.readers.program.translated import in_own_words

_ARRAYS = {"np.array", "np.asarray", "numpy.array", "numpy.asarray"}
_TAKES_NUMBERS = {"Variable", "constant", "convert_to_tensor", "range"}
_SHOWN = (ast.List, ast.Tuple)
# What an expression may stand in without a tensor being less welcome there than a number.
_WELCOME = (
    ast.BinOp, ast.UnaryOp, ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp, ast.Starred,
    ast.keyword,
)  # fmt: skip


def kept_in(
    whole: ast.expr,
    exits: list[ast.Call],
    is_one: Callable[[ast.expr], bool],
    is_several: Callable[[ast.expr], bool],
    dtype: str,
) -> str:
    """The expression, with tensors instead of what left there; "" if that cannot be written.

    Args:
      is_one: whether a name or an expression is known to be one tensor, and no list of them.
      is_several: whether it is known to be a list of them.
      dtype: what they have, which need not be asked for then.
    """
    parents = {child: node for node in ast.walk(whole) for child in ast.iter_child_nodes(node)}
    ways: set[Any] = set()
    for node in exits:
        if not _goes_out(node, whole, parents, ways, dtype):
            return ""
    given = [call.args[0] for call in ways if ast.unparse(call.func) in CONSTANTS | _ARRAYS]
    lists = {span_of(one) for one in given if is_several(one)}
    if not all(_is_flat(one, ways) or span_of(one) in lists or is_one(one) for one in given):
        return ""
    spans = {span_of(node) for node in ways}
    written = _Kept(spans, lists).visit(copy.deepcopy(whole))
    return ast.unparse(ast.fix_missing_locations(written))


def _goes_out(
    node: Any, whole: ast.expr, parents: dict[Any, Any], ways: set[Any], dtype: str
) -> bool:
    """Whether all that stands around an exit can be rewritten, or need not; the calls to rewrite."""
    one = node
    while True:
        if isinstance(one, ast.Call) and (one is node or not _is_the_kits(one)):
            if not _can_be_rewritten(one, dtype):
                if one is node or not _is_a_lists(one):
                    return False
            else:
                ways.add(one)
        elif not isinstance(one, (ast.Call, *_WELCOME)):
            return False
        if one is whole:
            return True
        one = parents[one]


def _is_flat(given: ast.expr, ways: set[Any]) -> bool:
    """Whether it shows things that `ad.stack` takes, or computes with a value that leaves in there."""
    if isinstance(given, (*_SHOWN, ast.ListComp)):
        return True
    return any(node in ways for node in ast.walk(given))


def _is_the_kits(call: ast.Call) -> bool:
    """Whether a call takes tensors: one of the kit's own, but those that only make new tensors."""
    return ast.unparse(call.func).startswith("ad.") and called(call) not in _TAKES_NUMBERS


def _is_a_lists(call: ast.Call) -> bool:
    return called(call) == "append" and isinstance(call.func, ast.Attribute)


def _can_be_rewritten(call: ast.Call, dtype: str) -> bool:
    name = ast.unparse(call.func)
    if converted(call) is not None:
        return True
    if name in CONSTANTS | _ARRAYS:
        words = [(one.arg, ast.unparse(one.value).rpartition(".")[2]) for one in call.keywords]
        return len(call.args) == 1 and all(one == ("dtype", dtype) for one in words)
    if name.startswith("math."):
        return bool(in_own_words(call)[1])
    return is_numpys(call) and is_the_same(call)


class _Kept(ast.NodeTransformer):
    """Rewrites the calls that stand at some places."""

    def __init__(self, spans: set[Any], lists: set[Any]) -> None:
        self.spans, self.lists = spans, lists

    def visit_Call(self, node: ast.Call) -> ast.AST:
        chosen = span_of(node) in self.spans
        self.generic_visit(node)
        if not chosen:
            return node
        name, inner = ast.unparse(node.func), converted(node)
        if inner is not None:
            return inner
        if name in CONSTANTS | _ARRAYS:
            return _stacked(node.args[0], self.lists)
        own = (
            in_own_words(node)[1].partition("(")[0] if name.startswith("math.") else kits_own(node)
        )
        node.func = ast.parse(own, mode="eval").body
        return node


def _stacked(given: ast.expr, lists: set[Any]) -> ast.expr:
    """What a constant was made of; of several things the kit makes one tensor."""
    listed = isinstance(given, ast.Name) and span_of(given) in lists
    if not listed and not isinstance(given, (*_SHOWN, ast.ListComp)):
        return given
    return ast.Call(ast.parse("ad.stack", mode="eval").body, [given], [])
