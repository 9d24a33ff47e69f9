"""``python -m autodiff_kit.instructor release FOLDER``: the students' release, made and validated."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from autodiff_kit.course.places import Trouble, need

ABOUT = """\
Make the students' release of the notebooks in a new folder: solutions are left out, each exercise
becomes an answer with dots in it and a locked check with nbgrader's notes. Then the release is
validated: every cell is run and compared with its stored output. Answers that stand in the notebooks
must be right, and each exercise must be one that autodiff_kit knows.
"""


def parser() -> argparse.ArgumentParser:
    """The arguments; ``release`` is so far the only command."""
    top = argparse.ArgumentParser(prog="autodiff-kit", description=ABOUT)
    commands = top.add_subparsers(title="commands", dest="command", required=True)
    one = commands.add_parser("release", help="make the students' release", description=ABOUT)
    one.add_argument("folder", type=Path, metavar="FOLDER", help="a folder that is new or empty")
    one.add_argument("--source", type=Path, metavar="NOTEBOOKS",
                     help="release these notebooks, not the kit's")  # fmt: skip
    one.add_argument("--only", nargs="+", default=[], metavar="NN",
                     help="those whose names begin so; after FOLDER: --only 00 01 02")  # fmt: skip
    one.add_argument("--no-run", action="store_true",
                     help="check the files, but do not run their cells")  # fmt: skip
    return top


def main(arguments: list[str] | None = None) -> int:
    """0 if the release stands and is valid, 1 if it is not valid, 2 if it could not be made."""
    options = parser().parse_args(arguments)
    try:
        need("teach", "nbformat", "pytest", "nbval", "ipykernel")
        from autodiff_kit.course.validate import validate
        from autodiff_kit.instructor.release import release

        said = release(options.folder, options.source, options.only, not options.no_run)
        print(*said, sep="\n", flush=True)
        further = ["--collect-only", "-qq"] if options.no_run else []
        bad = validate(options.folder, further)
    except Trouble as trouble:
        print(f"release: {trouble}", file=sys.stderr)
        return 2
    if bad:
        print(f"{options.folder} is written, but not fit for students yet: see above.")
        return 1
    if options.no_run:
        print(f"{options.folder} is written. Its cells were not run, so it may not fit what runs.")
        return 0
    print(f"{options.folder} is ready for students.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
