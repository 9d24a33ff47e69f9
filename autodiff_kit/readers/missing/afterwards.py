"""Layer 5: what was computed after the tape's block had ended.

One idea: of the lines below the block, all that the target was made of belong into it, not the last
one alone.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.lost.rounds import AROUND
from autodiff_kit.readers.mending.here import fresh
from autodiff_kit.readers.mending.needed import needed_for, only_changes_a_variable
from autodiff_kit.readers.mending.nesting import MOST, following, own_block, text_of_all, with_more
from autodiff_kit.readers.program.lines import line_at
from autodiff_kit.readers.program.nodes import expression, names_in
from autodiff_kit.readers.program.rounds import list_of_rounds, loop_around, sum_of_rounds
from autodiff_kit.readers.program.spots import called, expression_at, statement_of


def after_the_block(case: Case) -> Finding:
    """The target was computed after the block; what to move into it."""
    birth, target = case.target_birth, case.target_name
    file = birth.code.co_filename
    made, block = statement_of(birth.spot), own_block(case)
    moved = _needed(case, following(file, block, made)) if block is not None and made else []
    lines = text_of_all(file, moved)
    in_question = bool(moved) and _is_a_question(case, moved[-1])
    if in_question:
        lines = [*text_of_all(file, moved[:-1]), *_named_target(case, file, moved[-1])]
    text = case.flow.text
    late = [s for s in moved if s is made or s in text.read and text.mentions(s, case.flow.names)]
    first = line_at(file, late[0].lineno) if late else birth.line
    advice = f"Compute `{target}` inside the block, with all that lies between."
    if len(late) > 1 and first is not None:
        advice = (
            f"Begin with {first.where} (`{first.text}`): indent it and what `{target}` is made "
            "of after it, so that all belongs to the block."
        )
    elif in_question:
        advice = f"Compute `{target}` inside the block, under a name, and ask for that."
    elif late:
        advice = "Indent that line, so that it belongs to the block."
    rounds = _of_rounds(case, made, block)
    above = (needed_for(case, block, [*block.body, *moved]) or []) if moved else []
    advice += _from_above(case, above) + _one_by_one(case)
    return case.none(
        "outside the tape",
        f"`{target}` was computed after its block ended, where the tape does not record.",
        _whole_block(case, block, above, lines) if lines and not rounds else "",
        birth.type,
        birth.line,
        rounds or advice,
    )


def _from_above(case: Case, above: list[Any]) -> str:
    """A sentence about the lines from above the block that belong into it as well."""
    lines = [line_at(case.flow.files[one], one.lineno) for one in above]
    if not lines:
        return ""
    first, many = lines[0], len(lines) > 1
    which = f"the lines from {first.where} on that it needs" if many else first.where
    return f" Put {which} (`{first.text}`) into it too: above the block nothing is recorded."


def _whole_block(case: Case, block: Any, above: list[Any], lines: list[str]) -> str:
    """The block with the lines from below it, and with those from above that they need."""
    file = case.flow.files[block]
    code = with_more(file, block, lines)
    if not above or not code:
        return code
    head, _, body = code.partition("\n")
    more = ["    " + line for line in text_of_all(file, above)]
    fits = len(lines) + len(more) <= MOST and f"{case.tape_name}.watch(" not in body
    return "\n".join([head, *more, body]) if fits and len(more) >= len(above) else ""


def _of_rounds(case: Case, made: Any, block: Any) -> str:
    """What to do if the target was made of several rounds of a loop, each with a block of its own."""
    text = case.flow.text
    summed = sum_of_rounds(text, made, loop_around(text, block, made))
    listed = list_of_rounds(text, made, loop_around(text, block))
    if not summed and not listed:
        return ""
    what = f"`{summed}` adds up" if summed else f"`{listed}` holds"
    return (
        f"{what} what the rounds of a loop computed, each in a block of its own, and the tape knows "
        f"the last one alone. {AROUND}"
    )


def _is_a_question(case: Case, statement: Any) -> bool:
    """Whether what is asked of is computed in the very line that asks, the tape or the kit about it."""
    calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call)]
    asks = [call for call in calls if case.tape_name in names_in(call)]
    written = [ast.unparse(argument) for call in asks for argument in call.args]
    whole = expression(case.target_name)
    kit = any(called(call) in _READERS for call in asks)
    if whole is None or isinstance(whole, ast.Name):
        return kit
    return kit or ast.unparse(whole) in written


_READERS = ("explain", "replay", "draw")


def _named_target(case: Case, file: str, statement: Any) -> list[str]:
    """A line that gives what is asked of a name; none where it needs what only the question knows."""
    rounds = [node.target for node in ast.walk(statement) if isinstance(node, ast.comprehension)]
    whole = expression(case.target_name)
    if whole is None or isinstance(whole, ast.Name):
        return []
    if names_in(whole) & {name for target in rounds for name in names_in(target)}:
        return []
    return [f"{fresh(case, file, 'target', 'asked_for')} = {case.target_name}"]


def _one_by_one(case: Case) -> str:
    """A sentence for who takes the elements of a vector apart, to ask for the gradient of each."""
    node = expression_at(case.target_birth.spot)
    if not isinstance(node, ast.Subscript) or np.ndim(tensor_behind(case.target)._value):
        return ""
    whole = case.held.get(ast.unparse(node.value))
    if whole is None or case.tape.find(tensor_behind(whole)) < 0:
        return ""
    name = ast.unparse(node.value)
    return (
        f" The gradients of all elements of `{name}` at once, with none of them taken out, are "
        f"{case.tape_name}.jacobian({name}, {case.source_name})."
    )


def _needed(case: Case, statements: list[Any]) -> list[Any]:
    """Those of some statements that the last one is made of, and itself; none if this very tape was
    asked meanwhile.
    """
    needed: list[Any] = []
    names: set[str] = set()
    for statement in reversed(statements):
        if not needed or names & _changed(case, statement):
            needed.insert(0, statement)
            names |= names_in(statement)
    if any(case.tape_name in names_in(statement) for statement in needed[:-1]):
        return []
    return needed


def _changed(case: Case, statement: Any) -> set[str]:
    """The names that may mean something else after a statement."""
    if hasattr(statement, "body"):
        return names_in(statement)
    if only_changes_a_variable(case, statement):
        return set()
    return {name.split(".")[0] for _, name in case.flow.text.receivers(statement)}
