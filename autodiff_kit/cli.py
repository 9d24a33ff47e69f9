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
        one = commands.add_parser(name, help=about, description=f"{about.capitalize()}.")
        one.add_argument("folder", nargs="?", type=Path, default=Path(FOLDER), metavar="FOLDER",
                         help=f"which folder (default: {FOLDER})")  # fmt: skip
        one.add_argument("--renew", action="append", default=[], metavar="NAME",
                         help="put a fresh copy of the notebooks whose names begin so, or of all; "
                         "yours are kept beside them")  # fmt: skip
        if name == "lab":
            one.add_argument("further", nargs="*", metavar="-- …", default=[],
                             help="after --, arguments for JupyterLab: -- --no-browser")  # fmt: skip
    commands.add_parser("check", help="say whether everything is here that the notebooks need")


def _instructors(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "run all notebooks of a folder and compare each cell with its stored output"
    one = commands.add_parser(
        "validate", help=about,
        description=f"{about.capitalize()}. Numbers are compared as numbers; stripped or half-run "
        "notebooks, deleted cells and pictures without text are found too.",
    )  # fmt: skip
    one.add_argument("folder", type=Path, metavar="FOLDER", help="yours, or a fork's notebooks/")
    one.add_argument("further", nargs="*", metavar="-- …", help="after --, arguments for pytest")
    about = "grade returned notebooks and write a table"
    one = commands.add_parser(
        "grade", help=about,
        description=f"{about.capitalize()}. The checks are the kit's own, whatever the notebook "
        "made of them. Each notebook runs as a copy, in processes of its own, within limits.",
    )  # fmt: skip
    one.add_argument("folder", type=Path, metavar="FOLDER",
                     help="with a folder for each student; or one notebook")  # fmt: skip
    one.add_argument("--out", type=Path, default=Path("grades.csv"), metavar="TABLE.csv",
                     help="the table (default: grades.csv); beside it TABLE.md, TABLE-students.csv "
                     "and the folder TABLE-feedback")  # fmt: skip
    one.add_argument("--append", action="store_true",
                     help="keep the table's rows; grade only what is not in it yet")  # fmt: skip
    one.add_argument("--seconds", type=float, default=120, help="per notebook (default: 120)")
    one.add_argument("--memory", type=int, default=2000, metavar="MB",
                     help="per notebook (default: 2000)")  # fmt: skip
    one.add_argument("--jobs", type=int, default=0, help="at once (default: one per processor)")
    commands.add_parser("release", add_help=False,
                        help="make the students' version of the notebooks: no solutions")  # fmt: skip


def run(options: argparse.Namespace, rest: list[str]) -> int:
    """Do what was asked for; the exit code."""
    if options.command in ("lab", "start"):
        from autodiff_kit.course.put import put

        print(*put(options.folder, tuple(options.renew)), sep="\n", flush=True)
        return _open(options) if options.command == "lab" else 0
    if options.command == "check":
        return _check()
    if options.command == "validate":
        from autodiff_kit.course.validate import validate

        return validate(options.folder, options.further)
    if options.command == "grade":
        from autodiff_kit.course.grade import grade

        limits = options.seconds, options.memory, options.jobs
        return grade(options.folder, options.out, *limits, options.append)
    return _release(rest)


def _open(options: argparse.Namespace) -> int:
    from autodiff_kit.course.lab import open_lab

    return open_lab(options.folder, options.further)


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


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 if all went well, 1 if something was found, 2 if it could not be done."""
    arguments = sys.argv[1:] if arguments is None else arguments
    top = parser()
    if not arguments:
        top.print_help()
        return 0
    options, rest = top.parse_known_args(arguments)
    if rest and options.command != "release":
        top.error(f"what is {' '.join(rest)}? Arguments for JupyterLab or pytest come after --")
    try:
        return run(options, rest)
    except Trouble as trouble:
        print(f"autodiff-kit: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("autodiff-kit: stopped.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
