"""Layer 5: an array that was made of a tensor so as to write into it.

One idea: a tensor cannot be written into. Who needs that has to say what the new tensor is: a choice
between the old values and the new ones, which lets the gradient through where the old ones stay, or the
old ones with something added at one place.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.lines import line_at, segment, target_of
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.readers.program.statement import code_of

_LISTS = (ast.List, ast.ListComp, ast.Dict, ast.DictComp)  # which can be written into themselves


def written_into(case: Case, event: Any) -> str:
    """What to do if the array that a value became is written into later; "" if it is not."""
    begin, text = statement_of(event.spot), case.flow.text
    if not isinstance(begin, ast.Assign) or begin not in text.read:
        return ""
    if not isinstance(begin.targets[0], ast.Name) or len(begin.targets) > 1:
        return ""
    if event.kind not in ("numpy()", "NumPy") or isinstance(begin.value, _LISTS):
        return ""
    name, owner = begin.targets[0].id, text.owner(begin, begin.targets[0].id)
    for one in text.read:
        target = target_of(one)
        if isinstance(target, ast.Subscript) and one.lineno > begin.lineno:
            if code_of(target.value) == name and text.owner(one, name) is owner:
                return _says(name, code_of(target), line_at(case.flow.files[one], one.lineno).where)
    return ""


_ADDING: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "sub"}
IN_A_LIST = "Collect the tensors in a list and make one of them with ad.stack."


def added_into(case: Case | None, event: Any, part: ast.Subscript) -> tuple[str, str]:
    """What to do, and the code, where a tensor is put or added into a part of an array."""
    statement, file = statement_of(event.spot), event.code.co_filename
    word = _ADDING.get(type(statement.op), "") if isinstance(statement, ast.AugAssign) else ""
    if case is None or not isinstance(statement, ast.AugAssign) or not word:
        return IN_A_LIST, ""
    words = f"A tensor cannot be changed in place: make a new one with ad.tensor_scatter_nd_{word}."
    keys = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
    given = {name for loop in _loops_around(case, statement) for name in names_in(loop.target)}
    dtype = case.source.dtype.name
    if not isinstance(part.value, ast.Name) or not all(_is_one(key, given) for key in keys):
        return words, ""
    array = part.value.id
    made = [
        s for s in case.flow.text.read if isinstance(s, ast.Assign) and target_of(s) is not None
    ]
    made = [s for s in made if ast.unparse(s.targets[0]) == array]
    known = all(dtype in ast.unparse(one.value) for one in made)
    old = array if made and known else f"ad.convert_to_tensor({array}, ad.{dtype})"
    at = ", ".join(segment(file, key) for key in keys)
    new = f"ad.tensor_scatter_nd_{word}({old}, [[{at}]], [{segment(file, statement.value)}])"
    return words, f"{array} = {new}    # instead of {segment(file, statement)}"


def _loops_around(case: Case, statement: ast.stmt) -> list[ast.For]:
    return [one for one in case.flow.text.within.get(statement, []) if isinstance(one, ast.For)]


def _is_one(key: ast.expr, given: set[str]) -> bool:
    """Whether a position is certainly one whole number: a loop gave it, or it is written there."""
    if isinstance(key, ast.Constant):
        return type(key.value) is int
    return isinstance(key, ast.Name) and key.id in given


def _says(name: str, part: str, where: str) -> str:
    return (
        f"`{name}` is an array so that `{part}` can be written ({where}), and a tensor cannot be "
        f"written into. Keep the tensor, and make a new one of it: {name} * mask, where the places "
        "become 0, with 0.0 there and 1.0 elsewhere in the mask; ad.where(mask, new, old) where they "
        "become something else."
    )
