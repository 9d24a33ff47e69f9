"""`ad.explain` names the cause, the learner's line, and a way out that works."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit import registry
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.lost import departed
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


def test_a_notebook_shows_a_formula_as_it_was_written() -> None:
    """Markdown makes bold type of what stands between two ``**``, and a link of ``[0](x)``."""
    shown = run("""import autodiff_kit as ad
x, flag = ad.Variable(3.0), ad.constant(2.0)
with ad.GradientTape() as tape:
    tape.watch(flag)
    if flag == 2.0:
        y = x**2 + 3.0
    else:
        y = x**3
ad.explain(tape, y, flag)""")._repr_markdown_()
    assert "`y = weight * (x**2 + 3.0) + (1.0 - weight) * (x**3)`" in shown, shown
    found = Finding("x", "flows", why="a * b", advice="x**2, _h, $1$, fs[0](x), <b>", also=["c*d"])
    shown = found._repr_markdown_()
    assert r"x\*\*2, \_h, \$1\$, fs[0\](x), \<b>" in shown and "- a * b\n" in shown, shown
    assert r"- Also: c\*d" in shown and "also:  c*d" in str(found)


def test_what_holds_for_several_sources_is_said_once() -> None:
    a, b, c = ad.Variable(1.0), ad.Variable(2.0), ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = ad.constant((a * b).numpy()) * c
    answer = ad.explain(tape, y, [a, c, b])
    assert str(answer).count("left the tensors") == 1 and str(answer).count("a gradient flows") == 1
    assert "same:  b" in str(answer) and "The same for `b`" in answer._repr_markdown_()
    assert [found.source for found in answer.findings] == ["a", "c", "b"]


def test_what_differs_is_said_of_each_source() -> None:
    a, b = ad.Variable(1.0), ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y = ad.floor(a)
        y = y * ad.round(b)
    answer = str(ad.explain(tape, y, [a, b]))
    assert "ad.floor" in answer and "ad.round" in answer and "same:" not in answer


def test_a_line_that_leaves_the_tensors_in_a_loop_is_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = []
    came_back = departed._came_back
    monkeypatch.setattr(
        departed, "_came_back", lambda case, event: looks.append(event) or came_back(case, event)
    )
    x = ad.Variable(1.0)
    with ad.GradientTape(persistent=True) as tape:
        y = x
        for _ in range(20):
            y = y - 0.1 * np.sin(y)
    assert "left the tensors" in str(ad.explain(tape, y, x))
    assert len(looks) == 1


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
