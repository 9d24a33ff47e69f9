"""Somebody else's notebooks: each hole is told in one sentence, with the file and the cell."""

import base64
import copy
import io
import ntpath
from types import SimpleNamespace

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import notebook_sentences
from autodiff_kit.course.validate import validate
from notebook_pictures import picture_difference
from run_notebooks import execute

PLOT = "figure, axes = plt.subplots(figsize=(2, 1))\naxes.plot({})\nprint('to 3')\nplt.show()"
CELLS = {
    "statistics": [
        "import math\nfrom IPython.display import display\nvalues = [3, 1, 2]",
        "print([math.sqrt(value) for value in sorted(values)])",
        "sum(values) / len(values)",
        "display({'text/plain': 'one'}, raw=True)\ndisplay({'text/plain': 'two'}, raw=True)",
    ],
    "plots": ["import matplotlib.pyplot as plt", PLOT.format([1, 2, 3])],
    "other": ["import matplotlib.pyplot as plt", PLOT.format([3, 1, 1, 0, 5, 0, 0, 9, 0])],
    "silent": ["import matplotlib.pyplot as plt", "plt.plot([1, 2])\nplt.show()"],
}


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """Sound notebooks, as JupyterLab saves them, which this course's own style does not allow."""
    made = {}
    for name, sources in CELLS.items():
        nb = new_notebook(cells=[new_markdown_cell("## no title"), *map(new_code_cell, sources)])
        execute(nb, tmp_path_factory.mktemp(name))
        nb.metadata["kernelspec"] = {"name": "their-env", "display_name": "x", "language": "python"}
        nb.metadata["language_info"] = {"name": "python", "version": "3.12.1"}
        made[name] = nb
    return made


def _cell(nb, number):
    return [cell for cell in nb.cells if cell.cell_type == "code"][number - 1]


def stripped(own):
    for cell in own["statistics"].cells[1:]:
        cell.outputs, cell.execution_count = [], None
    return own["statistics"]


def deleted(own):
    del own["statistics"].cells[2]
    return own["statistics"]


def deleted_and_needed(own):
    del own["statistics"].cells[1]
    return own["statistics"]


def other_order(own):
    _cell(own["statistics"], 4).outputs.reverse()
    return own["statistics"]


def other_number(own):
    output = _cell(own["statistics"], 2).outputs[0]
    output.text = output.text.replace("1.414", "1.415")
    return own["statistics"]


def output_gone(own):
    _cell(own["statistics"], 3).outputs = []
    return own["statistics"]


def wrong_number_and_link(own):
    own["statistics"].cells[0].source += " [next](not_there.ipynb)"
    return other_number(own)


def machine_path(own):
    cell = _cell(own["statistics"], 1)
    cell.source += "\nprint('/home/' + 'anna')"
    cell.outputs = [nbformat.v4.new_output("stream", text="/home/anna\n")]
    return own["statistics"]


def other_picture(own):
    _picture(own["plots"])["image/png"] = _picture(own["other"])["image/png"]
    return own["plots"]


def no_picture(own):
    _picture(own["plots"])["image/png"] = "iVBORw0KGgo="
    return own["plots"]


def no_text(own):
    return own["silent"]


def _picture(nb):
    return next(o.data for o in _cell(nb, 2).outputs if "image/png" in o.get("data", {}))


HOLES = {
    stripped: "was never run, or its outputs were stripped",
    deleted: "code cell 2: its stored count is 3, and a full run makes it 2. Was a cell deleted",
    deleted_and_needed: "code cell 1: it ends in an error: NameError: name '",
    other_order: "code cell 4: what it shows is not what is stored: the outputs are the same, but",
    other_number: "code cell 2: what it shows is not what is stored: output 1: stdout: stored num",
    output_gone: "code cell 3: what it shows is not what is stored: stored outputs: none; now: ex",
    wrong_number_and_link: "a link to not_there.ipynb, which is not there",
    machine_path: "code cell 1: its output holds a path or an address: '/home/'",
    other_picture: "code cell 2: what it shows is not what is stored: picture 1: the stored one is",
    no_picture: "code cell 2: what it shows is not what is stored: picture 1: what is stored canno",
    no_text: "code cell 2: a picture without a number in text beside it",
}


@pytest.fixture(scope="module")
def said(own, tmp_path_factory):
    """What is said of a folder in which each notebook has one hole, and one is no notebook."""
    folder = tmp_path_factory.mktemp("holes")
    for hole in HOLES:
        nbformat.write(hole(copy.deepcopy(own)), folder / f"{hole.__name__}.ipynb")
    (folder / "broken.ipynb").write_text("{")
    (folder / "old.ipynb").write_text('{"nbformat": 3, "worksheets": []}')
    return _validate(folder)


def _validate(folder):
    capture = pytest.MonkeyPatch()
    lines = []
    with capture.context() as patch:
        import subprocess

        def call(command, env):
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
            lines.extend(done.stdout.splitlines() + done.stderr.splitlines())
            return done.returncode

        patch.setattr(subprocess, "call", call)
        return validate(folder, []), lines


@pytest.mark.parametrize("hole", HOLES)
def test_each_hole_is_one_sentence_with_file_and_cell(hole, said):
    code, lines = said
    assert code == 1
    about = [one for one in lines if f"{hole.__name__}.ipynb: " in one and "note: " not in one]
    assert any(HOLES[hole] in line for line in about), about
    assert not any("Traceback" in line or "\x1b" in line for line in lines)


def test_what_matters_most_is_said_first(said):
    lines = said[1]
    changed, link = (
        [i for i, line in enumerate(lines) if f"wrong_number_and_link.ipynb: {words}" in line]
        for words in ("code cell 2: what it shows", "a link to not_there.ipynb")
    )
    notes = [i for i, line in enumerate(lines) if ".ipynb: note: " in line]
    faults = [i for i, line in enumerate(lines) if ".ipynb: " in line and i not in notes]
    assert len(changed) == len(link) == 1 and changed < link and notes
    assert max(faults) < min(notes)


def test_notebooks_may_lie_on_another_drive(monkeypatch):
    monkeypatch.setattr(notebook_sentences, "os", SimpleNamespace(path=ntpath))
    assert (
        notebook_sentences.seen_from("C:\\course", "C:\\course\\week1\\a.ipynb") == "week1\\a.ipynb"
    )
    assert notebook_sentences.seen_from("D:\\", "C:\\course\\a.ipynb") == "C:\\course\\a.ipynb"


def test_what_cannot_be_read_is_said_and_stops_nothing(said):
    for name in ("broken", "old"):
        assert any(f"{name}.ipynb: it cannot be read" in line for line in said[1])


def test_a_sound_folder_is_sound_whatever_its_style(own, tmp_path):
    for name in ("statistics", "plots"):
        nbformat.write(own[name], tmp_path / f"{name}.ipynb")
    code, lines = _validate(tmp_path)
    assert code == 0, lines
    assert any("note: its first heading" in line for line in lines)


def test_pictures_are_compared_from_far_away(own):
    plot, other = (_cell(own[name], 2).outputs for name in ("plots", "other"))
    assert picture_difference(plot, copy.deepcopy(plot)) is None
    assert "not the one" in picture_difference(plot, other)
    assert "2 pictures" in picture_difference([*plot, *plot], plot)


WHERE = np.linspace(0.0, 6.0, 100)
# Pairs of pictures in one frame.
PAIRS = {
    "sine and cosine": (
        lambda: plt.plot(WHERE, np.sin(WHERE)),
        lambda: plt.plot(WHERE, np.cos(WHERE)),
    ),
    "up and down": (lambda: plt.plot(WHERE, WHERE), lambda: plt.plot(WHERE, 6 - WHERE)),
    "bars": (lambda: plt.bar([1, 2, 3], [3, 1, 2]), lambda: plt.bar([1, 2, 3], [1, 3, 2])),
    "squares": (lambda: plt.imshow(np.eye(5)), lambda: plt.imshow(np.eye(5)[::-1])),
    "with a legend": (lambda: _legend("best", 1.0), lambda: _legend("best", 2.0)),
}


def _legend(place, much):
    plt.plot(WHERE, np.sin(much * WHERE), label="value")
    plt.plot(WHERE, np.cos(much * WHERE), label="gradient")
    plt.legend(loc=place)


def _drawn(draw, family, dpi):
    with plt.rc_context({"font.family": family, "backend": "Agg"}):
        figure = plt.figure(figsize=(5, 4))
        draw()
        plt.title("A title of some length")
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=dpi, bbox_inches="tight")
        plt.close(figure)
    return [{"data": {"image/png": base64.b64encode(file.getvalue()).decode()}}]


@pytest.mark.parametrize("pair", PAIRS)
def test_another_curve_is_seen_and_another_font_or_resolution_is_not(pair):
    one, other = PAIRS[pair]
    stored = _drawn(one, "DejaVu Sans", 100)
    for family, dpi in (("DejaVu Serif", 100), ("DejaVu Sans Mono", 100), ("DejaVu Sans", 200)):
        assert picture_difference(stored, _drawn(one, family, dpi)) is None
        assert "not the one" in picture_difference(stored, _drawn(other, family, dpi))


def test_a_legend_may_take_another_place():
    """Where there is most room depends on Matplotlib's version."""
    upper, lower = (
        _drawn(lambda at=at: _legend(at, 1.0), "DejaVu Sans", 100)
        for at in ("upper left", "lower right")
    )
    assert picture_difference(upper, lower) is None
