"""Errors that show the learner's lines, and not the engine's.

One idea: what went wrong is said by the message, where by the cell; the kit's own frames between the
two are left out of what a notebook shows.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from autodiff_kit.readers.program.lines import shell

__all__ = ["show_own_lines"]


def show_own_lines() -> None:
    """Leave the kit's frames out of the errors that this notebook shows; elsewhere do nothing."""
    notebook = shell()
    if notebook is not None:
        notebook.set_custom_exc((Exception,), _shown)


def _shown(notebook: Any, kind: Any, error: Any, traceback: Any, tb_offset: Any = None) -> None:
    notebook.showtraceback((kind, error, without_the_kit(traceback)), tb_offset=tb_offset)


def without_the_kit(traceback: TracebackType | None) -> TracebackType | None:
    """The same traceback without the frames of `autodiff_kit`."""
    if traceback is None:
        return None
    rest = without_the_kit(traceback.tb_next)
    module = str(traceback.tb_frame.f_globals.get("__name__", ""))
    if module.split(".")[0] == "autodiff_kit":
        return rest
    return TracebackType(rest, traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno)
