"""Run the notebooks and store their outputs: ``python tools/run_notebooks.py [FILE ...]``.

The one writer of stored outputs. Running it twice changes nothing the second time: what agrees
with what is stored (numbers as numbers, see ``notebook_compare``) keeps the stored form, so that
another processor's last digits make no difference in the repository.

``--check`` writes nothing and fails if something would change (pictures aside).
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager

from notebook_compare import difference, merge_streams
from notebook_files import code_cells, find
from notebook_pictures import pictures
from notebook_pytest import ROOT, kernel_environment

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def execute(nb: Any, folder: Path) -> None:
    """Run all cells in a fresh kernel of this very Python, as the tests do."""
    kernel = AsyncKernelManager(
        kernel_name=CURRENT_ENV_KERNEL_NAME, kernel_spec_manager=NbvalKernelspecManager()
    )
    client = NotebookClient(
        nb, km=kernel, timeout=120, record_timing=False, resources={"metadata": {"path": folder}}
    )
    client.execute(cleanup_kc=True)  # a manager that is handed in is not ended by default


def clean(nb: Any) -> None:
    """Leave in a fresh run only what every machine would write."""
    nb.metadata = nbformat.from_dict({**nb.metadata, **METADATA})
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        cell.metadata.pop("execution", None)
        cell.outputs = [nbformat.from_dict(output) for output in merge_streams(cell.outputs)]
        for output in cell.outputs:
            if output.output_type == "error":  # a traceback is paths and library source
                output.traceback = [f"{output.ename}: {output.evalue}"]


def keep_what_agrees(new: Any, stored: Any) -> None:
    """Give the stored outputs back to cells whose new outputs say the same."""
    if len(new.cells) != len(stored.cells):
        return
    for cell, before in zip(new.cells, stored.cells, strict=True):
        if cell.cell_type == "code" == before.cell_type:
            kept = nbformat.from_dict({"outputs": merge_streams(before.outputs)}).outputs
            same_text = difference(kept, cell.outputs) is None
            same_pictures = pictures(before.outputs) == pictures(cell.outputs)
            traceback_is_clean = not any("\x1b" in str(output) for output in kept)
            if same_text and same_pictures and traceback_is_clean:
                cell.outputs = kept


def changes(new: Any, stored: Any) -> list[str]:
    """What a reviewer would call a change: all but pictures and last digits."""
    if len(new.cells) != len(stored.cells):
        return ["cells were added or removed"]
    found = [] if new.metadata == stored.metadata else ["the notebook's metadata"]
    for number, (cell, before) in enumerate(zip(new.cells, stored.cells, strict=True), start=1):
        if cell.cell_type != "code":
            continue
        what = difference(before.outputs, cell.outputs)
        if what is None and cell.execution_count != before.execution_count:
            what = f"stored count {before.execution_count}, now {cell.execution_count}"
        if what is None and cell.metadata != before.metadata:
            what = "its metadata"
        if what:
            found.append(f"cell {number}: {what}")
    return found


def rerun(path: Path) -> tuple[Any, Any]:
    """The notebook as it comes out of a run, and as it is stored."""
    stored = nbformat.read(path, as_version=4)
    new = nbformat.read(path, as_version=4)
    for cell in new.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    execute(new, path.parent)
    clean(new)
    # A cell without code is not run, and so not counted.
    for count, cell in enumerate(code_cells(new), start=1):
        cell.execution_count = count
    keep_what_agrees(new, stored)
    return new, stored


def treat(path: Path, check: bool) -> bool:
    """Run one notebook, report, store unless only checking; was all well?"""
    try:
        new, stored = rerun(path)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        print(f"FAILED  {path.name}: {error}", flush=True)
        return False
    found = changes(new, stored)
    text = nbformat.writes(new) + "\n"
    same = text == path.read_text("utf-8")
    print("changed" if found or not (same or check) else "same   ", path.name, flush=True)
    print(*(f"        {what}" for what in found), sep="\n", end="\n" if found else "")
    if not check and not same:
        path.write_text(text, "utf-8", newline="\n")
    return not (check and found)


def main(arguments: list[str]) -> int:
    """Treat the notebooks named, or all of them; 0 if all went well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on a change")
    options = parser.parse_args(arguments)
    os.environ.update(kernel_environment())
    os.environ.pop("MPLBACKEND", None)
    with tempfile.TemporaryDirectory(prefix="ipython-", ignore_cleanup_errors=True) as profile:
        os.environ["IPYTHONDIR"] = profile
        paths = [file.resolve() for file in options.files] or find(ROOT / "notebooks")
        results = [treat(path, options.check) for path in paths]
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
