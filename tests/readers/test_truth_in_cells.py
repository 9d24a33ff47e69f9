"""A program that is spread over the cells of a notebook is told the same as one in a file."""

from __future__ import annotations

import ast
import linecache
import sys
import types
from collections.abc import Callable
from typing import Any

import pytest

from readers.test_truth import TRUTHS, plain

Cells = Callable[[list[str]], Any]


def statements(text: str) -> list[str]:
    """The statements of a program, each to be a cell."""
    lines, tree = text.splitlines(keepends=True), ast.parse(text)
    starts = [
        min(n.lineno for n in (one, *getattr(one, "decorator_list", []))) for one in tree.body
    ]
    ends = [*starts[1:], len(lines) + 1]
    parts = ["".join(lines[a - 1 : b - 1]) for a, b in zip(starts, ends, strict=True)]
    return [part for part in parts if part.strip()]


class Notebook:
    """Runs cells one after the other in one namespace, as IPython does."""

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {"__name__": "__main__"}
        self.files: dict[str, int] = {}

    def run(self, cells: list[str]) -> Any:
        """What the cells answered."""
        for text in cells:
            number = len(self.files) + 1
            file = f"<cell {number} {abs(hash(text))} {id(self)}>"
            self.files[file] = number
            linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
            exec(compile(text, file, "exec"), self.scope)
        return self.scope["answer"]


@pytest.fixture
def run_cells(monkeypatch: pytest.MonkeyPatch) -> Cells:
    """What runs cells in a notebook of their own."""

    def run(cells: list[str]) -> Any:
        return opened(monkeypatch).run(cells)

    return run


def opened(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    notebook = Notebook()
    compiler = types.SimpleNamespace(_filename_map=notebook.files)
    shell = types.SimpleNamespace(user_ns=notebook.scope, compile=compiler)
    ipython = types.SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    return notebook


def question(name: str) -> str:
    return plain(TRUTHS[name].text).replace("ad.explain(", "answer = ad.explain(")


@pytest.mark.parametrize("name", TRUTHS)
def test_the_cause_is_the_same(name: str, run_cells: Cells) -> None:
    told = TRUTHS[name]
    text = question(name)
    (finding,) = run_cells(statements(text)).findings
    found = (finding.status, finding.cause or finding.status, finding.op or "")
    assert found == (told.status, told.cause, told.op), str(finding)
    marked = [line.strip() for line in text.splitlines() if line.endswith("# here")]
    if marked:
        assert finding.line is not None and [finding.line.text] == marked, str(finding)


def test_an_earlier_experiment_of_the_notebook_is_no_part_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They all call their tensors and tapes the same."""
    notebook, wrong = opened(monkeypatch), []
    for name in [*TRUTHS][::5]:
        told = TRUTHS[name]
        (finding,) = notebook.run(statements(question(name))).findings
        if (finding.status, finding.cause or finding.status) != (told.status, told.cause):
            wrong.append(f"{name}: {finding}")
    assert not wrong, "\n\n".join(wrong)


SETTING = "import autodiff_kit as ad\nimport numpy as np\n"
LOG = "x = ad.Variable([1.0, 0.5], dtype='float16')\nwith ad.GradientTape() as tape:\n"
BOUND = f"{LOG}    loss = ad.reduce_sum(ad.acos(ad.minimum(x, 1 - eps)))\n"
ASKED = "answer = ad.explain(tape, loss, x)\n"


@pytest.mark.parametrize(
    "cells, words",
    [
        (["eps = 1e-2", "eps = 1e-6", BOUND], "`1 - eps` is 1 in float16"),
        (["eps = 1e-6", "eps = 1e-2", BOUND.replace("1 - eps", "1 - 1e-6")], "`1 - 1e-6` is 1 in"),
        (["eps = 1e-6", "def f(eps):\n    return eps", BOUND], "`1 - eps` is 1 in float16"),
        (
            ["eps = 1e-6", "for eps in [1e-2, 1e-6]:\n    pass", BOUND],
            "The slope is infinite at -1",
        ),
    ],
)
def test_a_name_means_what_the_last_cell_made_of_it(
    cells: list[str], words: str, run_cells: Cells
) -> None:
    found = run_cells([SETTING, *cells, ASKED])[0]
    assert words in found.advice, str(found)


def test_a_number_that_changed_since_is_not_remembered(run_cells: Cells) -> None:
    """The same cell runs twice, and its code is the same."""
    first = run_cells([SETTING, "eps = 1e-6", BOUND, ASKED])[0]
    second = run_cells([SETTING, "eps = 1e-2 * 1e-5", BOUND, ASKED])[0]
    assert "`1 - eps` is 1 in float16" in first.advice and first.advice == second.advice
    safe = run_cells([SETTING, "eps = 1e-2", BOUND, ASKED])[0]
    assert safe.status == "flows" and "1 - eps" not in str(safe), str(safe)


def test_a_local_number_is_not_that_of_another_cell(run_cells: Cells) -> None:
    within = "def f(x):\n    eps = 1e-6\n    return ad.acos(ad.minimum(x, 1 - eps))\n"
    block = f"{LOG}    loss = ad.reduce_sum(f(x))\n"
    found = run_cells([SETTING, "eps = 1e-2", within, block, ASKED])[0]
    assert "`1 - eps` is 1 in float16" in found.advice, str(found)


def test_what_made_data_is_looked_for_in_the_cells_before(run_cells: Cells) -> None:
    cells = [
        "x = ad.Variable([[0.3], [0.1]])\nX = np.array([[1.0, 1.0], [2.0, 1.0]], 'float32')\n",
        "# a remark\nX = (X - X.mean(0)) / X.std(0)\n",
        "with ad.GradientTape() as tape:\n    loss = ad.reduce_mean((X @ x - 1.0) ** 2)\n",
    ]
    found = run_cells([SETTING, *cells, ASKED])[0]
    assert "`(X - X.mean(0)) / X.std(0)` (line 2 of cell [3]) can make NaN" in found.advice, str(
        found
    )


TRIPLED = """with ad.GradientTape() as tape:
    loss = w * 3.0
answer = ad.explain(tape, loss, w)
"""


def test_one_of_several_variables_made_at_once_is_known(run_cells: Cells) -> None:
    cells = ["w, rate = ad.Variable(1.0), 0.1", "w = w - rate * w", TRIPLED]
    found = run_cells([SETTING, *cells])[0]
    assert found.fix.startswith("w.assign(w - rate * w)"), str(found)
