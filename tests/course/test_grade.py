"""Grading: honest work gets its points, and hostile notebooks get none and hurt nobody."""

import copy
import csv
import json
import os
import subprocess
import sys

import pytest

from autodiff_kit.course.confined import lock_in
from autodiff_kit.course.doubt import doubts
from autodiff_kit.course.grade import Mark, grade, missing
from autodiff_kit.course.gradebook import Gradebook
from autodiff_kit.course.places import Trouble
from autodiff_kit.course.returned import code_cells, compare, course, exercises, read, source, which
from autodiff_kit.course.witness import ask, fingerprints, judge
from autodiff_kit.exercises import find
from course.classroom import HOSTILE, SAFE_ON_EVERY_SYSTEM, hand_in, hostile, solved
from course.honest import cells_added, copied_below, honest, other_kinds, talkative, without_ids
from course.malice import MALICE, odd_files
from notebook_pytest import ROOT

LANDLOCK = sys.platform == "linux" and (
    __import__("ctypes").CDLL(None).syscall(444, None, 0, 1) >= 6
)
KINDS = sorted(HOSTILE if LANDLOCK else SAFE_ON_EVERY_SYSTEM)
# One of each family; all of them: python tests/course/classroom.py FOLDER 200
IN_CI = {"fork-bomb", "writes-outside", "kills-all", "patched-same", "no-json", "deleted-cells"}
IN_CI &= set(KINDS)
BRIGHT = [
    "forges-the-reply",
    "forges-in-a-magic",
    "forges-unread",
    "forges-in-a-line",
    "copies-the-reference",
    "deep-answer",
    "odd-error",
]
BRIGHT += ["plants-modules", "shadows", "modes", "deep-folders"] if LANDLOCK else []
HONEST = (cells_added, copied_below, other_kinds, talkative, without_ids)


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    """The table of a small class with hostile notebooks in it."""
    folder = tmp_path_factory.mktemp("class")
    for kind in IN_CI:
        hostile(folder / "returned", kind, "00")
    for kind in BRIGHT:
        made = MALICE[kind][0](copy.deepcopy(course()["00"]))
        text = json.dumps(made).replace("{folder}", str(folder / "returned"))
        hand_in(folder / "returned", kind, "00", text)
    for kind in HONEST:
        hand_in(folder / "returned", kind.__name__, "00", honest(kind, "00")[0])
    if sys.platform != "win32":
        odd_files(folder / "returned")
    for student, leave_out in (("all", 0), ("half", 1)):
        hand_in(folder / "returned", student, "00", solved("00", leave_out))
    modes = {path: path.lstat().st_mode for path in (folder / "returned").rglob("*")}
    before = {path: path.read_bytes() for path in (folder / "returned").rglob("00_*.ipynb")}
    assert grade(folder / "returned", folder / "t.csv", 60, 2000, 2) == 0
    assert {path: path.read_bytes() for path in before} == before
    assert {path: path.lstat().st_mode for path in modes} == modes
    made = ["returned", "t-feedback", "t-students.csv", "t.csv", "t.md"]
    assert sorted(path.name for path in folder.iterdir()) == made
    with (folder / "t.csv").open(encoding="utf-8", newline="") as file:
        return {row["file"].split("/")[0]: row for row in csv.DictReader(file)}


def test_honest_work_gets_its_points(marks):
    assert (marks["all"]["points"], marks["all"]["of"]) == ("2", "2")
    # In this class somebody else has the very same file, which is remarked and costs nothing.
    same = "alike: to the byte the file of other_kinds/00_returned.ipynb"
    assert (marks["all"]["remarks"], marks["half"]["remarks"]) == (same, "")
    half = marks["half"]
    assert (half["points"], half["right"], half["not yet"]) == ("1", "00.1", "00.2")


@pytest.mark.parametrize("kind", sorted(IN_CI))
def test_hostile_work_gets_none_and_is_reported(kind, marks):
    assert marks[kind]["points"] == "0"
    assert marks[kind]["remarks"] and HOSTILE[kind][1] in marks[kind]["remarks"]


@pytest.mark.parametrize("kind", BRIGHT)
def test_a_deception_gets_no_point_and_is_reported(kind, marks):
    assert marks[kind]["points"] == "0"
    assert marks[kind]["remarks"] and MALICE[kind][1] in marks[kind]["remarks"]


@pytest.mark.parametrize("kind", HONEST)
def test_what_else_is_done_to_a_notebook_costs_no_point(kind, marks):
    assert set(marks[kind.__name__]["right"].split()) == honest(kind, "00")[1]


@pytest.mark.skipif(sys.platform == "win32", reason="no such files")
def test_odd_files_stop_nothing(marks):
    assert marks["odd-files"]["points"] == "0" and marks["odd-files"]["remarks"].startswith(
        "broken"
    )


@pytest.mark.parametrize(
    "source",
    [
        "answer = 4.0",
        "vars = [v, w]\nanswer = tape.gradient(y, vars)",
        "def slope(x):\n    vars = [x]\n    return ad.identity(vars[0])",
        "%%time\nimport math\nanswer = math.sqrt(2.0)",
        "ad.constant?\n?ad.Variable\n  ad.explain??\nanswer = 2.0",
        "%timeit -n 10 -r3 f(2.0)\ny = %time g(x)\n%precision 3\n%matplotlib inline",
        "%config InlineBackend.figure_formats = {'svg', 'png'}",
        "%%capture out --no-stderr\nanswer = 4.0",
        "import warnings\nimport numpy as np\nfrom functools import partial\nlayer.trainable = False",
        "class Layer:\n    def __init__(self):\n        super().__init__()\n        self.w = 1",
        "print('abc'.find('b'), f'{x:.3f}', [a for a in range(3)])",
        "def broken(:",
        "answer = = 2",
        "answer 2\nx = 1",
        "",
    ],
)
def test_an_ordinary_cell_is_not_doubted(source):
    assert doubts(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "import os", "import numpy.ctypeslib", "from numpy import ctypeslib", "np.os.fork()",
        "from autodiff_kit.exercises import n02", "import autodiff_kit.exercises.n02 as n",
        "from autodiff_kit import exercises", "ad.exercises", "from autodiff_kit.course import *",
        "np.allclose = f", "for np.allclose in [f]: pass", "del np.allclose",
        "class A:\n    def f(self): self.allclose = g", "class A:\n    vars(ad)\n    vars = 1",
        "if False: vars = 1\nvars(ad)", "f = vars", "del vars", "x = vars(ad); vars = 1",
        "def f():\n    vars = 1\nvars(ad)", "getattr(ad, 'exer' + 'cises')", "eval('1')",
        "f.__globals__", "type('A', (), {'__eq__': f})", "%run x.py", "get_ipython()",
        "e.__traceback__.tb_frame", "random._os", "class A:\n    def f(self): return self._os",
        "import functools\nfunctools.update_wrapper(np, f)", "x = !ls", "%%bash\nls",
        "match ad:\n    case object(exercises=e): pass",
        "match check:\n    case object(__globals__=g): pass",
        "import string\nstring.Formatter().get_field('0.exercises', [ad], {})",
        "import typing\ntyping.get_type_hints(f)", "import enum\nenum.global_enum(E)",
        "from functools import singledispatch", "np.testing.runstring(text, {})",
        "np.savetxt('fractions.py', lines)", "from types import LambdaType",
        "%time import os", "%timeit -n1 -r1 exec(text)", "%%timeit import os\npass",
        "%%time\nimport os", "%%capture\nimport os", "x = %time open('x')", "%timeit -v x open('x')",
        "%config InlineBackend.rc = exec(text)", "%config Application.x = exec(text)",
        "%matplotlib module://x", "import os\nx = \"\"\"\n%time \"\"\"", "import os\n# \udc80",
        "%time %time import os", "get_ipython().run_line_magic('run', 'x.py')", "%time )\n",
        "ad.namespace.import_module('code')", "from autodiff_kit.namespace import import_module",
        "ad.ops.casting.attrgetter('f_back')", "import enum\nenum.bltns", "ad.cli.main(['start'])",
        "import typing\ntyping.ForwardRef(text).evaluate()", "ad.readers.mending.safe",
        "from matplotlib.sphinxext import plot_directive", "time exec(text)", "\ntime'x'", "run x.py",
        "try: 1\nexcept E as vars: pass", "__builtins__", "-" * 100_000 + "1",
    ],
)  # fmt: skip
def test_what_reaches_behind_a_name_is_doubted(source):
    assert doubts(source)


def test_every_notebook_of_the_course_has_solutions_that_are_understood():
    for number, notebook in course().items():
        found = compare(solved(number), number, notebook)
        assert found.answers.keys() == exercises(notebook).keys()
        assert all(found.answers.values()) and not found.remarks and not found.doubtful


def test_another_editor_s_line_ends_and_lost_ids_are_no_remark():
    for number, own in course().items():
        other = solved(number)
        for cell in other["cells"]:
            cell["source"] = source(cell).replace("\n", "\r\n")
            del cell["id"]
        found = compare(other, number, own)
        assert all(found.answers.values()) and not found.remarks and not found.doubtful


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_what_an_editor_puts_in_front_of_a_file_costs_nothing(encoding):
    text = json.dumps(solved("00"), ensure_ascii=False)
    assert read(text.encode(encoding)) == read(text.encode())


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
        {"prints": {"autodiff_kit.exercises": {"check": "0"}}},
        {"prints": {"autodiff_kit.exercises": {"check": ""}}},
        {"prints": {"autodiff_kit.no_such_module": {}}},
    ):
        right, _, trouble = judge(honest | lie, order, "w")
        assert not right and trouble
    assert judge(None, order, "w")[0] is False


def test_an_answer_that_raises_or_never_ends_is_told_so():
    def told(how: str) -> str:
        return judge({"word": "w", "failed": how}, [-1], "w")[1]

    assert "a loop in it that never ends" in told("KeyboardInterrupt: ")
    assert told("NameError: x").endswith("could not be looked at: NameError: x")


RUN = """
import contextlib, json, sys, warnings
from autodiff_kit.course.witness import fingerprints
warnings.simplefilter("ignore")
space = {"__name__": "__main__"}
with contextlib.redirect_stdout(None):
    for source in json.loads(sys.stdin.read()):
        with contextlib.suppress(Exception):
            exec(source, space)
print(json.dumps(fingerprints()))
"""
JUDGE = """
import json, sys
from autodiff_kit.course.witness import judge
prints = json.loads(sys.stdin.read())
print(judge({"word": "", "prints": prints, "said": [[True, ""]]}, [-1], ""))
"""


@pytest.mark.parametrize("number", ["07", "09", "10"])
def test_what_the_kit_loads_and_keeps_while_it_is_used_is_no_patch(number):
    text = json.dumps([source(cell) for cell in code_cells(solved(number))])
    for program in (RUN, JUDGE):  # in processes that have loaded nothing else
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", program], input=text, env=environment,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        text = done.stdout
    assert text.strip() == "(True, '', '')"


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
    Gradebook(tmp_path / "t.csv").finish([mark])
    for name in ("t.csv", "t-students.csv"):
        with (tmp_path / name).open(newline="") as file:
            for row in csv.DictReader(file):
                assert not any(cell[:1] in "=+-@" for cell in row.values() if cell), row
    assert ",'=cmd|x.ipynb," in (tmp_path / "t.csv").read_text()
    pages = [tmp_path / "t.md", *(tmp_path / "t-feedback").iterdir()]
    assert len(pages) == 2
    for page in pages:
        assert "<b>" not in page.read_text().replace("\\<b\\>", "")


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
