"""The page of causes: its programs show their symptoms, and explain says of them what stands there."""

import ast
import linecache
import re
from typing import Any, NamedTuple

import nbformat
import numpy as np
import pytest

import autodiff_kit as ad
from notebook_pytest import ROOT

PAGE = (ROOT / "docs" / "causes.md").read_text("utf-8")
(NOTEBOOK,) = (ROOT / "notebooks").glob("17_*.ipynb")
ROW = re.compile(r"^\| ([NZQW]\d+) \| .+ \| ([\d, ]+) \| .+ \|$", re.M)
PROGRAM = re.compile(
    r"^\*\*([NZQW]\d+)\*\*\n\n```python\n((?:(?!```).*\n)+)```\n\n> (.+)\n(?:\n(The tape says .+)\n)?",
    re.M,
)
STEP = 1.0 / 64


class Cause(NamedTuple):
    """A program, words of what explain says of it, and for a wrong number a line about it."""

    text: str
    words: str
    numbers: str


CAUSES = {number: Cause(*rest) for number, *rest in PROGRAM.findall(PAGE)}
each = pytest.mark.parametrize("number", CAUSES)


def run(text: str) -> dict[str, Any]:
    """The names of a program that is run as a file is, so that explain finds its lines."""
    file = f"<cause {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"ad": ad, "__name__": "learner"}
    exec(compile(text, file, "exec"), scope)
    return scope


def gradient(text: str) -> Any:
    """What the tape answers, to the program's own question if it asks one."""
    question = "tape.gradient(y, x)"
    own = re.search(r"^tape\.gradient\(.+\)$", text, re.M)
    body = text.replace(own[0], "") if own else text
    return run(f"{body}answer = {own[0] if own else question}\n")["answer"]


def quotient(text: str) -> Any:
    """The slope of the sum of `y` by moving each number in the line that makes `x`."""
    made = re.search(r"^x = ad\.(?:Variable|constant)\((.+)\)$", text, re.M)
    assert made
    at = np.array(ast.literal_eval(made[1]), np.float32)
    slopes = np.zeros_like(at)
    for place in np.ndindex(at.shape):
        for sign in (1.0, -1.0):
            moved = at.copy()
            moved[place] += sign * STEP
            there = text.replace(made[1], f"{moved.tolist()}")
            slopes[place] += sign * np.sum([np.sum(y) for y in _listed(run(there)["y"])])
    return slopes / (2 * STEP)


def _listed(y: Any) -> list[Any]:
    return y if isinstance(y, list) else [y]


def test_every_row_has_a_program_and_a_notebook_and_none_has_two():
    rows = ROW.findall(PAGE)
    assert [number for number, _ in rows] == list(CAUSES)
    assert len(PROGRAM.findall(PAGE)) == PAGE.count("```python") == len(rows) > 20
    there = {path.name[:2] for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {one for _, ones in rows for one in ones.split(", ")} <= there


def test_the_table_of_notebook_17_is_the_same():
    prose = "\n".join(c.source for c in nbformat.read(NOTEBOOK, 4).cells)
    start, end = PAGE.index("| no. |"), PAGE.index("\n\nTwo relatives")
    assert PAGE[start:end] in prose


@each
def test_a_program_is_short(number):
    lines = [line for line in CAUSES[number].text.splitlines() if line]
    assert len(lines) <= 6


@each
def test_a_program_shows_its_symptom(number):
    found = gradient(CAUSES[number].text)
    kind = number[0]
    if kind == "N":
        assert found is None
    elif kind == "Q":
        assert not np.all(np.isfinite(found))
    else:
        assert np.all(np.isfinite(found))
        assert (kind == "Z") == (not np.any(found))


@each
def test_explain_names_its_cause(number):
    cause = CAUSES[number]
    text = re.sub(r"^tape\.gradient\(.+\)\n", "", cause.text, flags=re.M)
    said = str(run(f"{text}answer = ad.explain(tape, y, x)\n")["answer"])
    assert cause.words in said, said
    if number[0] == "W":
        assert said.startswith("x: a gradient flows"), said
        assert ("also:" in said) == (number != "W3"), said


@pytest.mark.parametrize("number", [number for number in CAUSES if number[0] == "Z"])
def test_a_zero_is_the_truth_but_for_the_one_that_hides_a_none(number):
    text = re.sub(r"^tape\.gradient\(.+\)\n", "", CAUSES[number].text, flags=re.M)
    assert np.any(np.abs(quotient(text)) > 1e-3) == (number == "Z4")


@pytest.mark.parametrize("number", [number for number in CAUSES if number[0] == "W"])
def test_a_wrong_number_and_its_quotient_are_those_of_the_page(number):
    cause = CAUSES[number]
    tape, by_quotient = map(ast.literal_eval, re.findall(r"`(.+?)`", cause.numbers))
    np.testing.assert_allclose(gradient(cause.text), tape, rtol=1e-6)
    np.testing.assert_allclose(quotient(cause.text), by_quotient, rtol=1e-3)
