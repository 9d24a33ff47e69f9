"""A folded output shows its first line all the same: in JupyterLab it stands beside the three dots.

A cell that compares begins with "no guess yet". What the others begin with has been read by
somebody who asked whether it gives the answer away, and stands here.
"""

import nbformat
import pytest

from notebook_files import find
from notebook_pytest import ROOT

SHOWN = ("text/html", "text/markdown", "text/plain")  # JupyterLab's order; an error shows nothing
ALWAYS_HARMLESS = ("no guess yet", "```mermaid", "<table>", "<img ")
READ = {
    "02": ("y   ", "dy/dx     Tensor", "dloss/dx for each case", "The dtype of the watched tensor"),
    "03": ("['second:0']",),  # the question has said that only this one is watched
    "09": ("c + 1: [",),
    "10": ("seven is 21.0",),
    "11": ("**`x`: the gradient is not finite**",),  # the cell before has shown the nan
    "12": ("[[ 0.4", "Tensor("),
    "14": ("**`a + delta`: no gradient (None)**",),  # asked is: why?
    "15": ("337 numbers", "**`model.trainable_variables[0]`: no gradient (None)**"),
    "16": ("the list", "our own explain", "after thirty steps"),
    "17": ("loss ", "along h it is 0:"),
}
NOTEBOOKS = [path for path in find(ROOT / "notebooks") if path.parent.name == "notebooks"]


def first_line(output):
    """What JupyterLab writes beside the dots of a folded output; "" if it writes nothing."""
    texts = [output.get("text", "")]
    texts += [output.get("data", {}).get(kind, "") for kind in SHOWN]
    text = next((one for one in texts if one), "")
    return next((line for line in text.split("\n") if line), "")


def folded(path):
    """The cells of a notebook that are stored with their outputs folded."""
    cells = nbformat.read(path, 4).cells
    return [cell for cell in cells if cell.metadata.get("jupyter", {}).get("outputs_hidden")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_line_beside_the_dots_gives_nothing_away(path):
    known = ALWAYS_HARMLESS + READ.get(path.name[:2], ())
    for cell in folded(path):
        line = first_line(cell.outputs[0]) if cell.outputs else ""
        assert not line or line.startswith(known), f"read it, and ask what it tells: {line!r}"


@pytest.mark.parametrize("number", READ)
def test_what_was_read_is_still_there(number):
    (path,) = [path for path in NOTEBOOKS if path.name.startswith(number)]
    lines = [first_line(cell.outputs[0]) for cell in folded(path) if cell.outputs]
    for known in READ[number]:
        assert any(line.startswith(known) for line in lines), known
