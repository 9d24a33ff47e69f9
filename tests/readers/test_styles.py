"""`ad.explain` names the true cause however the program is written."""

from __future__ import annotations

import doctest
import importlib.util
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import autodiff_kit as ad
from readers.styles import STYLES


@pytest.mark.parametrize("name", STYLES)
def test_status_cause_and_line(name: str, tmp_path: Path) -> None:
    status, cause, text = STYLES[name]
    file = tmp_path / "learner.py"
    file.write_text(text, encoding="utf-8")
    (finding,) = runpy.run_path(str(file))["answer"].findings
    assert (finding.status, finding.cause) == (status, cause), str(finding)
    marks = [n for n, line in enumerate(text.splitlines(), 1) if line.endswith("# here")]
    if marks:
        assert finding.line is not None and [finding.line.number] == marks, str(finding)


MODEL = """import autodiff_kit as ad


def model(x):
    h = x * 2.0
    k = ad.sin(h)
    return k if smooth else ad.floor(k)


smooth = False
"""


def asked_of(module: Any) -> Any:
    x = ad.Variable(1.3)
    with ad.GradientTape(persistent=True) as tape:
        y = module.model(x)
        module.smooth = True
        z = module.model(x)
    return ad.explain(tape, y, x)[0], ad.replay(tape, z, x)


def loaded(file: Path) -> Any:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_module_of_the_learners(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(MODEL)
    found, story = asked_of(loaded(file))
    assert (found.line.number, found.line.text) == (7, "return k if smooth else ad.floor(k)")
    assert [step.name for step in story.steps] == ["z", "h"]


@pytest.mark.parametrize(
    "edited",
    [MODEL.replace("\n\ndef", "\n\n# new\ndef"), MODEL.replace("2.0", "3.0"), "", "def ("],
)
def test_a_file_that_was_changed_after_it_was_loaded(tmp_path: Path, edited: str) -> None:
    file = tmp_path / "net.py"
    file.write_text(MODEL)
    module = loaded(file)
    file.write_text(edited)
    found, story = asked_of(module)
    assert (found.op, found.line.number) == ("Floor", 7)
    assert found.line.text in ("", "(the file was changed after it had been loaded)")
    assert [(step.name, step.line.number) for step in story.steps] == [("z", 6), ("v1", 5)]


def test_a_file_that_was_removed(tmp_path: Path) -> None:
    file = tmp_path / "net.py"
    file.write_text(MODEL)
    module = loaded(file)
    file.unlink()
    found, _ = asked_of(module)
    assert (found.op, str(found.line)) == ("Floor", "line 7 of net.py")


def test_a_doctest() -> None:
    text = (
        ">>> x = ad.Variable(1.3)\n>>> with ad.GradientTape() as tape:\n...     y = ad.floor(x)\n"
    )
    text += (
        ">>> print(ad.explain(tape, y, x)[0].line)\nline 2 of <doctest demo[1]>: y = ad.floor(x)\n"
    )
    test = doctest.DocTestParser().get_doctest(text, {"ad": ad}, "demo", "demo.py", 0)
    said: list[str] = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)


def test_a_function_with_assertions_that_pytest_has_rewritten() -> None:
    x = ad.Variable(1.3)
    with ad.GradientTape() as tape:
        y = ad.floor(x)  # here
        assert y.shape == ()
    assert ad.explain(tape, y, x)[0].line.text == "y = ad.floor(x)  # here"


CELLS = """
import sys
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config
shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
for cell in sys.argv[1:]:
    shell.run_cell(cell, store_history=True)
"""


def shown_by_cells(cells: list[str], place: Path) -> str:
    """What the cells of a notebook print, one after the other."""
    pytest.importorskip("IPython")
    paths = {"IPYTHONDIR": str(place), "PYTHONPATH": str(Path(ad.__file__).parents[1])}
    found = subprocess.run(
        [sys.executable, "-c", CELLS, *cells],
        env={**os.environ, **paths}, capture_output=True, text=True,
    )  # fmt: skip
    return found.stdout + found.stderr


def test_cells_of_a_notebook(tmp_path: Path) -> None:
    cells = [
        "import autodiff_kit as ad\nx = ad.Variable(1.3)\ndef f(x):\n    return ad.floor(x)",
        "%time z = 1\nwith ad.GradientTape() as tape:\n    h = f(x); y = h * 2.0",
        "print(ad.explain(tape, y, x)[0].line)",
    ]
    assert "line 4 of cell [1]: return ad.floor(x)" in shown_by_cells(cells, tmp_path)


LOOP = """for step in range(2):
    with ad.GradientTape(persistent=True) as tape:
        {watched}loss = (w - 3.0) ** 2
    if step == 0:
        w = w - 0.1 * tape.gradient(loss, w)
"""
MADE = "import autodiff_kit as ad\nw = ad.{}(2.0)"


@pytest.mark.parametrize(
    "made, loop, said",
    [
        ("Variable", LOOP.format(watched=""), "code:  w.assign(w - 0.1 * tape.gradient(loss, w))"),
        ("constant", LOOP.format(watched="if step == 0: tape.watch(w)\n        "), "Let the tape"),
    ],
)
def test_a_step_in_the_cell_after_the_one_that_made_the_weight(
    made: str, loop: str, said: str, tmp_path: Path
) -> None:
    """A tensor has forgotten the variable it was made of; the earlier cell has not."""
    earlier = ["def f():\n    w = 1.0", MADE.format(made), "def f(w):\n    w = ad.Variable(1.0)"]
    shown = shown_by_cells([*earlier, loop, "print(ad.explain(tape, loss, w))"], tmp_path)
    assert "of cell [4] bound the name to a new tensor" in shown, shown
    assert said in shown and "_ip" not in shown, shown


BOUNCES = """import autodiff_kit as ad
e = ad.Variable(0.8)
with ad.GradientTape() as tape:
    y, v, bounces = ad.constant(1.0), ad.constant(-1.0), 0.0
    for _ in range(40):
        y = y + 0.1 * v
        if y < 0.0:
            y, v, bounces = -y, -e * v, bounces + 1.0
    loss = ad.constant((bounces - 3.0) ** 2)
"""


def test_many_cells_before_the_one_that_matters(tmp_path: Path) -> None:
    """All of them are read, and the one that matters must not be read anew: its nodes are compared."""
    many = [f"def f{number}():\n    return {number}" for number in range(90)]
    shown = shown_by_cells([*many, BOUNCES, "print(ad.explain(tape, loss, e))"], tmp_path)
    assert "`e` only decides which way the program goes" in shown, shown


FLOORED = "%%time\ndef f(x):\n    return tf.floor(x)"
TIMED = "%%time\nwith tf.GradientTape() as tape:\n    y = tf.floor(x)\n"


@pytest.mark.parametrize(
    "cells, line",
    [
        ([f"{TIMED}print(y)", "ASK"], ": y = tf.floor(x)"),
        ([f"{TIMED}ASK"], ": y = tf.floor(x)"),
        ([TIMED, "%%time\nz = 1\nz = 2", "ASK"], "  (Floor)"),
        ([FLOORED, TIMED.replace("tf.floor", "f"), "ASK"], "  (Floor)"),
    ],
)  # fmt: skip
def test_a_cell_that_is_timed(cells: list[str], line: str, tmp_path: Path) -> None:
    """Its text is known as long as none was timed after it: they all have the same name."""
    first = "import autodiff_kit as tf\nx = tf.Variable(1.3)"
    cells = [cell.replace("ASK", "print(tf.explain(tape, y, x))") for cell in cells]
    shown = shown_by_cells([first, *cells], tmp_path)
    assert f"line 2 of <timed exec>{line}" in shown and "also:" not in shown, shown
    if line[0] == ":" and sys.version_info >= (3, 11):
        assert "tf.relax.straight_through(x)    # instead of tf.floor(x)" in shown, shown


def test_equal_code_in_two_files(tmp_path: Path) -> None:
    for name in ("first.py", "second.py"):
        (tmp_path / name).write_text(MODEL)
    x = ad.Variable(1.3)
    modules = [loaded(tmp_path / name) for name in ("first.py", "second.py")]
    with ad.GradientTape() as tape:
        y = x
        for module in modules:
            module.smooth = True
            y = module.model(y)
    files = [Path(step.line.file).name for step in ad.replay(tape, y, x).steps]
    assert files == ["second.py"] * 2 + ["first.py"] * 2
