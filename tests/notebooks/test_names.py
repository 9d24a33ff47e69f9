"""Whoever jumps about in a notebook meets the same things under the same names.

One idea: what a cell takes from another one is made in one cell only: any may be run after any other.
"""

import ast
import symtable
from collections import defaultdict
from pathlib import Path

import nbformat
import pytest

from notebook_files import code_cells

FOLDER = Path(__file__).parents[2] / "notebooks"
NAMES_TWICE = ("00", "01", "02", "17")  # their text says what to run again
AT_EVERY_QUESTION = {"guess"}


def _tables(table):
    yield table
    for child in table.get_children():
        yield from _tables(child)


COMPREHENSIONS = ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp


def _names(node):
    """The names in a piece of the text, without those in comprehensions."""
    if isinstance(node, ast.Name):
        yield node.id
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, COMPREHENSIONS):
            yield from _names(child)


def _of_comprehensions(source):
    """The names that stand for something only in comprehensions: from 3.12 on the cell has them too."""
    tree = ast.parse(source)
    targets = [node.target for node in ast.walk(tree) if isinstance(node, ast.comprehension)]
    return {name for target in targets for name in _names(target)} - {*_names(tree)}


def _bound_and_taken(source):
    """The names that a cell binds, and those that it takes from elsewhere."""
    top = symtable.symtable(source, "cell", "exec")
    bound = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    used = {s.get_name() for s in top.get_symbols() if s.is_referenced()}
    for table in list(_tables(top))[1:]:
        used |= {s.get_name() for s in table.get_symbols() if s.is_global()}
    inner = _of_comprehensions(source)
    return bound - inner, used - bound - inner


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(FOLDER.glob("*.ipynb")) if path.name[:2] not in NAMES_TWICE],
    ids=lambda path: path.stem,
)
def test_what_a_cell_takes_is_made_in_one_cell(path):
    makers, takers = defaultdict(list), []
    for cell in code_cells(nbformat.read(path, as_version=4)):
        bound, taken = _bound_and_taken(cell.source)
        takers.append((cell.id, taken - AT_EVERY_QUESTION))
        for name in bound:
            makers[name].append(cell.id)
    twice = [
        f"{number} takes {name}, which {' and '.join(makers[name])} make"
        for number, taken in takers
        for name in sorted(taken)
        if len(makers[name]) > 1
    ]
    assert not twice, "\n".join(twice)
