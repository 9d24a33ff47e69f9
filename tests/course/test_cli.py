"""The command autodiff-kit, as it is typed."""

import os
import subprocess
import sys

import pytest

from autodiff_kit import cli
from autodiff_kit.course import environment, lab
from autodiff_kit.course.places import Trouble, need
from autodiff_kit.course.validate import validate
from notebook_pytest import ROOT


def typed(*arguments, **options):
    command = [sys.executable, "-m", "autodiff_kit.cli", *map(str, arguments)]
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}, **options
    )


def test_help_names_each_command(capsys):
    assert cli.main([]) == 0
    shown = capsys.readouterr().out
    for name in ("lab", "start", "check", "validate", "release"):
        assert f"    {name} " in shown


def test_start_makes_the_folder_where_one_is(tmp_path):
    done = typed("start", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / cli.FOLDER / "00_start_here.ipynb").exists()
    assert typed("start", cwd=tmp_path).stdout.endswith(f"already in {cli.FOLDER}\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["start", "file.txt"], "is a file. Name a folder"),
        (["start", "new", "--renew", "77"], "No notebook begins with '77'"),
        (["validate", "nowhere"], "There is no folder nowhere."),
        (["validate", "."], "There is no notebook in ."),
        (["start", "new", "--no-browser"], "come after --"),
        (["cook"], "invalid choice: 'cook'"),
    ],
)
def test_errors_are_plain_sentences(arguments, words, tmp_path):
    (tmp_path / "file.txt").touch()
    done = typed(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr and "Traceback" not in done.stderr


def test_the_environment_of_the_tests_can_run_the_notebooks(monkeypatch):
    lines = dict(reversed(pair) for pair in environment.check())
    found = {line: well for line, well in lines.items() if "jupyterlab" not in line}
    assert all(found.values()), found
    monkeypatch.setitem(environment.NEEDED, "numpy", (99, 0))
    assert any(not well and "too old" in line for well, line in environment.check())


def test_what_is_missing_is_said_with_the_remedy():
    with pytest.raises(Trouble, match=r'no_such_module is needed .* install "autodiff_kit\[lab\]"'):
        need("lab", "no_such_module", "sys")


def test_jupyterlab_is_started_in_the_folder(tmp_path, monkeypatch):
    (tmp_path / lab.FIRST).touch()
    started = []

    class Process:
        def __init__(self, command, cwd):
            started.append((command, cwd))

        def wait(self):
            return 0

    monkeypatch.setattr(subprocess, "Popen", Process)
    monkeypatch.setattr(lab, "need", lambda *_: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert lab.open_lab(tmp_path, ["--no-browser"]) == 0
    expected = ["-m", "jupyterlab", lab.FIRST, "--no-browser", "--allow-root"]
    assert started == [([sys.executable, *expected], tmp_path)]


def test_notebooks_of_somebody_else_are_validated_where_they_are(tmp_path, capfd):
    (tmp_path / "conftest.py").write_text("raise SystemExit('not mine')")
    good = (ROOT / "notebooks" / "00_start_here.ipynb").read_text("utf-8")
    (tmp_path / "solutions").mkdir()
    for path in (ROOT / "notebooks").rglob("*.ipynb"):  # so that links lead somewhere
        if path.name[:2] != "00":
            continue
        target = tmp_path / path.relative_to(ROOT / "notebooks")
        target.write_text(path.read_text("utf-8"), "utf-8")
    code = validate(tmp_path / "solutions", [])
    assert code == 0, capfd.readouterr()
    assert '"execution_count": 2' in good
    broken = good.replace('"execution_count": 2', '"execution_count": 7')
    (tmp_path / "00_start_here.ipynb").write_text(broken, "utf-8")
    assert validate(tmp_path / "00_start_here.ipynb", ["-x"]) == 1
    assert "not run from top to bottom" in capfd.readouterr().out
