"""Layer 5: a loss of probabilities that is told that it gets logits.

One idea: the learner's own call with ``from_logits=True`` in it, where the loss is called or, if it has
a name, where it is made. Where that is not certain, there is no code.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.losses import LossCall
from autodiff_kit.readers.program.lines import segment
from autodiff_kit.readers.program.spots import called

_CLASSES = {  # where from_logits stands among the arguments
    "BinaryCrossentropy": 0, "CategoricalCrossentropy": 0, "SparseCategoricalCrossentropy": 0,
    "binary_crossentropy": 2, "categorical_crossentropy": 2, "sparse_categorical_crossentropy": 2,
}  # fmt: skip
_WORD = "from_logits"


def with_logits(case: Case, loss: LossCall) -> str:
    """The call, or the line that makes the loss, with ``from_logits=True``; "" if none is certain."""
    node = loss.node
    if node is None:
        return ""
    if isinstance(node.func, ast.Call):
        new = _told(node.func)
        whole = copy.deepcopy(node)
        whole.func = new or node.func
        return _instead("", whole, node, loss) if new is not None else ""
    new = _told(node) if called(node) in _CLASSES else None
    if new is not None:
        return _instead("", new, node, loss)
    made = _made(case, ast.unparse(node.func))
    new = _told(made.value) if made is not None else None
    if made is None or new is None:
        return ""
    return _instead(f"{ast.unparse(made.targets[0])} = ", new, made.value, loss)


def _told(call: Any) -> ast.Call | None:
    """A call of a loss or of its class with the word in it; None for any other call."""
    place = _CLASSES.get(called(call)) if isinstance(call, ast.Call) else None
    if place is None or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    new = copy.deepcopy(call)
    if any(k.arg is None for k in new.keywords):
        return None
    if len(new.args) > place:
        new.args[place] = ast.Constant(True)
        return new
    new.keywords = [k for k in new.keywords if k.arg != _WORD]
    new.keywords.insert(0, ast.keyword(_WORD, ast.Constant(True)))
    return new


def _made(case: Case, name: str) -> Any:
    """The one line that gives a name its loss, in the code that also calls it or around it."""
    plain = [s for s in case.flow.text.read if isinstance(s, ast.Assign) and len(s.targets) == 1]
    found = [s for s in plain if ast.unparse(s.targets[0]) == name]
    return found[0] if len(found) == 1 else None


def _instead(begin: str, new: ast.expr, old: ast.expr, loss: LossCall) -> str:
    """The new code, and what it takes the place of."""
    written = segment(loss.spot.code.co_filename, old)
    code = ast.unparse(new)
    return f"{begin}{code}    # instead of {written}" if written and "\n" not in written else ""
