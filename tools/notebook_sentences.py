"""A pytest plug-in for people who do not know pytest: each fault is one sentence, with file and cell.

One idea: who validates a folder of notebooks wants to know what to mend where; the frames of nbval and
pytest that saw it are of no use to them. It is loaded by ``notebook_validate.ini``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator
from typing import Any

import nbval.plugin
import pytest

import notebook_pytest
from notebook_compare import difference
from notebook_pictures import picture_difference

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
SENTENCES = pytest.StashKey[list[str]]()


def compare_outputs(cell: Any, test: Any, ref: Any, skip_compare: Any = None) -> bool:
    """As everywhere in this course, and pictures too."""
    found = difference(stored=ref, new=test)
    if found and len(ref) == len(test) and all(any(map(_same(one), test)) for one in ref):
        found = "the outputs are the same, but in another order"
    found = found or picture_difference(stored=ref, new=test)
    cell.comparison_traceback = [found] if found else []
    return found is None


def _same(one: Any) -> Callable[[Any], bool]:
    return lambda other: difference([one], [other]) is None


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Take the place of the comparison without pictures."""
    config.stash[SENTENCES] = []
    patch = pytest.MonkeyPatch()
    patch.setattr(notebook_pytest.Cell, "compare_outputs", compare_outputs)
    config.add_cleanup(patch.undo)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, Any, Any]:
    """Keep a sentence for each cell that failed."""
    report = yield
    error = call.excinfo.value if call.excinfo else None
    if isinstance(item, notebook_pytest.Cell) and isinstance(error, nbval.plugin.NbCellError):
        path = seen_from(str(item.config.invocation_params.dir), str(item.path))
        place = f"{path}: code cell {number_of(item)}: "
        said = item.config.stash[SENTENCES]
        sentence = sentence_for(error)
        counts = notebook_pytest.COUNT in sentence
        # Where a cell was deleted, the counts of all below it are wrong: the first one tells.
        told = any(s.startswith(f"{path}: ") and notebook_pytest.COUNT in s for s in said)
        if not (counts and told):
            said.append(place + sentence)
    return report


def seen_from(folder: str, path: str) -> str:
    """A path as it is written in a folder; the whole path where none leads there, to another drive."""
    try:
        return os.path.relpath(path, folder)
    except ValueError:
        return path


def number_of(cell: Any) -> int:
    """Which code cell it is, counted from 1 as in a run, without empty ones."""
    code = [c for c in cell.parent.nb.cells if c.cell_type == "code"][: cell.cell_num + 1]
    return sum(bool(c.source.strip()) for c in code)


def sentence_for(error: Any) -> str:
    """What is wrong with a cell."""
    message = COLOURS.sub("", str(error)).strip()
    inner = COLOURS.sub("", error.inner_traceback or "").strip()
    if message == "Cell outputs differ":
        return f"what it shows is not what is stored: {inner}"
    if message == "Cell execution caused an exception":
        return f"it ends in an error: {inner.splitlines()[-1] if inner else 'unknown'}"
    if message.startswith("Timeout"):
        return f"it did not end. {message}"
    return message


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """All sentences."""
    for sentence in config.stash[SENTENCES]:
        terminalreporter.write_line(sentence)
