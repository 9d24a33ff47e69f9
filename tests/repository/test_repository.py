"""Promises that files make about one another."""

import json
import re
import shlex
import shutil
import subprocess

import pytest

from autodiff_kit import cli
from autodiff_kit.instructor import __main__ as instructor
from notebook_pytest import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")


def text(name):
    return (ROOT / name).read_text("utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_may_only_read(path):
    content = path.read_text("utf-8")
    uses = re.findall(r"uses: (\S+)(.*)", content)
    assert uses
    for action, comment in uses:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r"\s+# v\d+\.\d+\.\d+", comment), f"{action}: which version is it?"
    assert re.search(r"^permissions:\n  contents: read\n\n", content, re.M)
    assert content.count("permissions:") == 1
    assert content.count("actions/checkout@") == content.count("persist-credentials: false")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_nobody_who_sends_a_change_can_use_the_workflows_for_more(path):
    content = path.read_text("utf-8")
    assert not re.search(r"pull_request_target|workflow_run|secrets\.|GITHUB_TOKEN", content)
    commands = re.findall(r"^ +(?:- )?run: (.*(?:\n {10,}.*)*)", content, re.M)
    assert commands and not any("${{" in command for command in commands)  # no text is a command
    assert content.count("runs-on:") == content.count("timeout-minutes:")


def test_readme_and_ci_use_the_same_test_command():
    assert "$ python3 kit.py test" in text("README.md")
    assert 'step "$python" kit.py test\n' in text(".ci/run")
    assert "run: python kit.py test " in text(".github/workflows/tests.yml")


@pytest.mark.skipif(shutil.which("git") is None, reason="no git: the files came as an archive")
def test_the_owner_is_named_in_one_place_only():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = [name for name in listed.stdout.split("\0") if (ROOT / name).is_file()]
    holders = [name for name in names if b"/OWNER/" in (ROOT / name).read_bytes()]
    assert set(holders) <= {"README.md", "tests/repository/test_repository.py"}
    lines = text("README.md").splitlines()
    places = [number for number, line in enumerate(lines) if "/OWNER/" in line]
    assert places == list(range(places[0], places[0] + len(places))) or not places


def test_versions_agree():
    version = re.search(r'^version = "(.+)"', PYPROJECT, re.M)[1]
    assert f"\nversion: {version}\n" in text("CITATION.cff")


def test_ruff_is_the_same_before_a_commit_and_after():
    exact = re.search(r"ruff==([\d.]+)", PYPROJECT)[1]
    assert set(re.findall(r"ruff==([\d.]+)", text(".pre-commit-config.yaml"))) == {exact}


def test_oldest_dependencies_are_the_declared_ones():
    declared = dict(re.findall(r'"([\w-]+)>=([\d.]+)"', PYPROJECT))
    oldest = dict(re.findall(r"^([\w-]+)==([\d.]+)\.\*$", text(".ci/constraints-oldest.txt"), re.M))
    assert oldest == {name: declared[name] for name in oldest}
    wanted = re.findall(r'^    "([\w-]+)>=', PYPROJECT, re.M)
    assert set(oldest) == {"numpy", *wanted}


def test_every_python_that_is_declared_is_tested():
    oldest = re.search(r'requires-python = ">=(.+)"', PYPROJECT)[1]
    workflow = text(".github/workflows/tests.yml")
    assert f'python: ["{oldest}", ' in workflow
    assert f"NEEDED = ({oldest.replace('.', ', ')})" in text("kit.py")


def test_binder_pins_every_package():
    lines = text("binder/requirements.txt").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", line) for line in pins)
    names = {line.split("==")[0] for line in pins}
    assert {"numpy", "matplotlib"} <= names


def test_a_new_commit_downloads_nothing_on_binder():
    commands = [line for line in text("binder/postBuild").splitlines() if line[:1] not in ("", "#")]
    assert commands[0] == "set -euo pipefail"
    assert not re.search(r"\b(pip|conda|mamba|curl|wget|git|apt|npm)\b", "\n".join(commands))
    assert text("binder/start").splitlines()[-1] == 'exec "$@"'


def test_what_is_tried_is_what_binder_builds():
    """`.ci/binder` takes each file of the folder, and copies no version into itself."""
    script = text(".ci/binder") + text(".ci/binder_base.py")
    for path in (ROOT / "binder").iterdir():
        assert f"binder/{path.name}" in script
    assert not re.search(r"[\w-]+==\d", script)
    assert re.fullmatch(r"python-3\.\d+\n", text("binder/runtime.txt"))
    version = text("binder/runtime.txt").strip().removeprefix("python-")
    workflow = text(".github/workflows/binder.yml")
    assert "bash .ci/binder\n" in workflow and f'python-version: "{version}"' in workflow


def test_the_site_for_the_browser_finds_the_notebooks_and_the_wheel():
    folder = ROOT / "jupyterlite"
    settings = json.loads((folder / "jupyter_lite_config.json").read_text("utf-8"))
    assert (folder / settings["LiteBuildConfig"]["contents"][0]).resolve() == ROOT / "notebooks"
    # `hatchling build` puts it there
    assert (folder / settings["PipliteAddon"]["piplite_urls"][0]).resolve() == ROOT / "dist"
    assert settings["LiteBuildConfig"]["output_dir"] in text("jupyterlite/README.md")


def test_links_in_the_documents_lead_somewhere():
    names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]  # ../../actions is GitHub's page
    names += [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")]
    for name in names:
        for target in re.findall(r"\]\((?!https?:|\.\./\.\./actions/)([^)#\s]+)", text(name)):
            assert ((ROOT / name).parent / target).exists(), f"{name}: {target}"


def test_the_readme_leads_to_every_document():
    """A guide that is linked from nowhere is found by nobody."""
    for path in (ROOT / "docs").glob("*.md"):
        assert f"](docs/{path.name})" in text("README.md"), path.name


def test_commands_in_the_documents_are_commands():
    found = 0
    for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for line in re.findall(r"^\$ autodiff-kit (.+)$", path.read_text("utf-8"), re.M):
            words = shlex.split(line, comments=True)
            known = instructor if words[0] == "release" else cli
            assert known.parser().parse_args(words).command == words[0]
            found += 1
    assert found > 8
