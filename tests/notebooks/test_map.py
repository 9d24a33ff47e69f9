"""The map in the start notebook, and what it promises of the others."""

import re

import nbformat
import pytest

from notebook_pytest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))[1:]
START = "\n".join(
    cell.source
    for cell in nbformat.read(ROOT / "notebooks" / "00_start_here.ipynb", 4).cells
    if cell.cell_type == "markdown"
)
ROW = re.compile(r"^\| (\d\d) \| \[.+\]\((.+\.ipynb)\) \| .+ \| (\d+) \|$", re.M)


def test_every_notebook_is_on_the_map_in_order():
    assert [name for _, name, _ in ROW.findall(START)] == [path.name for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_takes_as_long_as_the_map_says(path):
    minutes = {name: time for _, name, time in ROW.findall(START)}[path.name]
    first = nbformat.read(path, 4).cells[0].source
    assert f"**Time:** {minutes} minutes" in first
