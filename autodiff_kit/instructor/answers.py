"""Is every exercise of a release one that can be solved? Asked before anything is written.

One idea: a check that never says "right" looks like any other one. So the number must be known to
the kit, and an answer that is about to be taken out must be right by the very check that students get.
"""

from __future__ import annotations

import copy
import json
import subprocess
from pathlib import Path
from typing import Any

import nbformat

from autodiff_kit.course.places import Trouble
from autodiff_kit.exercises import find
from autodiff_kit.instructor.stubs import ExerciseCell, read, stub

ASK = """\
import json
from autodiff_kit.exercises import verdict
print(json.dumps(verdict({number!r}, {name})))"""


def known(exercise: ExerciseCell, name: str) -> None:
    """See that the kit knows this exercise.

    Raises:
      Trouble: it does not, so that no answer would ever be right.
    """
    if find(exercise.number) is None:
        raise Trouble(
            f'{name}: autodiff_kit knows no exercise {exercise.number}, so check("{exercise.number}", '
            "...) could never say that an answer is right. Take a number that it knows, or add the "
            "exercise to your copy of autodiff_kit; docs/instructor-guide.md says how."
        )


def right(nb: Any, name: str, folder: Path) -> None:
    """Run a notebook whose exercises are solved, as it is, and put its answers to the checks.

    Nothing is run if no answer stands in it. The notebook itself stays as it is.

    Raises:
      Trouble: an answer that is to be taken out is not right.
    """
    cells, asked = _with_questions(copy.deepcopy(nb.cells))
    if not asked:
        return
    _execute(nbformat.v4.new_notebook(cells=cells), name, folder)
    for number, question in asked.items():
        said = _reply(question)
        if said is not None:
            raise Trouble(
                f"{name}: the answer to {number} that stands in it is to be taken out, and is not "
                f"right; with it a student would get no point. The check says: {said}"
            )


def _with_questions(cells: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """All cells, with a question after each solved exercise; the questions' cells by number."""
    all_cells: list[Any] = []
    asked = {}
    for cell in cells:
        all_cells.append(cell)
        exercise = read(cell.source) if cell.cell_type == "code" else None
        if exercise and stub(exercise.answer, exercise.name) != exercise.answer:
            text = ASK.format(number=exercise.number, name=exercise.name)
            asked[exercise.number] = nbformat.v4.new_code_cell(text)
            all_cells.append(asked[exercise.number])
    return all_cells, asked


def _execute(nb: Any, name: str, folder: Path) -> None:
    """Run all cells in a kernel of this very Python; errors stop nothing."""
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from nbval.kernel import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager

    kernel = AsyncKernelManager(
        kernel_name=CURRENT_ENV_KERNEL_NAME, kernel_spec_manager=NbvalKernelspecManager()
    )
    resources, quiet = {"metadata": {"path": folder}}, subprocess.DEVNULL
    client = NotebookClient(nb, km=kernel, timeout=120, allow_errors=True, resources=resources)
    try:
        client.execute(cleanup_kc=True, stdin=quiet, stdout=quiet, stderr=quiet)
    except (CellTimeoutError, DeadKernelError) as error:
        raise Trouble(f"{name} does not run to its end: {type(error).__name__}.") from None


def _reply(question: Any) -> str | None:
    """None if the answer is right; else what the check says."""
    for output in question.outputs:
        if output.output_type == "stream" and output.name == "stdout":
            well, text = json.loads(output.text.splitlines()[-1])
            return None if well else str(text)
        if output.output_type == "error":
            return f"{output.ename}: {output.evalue}"
    return "nothing at all"
