"""Layer 5: a value that left the tensors, and further down the same way leaves them again.

One idea: who mends the first place meets the next one, so that is named with it. The tape no longer saw
what came between; the learner's text tells it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.lost.leaving import left_in
from autodiff_kit.readers.program.lines import line_at
from autodiff_kit.readers.program.spots import called
from autodiff_kit.readers.program.statement import code_of, nodes_read

_MOST = 2
_OUT = ("numpy", "item", "float")
_WRITTEN = tuple([f"{name}(" for name in _OUT])


def leaving_again(case: Case, events: list[Any]) -> list[str]:
    """A sentence about the places where what came of the last departure leaves the tensors once more.

    Args:
      events: all departures; they are told elsewhere.
    """
    begin, flow = left_in(events[-1]), case.flow
    if begin is None or begin not in flow.text.read:
        return []
    words = flow.text.read.items()
    able = [one for one, said in words if one is not begin and any(w in said for w in _WRITTEN)]
    if not able:
        return []  # what follows is dear in a long file
    known, names = {left_in(event) for event in events}, flow.text.made_by(begin)
    found = (
        (call, one) for one in able if one not in known for call in _calls_out(case, one, names)
    )
    places = [*islice((two for two in found if _surely_after(case, begin, two[1])), _MOST)]
    if not places:
        return []
    named = [
        f"`{ast.unparse(call)}` at {line_at(flow.files[one], call.lineno).where}"
        for call, one in places
    ]
    return [f"What comes of it leaves again, by {' and '.join(named)}: keep a tensor there too."]


def _surely_after(case: Case, begin: ast.stmt, one: ast.stmt) -> bool:
    """Whether a statement ran after the first, as far as no branch stands around it, and leads on."""
    text = case.flow.text
    blocks = text.within[one]
    if one not in case.flow.files or any(isinstance(block, (ast.If, ast.Try)) for block in blocks):
        return False
    beside = text.inside[one] == text.inside[begin]
    if beside and (case.flow.files[one] != case.flow.files.get(begin) or one.lineno < begin.lineno):
        return False
    return case.flow.leads_to_it(one)


def _calls_out(case: Case, statement: ast.stmt, names: Any) -> Iterator[ast.Call]:
    """The conversions to plain numbers in a statement, of what has one of the names."""
    for node in nodes_read(statement):
        if not isinstance(node, ast.Call) or called(node) not in _OUT:
            continue
        if case.flow.text.mentions(statement, names, code_of(node)):
            yield node
