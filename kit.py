"""One command for a fresh machine: ``python3 kit.py lab`` or ``python3 kit.py test``.

Makes an environment in ``.venv`` beside this file, installs what the command needs, runs it.
Only the standard library, and only syntax that an old Python can read as well, even Python 2, so
that it is this file and not a SyntaxError that says which Python is needed: types in comments, no
f-strings, and no print.
"""

import hashlib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.abspath(os.environ.get("AUTODIFF_KIT_VENV") or os.path.join(ROOT, ".venv"))
NEEDED = (3, 10)

# command: (the extra in pyproject.toml that it needs, what Python is started with)
COMMANDS = {
    "lab": ("lab", ["-m", "autodiff_kit.cli", "lab", "autodiff-kit-notebooks", "--"]),
    "test": ("test", ["-m", "pytest"]),
    "python": ("dev", []),
}
USAGE = """\
python3 kit.py lab            open a copy of the notebooks in JupyterLab
python3 kit.py test           run every test, notebooks included
python3 kit.py python my.py   run a program of yours with the environment's Python
python3 kit.py python ...     the same Python with the developers' tools

The first call makes an environment in .venv (AUTODIFF_KIT_VENV names another folder) and
installs what is needed; later calls start at once. Further arguments are passed on:
    python3 kit.py lab --no-browser --port 9999
    python3 kit.py test -x tests/notebooks
The copy is the folder autodiff-kit-notebooks. What you write there stays: it is never written over,
and the tests look at the originals. To start afresh, delete the folder .venv."""


def say(text):
    # type: (str) -> None
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def dotted(version):
    # type: (tuple[int, ...]) -> str
    """(3, 10) as people write it."""
    return ".".join(map(str, version))


def check_python(version):
    # type: (tuple[int, ...]) -> None
    """Stop with advice when this Python cannot run the kit or cannot make environments."""
    if version < NEEDED:
        sys.exit(
            "autodiff_kit needs Python {} or newer; this is Python {} ({}).\n"
            "Start kit.py with a newer one, for instance: python3.12 kit.py lab".format(
                dotted(NEEDED), dotted(version), sys.executable
            )
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        sys.exit(
            "This Python ({}) has no module {!r}, which is needed to make an environment.\n"
            "On Debian and Ubuntu: sudo apt install python3-venv. Elsewhere install Python from "
            "https://www.python.org/downloads/ and try again.".format(sys.executable, error.name)
        )


def environment_python():
    # type: () -> str
    """The path of the environment's interpreter, there or not."""
    parts = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    return os.path.join(VENV, *parts)


def succeeds(*command):
    # type: (*str) -> bool
    """Does this command run and end well? What it prints is of no interest."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make_environment():
    # type: () -> None
    """Create the environment, unless a sound one is there; one made by uv gets its pip."""
    python = environment_python()
    if succeeds(python, "-c", "import sys; sys.exit(sys.version_info < {})".format(NEEDED)):
        if succeeds(python, "-m", "pip", "--version"):
            return
        if succeeds(python, "-m", "ensurepip", "--upgrade"):
            return
    # Cleared only if it is an environment (a broken one): never somebody's other folder.
    broken = os.path.exists(os.path.join(VENV, "pyvenv.cfg"))
    if os.path.isdir(VENV) and os.listdir(VENV) and not broken:
        sys.exit(VENV + " is there, but it is no environment: move it away and try again.")
    say("Making an environment in " + VENV)
    if subprocess.call([sys.executable, "-m", "venv", "--clear", VENV]):
        sys.exit("The environment could not be made: see the message above.")


def fingerprint():
    # type: () -> str
    """Changes whenever another install may be needed."""
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        return hashlib.sha256(file.read() + ROOT.encode()).hexdigest()


def install(extra):
    # type: (str) -> None
    """Install the kit with one extra, once per state of pyproject.toml."""
    stamp = os.path.join(VENV, "installed-{}.txt".format(extra))
    wanted = fingerprint()
    if os.path.exists(stamp):
        with open(stamp) as file:
            if file.read() == wanted:
                return
    say("Installing autodiff_kit[{}] (once, a minute or so)".format(extra))
    command = [environment_python(), "-m", "pip", "install", "--quiet"]
    command += ["--disable-pip-version-check", "--editable", ".[{}]".format(extra)]
    if subprocess.call(command, cwd=ROOT):
        sys.exit("pip could not install what is needed: see the message above. Is there a network?")
    with open(stamp, "w") as file:
        file.write(wanted)


def is_own(command, further):
    # type: (str, list[str]) -> bool
    """Is it a program of the learner's that is to run? It needs no developers' tools."""
    if command != "python" or not further or not further[0].endswith(".py"):
        return False
    path = os.path.abspath(further[0])
    ours = tuple(os.path.join(ROOT, name) + os.sep for name in ("tools", "benchmarks", "tests"))
    return os.path.isfile(path) and not path.startswith(ours)


def keep_to_the_environment():
    # type: () -> None
    """Let what Jupyter, IPython and matplotlib write for themselves go into VENV, not to the home."""
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
        os.environ.setdefault(name, os.path.join(VENV, "settings", name.lower()))


def ask_nothing():
    # type: () -> None
    """Let JupyterLab not cover the first notebook with the question whether to fetch its news."""
    folder = os.path.join(VENV, "share", "jupyter", "lab", "settings")
    path = os.path.join(folder, "overrides.json")
    if os.path.exists(path):
        return
    if not os.path.isdir(folder):
        os.makedirs(folder)
    with open(path, "w") as file:
        file.write('{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}\n')


def arguments(command, further):
    # type: (str, list[str]) -> list[str]
    """What the environment's Python is started with."""
    return COMMANDS[command][1] + further


def run(command):
    # type: (list[str]) -> int
    """Hand over to the environment; Ctrl-C belongs to what runs there."""
    if os.name != "nt":
        os.execv(command[0], command)
    process = subprocess.Popen(command)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def main(argv):
    # type: (list[str]) -> int
    """Run one of COMMANDS; the exit code is that of what was run."""
    if not argv or argv[0] not in COMMANDS:
        asked = not argv or argv[0] in ("-h", "--help", "help")
        say(USAGE if asked else "kit.py: no command {!r}\n\n{}".format(argv[0], USAGE))
        return 0 if asked else 2
    check_python(sys.version_info[:2])
    make_environment()
    own = is_own(argv[0], argv[1:])
    install("lab" if own else COMMANDS[argv[0]][0])
    keep_to_the_environment()
    if argv[0] == "lab":
        ask_nothing()
    if not own:
        os.chdir(ROOT)
    return run([environment_python()] + arguments(argv[0], argv[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
