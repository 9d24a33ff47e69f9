"""nbval really run, with this project's settings, on notebooks whose stored outputs are wrong.

Each cell of ``cases.ipynb`` is a case of its own: its outputs are stored by the runner, then spoilt
by one function, and the cell must come out red; or changed as another processor would, and green.
"""

import os
import subprocess
import sys
import xml.etree.ElementTree

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

import run_notebooks
from notebook_pytest import ROOT

NUMBER = "print(1 / 8.1)"  # 0.1234567901234568
ARRAY = "import numpy as np\nnp.array([[1 / 8.1, 2.0], [-3.0, 0.0]])"
SEVERAL = "print('first')\ndisplay(0.25)\nprint('last')\n0.5"
ERROR = "raise ValueError('shapes (2, 3) and (4,)')"
FIGURE = "import matplotlib.pyplot as plt\nplt.plot([0, 1])\nplt.show()\nprint(0.75)"


def replace(old, new):
    """Spoil a cell by changing its stored text."""

    def change(cell):
        before = repr(cell.outputs)
        for output in cell.outputs:
            for part in (output, output.get("data", {})):
                for key in {"text", "text/plain", "evalue", "ename"} & part.keys():
                    part[key] = part[key].replace(old, new)
        assert repr(cell.outputs) != before, "nothing was changed"

    change.__name__ = f"replace {old} by {new}"
    return change


def nothing(cell):
    """As it was stored."""


def drop_first(cell):
    del cell.outputs[0]


def drop_last(cell):
    del cell.outputs[-1]


def drop_all(cell):
    cell.outputs = []


def add_one(cell):
    cell.outputs.append(new_output("stream", name="stdout", text="more"))


def swap_neighbours(cell):
    cell.outputs[1:3] = reversed(cell.outputs[1:3])


def swap_ends(cell):
    cell.outputs[0], cell.outputs[-1] = cell.outputs[-1], cell.outputs[0]


def strip(cell):
    cell.outputs, cell.execution_count = [], None


def strip_count(cell):
    cell.execution_count = None


def wrong_count(cell):
    cell.execution_count += 1


def other_picture(cell):
    output = next(o for o in cell.outputs if "image/png" in o.get("data", {}))
    output.data["image/png"] = "iVBORw=="


def drop_picture(cell):
    cell.outputs = [o for o in cell.outputs if "image/png" not in o.get("data", {})]


GREEN = [
    *((source, nothing) for source in (NUMBER, ARRAY, SEVERAL, ERROR, FIGURE, "x = 1", "")),
    (NUMBER, replace("0.1234567901234568", "0.12345682")),
    (ARRAY, replace("0.12345679,  2.        ", "0.1234568 ,  2.       ")),
    (FIGURE, other_picture),
]
RED = [
    (NUMBER, replace("0.1", "0.2")),
    (NUMBER, replace("0.12", "0.13")),
    (NUMBER, replace("0.123", "0.122")),
    (NUMBER, replace("0.1234", "0.1235")),
    (NUMBER, replace("0.", "-0.")),
    (NUMBER, replace("568", "568e-05")),
    (NUMBER, drop_all),
    (NUMBER, add_one),
    (NUMBER, strip),
    (NUMBER, strip_count),
    (NUMBER, wrong_count),
    (ARRAY, replace("0.1234", "0.1235")),
    (ARRAY, replace("[-3.", "[ 3.")),
    (ARRAY, replace("0.        ]]", "1e-09     ]]")),
    (ARRAY, replace("2.        ]", "nan       ]")),
    (ARRAY, replace("],\n       [", ", ")),
    (SEVERAL, drop_first),
    (SEVERAL, drop_last),
    (SEVERAL, swap_neighbours),
    (SEVERAL, swap_ends),
    (ERROR, replace("(4,)", "(5,)")),
    (ERROR, replace("ValueError", "TypeError")),
    (ERROR, drop_all),
    (FIGURE, drop_picture),
    (FIGURE, replace("0.75", "0.76")),
    ("x = 1", strip),
    ("x = 1", add_one),
    (NUMBER, drop_last),  # the last cell of the notebook
]


def write(path, sources):
    cells = [new_code_cell(source) for source in sources]
    for cell in cells:
        if cell.source.startswith("raise"):
            cell.metadata.tags = ["raises-exception"]
    nbformat.write(new_notebook(cells=cells), path)


def spoil(path, changes):
    nb = nbformat.read(path, as_version=4)
    for cell, change in zip(nb.cells, changes, strict=True):
        change(cell)
    nbformat.write(nb, path)


def run_pytest(folder, *arguments):
    """Run this project's pytest configuration on a folder; the outcome of each test by its name."""
    report = folder / "report.xml"
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tools")])}
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-p", "conftest"]
    command += ["-p", "no:cacheprovider", f"--junitxml={report}", *map(str, arguments)]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert report.exists(), done.stdout + done.stderr
    cases = xml.etree.ElementTree.parse(report).iter("testcase")
    return {case.get("name"): "red" if len(case) else "green" for case in cases}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Red or green for each case."""
    folder = tmp_path_factory.mktemp("cases")
    path = folder / "cases.ipynb"
    write(path, [source for source, _ in GREEN + RED])
    assert run_notebooks.main([str(path)]) == 0
    spoil(path, [change for _, change in GREEN + RED])
    found = run_pytest(folder, path)
    return [found[f"Cell {number}"] for number in range(len(GREEN + RED))]


def cases(group, start):
    return [
        pytest.param(number, id=f"{source.splitlines()[0] if source else 'empty'}: {name}")
        for number, (source, change) in enumerate(group, start)
        for name in [change.__name__]
    ]


@pytest.mark.parametrize("number", cases(GREEN, 0))
def test_stays_green(number, outcomes):
    assert outcomes[number] == "green"


@pytest.mark.parametrize("number", cases(RED, len(GREEN)))
def test_turns_red(number, outcomes):
    assert outcomes[number] == "red"


def test_whole_notebooks(tmp_path):
    """Stripped, half executed, one cell deleted; and a cell chosen alone runs those above it."""
    sources = ["x = 1", "y = x + 1", "print(y)"]
    path = tmp_path / "good.ipynb"
    write(path, sources)
    assert run_notebooks.main([str(path)]) == 0
    assert run_pytest(tmp_path, f"{path}::Cell 2") == dict.fromkeys(
        ["Cell 0", "Cell 1", "Cell 2"], "green"
    )
    spoil(path, [strip, strip, strip])
    assert set(run_pytest(tmp_path, path).values()) == {"red"}
    assert run_notebooks.main([str(path)]) == 0
    spoil(path, [nothing, nothing, strip])
    assert list(run_pytest(tmp_path, path).values()) == ["green", "green", "red"]


def test_exit_code_is_that_of_a_failure(tmp_path):
    path = tmp_path / "stripped.ipynb"
    write(path, ["x = 1"])
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml")]
    command += ["-p", "conftest", "-p", "no:cacheprovider", str(path)]
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tools")])}
    assert subprocess.run(command, env=env, cwd=tmp_path, capture_output=True).returncode == 1
