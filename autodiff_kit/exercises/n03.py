"""Exercises of notebook 03: a target with many numbers, and gradients by name."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, among, said
from autodiff_kit.teaching.values import plain, quoted, same


def _three_squares(answer: Any) -> str | None:
    return among(
        answer,
        [2.0, 4.0, 6.0],
        {
            12.0: "a gradient has the shape of its source, and x has three numbers.",
            (1.0, 4.0, 9.0): "these are the numbers in y. Asked for are slopes.",
            (2.0, 2.0, 2.0): "the slope of x² depends on x.",
            ((2.0, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 0.0, 6.0)): (
                "this is the Jacobian. gradient adds up the slopes of all numbers in y."
            ),
            (1.0, 2.0, 3.0): "that is x itself. How fast does each number in y change with its x?",
            ((2.0, 4.0, 6.0),): "the right numbers, with a bracket too many: x has the shape (3,).",
            (2.0, 8.0, 18.0): "that is twice y. The derivative of x² is 2x.",
            14.0: "that is the sum of y. Asked for are slopes, one for each number in x.",
            None: "y was computed from x, which is a variable of floats: a gradient flows.",
            (6.0, 12.0, 18.0): "three times too much: each number in y depends on one in x only.",
        },
        "one slope for each number in x: a list of three.",
    )


def _by_name(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    try:
        result = answer(*_example(2.0, 5.0))
    except RuntimeError as error:
        if "non-persistent" not in str(error):
            raise
        return "a plain tape answers once: ask for all gradients in one call."
    if isinstance(result, (list, tuple)):
        return "a list has no names. Hand the sources in as a dictionary."
    if result is None:
        return (
            "your function returns None. Is there a return? And is the target asked for first, as in "
            "gradient(target, sources)?"
        )
    if not isinstance(result, dict):
        return f"a dictionary is asked for, and this is {quoted(result)}."
    return _keys_and_values(result) or _elsewhere(answer) or _unused(answer)


def _example(*values: float, names: str = "ab") -> tuple[Any, Any]:
    """A tape with the product of the first and the last, plus the squares of those between."""
    first, *between, last = [
        ad.Variable(value, name=name) for value, name in zip(values, names, strict=True)
    ]
    with ad.GradientTape() as tape:
        target = first * last + sum(middle**2 for middle in between)
    return tape, target


def _elsewhere(answer: Any) -> str | None:
    result = answer(*_example(3.0, 0.5, -4.0, names="pqr"))
    if same(result, {"p:0": -4.0, "q:0": 1.0, "r:0": 3.0}):
        return None
    return (
        "right for a * b, but not for p * r + q² with three variables: you return "
        f"{quoted(result)}. Ask the tape that is given, for all that it watched."
    )


def _unused(answer: Any) -> str | None:
    """A hint unless a variable that the target does not use stands there with its None."""
    a, u = ad.Variable(2.0, name="a"), ad.Variable(5.0, name="u")
    with ad.GradientTape() as tape:
        target = a * a
        ad.square(u)
    case = "if the tape also watched a variable u that the target was not computed from, "
    try:
        result = answer(tape, target)
    except Exception as error:
        return f"{case}its gradient is None, and your answer stopped with {said(error)}"
    if same(result, {"a:0": 4.0, "u:0": None}):
        return None
    given = plain(result)
    if isinstance(given, dict) and "u:0" not in given:
        return f"{case}its name is missing: keep it, with its None."
    if isinstance(given, dict) and same(given["u:0"], 0.0):
        return f"{case}you return 0 for it. It is None: a zero hides that there is no way to u."
    return f"{case}the answer should be a:0: 4.0, u:0: None, and you return {quoted(result)}."


def _keys_and_values(result: dict[Any, Any]) -> str | None:
    if not all(isinstance(key, str) for key in result):
        return "the keys should be names: v.name for each variable v."
    if result.keys() == {"a", "b"}:
        return "keep the names as they are: v.name ends in :0."
    if result.keys() != {"a:0", "b:0"}:
        return f"the tape watched a:0 and b:0, and your keys are {quoted(sorted(result))}."
    if same(result, {"a:0": 5.0, "b:0": 2.0}):
        return None
    if any(not isinstance(plain(value), np.ndarray) for value in result.values()):
        return "the values should be gradients, and some are not even numbers."
    if same(result, {"a:0": 2.0, "b:0": 5.0}):
        return "these are the values of the variables. Ask the tape for the gradients."
    return f"for a * b at 2 and 5 you return {quoted(result)}, and it should be a:0: 5.0, b:0: 2.0."


def _right(tape: Any, target: Any) -> Any:
    return tape.gradient(target, {v.name: v for v in tape.watched_variables()})


def _one_by_one(tape: Any, target: Any) -> Any:
    return {v.name: tape.gradient(target, v) for v in tape.watched_variables()}


def _list(tape: Any, target: Any) -> Any:
    return tape.gradient(target, tape.watched_variables())


def _exchanged(tape: Any, target: Any) -> Any:
    return tape.gradient({v.name: v for v in tape.watched_variables()}, target)


def _without_brackets(tape: Any, target: Any) -> Any:
    return tape.gradient(target, {v.name: v for v in tape.watched_variables})


def _variables(tape: Any, target: Any) -> Any:
    return {v.name: v for v in tape.watched_variables()}


def _short_names(tape: Any, target: Any) -> Any:
    return tape.gradient(target, {v.name[:-2]: v for v in tape.watched_variables()})


def _two_sources(tape: Any, target: Any) -> Any:
    a, b = tape.watched_variables()
    return tape.gradient(target, {a.name: a, b.name: b})


def _quotients(tape: Any, target: Any) -> Any:
    return {v.name: target / v for v in tape.watched_variables()}


def _without_none(tape: Any, target: Any) -> Any:
    return {name: g for name, g in _right(tape, target).items() if g is not None}


def _in_numpy(tape: Any, target: Any) -> Any:
    return {name: g.numpy() for name, g in _right(tape, target).items()}


def _zeros_for_none(tape: Any, target: Any) -> Any:
    sources = {v.name: v for v in tape.watched_variables()}
    return tape.gradient(target, sources, unconnected_gradients="zero")


def _words_for_none(tape: Any, target: Any) -> Any:
    return {name: g if g is not None else "no" for name, g in _right(tape, target).items()}


def _numbers_for_names(tape: Any, target: Any) -> Any:
    return dict(enumerate(tape.gradient(target, tape.watched_variables())))


EXERCISES = {
    "03.1": Exercise(
        "The gradient of x**2 at x = [1, 2, 3].",
        _three_squares,
        [2.0, 4.0, 6.0],
        (
            (12, "the shape of its source"),
            ([1, 4, 9], "the numbers in y"),
            ([2, 2, 2], "depends on x"),
            (np.diag([2, 4, 6]), "the Jacobian"),
            ([6, 12, 18], "three times too much"),
            ([1, 2, 3], "x itself"),
            ([[2, 4, 6]], "a bracket too many"),
            ([2, 8, 18], "twice y"),
            (14, "the sum of y"),
            (None, "a gradient flows"),
            ("2x", "a list of three"),
        ),
        "Each number of x has its own slope, 2x.",
    ),
    "03.2": Exercise(
        "A function that returns the gradients of all watched variables by name.",
        _by_name,
        _right,
        (
            (_one_by_one, "answers once"),
            (_list, "no names"),
            (_exchanged, "is the target asked for first"),
            (lambda tape, target: print(end=""), "Is there a return"),
            (_without_brackets, "A method is called with brackets"),
            (lambda tape, target: _right(tape, target).values(), "a dictionary is asked for"),
            (_variables, "values of the variables"),
            (_short_names, "ends in :0"),
            (_numbers_for_names, "should be names"),
            (_two_sources, "too many values to unpack"),
            (_quotients, "not for p * r + q²"),
            (_without_none, "its name is missing"),
            (_in_numpy, "your answer stopped with AttributeError"),
            (_zeros_for_none, "a zero hides"),
            (_words_for_none, "should be a:0: 4.0, u:0: None"),
            (lambda tape, target: {"a:0": 5.0, "b:0": 2.0}, "Ask the tape that is given"),
            ({}, "a function"),
        ),
        "One call, one dictionary in, one dictionary out.",
    ),
}
