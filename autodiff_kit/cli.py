"""The command ``autodiff-kit``: for students, the notebooks; for instructors, what a class needs.

One idea: each subcommand is one function elsewhere; here are only names, help and plain sentences.
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

import autodiff_kit as ad
from autodiff_kit.course.places import Trouble

FOLDER = "autodiff-kit-notebooks"
ABOUT = """\
autodiff_kit: why is my gradient None? Notebooks that answer it by experiment.

  autodiff-kit lab             put the notebooks into ./autodiff-kit-notebooks, open JupyterLab there
  autodiff-kit lab FOLDER      the same in a folder of your choice; your own work in it is kept
"""
END = "`autodiff-kit COMMAND --help` says more about one command."
AFTER = "What comes after -- is handed on to {}"
ADVICE = (
    "A folder with a space in its name stands in quotes; arguments for JupyterLab or pytest come "
    "after --"
)


def parser() -> argparse.ArgumentParser:
    """All commands with their arguments."""
    top = argparse.ArgumentParser(
        prog="autodiff-kit",
        description=ABOUT,
        epilog=END,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"autodiff_kit {ad.__version__}")
    commands = top.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    _students(commands)
    _instructors(commands)
    return top


def _students(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    for name, about in (
        ("lab", "put the notebooks into a folder and open JupyterLab there"),
        ("start", "put the notebooks into a folder, without opening anything"),
    ):
        after = AFTER.format("JupyterLab: autodiff-kit lab FOLDER -- --no-browser")
        one = commands.add_parser(
            name, help=about, description=_sentence(about), epilog=after if name == "lab" else None
        )
        one.add_argument("folder", nargs="?", type=_path, default=Path(FOLDER), metavar="FOLDER",
                         help=f"which folder (default: {FOLDER})")  # fmt: skip
        one.add_argument("--renew", action="append", default=[], metavar="NAME",
                         help="put a fresh copy of the notebooks whose names begin so, or of all; "
                         "yours are kept beside them")  # fmt: skip
    commands.add_parser("check", help="say whether everything is here that the notebooks need")


def _instructors(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "run all notebooks of a folder and compare each cell with its stored output"
    one = commands.add_parser(
        "validate", help=about,
        description=f"{_sentence(about)} Numbers are compared as numbers; stripped or half-run "
        "notebooks, deleted cells and pictures without text are found too.",
        epilog=AFTER.format("pytest: autodiff-kit validate FOLDER -- -x"),
    )  # fmt: skip
    one.add_argument("folder", type=_path, metavar="FOLDER", help="yours, or a fork's notebooks/")
    about = "grade returned notebooks and write a table"
    one = commands.add_parser(
        "grade", help=about,
        description=f"{_sentence(about)} The checks are the kit's own, whatever the notebook "
        "made of them. Each notebook runs as a copy, in processes of its own, within limits.",
    )  # fmt: skip
    one.add_argument("folder", type=_path, metavar="FOLDER",
                     help="with a folder for each student; or one notebook")  # fmt: skip
    one.add_argument("--out", type=_path, default=Path("grades.csv"), metavar="TABLE.csv",
                     help="the table (default: grades.csv); beside it TABLE.md, TABLE-students.csv "
                     "and the folder TABLE-feedback")  # fmt: skip
    one.add_argument("--append", action="store_true",
                     help="keep the table's rows; grade only what is not in it yet")  # fmt: skip
    one.add_argument("--seconds", type=_count, default=120, help="per notebook (default: 120)")
    one.add_argument("--memory", type=_count, default=2000, metavar="MB",
                     help="per notebook (default: 2000)")  # fmt: skip
    one.add_argument("--jobs", type=_count, default=0, help="at once (default: one per processor)")
    commands.add_parser("release", add_help=False,
                        help="make the students' version of the notebooks: no solutions")  # fmt: skip


def _sentence(about: str) -> str:
    return f"{about[0].upper()}{about[1:]}."


def _path(text: str) -> Path:
    """A path as it was typed; nothing typed is an unset variable of the shell's."""
    if not text.strip():
        raise argparse.ArgumentTypeError("nothing is no name")
    return Path(text)


def _count(text: str) -> int:
    """A limit: with none at all, or less, every notebook would fail."""
    if not (text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def run(options: argparse.Namespace, rest: list[str], further: list[str]) -> int:
    """Do what was asked for; the exit code."""
    if options.command in ("lab", "start"):
        from autodiff_kit.course.put import put

        print(*put(options.folder, tuple(options.renew)), sep="\n", flush=True)
        return _open(options, further) if options.command == "lab" else 0
    if options.command == "check":
        return _check()
    if options.command == "validate":
        from autodiff_kit.course.validate import validate

        return validate(options.folder, further)
    if options.command == "grade":
        from autodiff_kit.course.grade import grade

        limits = options.seconds, options.memory, options.jobs
        return grade(options.folder, options.out, *limits, options.append)
    return _release(rest)


def _open(options: argparse.Namespace, further: list[str]) -> int:
    from autodiff_kit.course.lab import open_lab

    return open_lab(options.folder, further)


def _check() -> int:
    from autodiff_kit.course.environment import check

    lines = check()
    for well, line in lines:
        print("ok     " if well else "MISSING", line)
    if all(well for well, _ in lines):
        print("Everything is here.")
        return 0
    print("Not everything is here: see the lines that begin with MISSING.")
    return 1


def _release(rest: list[str]) -> int:
    if find_spec("autodiff_kit.instructor") is None:
        raise Trouble("This version of autodiff_kit has no student release yet.")
    import runpy

    sys.argv = ["autodiff-kit", "release", *rest]
    runpy.run_module("autodiff_kit.instructor", run_name="__main__")
    return 0


def _refused(error: OSError) -> str:
    """What the system said, of which file."""
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error}."


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 if all went well, 1 if something was found, 2 if it could not be done."""
    arguments = sys.argv[1:] if arguments is None else arguments
    top = parser()
    if not arguments:
        top.print_help()
        return 0
    # Not left to argparse, which would take the first word after -- for the folder.
    end = arguments.index("--") if "--" in arguments else len(arguments)
    further = arguments[end + 1 :]
    options, rest = top.parse_known_args(arguments[:end])
    if rest and options.command != "release":
        top.error(f"what is {' '.join(rest)}? {ADVICE}")
    if further and options.command not in ("lab", "validate"):
        top.error(f"{options.command} hands nothing on: what is {' '.join(further)}?")
    try:
        return run(options, rest, further)
    except Trouble as trouble:
        print(f"autodiff-kit: {trouble}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"autodiff-kit: {_refused(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("autodiff-kit: stopped.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
