"""What it costs that every tensor knows the learner's line.

One idea: in the same process, the code of operations of one and two inputs is exchanged for the same
code without the look at the caller's frame. What is then saved is the price of being explainable.
"""

from __future__ import annotations

import gc
import inspect
import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from autodiff_kit import define, noted
from benchmarks.libraries import Library
from benchmarks.measuring import interleaved, quartiles
from benchmarks.workloads import WORKLOADS

ROWS = ("chain, 1000 scalars", "chain, 1000 vectors", "moons MLP", "MLP gradient")
LOOK = re.compile(
    r"""
    [ ]+ frame:\ Any\ =\ _getframe\(\d\) \n
    [ ]+ code\ =\ frame\.f_code \n
    [ ]+ if\ code\ is\ not\ LEARNER\.code: \n
    [ ]+ frame\ =\ asking\(\)\ or\ learners\(frame\) \n
    [ ]+ code\ =\ frame\.f_code \n
    """,
    re.VERBOSE,
)
RECORDING = ("apply", "noted", "noted_two")  # the functions that look


def inner(code: CodeType) -> Iterator[CodeType]:
    """The code of the functions that look at frames, in order, inside that of a module."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            if part.co_name in RECORDING:
                yield part
            yield from inner(part)


def without_look(module: Any) -> dict[CodeType, CodeType]:
    """The code of each such function in a module, and what it is without the look at the frame."""
    source = inspect.getsource(module)
    bare = LOOK.sub("", source).replace("code, frame.f_lasti", "None, 0")
    bare = bare.replace("spreads, frame)", "spreads, _getframe(0))")
    if not LOOK.search(source) or LOOK.search(bare) or "code, frame.f_lasti" in bare:
        raise RuntimeError(f"{module.__name__} looks at frames in another way now; adapt LOOK")
    old, new = (compile(text, module.__file__, "exec") for text in (source, bare))
    return dict(zip(inner(old), inner(new), strict=True))


@contextmanager
def without_lines() -> Iterator[None]:
    """Operations of one and two inputs note no line of the learner's."""
    codes = {**without_look(define), **without_look(noted)}
    gc.unfreeze()  # `get_objects` does not show what is frozen
    functions = [f for f in gc.get_objects() if type(f) is FunctionType and f.__code__ in codes]
    kept = [f.__code__ for f in functions]
    if not functions:
        raise RuntimeError("no operation was found")
    for function in functions:
        function.__code__ = codes[function.__code__]
    try:
        yield
    finally:
        for function, code in zip(functions, kept, strict=True):
            function.__code__ = code


def rows(kit: Library, tiny: bool = False) -> dict[str, Any]:
    """The workloads that are compared."""
    found = [w for w in WORKLOADS if w.name in ROWS]
    return {w.name: w.library(kit, w.tiny if tiny else w.size) for w in found}


def report(kit: Library, rounds: int, seconds: float) -> dict[str, Any]:
    """How often the time without lines is the time with them, for some workloads."""
    found: dict[str, list[float]] = {name: [] for name in ROWS}
    calls = rows(kit)
    for _ in range(rounds):
        with without_lines():
            bare = interleaved(calls, 1, seconds)
        full = interleaved(calls, 1, seconds)
        for name, times in found.items():
            times.append(full[name].seconds / bare[name].seconds)
    return {
        name: dict(zip(("low", "ratio", "high"), quartiles(t), strict=True))
        for name, t in found.items()
    }
