"""Open JupyterLab on a folder of notebooks.

One idea: JupyterLab does it all; here it is only found, and started where the notebooks are.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from autodiff_kit.course.places import need

FIRST = "00_start_here.ipynb"


def open_lab(folder: Path, further: list[str]) -> int:
    """Start JupyterLab of this very Python in a folder; its exit code."""
    need("lab", "jupyterlab")
    command = [sys.executable, "-m", "jupyterlab", *further]
    if (folder / FIRST).exists():
        # As an argument the file would be opened by a browser that is started, and not by the
        # address that is printed.
        command.insert(3, f"--LabApp.default_url=/lab/tree/{FIRST}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # JupyterLab refuses root, the one user that most containers have.
        command.append("--allow-root")
    process = subprocess.Popen(command, cwd=folder)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:  # Ctrl-C is JupyterLab's: it asks, and ends itself
            continue
