"""Whose each mark is, who is missing, and that no mark is lost: by Ctrl-C or by a second run."""

import csv
import os
import signal
import subprocess
import sys

import pytest

from autodiff_kit.course import feedback, grade, table
from autodiff_kit.course.grade import Mark
from autodiff_kit.course.gradebook import Gradebook
from autodiff_kit.course.handed_in import collect
from autodiff_kit.course.mark import alike, empty_handed, missing, twice
from autodiff_kit.course.places import Trouble
from autodiff_kit.exercises import DOTS
from course.classroom import hand_in, solved
from notebook_pytest import ROOT


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def verdicts(**said):
    return {
        number.replace("_", "."): {"right": " right" in text, "text": text}
        for number, text in said.items()
    }


@pytest.fixture
def no_kernel(monkeypatch):
    """Every notebook is graded at once, with one point of two."""

    def run_all(class_, *_):
        for name in class_.notebooks:
            said = verdicts(_02_1="02.1 right.", _02_2="02.2 not yet: why?")
            yield Mark(name, "02", 1, 2, {key[1:]: one for key, one in said.items()})

    monkeypatch.setattr(grade, "run_all", run_all)


def graded(folder, out, **options):
    assert grade.grade(folder, out, 1, 1, 1, **options) == 0
    return {row["file"]: row for row in rows(out)}


def test_who_hands_in_no_notebook_has_a_row(tmp_path, no_kernel):
    """Those are the ones whom one has to write to."""
    returned = tmp_path / "returned"
    for name in ("anna", "emil"):
        hand_in(returned, name, "02", "{}")
    for name, file in (("ben", "hw2.py"), ("carl", "hw.zip"), ("__MACOSX", "x"), (".git", "x")):
        (returned / name).mkdir()
        (returned / name / file).touch()
    (returned / "dora").mkdir()
    (returned / "ben" / ".DS_Store").touch()
    found = graded(returned, tmp_path / "t.csv")
    assert list(found) == ["anna/02_returned.ipynb", "ben/", "carl/", "dora/"] + [
        "emil/02_returned.ipynb"
    ]
    remark = "missing: no notebook in this folder; in it: "
    said = [found[f"{name}/"]["remarks"] for name in ("ben", "carl", "dora")]
    assert said == [remark + what for what in ("hw2.py", "hw.zip", "nothing")]


def test_flat_files_that_are_no_notebooks_have_a_row_too(tmp_path, no_kernel):
    (tmp_path / "anna_02.ipynb").write_text("{}")
    (tmp_path / "ben_hw.zip").touch()
    found = graded(tmp_path, tmp_path / "t.csv")
    assert found["ben_hw.zip"]["remarks"] == "missing: this is no notebook"
    again = graded(tmp_path, tmp_path / "t.csv")  # what the grader wrote is nobody's homework
    assert list(again) == list(found)


def test_what_lies_beside_a_missing_notebook_is_named(tmp_path):
    marks = [Mark(f"{name}/a.ipynb", "02") for name in ("anna", "ben")] + [
        Mark("eve/b.ipynb", "03")
    ]
    assert missing(marks, {"eve": ["02.zip"]})[0].remarks == [
        "missing: not returned (there is also 02.zip)"
    ]


def test_one_student_s_late_work_keeps_the_name(tmp_path, no_kernel):
    hand_in(tmp_path / "late", "anna", "02", "{}")
    (found,) = graded(tmp_path / "late", tmp_path / "t.csv").values()
    assert (found["student"], found["file"]) == ("anna", "anna/02_returned.ipynb")


def test_one_notebook_can_be_named(tmp_path, no_kernel):
    hand_in(tmp_path, "anna", "02", "{}")
    file = tmp_path / "anna" / "02_returned.ipynb"
    assert list(graded(file, tmp_path / "t.csv")) == ["02_returned.ipynb"]
    with pytest.raises(Trouble, match="There is no folder"):
        collect(tmp_path / "no.ipynb")


def test_a_table_that_was_there_is_kept_aside(tmp_path, no_kernel, capsys):
    hand_in(tmp_path / "r", "anna", "02", "{}")
    out = tmp_path / "t.csv"
    for edited in ("by hand", "again"):
        out.write_text(edited)
        graded(tmp_path / "r", out)
    assert (tmp_path / "t.csv.bak").read_text() == "by hand"
    assert (tmp_path / "t.csv.bak2").read_text() == "again"
    assert "a copy of it is t.csv.bak2" in capsys.readouterr().out


def test_late_work_is_added_and_what_a_person_wrote_stays(tmp_path, no_kernel):
    out = tmp_path / "t.csv"
    for name in ("anna", "emil", "=x"):
        hand_in(tmp_path / "r", name, "02", "{}")
    for name in ("ben", "carl"):
        (tmp_path / "r" / name).mkdir()
    graded(tmp_path / "r", out)
    head, before, _ = table.read(out)
    before[1]["points"] = "1,5"
    edited = [row | {"my note": "spoke with her"} for row in before]
    out.write_text("\ufeff" + table.as_csv([*head, "my note"], edited, ";"), "utf-8")
    hand_in(tmp_path / "late", "ben", "02", "{}")
    hand_in(tmp_path / "late", "=x", "02", "{}")  # of the same name as before
    assert grade.grade(tmp_path / "late", out, 1, 1, 1, append=True) == 0
    head, after, _ = table.read(out)
    assert "my note" in head and "ben/" not in [row["file"] for row in after]
    kept = [row for row in edited if row["file"] != "ben/"]
    assert [{key: row[key] for key in kept[0]} for row in after[:-1]] == kept
    assert after[-1]["file"] == "ben/02_returned.ipynb"
    totals = {row["student"]: row["points"] for row in rows(tmp_path / "t-students.csv")}
    assert totals == {"'=x": "1", "anna": "1.5", "ben": "1", "carl": "0", "emil": "1"}


def test_only_a_table_of_marks_is_appended_to(tmp_path):
    with pytest.raises(Trouble, match="no .* to append to"):
        Gradebook(tmp_path / "t.csv", append=True)
    (tmp_path / "t.csv").write_text("name,age\nanna,3\n")
    with pytest.raises(Trouble, match="it is no table of marks"):
        Gradebook(tmp_path / "t.csv", append=True)


def test_a_spreadsheet_s_2_is_notebook_02(tmp_path):
    (tmp_path / "t.csv").write_text("file,notebook,points,of\nanna/02.ipynb,2,1,2\n")
    (row,) = table.read(tmp_path / "t.csv")[1]
    assert (row["student"], row["notebook"]) == ("anna", "02")


def test_two_copies_are_remarked_and_the_better_one_counts():
    marks = [Mark("anna/02.ipynb", "02", 0, 2), Mark("anna/02-Copy1.ipynb", "02", 2, 2)]
    marks += [Mark("anna/03.ipynb", "03", 1, 3), Mark("ben/02.ipynb", "02", 1, 2)]
    twice(marks)
    assert marks[0].remarks == ["twice: notebook 02 is also 02-Copy1.ipynb"]
    assert marks[3].remarks == []
    totals = feedback.totals([table.row(mark) for mark in marks])
    assert totals[0] == {
        "student": "anna", "points": "3", "02 (of 2)": "2", "03 (of 3)": "1", "to look at": "2"
    }  # fmt: skip
    assert totals[1]["03 (of 3)"] == ""


def test_one_file_of_two_students_is_remarked_if_there_are_answers_in_it():
    files = {
        "anna/02.ipynb": b"1",
        "anna/old.ipynb": b"1",
        "ben/x.ipynb": b"1",
        "dora/02.ipynb": b"2",
    }
    untouched = {"carl/02.ipynb": b"3", "emil/02.ipynb": b"3"}
    marks = {name: Mark(name, "02", 1, 2) for name in files}
    for name in untouched:
        said = verdicts(a=f"02.1 not yet: {DOTS}")
        marks[name] = Mark(name, "02", 0, 2, said)
    alike(list(marks.values()), files | untouched)
    assert marks["ben/x.ipynb"].remarks == [
        "alike: to the byte the file of anna/02.ipynb, anna/old.ipynb"
    ]
    assert marks["anna/02.ipynb"].remarks == ["alike: to the byte the file of ben/x.ipynb"]
    assert not any(marks[name].remarks for name in ("dora/02.ipynb", *untouched))


def test_a_wrong_answer_may_be_copied_too():
    mark = Mark("anna/02.ipynb", "02", 0, 2, verdicts(a="02.1 not yet: the sum is not 3."))
    alike([mark], {"anna/02.ipynb": b"1", "ben/02.ipynb": b"1", "carl/02.ipynb": None})
    assert mark.remarks == ["alike: to the byte the file of ben/02.ipynb"]


def test_a_student_s_page_holds_only_what_is_meant_for_the_student():
    said = verdicts(a="a right. Good.", b="b not yet: <i>")
    mark = Mark("anna/02.ipynb", "02", 1, 2, said, ["look at: os"])
    silent = Mark("Anna/03.ipynb", "03", 0, 1, {"03.1": {"right": False, "text": ""}})
    letters = feedback.letters(
        [table.row(one) for one in (mark, silent, Mark("a:b/", remarks=["x"]))]
    )
    assert sorted(letters) == ["Anna.md", "a_b.md", "anna 2.md"]  # a system may not tell A from a
    page = letters["anna 2.md"]
    assert "look at" not in page and "- a right. Good." in page and "\\<i\\>" in page
    assert "- 03.1: no point." in letters["Anna.md"]


def test_a_page_does_not_tell_anybody_to_run_a_cell_again():
    text = f"02.1 not yet: {DOTS}"
    mark = Mark("anna/02.ipynb", "02", 0, 1, {"02.1": {"right": False, "text": text}})
    page = feedback.letters([table.row(mark)])["anna.md"]
    assert page.endswith("- 02.1 not yet: there is no answer yet.\n")


def test_who_is_known_from_the_table_is_not_empty_handed(tmp_path):
    (tmp_path / "ben").mkdir()
    assert [mark.name for mark in empty_handed(collect(tmp_path))] == ["ben/"]
    assert empty_handed(collect(tmp_path), frozenset({"ben"})) == []


# Python leaves Ctrl-C ignored where the tests themselves run in the background of a shell.
PROGRAM = """
import signal, sys
from pathlib import Path
from autodiff_kit.course.grade import grade
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(grade(Path("r"), Path("t.csv"), 60, 2000, 1))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing there")
def test_ctrl_c_ends_at_once_and_loses_no_mark(tmp_path):
    for name in ("anna", "ben", "carl", "dora"):
        hand_in(tmp_path / "r", name, "00", solved("00"))
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.PIPE, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert process.stdout.readline() == "4 notebooks to grade.\n"
    assert "[1/4] anna/00_returned.ipynb: 2 of 2" in process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal sends it: to all of the group
    shown, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in said
    assert "--append goes on from here" in said
    done = rows(tmp_path / "t.csv")
    assert 1 <= len(done) < 4 and all(row["points"] == "2" for row in done)
    made = {"r", "t.csv", "t.md", "t-students.csv", "t-feedback"}
    assert {path.name for path in tmp_path.iterdir()} == made  # no worker's folder stays


def test_a_closed_folder_is_not_taken_for_an_empty_one(tmp_path):
    hand_in(tmp_path, "anna", "02", "{}")
    folders = [tmp_path, tmp_path / "ben", tmp_path / "carl" / "hw"]
    for one in reversed(folders[1:]):
        one.mkdir(parents=True)
        one.chmod(0)
    try:
        if os.access(folders[1], os.R_OK):
            pytest.skip("nothing is closed to this user")
        remarks = [mark.remarks[0] for mark in empty_handed(collect(tmp_path))]
        assert [text.rpartition("in it: ")[2] for text in remarks] == [
            "ben (cannot be read)",
            "hw, hw (cannot be read)",
        ]
        tmp_path.chmod(0o300)
        with pytest.raises(Trouble, match="cannot be read: it is closed to you"):
            collect(tmp_path)
    finally:
        for one in folders:
            one.chmod(0o700)
