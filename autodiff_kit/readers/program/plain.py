"""Layer 5: names that hold plain numbers, and things that hold numbers beside tensors.

One idea: no gradient comes through a number, so a way through the learner's text that leads over a
name of plain numbers is none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff_kit.convert import is_tensor
from autodiff_kit.readers.program.holders import parts
from autodiff_kit.readers.program.statement import code_of, nodes_read
from autodiff_kit.readers.program.text import Named

_NUMBERS = (int, float, complex, str, bytes, np.generic)
_DEEP = 3  # lists in lists: nobody keeps numbers deeper


def is_plain(value: Any, deep: int = _DEEP) -> bool:
    """Whether a value holds numbers only, and so no tensor."""
    if isinstance(value, np.ndarray):
        return bool(value.dtype != object)
    if isinstance(value, (list, tuple)) and value and deep:
        return all(is_plain(part, deep - 1) for part in value)
    return isinstance(value, _NUMBERS)


def kind_of(value: Any) -> str:
    """What a learner would call something that holds numbers only."""
    if isinstance(value, np.ndarray):
        return "a NumPy array"
    if isinstance(value, (str, bytes)):
        return "a text"
    return "a list of numbers" if isinstance(value, (list, tuple)) else "a number"


def plain_names(case: Any) -> frozenset[Named]:
    """The learner's names that hold plain numbers now."""
    known = case.names.known.items()
    return frozenset(case.flow.named(name for name, one in known if is_plain(one)))


def may_be_taken(case: Any, name: str) -> bool:
    """Whether what leads on from a list can be the tensor that a name like ``steps[1][0]`` means.

    Where numbers lie beside it, only the text can tell: ``for logp, reward in steps``.
    """
    root, _, rest = name.partition("[")
    flow, frame = case.flow, case.names.frame
    if not rest or any(name in words for words in flow.text.read.values()):
        return True
    held = frame.f_locals.get(root, frame.f_globals.get(root))
    if held is None or not _is_mixed(root, held):
        return True
    if rest.count("[") == 0 and any(_takes_all(one, root) for one in flow.ends):
        return True
    position = [int(part) for part in rest.rstrip("]").split("][") if part.isdigit()][-1:]
    taken = [one for statement in flow.text.read for one in _taken(statement, root, flow.ends)]
    return bool(position) and any(_takes(one, position[0]) for one in taken)


def _takes_all(statement: ast.stmt, root: str) -> bool:
    """Whether a statement adds up a list, or goes through it with one name for each of its parts."""
    for node in nodes_read(statement):
        loops = getattr(node, "generators", ())
        if any(code_of(one.iter) == root and isinstance(one.target, ast.Name) for one in loops):
            return True
        if isinstance(node, ast.Call) and any(code_of(one) == root for one in node.args):
            return True
    return False


def _is_mixed(name: str, held: Any, deep: int = _DEEP) -> bool:
    """Whether something holds other things than tensors beside tensors."""
    kinds = {type(part) if not is_tensor(part) else None for _, part in parts(name, held)}
    inner = [part for _, part in parts(name, held) if not is_tensor(part)]
    return len(kinds) > 1 or deep > 0 and any(_is_mixed(name, part, deep - 1) for part in inner)


def _taken(
    statement: Any, root: str, ends: list[ast.stmt]
) -> Iterator[tuple[list[ast.expr], list[ast.AST]]]:
    """The names that a loop over a list gives to the parts of each, and what it makes of them.

    Of comprehensions only those count that the target was computed in.
    """
    if isinstance(statement, ast.For) and code_of(statement.iter) == root:
        yield getattr(statement.target, "elts", []), list(statement.body)
    nodes = nodes_read(statement) if statement in ends else ()
    for node in nodes:
        for loop in getattr(node, "generators", ()):
            if code_of(loop.iter) == root:
                made = [getattr(node, name, None) for name in ("elt", "key", "value")]
                yield getattr(loop.target, "elts", []), [one for one in made if one is not None]


def _takes(one: tuple[list[ast.expr], list[ast.AST]], position: int) -> bool:
    """Whether the part at a position is made use of."""
    names, made = one
    name = getattr(names[position], "id", None) if position < len(names) else None
    words = [word for part in made for word in ast.walk(part)]
    return any(isinstance(word, ast.Name) and word.id == name for word in words)
