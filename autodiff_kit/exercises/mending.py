"""Is a faulty function mended? The checks of notebook 17 look at its value and at its gradient.

One idea: a hint says which of the four symptoms is left, None, NaN, zero or a wrong number, and where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises.arriving import arriving
from autodiff_kit.exercises.hints import a_function, a_tensor, moved
from autodiff_kit.teaching.values import quoted, same

ARRIVING = -2.5
Mistakes = Sequence[tuple[Callable[..., Any], str]]


@dataclass(frozen=True)
class Case:
    """One place at which a function is asked, by the names of its arguments; the first is the source.

    aside: what a hint about the gradient here ends with.
    """

    arguments: Mapping[str, Any]
    value: float
    slope: Any
    aside: str = ""

    def __str__(self) -> str:
        return "for " + ", ".join(f"{name} = {quoted(v)}" for name, v in self.arguments.items())

    @property
    def source(self) -> str:
        """The source's name."""
        return next(iter(self.arguments))

    def variable(self) -> ad.Variable:
        """The source, to be recorded."""
        return ad.Variable(self.arguments[self.source], dtype=ad.float32)

    def others(self) -> list[Any]:
        """The other arguments, as constants."""
        return [ad.constant(v, ad.float32) for v in list(self.arguments.values())[1:]]


def mended(
    answer: Any, cases: Sequence[Case], mistakes: Mistakes = (), nearly: str | None = None
) -> str | None:
    """None if a function has the right value and gradient at all places, else what is still wrong.

    Args:
      answer: the learner's function of the cases' arguments; it should return one number.
      cases: where it is asked, and what should come out.
      mistakes: functions of the same arguments with a known wrong value, each with its hint.
      nearly: the hint if values and gradients are off, but nowhere by more than a hundredth.

    >>> case = Case({"x": 3.0}, 9.0, 6.0)
    >>> mended(lambda x: x * x, [case])
    >>> mended(lambda x: x * ad.stop_gradient(x), [case])[:48]
    'for x = 3.0 the value is right, but the gradient'
    """
    wrong = a_function(answer)
    if wrong:
        return wrong
    for judge in (_value_at, _slope_at):
        for case in cases:
            wrong = judge(answer, case, cases, mistakes)
            if wrong:
                return nearly if nearly and all(near(answer, each) for each in cases) else wrong
    return None


def near(answer: Any, case: Case) -> bool:
    """Whether the value and the gradient are right within a hundredth."""
    x = case.variable()
    with ad.GradientTape() as tape:
        y = answer(x, *case.others())
    slope = tape.gradient(y, x) if ad.is_tensor(y) and same(x, case.variable()) else None
    if slope is None or np.shape(slope) != np.shape(case.slope):
        return False
    off = np.max(np.abs(slope - np.asarray(case.slope)))
    return same(y, case.value, 0.01) and bool(off < 0.01 * np.max(np.abs(case.slope)))


def _value_at(answer: Any, case: Case, cases: Sequence[Case], mistakes: Mistakes) -> str | None:
    """The hint of a known mistake, if the values are its values everywhere, or the difference here."""
    x = case.variable()
    y = answer(x, *case.others())
    wrong = a_tensor(y, case.source) or _one_number(y) or moved(x, case.variable(), case.source)
    if wrong or same(y, case.value):
        return wrong
    for mistake, hint in mistakes:
        if all(_agrees(answer, mistake, each) for each in cases):
            return hint
    return f"{case} the value should be {quoted(case.value)}, and you return {quoted(y)}."


def _agrees(answer: Any, mistake: Callable[..., Any], case: Case) -> bool:
    y = answer(case.variable(), *case.others())
    return same(y, mistake(*map(np.asarray, case.arguments.values())))


def _slope_at(answer: Any, case: Case, *_: Any) -> str | None:
    x = case.variable()
    with ad.GradientTape(persistent=True) as tape:
        y = answer(x, *case.others())
    slope = tape.gradient(y, x)
    if slope is None or not same(slope, case.slope):
        return f"{case} the value is right, but the gradient {_about(slope, case)} {case.aside}".strip()
    if same(tape.gradient(y, x, arriving(ARRIVING, y)), ARRIVING * np.asarray(case.slope)):
        return None
    return (
        f"right as long as 1 arrives. If {ARRIVING} arrives, as from a factor behind your function, "
        "the gradient must be multiplied by it."
    )


def _one_number(y: Any) -> str | None:
    shape = tuple(np.shape(y))
    return f"one number is asked for, and yours has the shape {shape}." if shape else None


def _about(slope: Any, case: Case) -> str:
    """The symptom, and what to do next."""
    if slope is None:
        return (
            "is None: the way back is cut. Call your function on a tape of your own, and "
            "print(ad.explain(...)): which line does it name?"
        )
    if not np.all(np.isfinite(slope)):
        return (
            f"is {quoted(slope)}. Somewhere an infinite slope was met: make the argument safe "
            "*before* the function that has it."
        )
    if not np.any(slope):
        return "is zero: what flows back has nothing to do with the value."
    return (
        f"should be {quoted(np.asarray(case.slope))}, and is {quoted(slope)}. Is one of the ways "
        "cut? See the also: line of explain."
    )
