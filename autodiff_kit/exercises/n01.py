"""Exercises of notebook 01: a list of targets, and several questions to one tape."""

from __future__ import annotations

from typing import Any

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import UNSEEN, a_function, among, explained
from autodiff_kit.exercises.points import by_rule
from autodiff_kit.exercises.recorded import by_hand
from autodiff_kit.teaching.values import quoted, same


def _two_targets(answer: Any) -> str | None:
    return among(
        answer,
        33.0,
        {
            6.0: "that is the gradient of y1 alone. What do several targets mean together?",
            27.0: "that is the gradient of y2 alone. What do several targets mean together?",
            (6.0, 27.0): "one tape, one question, one answer: a list of targets gives no list.",
            36.0: "that is y1 + y2, the values. Asked for are their gradients.",
            162.0: "they are added, not multiplied.",
            (33.0,): "one number is asked for, without brackets: a list of targets gives no list.",
            "error": "it is one call of gradient, so a plain tape answers it.",
        },
        "take the derivatives of x² and of x³ at 3. What do several targets mean together?",
    )


def _three_slopes(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    try:
        result = answer(ad.Variable(2.0))
    except RuntimeError as error:
        if "non-persistent" not in str(error):
            raise
        return "a plain tape answers once. What must the tape be told, to be asked three times?"
    if not same(result, [4.0, 12.0, -0.25]):
        return _hint(result)
    points = [{"x": ad.Variable(x)} for x in (2.0, 1.0, -0.4)]
    differs = by_rule(answer, lambda x: [2.0 * x, 3.0 * x**2, -1.0 / x**2], points)
    return differs or by_hand(answer, ad.Variable(2.0))


def _hint(result: Any) -> str:
    if result is None:
        return "your function returns nothing. Is there a return?"
    wrong = explained(result)
    if wrong:
        return wrong
    if same(result, 15.75) or same(result, [15.75] * 3):
        return "a list of targets gives one gradient, that of the sum. Ask for one after another."
    if same(result, [4.0, 8.0, 0.5]):
        return "these are the values of the three functions. Return their gradients."
    if isinstance(result, (list, tuple)) and any(part is None for part in result):
        return f"there is None among your gradients. {UNSEEN}"
    if same(result, [4.0, 12.0, 0.25]):
        return "all but the sign of the last: 1/x falls when x grows."
    if not isinstance(result, (list, tuple)) or len(result) != 3:
        return f"three gradients are asked for, in a list, and you return {quoted(result)}."
    if any(isinstance(part, (list, tuple)) for part in result):
        return "each of the three is in a list of its own: ask for x, not for [x]."
    names, right = ("x²", "x³", "1/x"), (4.0, 12.0, -0.25)
    odd = [i for i in range(3) if not same(result[i], right[i])]
    return f"at x = 2, {quoted(result[odd[0]])} is not the slope of {names[odd[0]]}."


def _right(x: Any) -> Any:
    with ad.GradientTape(persistent=True) as tape:
        targets = [x**2, x**3, 1.0 / x]
    return [tape.gradient(y, x) for y in targets]


def _plain(x: Any) -> Any:
    with ad.GradientTape() as tape:
        targets = [x**2, x**3, 1.0 / x]
    return [tape.gradient(y, x) for y in targets]


def _summed(x: Any) -> Any:
    with ad.GradientTape() as tape:
        targets = [x**2, x**3, 1.0 / x]
    return tape.gradient(targets, x)


def _outside(x: Any) -> Any:
    with ad.GradientTape(persistent=True) as tape:
        y = x**2
    return [tape.gradient(target, x) for target in (y, x**3, 1.0 / x)]


def _values(x: Any) -> Any:
    return [x**2, x**3, 1.0 / x]


def _fixed(x: Any) -> Any:
    return [4.0, 12.0, -0.25]


def _changes_x(x: Any) -> Any:
    x.assign(2.0)
    with ad.GradientTape():
        pass
    return [4.0, 12.0, -0.25]


def _explained(x: Any) -> Any:
    with ad.GradientTape(persistent=True) as tape:
        targets = [x**2, x**3, 1.0 / x]
    return [ad.explain(tape, y, x) for y in targets]


def _one_by_hand(x: Any) -> Any:
    return [*_right(x)[:2], -1.0 / x**2]


def _parts_by_hand(x: Any) -> Any:
    square, cube, inverse = _right(x)
    return [square + x - 0.5 * square, 0.5 * cube + 1.5 * x**2, 2.0 * inverse + 1.0 / x**2]


EXERCISES = {
    "01.1": Exercise(
        "The gradient of the list [x**2, x**3] at x = 3.",
        _two_targets,
        33.0,
        (
            (6, "of y1 alone"),
            (27.0, "of y2 alone"),
            ([6, 27], "gives no list"),
            (36, "the values"),
            ("error", "one call"),
            ([33], "without brackets"),
            (0, "What do several targets mean"),
        ),
        "The gradient of a list of targets is that of their sum: 6 + 27.",
    ),
    "01.2": Exercise(
        "A function that returns the gradients of x², x³ and 1/x at a variable.",
        _three_slopes,
        _right,
        (
            (_plain, "answers once"),
            (_summed, "that of the sum"),
            (lambda x: 3 * [_summed(x)], "that of the sum"),
            (_outside, "inside the block"),
            (_values, "the values"),
            (_explained, "print what explain says"),
            (_one_by_hand, "no tape found all of them"),
            (_parts_by_hand, "only a part of it"),
            (_fixed, "the same everywhere"),
            (_changes_x, "changes x itself"),
            (lambda x: [[part] for part in _right(x)], "not for [x]"),
            (lambda x: [2.0 * x, 3.0 * x, -1.0 / x**2], "6.0 is not the slope of x³"),
            (lambda x: [2.0 * x, 3.0 * x * x], "three gradients"),
            (lambda x: [2.0 * x, 3.0 * x**2, -1.0 / x**2], "no tape found them"),
            (33.0, "a function"),
        ),
        "Three questions: to one persistent tape, or each to a tape of its own.",
    ),
}
