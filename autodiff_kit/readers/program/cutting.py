"""Layer 5: pieces that were cut out of a whole: ``X[:, 0:1]``, ``ad.split(X, 2, axis=1)``.

One idea: the derivative by a piece is the same piece of the derivative by the whole. Which piece that
is, the text says, as long as it is written with numbers.
"""

from __future__ import annotations

import ast
import copy
from typing import Any, NamedTuple

from autodiff_kit.readers.program.asked import is_reference
from autodiff_kit.readers.program.lines import Spot
from autodiff_kit.readers.program.spots import called, expression_at, statement_of
from autodiff_kit.readers.program.text import Text

_WHOLE = "_whole_"
_CUTS = ("gather", "slice", "strided_slice")
_WRAPPERS = ("constant", "convert_to_tensor", "cast", "identity")
_SEVERAL = ("split", "unstack")


class Piece(NamedTuple):
    """A piece: what it was cut out of, and the code that cuts."""

    whole: str
    code: str

    def of(self, other: str) -> str:
        """The same piece of something else of the same shape."""
        return self.code.replace(_WHOLE, other)

    @property
    def axis(self) -> int | None:
        """The only axis along which ``X[:, 0:1]`` cuts, None if there are several or it is unknown."""
        node: Any = ast.parse(self.code, mode="eval").body
        if not isinstance(node, ast.Subscript):
            return None
        keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        cut = [number for number, key in enumerate(keys) if ast.unparse(key) != ":"]
        plain = all(isinstance(key, ast.Slice) for key in keys)
        return cut[0] if len(cut) == 1 and plain else None


def piece_at(spot: Spot, name: str) -> Piece | None:
    """The piece that the expression at a spot cuts out, and that has a name."""
    statement: Any = statement_of(spot)
    node = expression_at(spot)
    if node is None and isinstance(statement, ast.Assign):  # Python 3.10 knows no columns
        node = _given_to(statement, name)
    return _cut(node, statement, name)


def _given_to(statement: ast.Assign, name: str) -> ast.expr | None:
    """What an assignment, perhaps to several names, gives to one of them."""
    target, value = statement.targets[0], statement.value
    names = [ast.unparse(one) for one in getattr(target, "elts", [target])]
    if name not in names:
        return None
    if isinstance(value, ast.Tuple) and len(value.elts) == len(names) > 1:
        return value.elts[names.index(name)]
    return value


def pieces_of(whole: str, text: Text, function: Any) -> list[str]:
    """The names that pieces of a whole got in one function, in the order of the text."""
    found: list[Any] = []
    for one in text.read:
        if isinstance(one, ast.Assign) and (text.inside[one] or [None])[-1] is function:
            target: Any = one.targets[0]
            pairs = [(target, one.value)]
            if isinstance(target, ast.Tuple) and isinstance(one.value, ast.Tuple):
                pairs = list(zip(target.elts, one.value.elts, strict=False))
            found += [(t, c) for t, v in pairs if (c := _cut(v, one, "")) and c.whole == whole]
    return [ast.unparse(target) for target, cut in found if cut.axis is not None]


def _cut(node: Any, statement: Any, name: str) -> Piece | None:
    if isinstance(node, ast.Call) and called(node) in _WRAPPERS and node.args:
        node = node.args[0]
    if isinstance(node, ast.Subscript) and _by_numbers(node.slice):
        return _made(node, "value", node.value)
    function = called(node) if isinstance(node, ast.Call) else ""
    rest = [*node.args[1:], *(k.value for k in node.keywords)] if function else []
    if function in (*_CUTS, *_SEVERAL) and node.args and all(map(_by_numbers, rest)):
        piece = _made(node, "args", node.args[0])
        if piece is None or function in _CUTS:
            return piece
        names = [ast.unparse(one) for one in getattr(statement.targets[0], "elts", [])]
        return piece._replace(code=f"{piece.code}[{names.index(name)}]") if name in names else None
    return None


def _made(node: Any, field: str, whole: ast.expr) -> Piece | None:
    text, other = ast.unparse(whole), copy.deepcopy(node)
    marked = ast.Name(_WHOLE, ast.Load())
    setattr(other, field, marked if field == "value" else [marked, *other.args[1:]])
    return Piece(text, ast.unparse(other)) if is_reference(text) else None


def _by_numbers(node: ast.AST) -> bool:
    """Whether a position is written with numbers alone."""
    return not any(isinstance(one, (ast.Name, ast.Call)) for one in ast.walk(node))
