"""Make the students' release of a folder of notebooks, and validate it.

One idea: an exercise cell becomes two, the answer with dots in it and a locked check that is worth a
point; nothing else is touched, so that the release can be validated like the notebooks it is from.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat

from autodiff_kit.course.places import Trouble, place
from autodiff_kit.exercises import verdict
from autodiff_kit.instructor.marks import mark_answer, mark_check
from autodiff_kit.instructor.stubs import ExerciseCell, read, stub

NO_LINK = "Your instructor has the solutions."
LINK = re.compile(
    r"(?:Solutions(?: are in|:) |The )\[[^\]]*\]\(solutions/[^)]*\)(?: are in [^.\n]*)?\."
)
MARK = """\
from autodiff_kit.exercises import check, score

{check}
score("{number}", {name})"""


def release(folder: Path, source: Path | None = None) -> list[str]:
    """Write the release of all notebooks; say what was written.

    Args:
      folder: where to; it must be new or empty.
      source: a folder of notebooks like the kit's, which are taken if it is None.

    Returns:
      Sentences, one for each notebook.

    Raises:
      Trouble: the folder is not empty or cannot be written, or a notebook cannot be released.
    """
    source = place("notebooks") if source is None else source
    paths = sorted(path for path in source.glob("*.ipynb") if path.name[0] != ".")
    if not paths:
        raise Trouble(f"There is no notebook in {source}.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Trouble(f"{folder} is not empty. Name a new folder: nothing is ever overwritten.")
    ready = {path.name: student_version(_open(path), path.name) for path in paths}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, (nb, _) in ready.items():
            text = nbformat.writes(nb) + "\n"
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Trouble(f"{error.filename or folder} cannot be written: {error.strerror}.") from None
    return [f"{name}: {_count(numbers)}" for name, (_, numbers) in ready.items()]


def _open(path: Path) -> Any:
    try:
        return nbformat.read(path, as_version=4)
    except (ValueError, KeyError, AttributeError, OSError, nbformat.ValidationError):
        raise Trouble(f"{path} cannot be read as a notebook.") from None


def _count(numbers: list[str]) -> str:
    return f"exercises {', '.join(numbers)}" if numbers else "no exercises"


def student_version(nb: Any, name: str) -> tuple[Any, list[str]]:
    """A notebook without solutions, with nbgrader's notes; and the numbers of its exercises.

    Raises:
      Trouble: an exercise stands twice, or a link to the solutions cannot be taken out.
    """
    cells: list[Any] = []
    numbers: list[str] = []
    for cell in nb.cells:
        exercise = read(cell.source) if cell.cell_type == "code" else None
        if exercise is None:
            _refuse_other_checks(cell, name)
            cells.append(_without_link(cell, name))
            continue
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


def _without_link(cell: Any, name: str) -> Any:
    if cell.cell_type == "markdown":
        cell.source = LINK.sub(NO_LINK, cell.source)
        if "](solutions/" in cell.source:
            raise Trouble(
                f"{name}: cell {cell.id} leads to the solutions in words that are not known here. "
                "Write: Solutions: [NN](solutions/NN_name.ipynb)."
            )
    return cell


def _answer_and_check(cell: Any, exercise: ExerciseCell) -> list[Any]:
    number, name = exercise.number, exercise.name
    answer = nbformat.v4.new_code_cell(
        stub(exercise.answer, name), id=f"{cell.id}-answer", metadata=cell.metadata
    )
    check = nbformat.v4.new_code_cell(
        MARK.format(check=exercise.check, number=number, name=name),
        id=cell.id,  # the grader finds exercises by their cells' ids
        outputs=[
            nbformat.v4.new_output("stream", name="stdout", text=f"{verdict(number, ...).text}\n"),
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
