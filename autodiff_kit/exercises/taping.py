"""Does the way back over an own tape's records work? The check of exercise 16.1.

One idea: an answer is tried on the learner's own Number and Tape, which stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_kit.exercises import own_tape
from autodiff_kit.exercises.hints import a_function, among, said
from autodiff_kit.teaching.values import quoted, same


def parts(answer: Any) -> tuple[Any, Any]:
    """The Number and the Tape of the notebook in which a function was written."""
    names = getattr(answer, "__globals__", {})
    if "Number" in names and "Tape" in names:
        return names["Number"], names["Tape"]
    return own_tape.Number, own_tape.Tape


def way_back(answer: Any) -> str | None:
    """A hint unless the answer reads a tape's records backwards, and adds what meets at a number."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    number, tape_of = parts(answer)
    x = number(3.0)
    with tape_of() as tape:
        tape.watch(x)
        y = x * x + x
    tape.gradient = _asked
    try:
        result = answer(tape, y, x)
    except _AskedError:
        return (
            "tape.gradient calls this very function, and it would never come to an end: read the lines "
            "in tape.records."
        )
    except (TypeError, AttributeError, KeyError) as error:
        return _stopped(error)
    return (
        _slope_of_the_first(result)
        or _same_again(answer(tape, y, x))
        or _not_on_the_way(answer, number, tape_of)
        or _longer(answer, number, tape_of)
        or _twice(answer, number, tape_of)
    )


class _AskedError(Exception):
    """An answer has asked the tape for what it should find itself."""


def _asked(target: Any, source: Any) -> Any:
    raise _AskedError


def _stopped(error: Exception) -> str:
    """The hint for the two slips that end in an error of Python."""
    if "'function'" in str(error):
        return "a rule is a function: call it with what has arrived, as in rule(arrived[result])."
    if "'float'" in str(error):
        return (
            "a float has got among the Numbers: begin with Number(1.0), and where nothing has arrived "
            f"yet, do not add to 0.0. ({said(error)})"
        )
    if isinstance(error, KeyError):
        return (
            f"at {error} nothing has arrived yet, so there is no entry that one could add to: the "
            "first that arrives is put there, what comes later is added."
        )
    return f"your answer stopped with {said(error)}"


def _slope_of_the_first(result: Any) -> str | None:
    if result is None:
        return (
            "None for x * x + x. Are the lines those of tape.records, does arrived begin with 1 at the "
            "target, and is there a return of what arrived at the source?"
        )
    if not hasattr(result, "value"):
        return (
            f"your function returns {quoted(result)}, and a Number is asked for: the one that has "
            "arrived at the source."
        )
    return among(
        result.value,
        7.0,
        {
            3.0: "for x * x + x at 3 you return 3: only one of the three uses of x counts. Add them.",
            1.0: "for x * x + x at 3 you return 1. Are the lines read from the last to the first?",
            6.0: "for x * x + x at 3 you return 6: the use of x in the sum is lost. Add what meets.",
        },
        f"x * x + x has the slope 7 at 3, and you return {quoted(result.value)}.",
    )


def _same_again(result: Any) -> str | None:
    if same(getattr(result, "value", None), 7.0):
        return None
    return "right, but only once: a second question to the same tape finds its records changed."


def _not_on_the_way(answer: Any, number: Any, tape_of: Any) -> str | None:
    """Lines that lead elsewhere: they send nothing, and where nothing arrives there is None."""
    x, u, alone = number(3.0), number(5.0), number(2.0)
    with tape_of() as tape:
        tape.watch(x)
        tape.watch(u)
        y = x * x
        x + u
    try:
        result = answer(tape, y, x)
        others = [answer(tape, y, u), answer(tape, y, alone)]
    except KeyError:
        return (
            "right for x * x + x, but not if a line of the tape leads elsewhere: at its result nothing "
            "has arrived. Leave such a line out."
        )
    if not same(getattr(result, "value", None), 6.0):
        return "right for x * x + x, but x * x is wrong if x is used for something else as well."
    if others != [None, None]:
        return (
            f"at a number that is not on the way nothing arrives, so the answer is None; you return "
            f"{' and '.join(map(str, others))}."
        )
    return None


def _longer(answer: Any, number: Any, tape_of: Any) -> str | None:
    x = number(2.0)
    with tape_of() as tape:
        tape.watch(x)
        middle = x * x
        y = (x + x) * middle + x
    found = [getattr(answer(tape, y, source), "value", None) for source in (x, middle)]
    if same(found, [25.0, 4.0]):
        return None
    if same(found, [7.0, 4.0]):
        return (
            "right for x * x + x, but not further from the target: hand each rule what has arrived at "
            "its result, arrived[result], and not 1."
        )
    return (
        "right for x * x + x, but for m = x * x and y = (x + x) * m + x at 2 the gradients for x and m "
        f"should be 25 and 4, and you return {quoted(found)}."
    )


def _twice(answer: Any, number: Any, tape_of: Any) -> str | None:
    """A hint if an outer tape cannot follow the way back."""
    if same(second_derivative(lambda x: x * x * x, answer, number, tape_of), 12.0):
        return None
    return (
        "the gradient is right, but an outer tape cannot follow how it is made. Add the Numbers "
        "themselves, not their .value."
    )


def second_derivative(
    f: Callable[[Any], Any], ask: Callable[..., Any], number: Any, tape_of: Any
) -> float | None:
    """That of a function at 2, by one tape inside another; None where nothing arrives.

    Args:
      f: the function of a Number.
      ask: ``ask(tape, y, x)`` gives a gradient.
      number, tape_of: the learner's Number and Tape.
    """
    x = number(2.0)
    with tape_of() as outer:
        outer.watch(x)
        with tape_of() as inner:
            inner.watch(x)
            y = f(x)
        slope = ask(inner, y, x)
    return getattr(ask(outer, slope, x), "value", None)
