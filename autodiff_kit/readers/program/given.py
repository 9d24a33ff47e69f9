"""Layer 5: the text of a program that no file holds.

One idea: ``python -c`` runs its argument under the name that every `exec` of a string has as well, so
the argument is at hand, and whether it is what ran, its code tells. What was typed in before Python
3.13, or came through a pipe, nobody has kept.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from autodiff_kit.readers.program.timed import TIMED

STRING = "<string>"


@lru_cache(maxsize=1)
def command_lines() -> list[str]:
    """The lines that Python was given with ``-c``; none if it was started otherwise."""
    if sys.argv[:1] != ["-c"]:
        return []
    for flag, text in zip(sys.orig_argv, sys.orig_argv[1:], strict=False):
        if flag[:1] == "-" and flag[:2] != "--" and flag.endswith("c"):
            return text.splitlines(keepends=True)
    return []


def unknown_text(codes: Iterable[Any], text_of: Callable[[str], str]) -> str:
    """What to say where the text of some of the learner's code is not at hand; "" if all of it is."""
    for file in dict.fromkeys(code.co_filename for code in codes):
        if file[:1] == "<" and file != TIMED and not text_of(file):
            return (
                f"The text of `{file}` is not at hand (it was typed in, piped in or run by exec), so "
                "lines are mere numbers here, and there is less code. Save the program in a file, run "
                "that, and ask again."
            )
    return ""
