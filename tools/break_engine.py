"""Do the notebooks notice a broken engine? ``python tools/break_engine.py [WORDS ...]``.

Each fault of ``engine_faults`` is put into a copy of the repository, and the copy's notebooks are
run there until one is red; before that, all must be green without a fault. Words choose the faults
whose names have them all; without words it is the whole list, which takes some minutes.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from collections.abc import Callable
from pathlib import Path

from engine_faults import FAULTS, Fault
from notebook_files import find
from notebook_pytest import ROOT

PARTS = ["autodiff_kit", "conftest.py", "notebooks", "pyproject.toml", "tools"]
LENGTH = 120  # of a reason
Red = tuple[str, str]  # the notebook, and what was red in it


def put_in(text: str, fault: Fault) -> str:
    """The text of a file with the fault in it.

    Raises:
      ValueError: if the text that the fault replaces does not stand there just once.
    """
    if text.count(fault.old) != 1:
        raise ValueError(
            f"{fault.name!r}: {fault.old!r} stands {text.count(fault.old)} times in {fault.file}, "
            "not once: bring engine_faults.py up to date"
        )
    return text.replace(fault.old, fault.new)


def copy_to(folder: Path, fault: Fault | None) -> None:
    """Copy what a notebook run needs, with the fault in it."""
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part)
        else:
            shutil.copy2(ROOT / part, folder / part)
    if fault is not None:
        path = folder / "autodiff_kit" / fault.file
        path.write_text(put_in(path.read_text("utf-8"), fault), "utf-8")
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
            compiled.unlink()


def run(folder: Path, notebooks: list[str]) -> Red | None:
    """Run notebooks of a copy as its tests do; the first thing that is red."""
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += ["--no-header", f"--junitxml={report}", *notebooks]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode == 0:
        return None
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        for problem in case:
            name = case.get("classname", "").split(".")[-2]
            return name, f"{case.get('name')}: {_reason(problem.text or '')}"
    raise RuntimeError(f"pytest did not run the notebooks:\n{done.stdout}{done.stderr}")


def _reason(text: str) -> str:
    """The sentence of the comparison in what pytest reports, or the error of the cell."""
    plain = re.sub(r"\x1b\[[0-9;]*m|#x1B\[[0-9;]*m", "", text)
    found = re.search(r"(output \d+: .*|stored outputs: .*)", plain)
    sentence = found.group() if found else (plain.strip().splitlines() or ["?"])[-1]
    return sentence.strip()[:LENGTH]


def first_red(fault: Fault | None, among: Callable[[Path], bool]) -> Red | None:
    """Break a copy and run those of its notebooks that are asked for."""
    with tempfile.TemporaryDirectory(prefix="broken-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        copy_to(folder, fault)
        chosen = [path for path in find(folder / "notebooks") if among(path)]
        return run(folder, [str(path.relative_to(folder)) for path in chosen]) if chosen else None


def is_near(fault: Fault) -> Callable[[Path], bool]:
    """Whether a notebook is one that is likely to notice: its number, not among the solutions."""
    return lambda path: path.name[:2] in fault.near.split() and path.parent.name == "notebooks"


def noticed(fault: Fault) -> Red | None:
    """Which notebook notices the fault first: the likely ones, then the others."""
    near = is_near(fault)
    return first_red(fault, near) or first_red(fault, lambda path: not near(path))


def main(arguments: list[str]) -> int:
    """Print for each fault what noticed it; 0 if nothing went unnoticed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("words", nargs="*", metavar="WORD", help="only faults named with all these")
    parser.add_argument("--list", action="store_true", help="only show the names")
    options = parser.parse_args(arguments)
    chosen = [f for f in FAULTS if all(word in f.name for word in options.words)]
    if options.list:
        print(*(fault.name for fault in chosen), sep="\n")
        return 0
    sound = first_red(None, lambda path: True)
    if sound:
        print(f"Without any fault {sound[0]} is red: {sound[1]}", file=sys.stderr)
        return 2
    missed = 0
    for number, fault in enumerate(chosen, start=1):
        red = noticed(fault)
        missed += red is None
        seen = f"{red[0]}, {red[1]}" if red else "NOT NOTICED by any notebook"
        print(f"[{number}/{len(chosen)}] {fault.name}\n        {seen}", flush=True)
    print(f"{len(chosen)} faults, {missed} not noticed")
    return 1 if missed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
