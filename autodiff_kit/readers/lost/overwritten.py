"""Layer 5: an array that was made of a tensor so as to write into it.

One idea: a tensor cannot be written into. Who needs that has to say what the new tensor is: a choice
between the old values and the new ones, which lets the gradient through where the old ones stay.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.lines import line_at, target_of
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


def _says(name: str, part: str, where: str) -> str:
    return (
        f"`{name}` is an array so that `{part}` can be written ({where}), and a tensor cannot be "
        f"written into. Keep the tensor, and make a new one of it: {name} * mask, where the places "
        "become 0, with 0.0 there and 1.0 elsewhere in the mask; ad.where(mask, new, old) where they "
        "become something else."
    )
