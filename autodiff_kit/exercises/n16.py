"""Exercises of notebook 16: the way back, a division with its rules, and broadcasting undone."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.dividing import division
from autodiff_kit.exercises.hints import a_function
from autodiff_kit.exercises.own_tape import Number, Tape, divide, gradient, record
from autodiff_kit.exercises.taping import way_back
from autodiff_kit.teaching.values import quoted, same


def _division(answer: Any) -> str | None:
    return division(answer, lambda dy, a, b: (dy / b, -dy * a / b**2), DIVISIONS, WRONG_DIVISIONS)


DIVISIONS = (
    {"dy": 3.0, "a": 10.0, "b": 4.0},
    {"dy": -2.0, "a": 7.0, "b": 2.0},
    {"dy": 0.5, "a": -3.0, "b": -1.5},
)
WRONG_DIVISIONS = (
    (
        lambda dy, a, b: (dy / b, dy * a / b**2),
        "the sign: when a and b are positive and b grows, a / b shrinks.",
    ),
    (
        lambda dy, a, b: (1.0 / b, -a / b**2),
        "these are the slopes. Multiply them by what arrives, dy.",
    ),
    (lambda dy, a, b: (dy / b, -a / b**2), "to b: multiply by what arrives, dy, there too."),
    (lambda dy, a, b: (1.0 / b, -dy * a / b**2), "to a: multiply by what arrives, dy, there too."),
    (
        lambda dy, a, b: (-dy * a / b**2, dy / b),
        "both are there, in the other order: a's gradient comes first.",
    ),
    (
        lambda dy, a, b: (dy / b, -dy * a / b),
        "to b: the derivative of 1/b is -1/b², with a square.",
    ),
    (lambda dy, a, b: (dy / b, -dy * a / (2 * b)), "to b: b² is b times b, and not 2 times b."),
    (lambda dy, a, b: (dy / b, -dy / b**2), "to b: a is missing, since y = a · (1/b)."),
    (
        lambda dy, a, b: (dy / b, dy * a),
        "that would be the rule of a product. What is the derivative of 1/b?",
    ),
    (lambda dy, a, b: (dy * b, dy * a), "these are the rules of a product."),
)


def _fit(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    dy = np.arange(6.0).reshape(2, 3)
    row = answer(dy.copy(), (3,))
    if same(row, dy):
        return "for the shape (3,) nothing is added up: a (2, 3) comes back as it came."
    if same(row, dy.mean(axis=0)):
        return "the mean is taken. Each use sends back its own gradient: add them."
    if same(row, dy[0]):
        return "the first row is chosen, and the other forgotten. Each use counts: add them."
    if not same(row, dy.sum(axis=0)):
        return f"a (2, 3) that is fitted to (3,) has the column sums [3, 5, 7], not {quoted(row)}."
    for shape, right in (
        ((2, 3), dy),
        ((), dy.sum()),
        ((1, 3), dy.sum(axis=0, keepdims=True)),
        ((2, 1), dy.sum(axis=1, keepdims=True)),
        ((1, 1), dy.sum(keepdims=True)),
    ):
        result = answer(dy.copy(), shape)
        if not same(result, right):
            return _misfit(shape, result)
    deep = np.arange(24.0).reshape(4, 2, 3)
    if not same(answer(deep.copy(), (3,)), deep.sum(axis=(0, 1))):
        return "right for (2, 3), but from (4, 2, 3) to (3,) two axes have to go."
    shapes: tuple[tuple[int, ...], ...] = ((2, 3), (1, 3), (2, 1), (4, 1, 3), ())
    for goal in shapes:
        result = answer(deep.copy(), goal)
        if not same(result, _right_fit(deep, goal)):
            return (
                f"right for (2, 3), but not from (4, 2, 3) to {goal}: axes in front go, a 1 was "
                f"stretched. What comes back has the shape {np.shape(result)}."
            )
    return None


def _misfit(shape: tuple[int, ...], result: Any) -> str:
    if np.shape(result) == shape:
        return f"the shape {shape} is right, but the numbers are {quoted(result)}."
    what = {
        (2, 3): "nothing was stretched here, so nothing is to be added up",
        (): "a single number was used everywhere: add up everything",
    }.get(shape, "a length of 1 was stretched: add up along it, and keep the axis (keepdims)")
    return f"for the shape {shape}: {what}. What comes back has the shape {np.shape(result)}."


def _right_fit(dy: Any, shape: Any) -> Any:
    dy = dy.sum(axis=tuple(range(dy.ndim - len(shape))))
    stretched = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return np.sum(dy, axis=stretched, keepdims=True)


def _leading_only(dy: Any, shape: Any) -> Any:
    return dy.sum(axis=tuple(range(dy.ndim - len(shape))))


def _for_two_axes(dy: Any, shape: Any) -> Any:
    if len(shape) < dy.ndim:
        return _leading_only(dy, shape)
    return _right_fit(dy, shape)


def _from_the_end(dy: Any, shape: Any) -> Any:
    while dy.ndim > len(shape):
        dy = dy.sum(axis=-1)
    return dy


def _one_axis(dy: Any, shape: Any) -> Any:
    return _right_fit(dy, shape) if dy.ndim < 3 else dy.sum(axis=0)


def _written_over(tape: Tape, target: Number, source: Number) -> Any:
    arrived = {target: Number(1.0)}
    for result, inputs in reversed(tape.records):
        for number, rule in inputs:
            if result in arrived:
                arrived[number] = rule(arrived[result])
    return arrived.get(source)


def _forwards(tape: Tape, target: Number, source: Number) -> Any:
    arrived = {target: Number(1.0)}
    for result, inputs in tape.records:
        for number, rule in inputs:
            if result in arrived:
                arrived[number] = rule(arrived[result])
    return arrived.get(source)


def _always(tape: Tape, target: Number, source: Number) -> Any:
    arrived = {target: Number(1.0)}
    for result, inputs in reversed(tape.records):
        for number, rule in inputs:
            arrived[number] = arrived.get(number, Number(0.0)) + rule(arrived[result])
    return arrived.get(source)


def _zero_for_none(tape: Tape, target: Number, source: Number) -> Any:
    return gradient(tape, target, source) or Number(0.0)


def _used_up(tape: Tape, target: Number, source: Number) -> Any:
    result = gradient(tape, target, source)
    tape.records.clear()
    return result


def _by_values(tape: Tape, target: Number, source: Number) -> Any:
    result = gradient(tape, target, source)
    return result and Number(result.value)


def _plain_number(tape: Tape, target: Number, source: Number) -> Any:
    result = gradient(tape, target, source)
    return result and result.value


def _times_the_rule(tape: Tape, target: Number, source: Number) -> Any:
    arrived: Any = {target: Number(1.0)}
    for result, inputs in reversed(tape.records):
        for number, rule in inputs:
            arrived[number] = arrived.get(number, Number(0.0)) + arrived[result] * rule
    return arrived.get(source)


def _from_a_float(tape: Tape, target: Number, source: Number) -> Any:
    arrived: Any = {target: 1.0}
    for result, inputs in reversed(tape.records):
        for number, rule in inputs:
            arrived[number] = arrived.get(number, 0.0) + rule(arrived[result])
    return arrived.get(source)


def _of_one_function(tape: Tape, target: Number, source: Number) -> Any:
    return Number(source.value * 2.0 + 1.0)


def _to_the_end_only(tape: Tape, target: Number, source: Number) -> Any:
    return gradient(tape, tape.records[-1][0], source)


def _silent(tape: Tape, target: Number, source: Number) -> None:
    gradient(tape, target, source)


def _with_rules(to_a: Any, to_b: Any) -> Any:
    """A division with these rules, each a function of dy, a and b."""

    def division_of(a: Number, b: Number) -> Number:
        rules = [(a, lambda dy: to_a(dy, a, b)), (b, lambda dy: to_b(dy, a, b))]
        return record(Number(a.value / b.value), rules)

    return division_of


MINUS = Number(-1.0)
TO_A, TO_B = (lambda dy, _a, b: dy / b), (lambda dy, a, b: MINUS * dy * a / (b * b))


def _not_recorded(a: Number, b: Number) -> Number:
    return Number(a.value / b.value)


def _only_the_first(a: Number, b: Number) -> Number:
    return record(Number(a.value / b.value), [(a, lambda dy: dy / b)])


def _slopes_for_rules(a: Number, b: Number) -> Any:
    slopes: Any = [(a, 1.0 / b.value), (b, -a.value / b.value**2)]
    return record(Number(a.value / b.value), slopes)


def _calls_itself(a: Number, b: Number) -> Any:
    return Number(_calls_itself(a, b))


def _without_pairs(a: Number, b: Number) -> Any:
    rules: Any = [lambda dy: dy / b, lambda dy: MINUS * dy * a / (b * b)]
    return record(Number(a.value / b.value), rules)


def _other_way_round(a: Number, b: Number) -> Number:
    return divide(b, a)


EXERCISES = {
    "16.1": Exercise(
        "The way back: a function of a tape, a target and a source.",
        way_back,
        gradient,
        (
            (_written_over, "only one of the three uses"),
            (_forwards, "from the last to the first"),
            (_always, "Leave such a line out"),
            (_zero_for_none, "so the answer is None"),
            (_used_up, "only once"),
            (_by_values, "an outer tape cannot follow"),
            (_plain_number, "a Number is asked for"),
            (_times_the_rule, "call it"),
            (_from_a_float, "begin with Number(1.0)"),
            (_of_one_function, "is wrong if x"),
            (_to_the_end_only, "is wrong if x"),
            (lambda tape, target, source: tape.records, "a Number is asked for"),
            (_silent, "None for x * x + x"),
            (lambda tape, target, source: tape.gradient(target, source), "tape.records"),
            (7.0, "a function"),
        ),
        "Read from the end, and add what meets: the heart of every such engine.",
    ),
    "16.2": Exercise(
        "A division of Numbers, recorded with a rule for each input.",
        _division,
        divide,
        (
            (_not_recorded, "nothing arrives at a and b"),
            (_only_the_first, "nothing arrives at b"),
            (_other_way_round, "that is b / a"),
            (_slopes_for_rules, "a function of what arrives"),
            (_calls_itself, "this very function"),
            (_without_pairs, "two pairs"),
            (_with_rules(lambda dy, _a, b: dy / b.value, TO_B), "among the Numbers"),
            (_with_rules(TO_A, lambda dy, a, b: -dy * a / (b * b)), "times Number(-1.0)"),
            (_with_rules(TO_A, lambda dy, a, b: MINUS * dy * a / b**2), "a square is b * b"),
            (lambda a, b: a * b, "the product"),
            (lambda a, b: a.value / b.value, "put Number(...) around"),
            (lambda a, b: (a / b, b / a), "several things"),
            (lambda a, b: print(end=""), "returns nothing"),
            (lambda a, b: a, "10 / 4 is 2.5"),
            (_with_rules(TO_A, lambda dy, a, b: dy * a / (b * b)), "the sign"),
            (
                _with_rules(
                    lambda _dy, _a, b: Number(1.0) / b, lambda _dy, a, b: MINUS * a / (b * b)
                ),
                "what arrives",
            ),
            (_with_rules(TO_B, TO_A), "other order"),
            (_with_rules(TO_A, lambda dy, a, b: MINUS * dy * a / b), "with a square"),
            (_with_rules(lambda dy, a, b: dy * b, lambda dy, a, b: dy * a), "rules of a product"),
            (_with_rules(TO_A, lambda dy, a, b: MINUS * dy * a / (b + b)), "not 2 times b"),
            (_with_rules(TO_A, lambda _dy, a, b: MINUS * a / (b * b)), "to b: multiply"),
            (_with_rules(lambda _dy, _a, b: Number(1.0) / b, TO_B), "to a: multiply"),
            (_with_rules(TO_A, lambda dy, a, b: MINUS * dy / (b * b)), "a is missing"),
            (_with_rules(TO_A, lambda dy, a, b: MINUS * dy), "should be [0.75, -1.875], not"),
            (
                _with_rules(TO_A, lambda dy, a, b: -dy.value * a.value / b.value**2),
                "a rule should return a Number",
            ),
            (
                _with_rules(TO_A, lambda dy, a, b: Number(-dy.value * a.value / b.value**2)),
                "second derivative",
            ),
            (1.5, "a function"),
        ),
        "With a rule for each input, division is part of your engine.",
    ),
    "16.3": Exercise(
        "A function of dy and a shape that undoes broadcasting.",
        _fit,
        _right_fit,
        (
            (lambda dy, shape: dy, "nothing is added up"),
            (lambda dy, shape: dy.mean(axis=0), "mean is taken"),
            (lambda dy, shape: dy[0], "Each use counts"),
            (lambda dy, shape: dy.sum(), "column sums"),
            (lambda dy, shape: dy.sum(axis=0), "nothing was stretched"),
            (_leading_only, "keepdims"),
            (_one_axis, "two axes"),
            (_for_two_axes, "not from (4, 2, 3) to (1, 3)"),
            (_from_the_end, "column sums"),
            ((3,), "a function"),
        ),
        "This is what unbroadcasting means, in every engine.",
    ),
}
