"""Honest notebooks of many kinds, each with the points that it deserves.

One idea: whatever students do to a notebook besides answering, their points are those of the answers.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from autodiff_kit.course.returned import checks, code_cells, course, exercises, source
from autodiff_kit.exercises import find
from course.classroom import Notebook, solved

Made = tuple[Notebook, set[str]]  # a notebook, and the exercises that are right in it


def all_right(number: str, _dice: random.Random) -> Made:
    notebook = solved(number)
    return notebook, {n for cell in code_cells(notebook) for n in checks(source(cell))}


def untouched(number: str, _dice: random.Random) -> Made:
    return copy.deepcopy(course()[number]), set()


def some_wrong(number: str, dice: random.Random) -> Made:
    notebook, right = all_right(number, dice)
    for cell in code_cells(notebook):
        for one in checks(source(cell)):
            name = exercises(course()[number])[one][1]
            if dice.random() < 0.6:
                cell["source"] = f"{name} = {_mistake(one)}\ncheck({one!r}, {name})"
                right -= {one}
    return notebook, right


def _mistake(number: str) -> str:
    exercise = find(number)
    assert exercise is not None
    if callable(exercise.reference):
        return "lambda *arguments: arguments[0]"
    return repr(next(v for v, _ in exercise.wrong if isinstance(v, (int, float, str, list))))


def executed_again(number: str, dice: random.Random) -> Made:
    notebook, right = some_wrong(number, dice)
    for cell in code_cells(notebook):
        cell["execution_count"] = dice.randrange(1, 500)
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "02.1 right.\n"}]
    return notebook, right


ADDED = (
    "vars = [1, 2]\nsorted = type = str = bool = 3",
    "import os, sys\nprint(os.getcwd())",
    "%timeit -n1 -r1 1 + 1",
    "!pip install autodiff_kit",
    "1 / 0",
    "def unfinished(:",
    "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()",
    "get_ipython().run_line_magic('matplotlib', 'inline')\nanswer = None",
    "check = 5",
    "from IPython.display import clear_output\nclear_output()",
    "import warnings\nwarnings.filterwarnings('ignore')",
    "input('your name? ')",
    "print('x' * 100000)",
    "class Model:\n    def __eq__(self, other): return True\nModel()",
    "raise SystemExit",
)


def cells_added(number: str, dice: random.Random) -> Made:
    notebook, right = some_wrong(number, dice)
    for text in dice.sample(ADDED, 5):
        cell = {"cell_type": "code", "id": f"new{dice.random()}", "source": text, "outputs": []}
        cell |= {"metadata": {}, "execution_count": None}
        place = dice.randrange(1, len(notebook["cells"]))
        if "check = 5" in text:  # those after it would fail in the notebook, too
            place = len(notebook["cells"])
        notebook["cells"].insert(place, cell)
    return notebook, right


def reordered(number: str, dice: random.Random) -> Made:
    notebook, right = some_wrong(number, dice)
    cells = notebook["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    tests = [cell for cell in code if checks(source(cell))]
    prose = [cell for cell in cells if cell["cell_type"] != "code"]
    others = [cell for cell in code if cell not in tests]
    dice.shuffle(tests)
    dice.shuffle(prose)
    notebook["cells"] = others + prose + tests
    return notebook, right


def other_kinds(number: str, dice: random.Random) -> Made:
    notebook, right = all_right(number, dice)
    for cell in code_cells(notebook):
        for one, name in checks(source(cell)).items():
            exercise = find(one)
            assert exercise is not None
            kind = dice.choice(
                ("np.float64({})", "ad.constant({})", "np.array({}, 'f4')", "[*{}][:]")
            )
            number_ = isinstance(exercise.reference, (int, float)) and name.isidentifier()
            listed = isinstance(exercise.reference, list) and name.isidentifier()
            if number_ and "*" not in kind or listed and "float64" not in kind:
                text = f"import numpy as np\n{name} = {kind.format(name)}\ncheck("
                cell["source"] = source(cell).replace("check(", text, 1)
    return notebook, right


def talkative(number: str, dice: random.Random) -> Made:
    """More than a file would hold, as an animation draws it; and a question to IPython."""
    notebook, right = some_wrong(number, dice)
    text = "ad.constant?\nfrom IPython.display import clear_output\nfor frame in range(25):\n"
    text += "    clear_output(wait=True)\n    print(str(frame) * 1_000_000)"
    cell = {"cell_type": "code", "id": "shows", "source": text, "outputs": []}
    notebook["cells"].insert(3, cell | {"metadata": {}, "execution_count": None})
    return notebook, right


def without_ids(number: str, dice: random.Random) -> Made:
    notebook, right = some_wrong(number, dice)
    for cell in notebook["cells"]:
        cell["metadata"] = {"id": cell.pop("id", "")}
        cell["source"] = source(cell)
    notebook |= {"nbformat": 4, "nbformat_minor": 0}
    return notebook, right


def copied_below(number: str, dice: random.Random) -> Made:
    notebook, right = some_wrong(number, dice)
    original = {str(cell.get("id")): source(cell) for cell in code_cells(course()[number])}
    for cell in list(notebook["cells"]):
        if cell["cell_type"] == "code" and checks(source(cell)):
            place = notebook["cells"].index(cell)
            notebook["cells"].insert(place + 1, copy.deepcopy(cell) | {"id": f"c{dice.random()}"})
            cell["source"] = original[str(cell["id"])]
    return notebook, right


def other_editor(number: str, dice: random.Random) -> Made:
    notebook, right = some_wrong(number, dice)
    for cell in notebook["cells"]:
        cell["source"] = source(cell).replace("\n", "\r\n")
        cell["metadata"] = {
            "collapsed": False,
            "tags": ["mine"],
            "vscode": {"languageId": "python"},
        }
    notebook["metadata"] = {
        "kernelspec": {"name": "my-env", "display_name": "x", "language": "julia"}
    }
    return notebook, right


def timed(number: str, dice: random.Random) -> Made:
    notebook, right = some_wrong(number, dice)
    for cell in code_cells(notebook):
        if checks(source(cell)):
            cell["source"] = dice.choice(("%%time\n", "%matplotlib inline\n", "# -- \n")) + source(
                cell
            )
    return notebook, right


HONEST: tuple[Callable[[str, random.Random], Made], ...] = (
    all_right, untouched, some_wrong, executed_again, cells_added, reordered, other_kinds,
    without_ids, copied_below, other_editor, talkative, timed,
)  # fmt: skip


def honest(kind: Any, number: str) -> Made:
    """An honest notebook of a kind; the same one each time."""
    return kind(number, random.Random(f"{kind.__name__} {number}"))
