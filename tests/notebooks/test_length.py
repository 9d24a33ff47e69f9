"""A notebook is one sitting: at most 25 cells of code."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_at_most_25_cells_of_code(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert sum(cell.cell_type == "code" for cell in notebook.cells) <= 25
