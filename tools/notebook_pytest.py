"""The notebook half of a test run: nbval, made numeric, strict and independent of the machine.

nbval runs each notebook in a kernel of its own, a process that inherits the environment, in the
notebook's folder. Four things are added to it: outputs are compared by ``notebook_compare``; a
cell that was never run (nbval passes those unseen) is red; a cell is never run without the cells
above it; and cells are counted, as they are when somebody runs them.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbval.kernel
import nbval.plugin
import pytest

from notebook_compare import difference

ROOT = Path(__file__).resolve().parents[1]


Cell = nbval.plugin.IPyNbCell
_run_as_nbval_does = Cell.runtest
COUNT = "its stored count is"


def run_cell(cell: Any) -> None:
    """Run a cell as nbval does, then ask whether its stored outputs are those of a real run."""
    _run_as_nbval_does(cell)
    if not cell.cell.source.strip():
        return
    above = [c for c in cell.parent.nb.cells if c.cell_type == "code"][: cell.cell_num]
    wanted = 1 + sum(bool(c.source.strip()) for c in above)
    if cell.cell.execution_count != wanted:
        cell.raise_cell_error(
            f"{COUNT} {cell.cell.execution_count or 'missing'}, and a full run makes it {wanted}. "
            "Was a cell deleted, added or run again? Store the outputs of a full run."
        )


def compare_outputs(cell: Any, test: Any, ref: Any, skip_compare: Any = None) -> bool:
    """Replaces nbval's exact comparison, which also lets outputs of two kinds change places."""
    found = difference(stored=ref, new=test)
    cell.comparison_traceback = [found] if found else []
    return found is None


def execute_input(kernel: Any, source: str, allow_stdin: bool | None = None) -> Any:
    """Run a cell as a notebook does: counted, so that "line 2 of cell [5]" can be said of it."""
    return kernel.kc.execute(
        source, store_history=True, allow_stdin=allow_stdin, stop_on_error=False
    )


def kernel_environment() -> dict[str, str]:
    """What a kernel must find in its environment, wherever and by whom it is started."""
    # In a wheel the folder above is the package itself, whose math.py is not everybody's.
    above = str(ROOT) if (ROOT / "pyproject.toml").exists() else ""
    paths = [above, os.environ.get("PYTHONPATH", "")]
    return {
        # Works from a plain checkout too, and shows this checkout's engine.
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        # Same sums on every machine size; tiny arrays need no thread pool.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Put our parts into nbval's places and make the kernels' surroundings the same everywhere."""
    patch = pytest.MonkeyPatch()
    # Not a subclass: nbval's own super() calls look its class up by name.
    patch.setattr(Cell, "runtest", run_cell)
    patch.setattr(Cell, "compare_outputs", compare_outputs)
    patch.setattr(nbval.kernel.RunningKernel, "execute_cell_input", execute_input)
    # nbval would join prints across a result between them; notebook_compare joins neighbours.
    patch.setattr(nbval.plugin, "coalesce_streams", lambda outputs: outputs)
    patch.delenv("MPLBACKEND", raising=False)  # a kernel's own choice draws into the notebook
    for name, value in kernel_environment().items():
        patch.setenv(name, value)
    # No personal IPython profile (start-up files, print options, figure formats).
    profile = tempfile.TemporaryDirectory(prefix="ipython-", ignore_cleanup_errors=True)
    patch.setenv("IPYTHONDIR", profile.name)
    config.add_cleanup(patch.undo)
    config.add_cleanup(profile.cleanup)


def _cells(items: list[pytest.Item]) -> Iterator[Any]:
    return (item for item in items if isinstance(item, Cell))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Run whole beginnings of notebooks, in order: a cell needs the cells above it.

    Otherwise ``-k``, ``--lf`` and ``notebook.ipynb::Cell 3`` would run lone cells in an empty
    kernel, which fail with a NameError that says nothing.
    """
    chosen = {(cell.parent, cell.cell_num): cell for cell in _cells(session.items)}
    last: dict[Any, int] = {}
    for notebook, number in chosen:
        last[notebook] = max(last.get(notebook, 0), number)
    items = [item for item in session.items if not isinstance(item, Cell)]
    for notebook in sorted(last, key=lambda notebook: notebook.nodeid):
        for cell in notebook.collect():
            if cell.cell_num <= last[notebook]:
                items.append(chosen.get((notebook, cell.cell_num), cell))
    session.items[:] = items
