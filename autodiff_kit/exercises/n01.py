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
            "RuntimeError": "it is one call of gradient, so a plain tape answers it.",
            None: "x is a variable, and both were computed from it on the tape: a gradient flows.",
            (9.0, 27.0): "these are y1 and y2, the values. Asked for are their gradients.",
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
        return (
            "a plain tape answers once. What must the tape be told, to be asked three times? (Or "
            "record each function on a tape of its own, and ask that one before the next begins.)"
        )
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
        return (
            "this is the sum of the three: a list of targets gives one gradient, that of the sum. Ask "
            "for one after another, and return them as [first, second, third]."
        )
    if same(result, [4.0, 8.0, 0.5]):
        return "these are the values of the three functions. Return their gradients."
    if isinstance(result, (list, tuple)) and any(part is None for part in result):
        return _where_none(result)
    if same(result, [4.0, 12.0, 0.25]):
        return "all but the sign of the last: 1/x falls when x grows."
    if not isinstance(result, (list, tuple)) or len(result) != 3:
        return f"three gradients are asked for, in a list, and you return {quoted(result)}."
    if any(isinstance(part, (list, tuple)) for part in result):
        return "each of the three is in a list of its own: ask for x, not for [x]."
    return _which_is_odd(result)


NAMES, AT_2 = ("x²", "x³", "1/x"), (4.0, 12.0, -0.25)


def _where_none(result: Any) -> str:
    """Which of the gradients are missing, and what may be the reason for just these."""
    missing = [name for name, part in zip(NAMES, result, strict=False) if part is None]
    if len(result) != 3 or len(missing) == 3:
        return f"there is None among your gradients. {UNSEEN}"
    return (
        f"the gradient of {' and that of '.join(missing)} is None, and of the rest not: is that "
        "function computed from x inside the block, on the tape that is asked? (// rounds down, and "
        "has no gradient.)"
    )


def _which_is_odd(result: Any) -> str:
    """The first gradient that is wrong, what it should be, and what it looks like."""
    slip = ""
    if same(sorted(float(part) for part in result), sorted(AT_2)):
        slip = " All three are there, in another order: x², x³, 1/x."
    elif same(result[0], result[1]) or same(result[1], result[2]):
        slip = " The same comes more than once: each call needs a target of its own."
    elif same(result[:2], [2.0, 3.0]):
        slip = " 2 and 3 are the slopes of 2x and 3x: a power is x**2."
    odd = next(i for i in range(3) if not same(result[i], AT_2[i]))
    return (
        f"at x = 2, {quoted(result[odd])} is not the slope of {NAMES[odd]}: that is {AT_2[odd]}."
        f"{slip or ' Is the target this function, and the source x?'}"
    )


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


def _asked_for(functions: Any) -> Any:
    def answer(x: Any) -> Any:
        with ad.GradientTape(persistent=True) as tape:
            targets = [f(x) for f in functions]
        return [tape.gradient(y, x) for y in targets]

    return answer


_of_multiples = _asked_for([lambda x: 2 * x, lambda x: 3 * x, lambda x: 1 / x])
_rounded_down = _asked_for([lambda x: x**2, lambda x: x**3, lambda x: 1 // x])


def _exchanged(x: Any) -> Any:
    with ad.GradientTape(persistent=True) as tape:
        targets = [x**2, x**3, 1.0 / x]
    return [tape.gradient(x, y) for y in targets]


def _by_way_of_the_square(x: Any) -> Any:
    with ad.GradientTape(persistent=True) as tape:
        square = x**2
        cube, inverse = square * x, 1.0 / x
    return [
        tape.gradient(square, x),
        tape.gradient(cube, square),
        tape.gradient(inverse, x),
    ]


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
            (RuntimeError, "one call"),
            (None, "a gradient flows"),
            ([9, 27], "y1 and y2, the values"),
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
            (_outside, "the gradient of x³ and that of 1/x is None"),
            (lambda x: sum(_right(x)), "return them as [first, second, third]"),
            (lambda x: _right(x)[0], "three gradients are asked for, in a list"),
            (lambda x: _right(x)[::-1], "in another order"),
            (lambda x: 3 * _right(x)[:1], "comes more than once"),
            (_of_multiples, "a power is x**2"),
            (_rounded_down, "the gradient of 1/x is None"),
            (_exchanged, "is the target asked for first"),
            (_by_way_of_the_square, "that is 12.0. Is the target this function, and the source x"),
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
