"""The instructor's guide: its answers are what the engine says, its minutes those of the notebooks."""

import doctest
import re
from fnmatch import fnmatch

from notebook_pytest import ROOT
from stated_times import in_a_table, stated

GUIDE = ROOT / "docs" / "instructor-guide.md"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_the_answers_of_the_exam_are_the_engines():
    # A fence is no output: doctest must not read it as one.
    text = GUIDE.read_text("utf-8").replace("```", "")
    test = doctest.DocTestParser().get_doctest(text, {}, GUIDE.name, str(GUIDE), 0)
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert result.attempted > 20
    assert result.failed == 0


def test_every_notebook_stands_in_the_guide_with_its_minutes():
    rows = dict(re.findall(r"^\| (\d\d) [^|]+ \| ([\d +]+) \|", GUIDE.read_text("utf-8"), re.M))
    assert rows == {path.name[:2]: in_a_table(path) for path in NOTEBOOKS}


def test_the_plans_add_up():
    times = {path.name[:2]: stated(path)[0] for path in NOTEBOOKS}
    for plan, total in re.findall(
        r"^\| [^|]+ \| ([\d–, ·]+) \| ([\d, ]+) min", GUIDE.read_text("utf-8"), re.M
    ):
        sums = []
        for session in plan.split("·"):
            session = re.sub(
                r"(\d\d)–(\d\d)",
                lambda m: ",".join(f"{n:02}" for n in range(int(m[1]), int(m[2]) + 1)),
                session,
            )
            sums.append(sum(times[n] for n in re.findall(r"\d\d", session)))
        assert [int(n) for n in total.split(",")] == sums, plan


def test_git_knows_the_folders_that_the_documents_make_and_hand_in():
    """They are a class' and not the repository's; an instructor's own notebooks are not among them."""
    lines = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    ignored = [line.strip("/") for line in lines if line.startswith("/") and line.endswith("/")]
    command = re.compile(r"autodiff-kit (?:release|lab|grade) ([\w-]+)")
    texts = [path.read_text("utf-8") for path in (ROOT / "README.md", *ROOT.glob("docs/*.md"))]
    folders = {name for text in texts for name in command.findall(text) if name[0] != "-"}
    assert {"week1", "autodiff", "returned"} <= folders
    for name in folders:
        assert any(fnmatch(name, pattern) for pattern in ignored), f"{name} is not in .gitignore"
    assert not any(fnmatch("my_notebooks", pattern) for pattern in ignored)
