"""Grading: honest work gets its points, and hostile notebooks get none and hurt nobody."""

import csv
import sys

import pytest

from autodiff_kit.course import table
from autodiff_kit.course.confined import lock_in
from autodiff_kit.course.grade import Mark, grade, missing
from autodiff_kit.course.places import Trouble
from autodiff_kit.course.returned import compare, course, exercises, read, which
from autodiff_kit.course.witness import ask, fingerprints, judge
from autodiff_kit.exercises import find
from course.classroom import HOSTILE, SAFE_ON_EVERY_SYSTEM, hand_in, hostile, solved

LANDLOCK = sys.platform == "linux" and (
    __import__("ctypes").CDLL(None).syscall(444, None, 0, 1) >= 6
)
KINDS = sorted(HOSTILE if LANDLOCK else SAFE_ON_EVERY_SYSTEM)
# One of each family; all of them: python tests/course/classroom.py FOLDER 200
IN_CI = {"fork-bomb", "writes-outside", "kills-all", "patched-same", "no-json", "deleted-cells"}
IN_CI &= set(KINDS)


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    """The table of a small class with hostile notebooks in it."""
    folder = tmp_path_factory.mktemp("class")
    for kind in IN_CI:
        hostile(folder / "returned", kind, "00")
    for student, leave_out in (("all", 0), ("half", 1)):
        hand_in(folder / "returned", student, "00", solved("00", leave_out))
    before = {path: path.read_bytes() for path in (folder / "returned").rglob("*.ipynb")}
    assert grade(folder / "returned", folder / "t.csv", 60, 2000, 2) == 0
    assert {path: path.read_bytes() for path in before} == before
    assert sorted(path.name for path in folder.iterdir()) == ["returned", "t.csv", "t.md"]
    with (folder / "t.csv").open(encoding="utf-8", newline="") as file:
        return {row["file"].split("/")[0]: row for row in csv.DictReader(file)}


def test_honest_work_gets_its_points(marks):
    assert (marks["all"]["points"], marks["all"]["of"], marks["all"]["remarks"]) == ("2", "2", "")
    half = marks["half"]
    assert (half["points"], half["right"], half["not yet"]) == ("1", "00.1", "00.2")


@pytest.mark.parametrize("kind", sorted(IN_CI))
def test_hostile_work_gets_none_and_is_reported(kind, marks):
    assert marks[kind]["points"] == "0"
    assert marks[kind]["remarks"] and HOSTILE[kind][1] in marks[kind]["remarks"]


def test_every_notebook_of_the_course_has_solutions_that_are_understood():
    for number, notebook in course().items():
        found = compare(solved(number), number, notebook)
        assert found.answers.keys() == exercises(notebook).keys()
        assert None not in found.answers.values() and not found.remarks


def test_a_copy_is_known_by_its_cells_and_else_by_its_name():
    known = course()
    assert which(known["02"], "my homework.ipynb", known) == "02"
    strange = {"cells": [{"cell_type": "code", "source": "1", "id": "x"}]}
    assert which(strange, "anna_02_cases.ipynb", known) == "02"
    with pytest.raises(Trouble, match="no notebook of this course"):
        which(strange, "homework.ipynb", known)


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b'{"cells": 3}', b"[" * 100_000])
def test_what_is_no_notebook_is_said(data):
    with pytest.raises(Trouble, match=r"cannot be read|no code cell"):
        read(data)


def test_a_reply_is_not_believed():
    order = [1, -1, 0]
    honest = {"word": "w", "prints": fingerprints(), "said": [[False, ""], [True, "r"], [True, ""]]}
    assert judge(honest, order, "w") == (True, "r", "")
    for lie in (
        {"word": "other"},
        {"said": [[True, ""]] * 3},
        {"said": [[False, ""]] * 3},
        {"said": []},
        {"copied": True},
        {"prints": {"autodiff_kit.exercises": "0"}},
        {"prints": {"autodiff_kit.no_such_module": "0"}},
    ):
        right, _, trouble = judge(honest | lie, order, "w")
        assert not right and trouble
    assert judge(None, order, "w")[0] is False


def test_the_graders_own_answer_is_no_answer_and_a_number_has_no_owner():
    for notebook in course().values():
        for number in exercises(notebook):
            own = find(number).reference
            taken = ask(number, [-1], lambda own=own: own)["copied"]
            mine = getattr(own, "__module__", "").startswith("autodiff_kit.exercises")
            assert taken == (mine or isinstance(own, (dict, list, set)))


def test_nothing_in_the_table_acts(tmp_path):
    mark = Mark(
        "=cmd|x.ipynb", exercises={"1": {"right": False, "text": "<b>|\n=1"}}, remarks=["-1"]
    )
    table.write(tmp_path / "t.csv", [mark])
    assert (tmp_path / "t.csv").read_text().splitlines()[1].startswith("'=cmd|x.ipynb,")
    assert "<b>" not in (tmp_path / "t.md").read_text().replace("\\<b\\>", "")


def test_what_is_not_returned_is_a_row():
    marks = [Mark(f"{name}/a.ipynb", "02") for name in ("anna", "ben")] + [
        Mark("eve/b.ipynb", "03")
    ]
    assert [(mark.name, mark.number) for mark in missing(marks)] == [("eve/", "02")]


def test_what_cannot_be_graded_is_said_first(tmp_path):
    with pytest.raises(Trouble, match="There is no folder"):
        grade(tmp_path / "no", tmp_path / "t.csv", 1, 1, 1)
    with pytest.raises(Trouble, match="There is no notebook"):
        grade(tmp_path, tmp_path / "t.csv", 1, 1, 1)
    hand_in(tmp_path, "anna", "02", "{}")
    with pytest.raises(Trouble, match="cannot be written"):
        grade(tmp_path, tmp_path / "no" / "t.csv", 1, 1, 1)


def test_landlock_is_for_linux_only(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert lock_in("/") is False
