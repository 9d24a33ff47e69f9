"""Programs that stand in no file: given with -c, run by exec, piped in or typed in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import autodiff_kit as ad

ROOT = Path(ad.__file__).parents[1]
columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects know no columns")
PROGRAM = """import autodiff_kit as ad
def steps(v):
    return ad.floor(v) * 2.0
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = steps(x)
print(ad.explain(tape, y, x))
"""
HEALTHY = PROGRAM.replace("floor", "square")
NOTE = "is not at hand (it was typed in, piped in or run by exec), so lines are mere numbers"


def said(*arguments: str, typed: str = "") -> str:
    """What a fresh Python prints."""
    done = subprocess.run(
        [sys.executable, *arguments], input=typed, capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    return done.stdout


@columns
def test_the_text_that_was_given_with_c_is_read() -> None:
    for flag in ("-c", "-uc"):
        text = said(flag, PROGRAM)
        assert "line 3 of <string>: return ad.floor(v) * 2.0  (Floor)" in text
        assert "code:  ad.relax.straight_through(v)    # instead of ad.floor(v)" in text
        assert NOTE not in text


def test_what_exec_runs_gets_no_lines_of_what_was_given_with_c() -> None:
    text = said("-c", f"import autodiff_kit as ad\nexec({PROGRAM!r})\nz = 'line 3'\n")
    assert "line 3 of <string>  (Floor)" in text and "z = " not in text
    assert f"The text of `<string>` {NOTE}" in text


def test_what_is_piped_in_is_told_to_be_unknown_once() -> None:
    text = said("-", typed=PROGRAM)
    assert text.count(NOTE) == 1 and text.startswith("x: no gradient (None)")


@pytest.mark.parametrize("arguments", [("-",), ("-c", f"exec({HEALTHY!r})")])
def test_a_gradient_that_flows_needs_no_lines(arguments: tuple[str, ...]) -> None:
    text = said(*arguments, typed=HEALTHY)
    assert text.startswith("x: a gradient flows") and NOTE not in text


def test_a_file_is_at_hand(tmp_path: Path) -> None:
    path = tmp_path / "learners.py"
    path.write_text(PROGRAM)
    text = said(str(path))
    assert "line 3 of learners.py: return ad.floor(v) * 2.0" in text and NOTE not in text
