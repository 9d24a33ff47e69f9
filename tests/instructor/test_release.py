"""The students' release: no solutions, nbgrader's notes, and as valid as the notebooks it is from."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autodiff_kit.course.places import Trouble
from autodiff_kit.exercises import verdict
from autodiff_kit.instructor.__main__ import main
from autodiff_kit.instructor.links import without_absent
from autodiff_kit.instructor.marks import mark_answer, mark_check
from autodiff_kit.instructor.release import release, student_version
from autodiff_kit.instructor.stubs import read, stub
from notebook_files import problems
from notebook_pytest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "notebooks" / "solutions").glob("*.ipynb"))


def code_of(path):
    return [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    release(folder)
    return folder


def test_every_notebook_is_released_and_no_solution(released):
    assert [path.name for path in sorted(released.iterdir())] == [path.name for path in NOTEBOOKS]


@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS])
def test_a_released_notebook_is_complete_and_says_nothing_of_solutions(released, name):
    assert problems(released / name) == []
    assert "solutions/" not in (released / name).read_text("utf-8")


@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS])
def test_each_exercise_has_an_answer_with_dots_and_a_locked_check(released, name):
    cells = code_of(released / name)
    numbers = [
        c.number
        for c in map(read, (cell.source for cell in code_of(ROOT / "notebooks" / name)))
        if c
    ]
    assert len(numbers) >= 2
    for number in numbers:
        kind, at = number.replace(".", "-"), 0
        marks = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in cells]
        at = marks.index(f"answer-{kind}")
        answer, check = cells[at : at + 2]
        assert answer.metadata.nbgrader.solution and "editable" not in answer.metadata
        assert check.metadata.nbgrader.grade_id == f"check-{kind}"
        assert check.metadata.nbgrader.locked and check.metadata.editable is False
        assert f'check("{number}", ' in check.source
        assert "replace the dots" in check.outputs[0].text
        assert check.outputs[1].data["text/plain"] == "0.0"


def test_all_other_cells_are_as_they_were(released):
    for path in NOTEBOOKS:
        new = {cell.id: cell for cell in nbformat.read(released / path.name, 4).cells}
        for cell in nbformat.read(path, 4).cells:
            if "solutions/" not in cell.source and read(cell.source) is None:
                assert new[cell.id].source == cell.source
                assert [o.get("text") for o in new[cell.id].get("outputs", [])] == [
                    o.get("text") for o in cell.get("outputs", [])
                ]


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem[:2])
def test_nothing_is_left_of_a_solution(path):
    names = {}
    for cell in code_of(path):
        exercise = read(cell.source)
        if exercise:
            exec(stub(exercise.answer, exercise.name), names)
            text = verdict(exercise.number, names[exercise.name]).text
            assert "replace the dots" in text
        exec(cell.source, names)  # what follows may use the solution


@pytest.mark.parametrize(
    "answer, left",
    [
        ("answer = 3", "answer = ..."),
        ('answer = {"a": 1, "b": None}', 'answer = {"a": ..., "b": ...}'),
        ("answer = [1, 2]", "answer = [..., ...]"),
        ("answer = ...  # a number", "answer = ...  # a number"),
        ("seed = 1\nanswer = seed + 2", "seed = 1\nanswer = ..."),
        ("### BEGIN SOLUTION\nanswer = 3\n### END SOLUTION", "answer = ..."),
    ],
)
def test_a_value_becomes_dots(answer, left):
    assert stub(answer, "answer") == left


@pytest.mark.parametrize(
    "answer, left",
    [
        ("def f(x):\n    # twice\n    return 2 * x", "def f(x):\n    return ..."),
        (
            'def f(x):\n    """Twice."""\n    return 2 * x',
            'def f(x):\n    """Twice."""\n    return ...',
        ),
        ("@d\ndef f(\n    x,\n):\n    return x", "@d\ndef f(\n    x,\n):\n    return ..."),
        ("def f(x): return x", "def f(x):\n    return ..."),
        ("def f(x):\n    y = ...\n    return y", "def f(x):\n    y = ...\n    return y"),
    ],
)
def test_a_function_keeps_its_head(answer, left):
    assert stub(answer, "f") == left


def test_nbgrader_would_note_the_same():
    answer, check = new_code_cell("answer = ..."), new_code_cell('check("02.1", answer)')
    mark_answer(answer, "02.1")
    mark_check(check, "02.1")
    # Computed by nbgrader 0.9.6 for these cells.
    assert answer.metadata.nbgrader["checksum"] == "cb225a75e4d27b440e6a99fa5f53fa9e"
    assert check.metadata.nbgrader["checksum"] == "bf97c19219f8dafd9cc5c4951e10f272"


def one_notebook(folder, *sources):
    nb = new_notebook(cells=[new_markdown_cell("# Title"), *map(new_code_cell, sources)])
    folder.mkdir(exist_ok=True)
    nbformat.write(nb, folder / "20_mine.ipynb")
    return folder


def test_what_was_made_in_a_folder_is_never_written_over(tmp_path, capsys):
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "mine.txt").write_text("work")
    assert main(["release", str(tmp_path / "new")]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["mine.txt"]


def test_troubles_are_sentences_and_nothing_is_written(tmp_path):
    for sources, words in (
        (['a = 1\ncheck("02.1", a)', 'b = 1\ncheck("02.1", b)'], "checks 02.1 twice"),
        (['check("02.1", 1 + 2)'], "may leave a solution in"),
        ([], "words that are not known"),
    ):
        folder = one_notebook(tmp_path / "source", *sources)
        if not sources:
            nb = nbformat.read(folder / "20_mine.ipynb", 4)
            nb.cells.append(new_markdown_cell("See [here](solutions/20_mine.ipynb)!"))
            nbformat.write(nb, folder / "20_mine.ipynb")
        with pytest.raises(Trouble, match=words):
            release(tmp_path / "out", folder)
        assert not (tmp_path / "out").exists()
    (folder / "20_mine.ipynb").write_text("{}")
    with pytest.raises(Trouble, match="cannot be read as a notebook"):
        release(tmp_path / "out", folder)
    with pytest.raises(Trouble, match="no notebook"):
        release(tmp_path / "out", tmp_path / "nowhere")


def runnable(folder, answer):
    """A small notebook as it is stored after a run, whose exercise is answered."""
    sources = ("from autodiff_kit.exercises import check\n\nprint(1)", answer)
    path = one_notebook(folder, *sources) / "20_mine.ipynb"
    nb = nbformat.read(path, 4)
    nb.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nb.cells[1].outputs = [new_output("stream", name="stdout", text="1\n")]
    nbformat.write(nb, path)
    return folder


def test_a_release_is_run_and_found_good(tmp_path, capfd):
    source = runnable(tmp_path / "source", 'answer = 13.0\ncheck("00.1", answer)')
    assert main(["release", str(tmp_path / "out"), "--source", str(source)]) == 0
    assert "is ready for students" in capfd.readouterr().out


def test_a_release_whose_exercise_is_still_answered_is_found_bad(tmp_path, capfd):
    source = runnable(tmp_path / "source", 'answer = 13.0 if ... else 0\ncheck("00.1", answer)')
    assert main(["release", str(tmp_path / "out"), "--source", str(source)]) == 1
    assert "not fit for students" in capfd.readouterr().out


def test_an_exercise_that_nobody_could_solve_is_refused_before_anything_is_written(
    tmp_path, capsys
):
    """An unknown number, or an answer that its own check does not accept."""
    for answer, words in (
        ('answer = 4\ncheck("20.1", answer)', "knows no exercise 20.1"),
        (
            'answer = 4\ncheck("00.1", answer)',
            "the answer to 00.1 that stands in it is to be taken",
        ),
        ('answer = x\ncheck("00.1", answer)', "NameError: name 'answer' is not defined"),
    ):
        source = runnable(tmp_path / "source", answer)
        assert main(["release", str(tmp_path / "out"), "--source", str(source)]) == 2
        assert words in capsys.readouterr().err
        assert not (tmp_path / "out").exists()


def test_a_right_answer_inside_marks_is_found_right(tmp_path):
    answer = '### BEGIN SOLUTION\nanswer = 13\n### END SOLUTION\ncheck("00.1", answer)'
    source = runnable(tmp_path / "source", answer)
    release(tmp_path / "out", source)
    assert "13" not in [c.source for c in code_of(tmp_path / "out" / "20_mine.ipynb")][1]


def test_what_was_not_run_is_not_called_ready(tmp_path, capfd):
    source = runnable(tmp_path / "source", 'answer = 13.0\ncheck("00.1", answer)')
    assert main(["release", str(tmp_path / "out"), "--source", str(source), "--no-run"]) == 0
    shown = capfd.readouterr().out
    assert "were not run" in shown and "is ready" not in shown


def test_a_part_is_released_and_links_to_the_rest_are_plain_text(tmp_path, capfd):
    assert main(["release", str(tmp_path / "out"), "--only", "00", "01", "--no-run"]) == 0
    shown = capfd.readouterr().out
    assert "not in this release: links to 16 notebooks" in shown and "fit for" not in shown
    assert [path.name[:2] for path in sorted((tmp_path / "out").iterdir())] == ["00", "01"]
    assert problems(tmp_path / "out" / "00_start_here.ipynb") == []
    text = nbformat.read(tmp_path / "out" / "00_start_here.ipynb", 4)
    prose = "\n".join(cell.source for cell in text.cells)
    assert "](01_tape_and_persistent_tape.ipynb)" in prose and "](02" not in prose
    with pytest.raises(Trouble, match="No notebook begins with '77'; there are 00, 01"):
        release(tmp_path / "other", only=["77"])


def test_only_links_to_notebooks_that_are_not_there_go():
    cell = new_markdown_cell(
        "[a b](x%20y.ipynb#part) [c](z.ipynb) ![p](q.png) [w](https://h/z.ipynb)"
    )
    assert without_absent(cell, ["z.ipynb"]) == {"x y.ipynb"}
    assert cell.source == "a b [c](z.ipynb) ![p](q.png) [w](https://h/z.ipynb)"


def test_where_the_answer_is_another_cell_the_words_say_so(released):
    """Done to the letter, "run this cell again" would say the same for ever."""
    text = (released / "00_start_here.ipynb").read_text("utf-8")
    assert "run this cell again" not in text and "and run the cell. The check" not in text
    assert "run that cell, and then the locked one" in text
    assert "in the cell above with your answer, run that cell, then this one" in text


def test_student_version_counts_its_cells_again():
    nb = new_notebook(cells=[new_code_cell("x = 1"), new_code_cell('a = 3\ncheck("02.1", a)')])
    nb, numbers = student_version(nb, "one.ipynb")
    assert numbers == ["02.1"]
    assert [cell.execution_count for cell in nb.cells] == [1, 2, 3]
