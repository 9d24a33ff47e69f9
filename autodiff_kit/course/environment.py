"""Is everything here that the notebooks need? ``autodiff-kit check`` says it line by line.

One idea: each line says what was found, and what to do if that is not enough.
"""

from __future__ import annotations

import importlib.metadata
import platform
import re
import subprocess
import sys

import autodiff_kit as ad
from autodiff_kit.course.places import Trouble, place

NEEDED = {
    "numpy": (1, 24),
    "matplotlib": (3, 7),
    "jupyterlab": (4, 1),
    "ipykernel": (6, 0),
}
KERNEL = "import ipykernel.kernelapp, matplotlib.pyplot, autodiff_kit; print(autodiff_kit.__file__)"


def check() -> list[tuple[bool, str]]:
    """Look at everything; pairs of "is it well" and a sentence.

    >>> [line for well, line in check() if line.startswith("a first gradient")]
    ['a first gradient: d(x*x)/dx at 3 is 6.0']
    """
    python = platform.python_version()
    return [
        (sys.version_info >= (3, 10), f"Python {python} ({sys.executable})"),
        *(_package(name, least) for name, least in NEEDED.items()),
        _notebooks(),
        _gradient(),
        _kernel(),
    ]


def _package(name: str, least: tuple[int, ...]) -> tuple[bool, str]:
    wanted = ".".join(map(str, least))
    advice = f'python -m pip install --upgrade "{name}>={wanted}"'
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False, f"{name} is not installed: {advice}"
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < least:
        return False, f"{name} {version} is too old: {advice}"
    return True, f"{name} {version}"


def _notebooks() -> tuple[bool, str]:
    try:
        count = len(list(place("notebooks").glob("*.ipynb")))
    except Trouble as trouble:
        return False, str(trouble)
    return count > 0, f"{count} notebooks come with autodiff_kit {ad.__version__}"


def _gradient() -> tuple[bool, str]:
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = x * x
    found = float(tape.gradient(y, x))
    return found == 6.0, f"a first gradient: d(x*x)/dx at 3 is {found}"


def _kernel() -> tuple[bool, str]:
    """Can the Python that will run the notebooks import all this, away from this folder?"""
    try:
        result = subprocess.run(
            [sys.executable, "-c", KERNEL], capture_output=True, text=True, timeout=120, cwd="/"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, f"a kernel for the notebooks does not start: {error}"
    if result.returncode:
        reason = (result.stderr.strip().splitlines() or ["no message"])[-1]
        return False, f"a kernel for the notebooks does not start: {reason}"
    return True, "a kernel for the notebooks starts"
