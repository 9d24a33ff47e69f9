"""The README shows what really happens."""

import re
import subprocess
import sys

from notebook_pytest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
PROGRAM, SHOWN = re.findall(r"```(?:python|text)\n(.*?)```", README, re.S)[:2]


def printed(program, folder):
    """What a program prints that is kept under the name that its first line says."""
    path = folder / program.splitlines()[0].removeprefix("# ")
    path.write_text(program, "utf-8")
    command = [sys.executable, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_the_program_prints_what_stands_below_it(tmp_path):
    assert printed(PROGRAM, tmp_path) == SHOWN


def test_the_line_that_is_given_mends_it(tmp_path):
    (line,) = re.findall(r"code:  (.*?) +#", SHOWN)
    block = "with ad.GradientTape() as tape:\n"
    mended = PROGRAM.replace(block, f"{block}    {line}\n")
    assert "6.0" in README and printed(mended, tmp_path).startswith("Tensor(6.0, ")
