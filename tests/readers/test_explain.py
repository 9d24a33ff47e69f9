"""`ad.explain` names the cause, the learner's line, and a way out that works."""

from __future__ import annotations

import linecache
from typing import Any

import pytest
from readers.programs import PROGRAMS, SICK

import autodiff_kit as ad


def run(text: str) -> Any:
    """Run a program as if it were a file of the learner's, and give back its last explanation."""
    file = f"<program {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    text_with_answer = text.replace("ad.explain(", "answer = ad.explain(")
    linecache.cache[file] = (len(text), None, text_with_answer.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": "learner"}
    exec(compile(text_with_answer, file, "exec"), scope)
    return scope["answer"]


def marked(text: str) -> list[int]:
    return [n for n, line in enumerate(text.splitlines(), 1) if line.endswith("# here")]


@pytest.mark.parametrize("name", PROGRAMS)
def test_cause_and_line(name: str) -> None:
    cause, text = PROGRAMS[name]
    (finding,) = run(text).findings
    assert (finding.status, finding.cause) == ("none", cause), str(finding)
    assert finding.why and finding.fix
    if marked(text):
        assert finding.line is not None and [finding.line.number] == marked(text), str(finding)


@pytest.mark.parametrize("name", SICK)
def test_sick_gradients(name: str) -> None:
    status, op, text = SICK[name]
    (finding,) = run(text).findings
    assert finding.status == status, str(finding)
    assert (finding.op or "") == op, str(finding)
    if marked(text):
        assert finding.line is not None and [finding.line.number] == marked(text), str(finding)


def test_the_answer_shows_itself() -> None:
    x = ad.constant(3.0)
    with ad.GradientTape() as tape:
        y = x * x
    answer = ad.explain(tape, y, x)
    assert "tape.watch(x)" in str(answer) and "tape.watch(x)" in answer._repr_markdown_()
    assert tape.gradient(y, x) is None, "explain does not use up a plain tape"
