"""kit.py, the newcomer's one command: what it says and does before anything is installed."""

import ast
import json
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

import kit
from autodiff_kit import cli
from notebook_pytest import ROOT

SETTINGS = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "MPLCONFIGDIR")


@pytest.fixture
def venv(tmp_path, monkeypatch):
    """A folder for the environment, and a list of the commands that would have been run."""
    folder = tmp_path / "my venv"
    monkeypatch.setattr(kit, "VENV", str(folder))
    return folder


@pytest.fixture
def calls(monkeypatch):
    """Commands are noted down instead of run; they succeed. Folder and settings come back after it."""
    noted = []
    monkeypatch.chdir(ROOT)
    for name in SETTINGS:
        monkeypatch.setenv(name, "")
        del os.environ[name]
    monkeypatch.setattr(subprocess, "call", lambda command, **_: noted.append(command) or 0)
    monkeypatch.setattr(kit, "run", lambda command: noted.append(command) or 0)
    return noted


def test_an_older_python_can_read_it():
    source = (ROOT / "kit.py").read_text("utf-8")
    tree = ast.parse(source, feature_version=(3, 4))
    imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert imported <= set(sys.stdlib_module_names)


def test_even_python_2_can_read_it():
    """What it cannot read is none of these; `print` with arguments is another of them."""
    new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Nonlocal, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse((ROOT / "kit.py").read_text("utf-8"))):
        assert not isinstance(node, new)
        assert not isinstance(node, ast.ImportFrom) or node.module != "__future__"
        assert not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "print"
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.args, node.args.vararg, node.args.kwarg]
            assert node.returns is None and not node.args.kwonlyargs
            assert not any(one.annotation for one in arguments if one)


@pytest.mark.parametrize("name", ["python2", "python2.7", "python3.6", "python3.8", "python3.9"])
def test_an_old_python_says_what_is_needed(name):
    python = shutil.which(name)
    if python is None or subprocess.run([python, "-V"], capture_output=True).returncode:
        pytest.skip(f"no {name} here")
    done = subprocess.run([python, str(ROOT / "kit.py"), "lab"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "needs Python 3.10 or newer; this is Python" in done.stderr


def test_old_python_is_told_what_is_needed():
    with pytest.raises(SystemExit, match=r"needs Python 3\.10 or newer; this is Python 3\.8"):
        kit.check_python((3, 8))


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_missing_venv_is_told_how_to_get_it(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SystemExit, match="sudo apt install python3-venv"):
        kit.check_python((3, 12))


@pytest.mark.parametrize("argv", [[], ["--help"], ["help"]])
def test_help(argv, capsys):
    assert kit.main(argv) == 0
    assert capsys.readouterr().out == kit.USAGE + "\n"


def test_unknown_command(capsys):
    assert kit.main(["tests"]) == 2
    assert capsys.readouterr().out.startswith("kit.py: no command 'tests'")


def test_first_call_makes_and_installs_second_call_only_runs(venv, calls, monkeypatch):
    monkeypatch.setattr(kit, "make_environment", lambda: venv.mkdir(exist_ok=True))
    assert kit.main(["test", "-x"]) == 0
    (pip, pytest_call) = calls
    assert pip[1:4] == ["-m", "pip", "install"] and pip[-1] == ".[test]"
    assert pytest_call == [kit.environment_python(), "-m", "pytest", "-x"]
    calls.clear()
    kit.main(["test"])
    assert calls == [[kit.environment_python(), "-m", "pytest"]]


def test_a_program_of_the_learners_runs_where_it_was_called(venv, calls, monkeypatch, tmp_path):
    monkeypatch.setattr(kit, "make_environment", lambda: venv.mkdir(exist_ok=True))
    (tmp_path / "my.py").touch()
    monkeypatch.chdir(tmp_path)
    assert kit.main(["python", "my.py", "7"]) == 0
    assert [calls[0][-1], calls[1]] == [".[lab]", [kit.environment_python(), "my.py", "7"]]
    assert Path.cwd() == tmp_path
    calls.clear()
    kit.main(["python", "-m", "ruff"])
    assert calls[0][-1] == ".[dev]" and Path.cwd() == ROOT
    monkeypatch.chdir(ROOT)
    assert not kit.is_own("python", ["tools/run_notebooks.py"])
    assert not kit.is_own("python", ["nowhere.py"]) and not kit.is_own("test", ["conftest.py"])


def test_what_jupyter_writes_stays_in_the_environment(venv, calls, monkeypatch):
    monkeypatch.setattr(kit, "make_environment", lambda: venv.mkdir(exist_ok=True))
    monkeypatch.setenv("IPYTHONDIR", "my own")
    kit.main(["lab"])
    found = {name: os.environ[name] for name in SETTINGS}
    assert found.pop("IPYTHONDIR") == "my own"
    assert all(Path(folder).is_relative_to(venv) for folder in found.values())


def test_jupyterlab_asks_nothing_at_its_first_start(venv):
    kit.ask_nothing()
    path = venv / "share/jupyter/lab/settings/overrides.json"
    (settings,) = json.loads(path.read_text()).values()
    assert settings == {"fetchNews": "false"}
    path.write_text("{}")
    kit.ask_nothing()
    assert path.read_text() == "{}"  # somebody's own


def test_another_extra_and_another_pyproject_are_installed(venv, calls, monkeypatch):
    venv.mkdir()
    kit.install("test")
    kit.install("lab")
    assert [call[-1] for call in calls] == [".[test]", ".[lab]"]
    monkeypatch.setattr(kit, "fingerprint", lambda: "changed")
    kit.install("test")
    assert [call[-1] for call in calls] == [".[test]", ".[lab]", ".[test]"]


def test_a_failed_install_is_tried_again(venv, monkeypatch):
    venv.mkdir()
    monkeypatch.setattr(subprocess, "call", lambda *_, **__: 1)
    for _ in range(2):
        with pytest.raises(SystemExit, match="pip could not install"):
            kit.install("test")


def test_a_folder_that_is_no_environment_is_not_touched(venv, calls):
    venv.mkdir()
    (venv / "thesis.txt").write_text("mine")
    with pytest.raises(SystemExit, match="it is no environment"):
        kit.make_environment()
    assert calls == [] and (venv / "thesis.txt").read_text() == "mine"


def test_a_broken_environment_is_made_anew(venv, calls):
    venv.mkdir()
    (venv / "pyvenv.cfg").touch()
    kit.make_environment()
    assert calls == [[sys.executable, "-m", "venv", "--clear", str(venv)]]


def test_a_sound_environment_is_kept(venv, calls, monkeypatch):
    monkeypatch.setattr(kit, "environment_python", lambda: sys.executable)
    monkeypatch.setattr(kit, "succeeds", lambda *command: True)
    kit.make_environment()
    assert calls == []


def test_lab_opens_a_copy_so_that_a_save_changes_no_file_of_the_repository(monkeypatch):
    """What JupyterLab writes on a save would make the tests red and stop `git pull`."""
    handed = []
    monkeypatch.setattr(cli, "run", lambda *what: handed.append(what) or 0)
    for own in (["--no-browser"], []):
        started = kit.arguments("lab", own)
        assert started[:2] == ["-m", "autodiff_kit.cli"]
        assert cli.main(started[2:]) == 0
        options, rest, further = handed.pop()
        assert options.command == "lab" and further == own and not rest
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert f"/{options.folder}/" in ignored
    assert str(options.folder) not in (ROOT / "pyproject.toml").read_text("utf-8")


def test_windows_layout(venv, monkeypatch):
    monkeypatch.setattr(kit, "os", types.SimpleNamespace(name="nt", path=os.path))
    assert Path(kit.environment_python()) == venv / "Scripts" / "python.exe"


def test_exit_code_and_arguments_go_through():
    count = "import sys; sys.exit(len(sys.argv))"
    code = f"import sys, kit; sys.exit(kit.run([{sys.executable!r}, '-c', {count!r}, 'a b']))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 2
