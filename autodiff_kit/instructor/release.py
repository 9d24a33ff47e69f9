"""Make the students' release of a folder of notebooks, and validate it.

One idea: an exercise cell becomes two, the answer with dots in it and a locked check that is worth a
point. Of the rest only links that would lead nowhere are touched, and the sentence that says which cell
to run; so the release can be validated like the notebooks it is from.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import nbformat

from autodiff_kit.course.places import Trouble, place
from autodiff_kit.exercises import DOTS, DOTS_ABOVE, verdict
from autodiff_kit.instructor import answers, links
from autodiff_kit.instructor.marks import mark_answer, mark_check
from autodiff_kit.instructor.stubs import ExerciseCell, read, stub

MARK = """\
from autodiff_kit.exercises import check, score

check("{number}", {name}, above=True)
score("{number}", {name})"""
# What notebook 00 says of an exercise is true of one cell, and here are two.
ONE_CELL = re.compile(r"\bin place of the dots and run the cell\.\s+The check\s+says\b")
TWO_CELLS = "in place of the dots, run that cell, and then the locked one\nbelow it. Its check says"


def release(
    folder: Path, source: Path | None = None, only: Sequence[str] = (), run: bool = True
) -> list[str]:
    """Write the release of all notebooks, or of some; say what was written.

    Args:
      folder: where to; it must be new or empty.
      source: a folder of notebooks like the kit's, which are taken if it is None.
      only: beginnings of the names of those that are released; without any, all are.
      run: whether a notebook with answers in it is run, to see that they are right.

    Returns:
      Sentences, one or two for each notebook.

    Raises:
      Trouble: the folder is not empty or cannot be written, or a notebook cannot be released.
    """
    source = place("notebooks") if source is None else source
    paths = _chosen(source, only)
    if folder.is_file():
        raise Trouble(f"{folder} is a file. Name a new folder.")
    if folder.exists() and any(folder.iterdir()):
        raise Trouble(f"{folder} is not empty. Name a new folder: nothing is ever overwritten.")
    names = [path.name for path in paths]
    ready = {}
    for path in paths:
        nb, numbers = student_version(_open(path), path.name)
        ready[path.name] = nb, numbers, _unlink(nb, names)
    for path in paths if run else ():
        answers.right(_open(path), path.name, source)
    _write(folder, {name: nb for name, (nb, _, _) in ready.items()})
    return [
        line for name, (_, numbers, gone) in ready.items() for line in _said(name, numbers, gone)
    ]


def _chosen(source: Path, only: Sequence[str]) -> list[Path]:
    """The notebooks of a folder whose names begin as is wished."""
    paths = sorted(path for path in source.glob("*.ipynb") if path.name[0] != ".")
    if not paths:
        raise Trouble(f"There is no notebook in {source}.")
    for beginning in only:
        if not any(path.name.startswith(beginning) for path in paths):
            names = ", ".join(path.name.split("_")[0] for path in paths)
            raise Trouble(f"No notebook begins with {beginning!r}; there are {names}.")
    return [path for path in paths if not only or path.name.startswith(tuple(only))]


def _write(folder: Path, notebooks: dict[str, Any]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, nb in notebooks.items():
            text = nbformat.writes(nb) + "\n"
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Trouble(f"{error.filename or folder} cannot be written: {error.strerror}.") from None


def _open(path: Path) -> Any:
    try:
        return nbformat.read(path, as_version=4)
    except (ValueError, KeyError, AttributeError, OSError, nbformat.ValidationError):
        raise Trouble(f"{path} cannot be read as a notebook.") from None


def _said(name: str, numbers: list[str], gone: list[str]) -> list[str]:
    lines = [f"{name}: exercises {', '.join(numbers)}" if numbers else f"{name}: no exercises"]
    if gone:
        which = ", ".join(gone) if len(gone) <= 3 else f"{len(gone)} notebooks"
        lines.append(f"{name}: plain text now, not in this release: links to {which}")
    return lines


def _unlink(nb: Any, names: Collection[str]) -> list[str]:
    texts = [cell for cell in nb.cells if cell.cell_type == "markdown"]
    return sorted(set().union(*(links.without_absent(cell, names) for cell in texts)))


def student_version(nb: Any, name: str) -> tuple[Any, list[str]]:
    """A notebook without solutions, with nbgrader's notes; and the numbers of its exercises.

    Raises:
      Trouble: an exercise stands twice or is not known, or a link to the solutions cannot be taken out.
    """
    cells: list[Any] = []
    numbers: list[str] = []
    for cell in nb.cells:
        exercise = read(cell.source) if cell.cell_type == "code" else None
        if exercise is None:
            _refuse_other_checks(cell, name)
            if cell.cell_type == "markdown":
                links.without_solutions(cell, name)
                cell.source = ONE_CELL.sub(TWO_CELLS, cell.source)
            cells.append(cell)
            continue
        answers.known(exercise, name)
        if exercise.number in numbers:
            raise Trouble(f"{name} checks {exercise.number} twice: give each exercise one check.")
        numbers.append(exercise.number)
        cells += _answer_and_check(cell, exercise)
    nb.cells = cells
    _count_again(cells)
    return nb, numbers


def _refuse_other_checks(cell: Any, name: str) -> None:
    if cell.cell_type == "code" and re.search(r"^check\(", cell.source, re.M):
        raise Trouble(
            f"{name}: cell {cell.id} may leave a solution in. Give the answer a name, and end the "
            'cell in check("NN.1", name).'
        )


def _answer_and_check(cell: Any, exercise: ExerciseCell) -> list[Any]:
    number, name = exercise.number, exercise.name
    said = verdict(number, ...).text.replace(DOTS, DOTS_ABOVE)
    answer = nbformat.v4.new_code_cell(
        stub(exercise.answer, name), id=f"{cell.id}-answer", metadata=cell.metadata
    )
    check = nbformat.v4.new_code_cell(
        MARK.format(number=number, name=name),
        id=cell.id,  # the grader finds exercises by their cells' ids
        outputs=[
            nbformat.v4.new_output("stream", name="stdout", text=f"{said}\n"),
            nbformat.v4.new_output("execute_result", {"text/plain": "0.0"}, execution_count=0),
        ],
    )
    mark_answer(answer, number)
    mark_check(check, number)
    return [answer, check]


def _count_again(cells: list[Any]) -> None:
    """The counts of one run from top to bottom, since there are more cells now."""
    code = (cell for cell in cells if cell.cell_type == "code" and cell.source.strip())
    for count, cell in enumerate(code, start=1):
        cell.execution_count = count
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
