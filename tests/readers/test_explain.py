"""`ad.explain` names the cause, the learner's line, and a way out that works."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

import autodiff_kit as ad
from autodiff_kit import registry
from readers.programs import PROGRAMS, SICK


def run(text: str) -> Any:
    """Run a program as if it were a file of the learner's, and give back its last explanation."""
    file = f"<program {abs(hash(text))}>"
    text = text.replace("ad.explain(", "answer = ad.explain(")
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": "learner"}
    exec(compile(text, file, "exec"), scope)
    return scope["answer"]


def inside_a_function(text: str) -> str:
    """The same program with everything after the imports in a function, called at the end."""
    first, second, *body = text.splitlines()
    indented = [f"    {line}" for line in body]
    return "\n".join(
        [first, second, "def main():", *indented, "    return answer", "answer = main()"]
    )


def marked(text: str) -> list[int]:
    return [n for n, line in enumerate(text.splitlines(), 1) if line.endswith("# here")]


@pytest.fixture
def fresh_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same program may run twice and register its gradient twice."""
    monkeypatch.delitem(registry.GRADIENTS, "NoneForExplain", raising=False)


@pytest.mark.parametrize("form", [str, inside_a_function])
@pytest.mark.parametrize("name", PROGRAMS)
def test_cause_and_line(name: str, form: Any, fresh_registry: None) -> None:
    cause, text = PROGRAMS[name]
    text = form(text)
    (finding,) = run(text).findings
    assert (finding.status, finding.cause) == ("none", cause), str(finding)
    assert finding.why and (finding.fix or finding.advice)
    if marked(text):
        assert finding.line is not None and [finding.line.number] == marked(text), str(finding)


@pytest.mark.parametrize("form", [str, inside_a_function])
@pytest.mark.parametrize("name", SICK)
def test_sick_gradients(name: str, form: Any) -> None:
    status, op, text = SICK[name]
    text = form(text)
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


def test_a_long_tape_is_no_trouble() -> None:
    x, z = ad.Variable(1.0), ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y, w = x, z
        for _ in range(5000):
            y, w = y * 1.0001, ad.sin(w)
        h = ad.floor(y) * 2.0
    first, second = ad.explain(tape, h, [x, z]).findings
    assert (first.cause, first.op) == ("no gradient", "Floor")
    assert second.cause == "not on the way"


def test_a_tape_that_let_go_of_its_records_only_speaks_of_what_it_was_asked() -> None:
    x = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y, z = x**2, x**3
    tape.gradient(y, x)
    assert ad.explain(tape, y, x).findings[0].status == "flows"
    assert ad.explain(tape, z, x).findings[0].status == "unknown"
