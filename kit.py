"""One command for a fresh machine: ``python3 kit.py lab`` or ``python3 kit.py test``.

Makes an environment in ``.venv`` beside this file, installs what the command needs, runs it.
Only the standard library, and only syntax that an old Python can read as well, so that it is
this file and not a SyntaxError that says which Python is needed.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.abspath(os.environ.get("AUTODIFF_KIT_VENV") or os.path.join(ROOT, ".venv"))
NEEDED = (3, 10)

# command: (the extra in pyproject.toml that it needs, what Python is started with)
COMMANDS = {
    "lab": ("lab", ["-m", "jupyterlab", "notebooks"]),
    "test": ("test", ["-m", "pytest"]),
    "python": ("dev", []),
}
USAGE = """\
python3 kit.py lab            open the notebooks in JupyterLab
python3 kit.py test           run every test, notebooks included
python3 kit.py python ...     run the environment's own Python, with the developers' tools

The first call makes an environment in .venv (AUTODIFF_KIT_VENV names another folder) and
installs what is needed; later calls start at once. Further arguments are passed on:
    python3 kit.py lab --no-browser --port 9999
    python3 kit.py test -x tests/notebooks
To start afresh, delete the folder .venv."""


def dotted(version: tuple[int, ...]) -> str:
    """(3, 10) as people write it."""
    return ".".join(map(str, version))


def check_python(version: tuple[int, ...]) -> None:
    """Stop with advice when this Python cannot run the kit or cannot make environments."""
    if version < NEEDED:
        sys.exit(
            f"autodiff_kit needs Python {dotted(NEEDED)} or newer; this is Python "
            f"{dotted(version)} ({sys.executable}).\n"
            "Start kit.py with a newer one, for instance: python3.12 kit.py lab"
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        sys.exit(
            f"This Python ({sys.executable}) has no module {error.name!r}, "
            "which is needed to make an environment.\n"
            "On Debian and Ubuntu: sudo apt install python3-venv. Elsewhere install Python from "
            "https://www.python.org/downloads/ and try again."
        )


def environment_python() -> str:
    """The path of the environment's interpreter, there or not."""
    parts = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    return os.path.join(VENV, *parts)


def succeeds(*command: str) -> bool:
    """Does this command run and end well? What it prints is of no interest."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make_environment() -> None:
    """Create the environment, unless a sound one is there; one made by uv gets its pip."""
    python = environment_python()
    if succeeds(python, "-c", f"import sys; sys.exit(sys.version_info < {NEEDED})"):
        if succeeds(python, "-m", "pip", "--version"):
            return
        if succeeds(python, "-m", "ensurepip", "--upgrade"):
            return
    # Cleared only if it is an environment (a broken one): never somebody's other folder.
    broken = os.path.exists(os.path.join(VENV, "pyvenv.cfg"))
    if os.path.isdir(VENV) and os.listdir(VENV) and not broken:
        sys.exit(f"{VENV} is there, but it is no environment: move it away and try again.")
    print(f"Making an environment in {VENV}", flush=True)
    if subprocess.call([sys.executable, "-m", "venv", "--clear", VENV]):
        sys.exit("The environment could not be made: see the message above.")


def fingerprint() -> str:
    """Changes whenever another install may be needed."""
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        return hashlib.sha256(file.read() + ROOT.encode()).hexdigest()


def install(extra: str) -> None:
    """Install the kit with one extra, once per state of pyproject.toml."""
    stamp = os.path.join(VENV, f"installed-{extra}.txt")
    wanted = fingerprint()
    if os.path.exists(stamp):
        with open(stamp) as file:
            if file.read() == wanted:
                return
    print(f"Installing autodiff_kit[{extra}] (once, a minute or so)", flush=True)
    command = [environment_python(), "-m", "pip", "install", "--quiet"]
    command += ["--disable-pip-version-check", "--editable", f".[{extra}]"]
    if subprocess.call(command, cwd=ROOT):
        sys.exit("pip could not install what is needed: see the message above. Is there a network?")
    with open(stamp, "w") as file:
        file.write(wanted)


def arguments(command: str, further: list[str]) -> list[str]:
    """What the environment's Python is started with."""
    start = list(COMMANDS[command][1])
    if command == "lab" and hasattr(os, "geteuid") and os.geteuid() == 0:
        # JupyterLab refuses root, the one user that most containers have.
        print("Running as root: JupyterLab is started with --allow-root.", flush=True)
        start.append("--allow-root")
    return start + further


def run(command: list[str]) -> int:
    """Hand over to the environment; Ctrl-C belongs to what runs there."""
    os.chdir(ROOT)
    if os.name != "nt":
        os.execv(command[0], command)
    process = subprocess.Popen(command)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def main(argv: list[str]) -> int:
    """Run one of COMMANDS; the exit code is that of what was run."""
    if not argv or argv[0] not in COMMANDS:
        asked = not argv or argv[0] in ("-h", "--help", "help")
        print(USAGE if asked else f"kit.py: no command {argv[0]!r}\n\n{USAGE}")
        return 0 if asked else 2
    check_python(sys.version_info[:2])
    make_environment()
    install(COMMANDS[argv[0]][0])
    return run([environment_python()] + arguments(argv[0], argv[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
