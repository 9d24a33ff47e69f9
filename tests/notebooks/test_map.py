"""The map in the start notebook, and what it promises of the others."""

import re

import nbformat
import pytest

from notebook_pytest import ROOT
from stated_times import in_a_table, stated

ALL = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
NOTEBOOKS = ALL[1:]


def prose(path):
    cells = nbformat.read(path, 4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


START = prose(ALL[0])
ROW = re.compile(r"^\| (\d\d) \| \[.+\]\((.+\.ipynb)\) \| .+ \| ([\d +]+) \|$", re.M)
LAST_PART = re.compile(r"^## If you have more time: (\d+) minutes$", re.M)


def test_every_notebook_is_on_the_map_in_order():
    assert [name for _, name, _ in ROW.findall(START)] == [path.name for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_takes_as_long_as_the_map_says(path):
    minutes = {name: time for _, name, time in ROW.findall(START)}
    assert minutes[path.name] == in_a_table(path)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_it_is_one_sitting_and_what_is_more_has_a_heading(path):
    core, more = stated(path)
    assert 15 <= core <= 30
    assert LAST_PART.findall(prose(path)) == ([str(more)] if more else [])


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_the_last_part_comes_after_the_recap(path):
    headings = re.findall(r"^## (Recap|If you have more time|Where to read on)", prose(path), re.M)
    last = ["If you have more time"] if stated(path)[1] else []
    assert headings == ["Recap", *last, "Where to read on"]
