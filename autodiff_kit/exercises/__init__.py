"""The notebooks' exercises: ``check("02.1", answer)`` says "right" or "not yet", and why.

One idea: a check teaches. It never raises, and each plausible mistake has a hint of its own.
The exercises of notebook NN are in the module ``nNN``, under their numbers in ``EXERCISES``.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from autodiff_kit.exercises.stubs import is_stub, mentions_dots
from autodiff_kit.exercises.unnamed import where_it_is
from autodiff_kit.teaching.values import in_lines

__all__ = ["Exercise", "Verdict", "check", "find", "score", "verdict"]

DOTS = "replace the dots ... with your answer, and run this cell again."
DOTS_ABOVE = (
    "replace the dots ... in the cell above with your answer, run that cell, then this one."
)


@dataclass(frozen=True)
class Exercise:
    """One exercise, with what its tests need.

    prompt: what is asked, in one line.
    check: from an answer to None if it is right, else to the hint that fits the mistake.
    reference: a right answer.
    wrong: plausible wrong answers, each with words that its hint must hold.
    praise: what a right answer shows, in one sentence.
    stub: what stands in the notebook before anything is done.
    """

    prompt: str
    check: Callable[[Any], str | None]
    reference: Any
    wrong: tuple[tuple[Any, str], ...]
    praise: str = ""
    stub: Any = ...


class Verdict(NamedTuple):
    """What is said about an answer."""

    right: bool
    text: str


def check(number: str, answer: Any, *, above: bool = False) -> None:
    """Print whether an answer is right and, if it is not yet, a hint.

    Args:
      number: the notebook's number and the exercise's, as in ``"02.1"``.
      answer: what the exercise asks for.
      above: whether the answer stands in the cell above, as in a release for a class.

    >>> check("99.1", 3)
    There is no exercise 99.1.
    """
    text = verdict(number, answer).text
    print(in_lines(text.replace(DOTS, DOTS_ABOVE) if above else text))


def score(number: str, answer: Any) -> float:
    """1.0 for a right answer, else 0.0: as a cell's last value it is nbgrader's mark.

    >>> score("00.1", 13), score("00.1", ...)
    (1.0, 0.0)
    """
    return float(verdict(number, answer).right)


def verdict(number: str, answer: Any) -> Verdict:
    """What `check` prints, for programs; it raises nothing, whatever the answer does."""
    exercise = find(number)
    if exercise is None:
        return Verdict(False, f"There is no exercise {number}.")
    if is_stub(answer):
        return Verdict(False, f"{number} not yet: {DOTS}")
    hint = _ask(exercise, answer)
    if hint is None:
        return Verdict(True, f"{number} right. {exercise.praise}".strip())
    if mentions_dots(answer):
        return Verdict(False, f"{number} not yet: there are still dots ... in your answer.")
    return Verdict(False, f"{number} not yet: {hint}")


def find(number: str) -> Exercise | None:
    """The exercise of this number, or None."""
    match = re.fullmatch(r"(\d\d)\.\d+", str(number))
    if match is None:
        return None
    name = f"{__name__}.n{match[1]}"
    try:
        exercises: dict[str, Exercise] = import_module(name).EXERCISES
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
    return exercises.get(number)


def _ask(exercise: Exercise, answer: Any) -> str | None:
    """The hint, also when the answer is a function that fails; its warnings are not shown."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return exercise.check(answer)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if re.search(r"bitwise_?xor|for \^", str(error), re.IGNORECASE):
            return "in Python the power is **, as in x**2: a ^ works on the bits of integers."
        return _stopped(error)


def _stopped(error: BaseException) -> str:
    """What an error says, in one line and without the addresses of objects."""
    words = " ".join(re.sub(r" at 0x[0-9a-f]+", "", str(error)).split())
    if "'method' object is not" in words:
        words += ". A method is called with brackets, as in tape.watched_variables()."
    if "'list' object is not callable" in words:
        words += ". A list is read without brackets after it, as in layer.trainable_variables."
    if isinstance(error, NameError):
        words += where_it_is(error)
    return f"your answer stopped with {type(error).__name__}: {words}"
