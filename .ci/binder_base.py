"""Helps ``.ci/binder``: repo2docker's base environment as pins for pip, sizes, the time of a start.

One idea: nothing is copied here; repo2docker's own lock file, as installed, says what it installs.
"""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

# What conda-forge calls otherwise than PyPI.
RENAMED = {
    "jupyterhub-base": "jupyterhub",
    "jupyterhub-singleuser": "jupyterhub",
    "nbconvert-core": "nbconvert",
    "python-fastjsonschema": "fastjsonschema",
}
ENTRY = re.compile(r"/([^/]+)-([^-/]+)-[^-/]+\.(?:conda|tar\.bz2)\b")
NOT_FROM_PYPI = {"python", "nodejs", "pip"}
PORT = 8899


def base(version: str) -> None:
    """Print the lock's versions as constraints, and which packages are asked for (``#root``)."""
    import repo2docker.buildpacks.conda as conda

    folder = Path(conda.__file__).parent
    lock = (folder / f"environment.py-{version}-linux-64.lock").read_text("utf-8")
    asked = (folder / f"environment.py-{version}.yml").read_text("utf-8")
    roots = {RENAMED.get(name, name) for name in re.findall(r"^ *- ([\w-]+)", asked, re.M)}
    pins = {RENAMED.get(name, name): pinned for name, pinned in ENTRY.findall(lock)}
    for name, pinned in sorted(pins.items()):
        if name[0] != "_" and re.fullmatch(r"\d[\d.]*(post\d+)?", pinned):
            print(f"{name}=={pinned}")
    print(*(f"#root {name}" for name in sorted(roots - NOT_FROM_PYPI) if name in pins), sep="\n")


def sizes(requirements: Path) -> None:
    """Print what each of our packages takes, largest first."""
    found = {}
    for name in re.findall(r"^([\w-]+)==", requirements.read_text("utf-8"), re.M):
        files = importlib.metadata.distribution(name).files or []
        places = {Path(str(file.locate())) for file in files}
        found[name] = sum(place.stat().st_size for place in places if place.is_file()) / 2**20
    for name, size in sorted(found.items(), key=lambda one: -one[1]):
        print(f"  {size:6.1f} MB  {name}")


def open_lab(repository: Path) -> None:
    """Start JupyterLab as Binder does; print how long it takes until the start notebook's page."""
    command = ["jupyter", "lab", "--ip=127.0.0.1", f"--port={PORT}", "--ServerApp.port_retries=0"]
    command += ["--no-browser", "--ServerApp.token=", "--allow-root"]
    for turn in ("the first time", "again"):
        begun = time.monotonic()
        with subprocess.Popen(
            ["bash", "binder/start", *command], cwd=repository, stderr=subprocess.DEVNULL
        ) as server:
            page = _page(f"http://127.0.0.1:{PORT}/lab/tree/notebooks/00_start_here.ipynb", server)
            print(f"{time.monotonic() - begun:.1f} s {turn}, {len(page)} characters")
            assert "jupyter-config-data" in page
            server.terminate()


def _page(address: str, server: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + 120
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=60) as reply:
                return str(reply.read().decode("utf-8"))
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.05)
    raise SystemExit("JupyterLab could not be reached.")


if __name__ == "__main__":
    if sys.argv[1] == "sizes":
        sizes(Path(sys.argv[2]))
    elif sys.argv[1] == "open":
        open_lab(Path(sys.argv[2]))
    else:
        base(sys.argv[1])
