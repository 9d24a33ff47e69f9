"""Students run a cell twice, and then all cells once more: a notebook must show the same again.

One idea: whatever piles up in a kernel (a list that grows, a variable that moves) shows here.
"""

import json
import re
from copy import deepcopy
from pathlib import Path

import nbformat
import pytest

from notebook_compare import difference, merge_streams
from notebook_files import code_cells
from run_notebooks import execute

FOLDER = Path(__file__).parents[2] / "notebooks"
NAMES_TWICE = ("00", "01", "02", "17")  # elsewhere a name keeps its thing: any cell after any other
ONCE = {
    "00-22": "a plain tape answers once: the text above the cell says so",
    "07-33": "a gradient is registered later and stays: the text above the cell says so",
}


def _outputs(cell):
    """A cell's outputs, with [#] for the numbers of cells, which count on."""
    text = re.sub(r"cell \[\d+\]", "cell [#]", json.dumps(merge_streams(cell.outputs)))
    return nbformat.from_dict({"outputs": json.loads(text)}).outputs


def _again(notebook):
    """A notebook of these cells: each twice in a row, and all of them once more."""
    cells = code_cells(notebook)
    again = deepcopy(notebook)
    again.cells = deepcopy([cell for cell in cells for _ in "12"] + cells)
    for number, cell in enumerate(again.cells):
        cell.outputs, cell.execution_count, cell.id = [], None, f"again-{number}"
        cell.metadata = nbformat.from_dict({"tags": ["raises-exception"]})
    return cells, again


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_second_run_shows_what_the_first_did(path):
    cells, again = _again(nbformat.read(path, as_version=4))
    execute(again, FOLDER)
    firsts, seconds = again.cells[0 : 2 * len(cells) : 2], again.cells[1 : 2 * len(cells) : 2]
    for run in (firsts, seconds, again.cells[2 * len(cells) :]):
        for cell, stored in zip(run, cells, strict=True):
            if stored.id not in ONCE:
                found = difference(_outputs(stored), _outputs(cell))
                assert found is None, f"{stored.id}: {found}\n{stored.source}"


@pytest.mark.parametrize(
    "number",
    [path.name[:2] for path in sorted(FOLDER.glob("*.ipynb")) if path.name[:2] not in NAMES_TWICE],
)
def test_whoever_goes_back_sees_what_was_there(number):
    (path,) = FOLDER.glob(f"{number}_*.ipynb")
    notebook = nbformat.read(path, as_version=4)
    cells = code_cells(notebook)
    back = deepcopy(notebook)
    back.cells = deepcopy(cells + cells[::-1])
    for place, cell in enumerate(back.cells):
        cell.outputs, cell.execution_count, cell.id = [], None, f"back-{place}"
    execute(back, FOLDER)
    for cell, stored in zip(back.cells[len(cells) :], cells[::-1], strict=True):
        if stored.id not in ONCE:
            found = difference(_outputs(stored), _outputs(cell))
            assert found is None, f"{stored.id}: {found}\n{stored.source}"
