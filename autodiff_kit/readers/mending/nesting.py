"""Layer 5: blocks that more lines belong into.

One idea: the block and the lines stand in the learner's text, so the code is made of just these, moved
to where they belong.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.questions import Question
from autodiff_kit.readers.program.lines import nodes_in, segment, tree_of
from autodiff_kit.readers.program.reach import blocks_at

MOST = 12  # lines; more is told in words
TAKE_INSIDE = (
    "Take the gradient inside the block of `{}`, and compute inside it too what is differentiated: one "
    "with block in the other."
)


def own_blocks(case: Case) -> list[Any]:
    """The `with` blocks that stand where that of the tape that was asked began; mostly it alone."""
    begin = case.entered
    return list(blocks_at(begin.file, begin.number)) if begin is not None else []


def own_block(case: Case) -> Any:
    """The `with` block of the tape that was asked; None if that is not certain."""
    found = own_blocks(case)
    return found[0] if len(found) == 1 else None


def asked_block(question: Question) -> Any:
    """The last `with` block before a question that gave its tape the name; None if there is none."""
    tree, function = tree_of(question.file), question.function
    scope = function if function is not None else tree
    found = [
        node for node in (ast.walk(scope) if scope else ())
        if isinstance(node, ast.With) and (node.end_lineno or 0) < question.call.lineno
        and any(_is_named(item.optional_vars, question.tape) for item in node.items)
    ]  # fmt: skip
    return max(found, key=lambda node: node.lineno, default=None)


def _is_named(node: Any, name: str) -> bool:
    return node is not None and ast.unparse(node) == name


def following(file: str, first: Any, last: Any) -> list[Any]:
    """The statements after one and up to another that stands in the same row; none if it does not."""
    for node in nodes_in(file, ast.AST):
        for row in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(row, list) and first in row and last in row:
                return row[row.index(first) + 1 : row.index(last) + 1]
    return []


def text_of_all(file: str, statements: list[Any]) -> list[str]:
    """The lines of some statements, from the margin on; none if one cannot be told."""
    lines: list[str] = []
    for one in statements:
        first, *more = segment(file, one).splitlines() or [""]
        margin = " " * one.col_offset
        if not first or any(line.strip() and not line.startswith(margin) for line in more):
            return []
        lines += [first, *(line[len(margin) :] for line in more)]
    return lines


def with_more(file: str, block: Any, more: list[str]) -> str:
    """The code of a block with more lines at its end; ``""`` if that is long or not certain."""
    lines = text_of_all(file, [block])
    inner = block.body[0]
    if not lines or not more or len(lines) + len(more) > MOST or inner.lineno == block.lineno:
        return ""
    indent = " " * (inner.col_offset - block.col_offset)
    return "\n".join([*lines, *(indent + line for line in more)])


def with_asked_blocks(code: str, questions: list[Question | None]) -> str:
    """The code of a block, and in it, before each question, the block that was asked; ``""`` if one of
    them cannot be told.
    """
    if any(question is None for question in questions):
        return ""
    lines, done = code.splitlines(), []
    for question in sorted(filter(None, questions), key=lambda one: one.call.lineno):
        block = asked_block(question)
        if block is None or block.col_offset != question.statement.col_offset:
            return ""
        if block not in done:
            done.append(block)
            lines = _put_before(lines, block, question)
    return "\n".join(lines) if len(lines) <= MOST else ""


def _put_before(lines: list[str], block: Any, question: Question) -> list[str]:
    """Lines with a block before that of a question; none if they do not have the question."""
    inner = ["    " + line for line in text_of_all(question.file, [block])]
    within = {line.strip() for line in inner}
    others = [line for line in lines if line.strip() not in within]
    asks = "    " + segment(question.file, question.statement)
    if asks not in others or not inner:
        return []
    at = others.index(asks)
    return [*others[:at], *inner, *others[at:]]
