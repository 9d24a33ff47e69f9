"""The command autodiff-kit, as it is typed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autodiff_kit import cli
from autodiff_kit.course import environment, lab, put
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
        (["start", "new", "--no-browser"], "come after --"),
        (["start", "taken"], f"{Path('taken', 'solutions')} is a file. Name a folder"),
        (["start", "file.txt/deeper"], "file.txt is a file. Name a folder"),
        (["start", ""], "nothing is no name"),
        (["start", "new", "--", "-x"], "start hands nothing on: what is -x?"),
        (["lab", "my", "course"], "what is course? A folder with a space in its name stands in"),
        (["lab", "new", "--no-browser"], "come after --"),
        (["validate", "."], "There is no notebook in ."),
        (["validate"], "error: the following arguments are required: FOLDER\n"),
        (["validate", "new", "-x"], "come after --"),
        (["validate", "file.txt"], "file.txt is neither a notebook nor a folder."),
        (["grade", "file.txt"], "file.txt is neither a notebook nor a folder."),
        (["grade", "taken", "--jobs", "-1"], "'-1' is not a whole number from 1 on"),
        (["grade", "taken", "--seconds", "nan"], "'nan' is not a whole number from 1 on"),
        (["grade", "taken", "--memory", "0"], "'0' is not a whole number from 1 on"),
        (["release", "file.txt"], "file.txt is a file. Name a new folder."),
        (["cook"], "invalid choice: 'cook'"),
    ],
)
def test_errors_are_plain_sentences(arguments, words, tmp_path):
    (tmp_path / "file.txt").touch()
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "solutions").touch()
    done = typed(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "new").exists() and len([*(tmp_path / "taken").iterdir()]) == 1


def test_what_comes_after_two_dashes_is_handed_on_and_no_folder(monkeypatch):
    handed = []
    monkeypatch.setattr(cli, "_open", lambda options, further: handed.append(further) or 0)
    monkeypatch.setattr(put, "put", lambda folder, renew: handed.append(folder) or [])
    assert cli.main(["lab", "--", "--no-browser", "--port", "9999"]) == 0
    assert handed == [Path(cli.FOLDER), ["--no-browser", "--port", "9999"]]


def test_what_the_system_refuses_is_a_sentence(monkeypatch, capsys):
    def refuse(*_):
        raise PermissionError(13, "Permission denied", "secret")

    monkeypatch.setattr(cli, "run", refuse)
    assert cli.main(["start"]) == 2
    assert capsys.readouterr().err == "autodiff-kit: secret: Permission denied.\n"


def test_names_in_the_help_keep_their_letters(capsys):
    with pytest.raises(SystemExit):
        cli.main(["lab", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "open JupyterLab there." in shown and "autodiff-kit lab FOLDER -- --no-browser" in shown


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
    address = f"--LabApp.default_url=/lab/tree/{lab.FIRST}"  # the printed one leads there too
    expected = ["-m", "jupyterlab", address, "--no-browser", "--allow-root"]
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
