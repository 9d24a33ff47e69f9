"""Exercises of notebook 16: the way back, a division with its rules, and broadcasting undone."""

from __future__ import annotations

from typing import Any

from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.dividing import division
from autodiff_kit.exercises.fitting import fit, right_fit
from autodiff_kit.exercises.own_tape import Number, Tape, divide, gradient, record
from autodiff_kit.exercises.taping import way_back


def _leading_only(dy: Any, shape: Any) -> Any:
    return dy.sum(axis=tuple(range(dy.ndim - len(shape))))


def _for_two_axes(dy: Any, shape: Any) -> Any:
    if len(shape) < dy.ndim:
        return _leading_only(dy, shape)
    return right_fit(dy, shape)


def _from_the_end(dy: Any, shape: Any) -> Any:
    while dy.ndim > len(shape):
        dy = dy.sum(axis=-1)
    return dy


def _until_it_fits(dy: Any, shape: Any) -> Any:
    while dy.shape != shape:
        dy = dy.sum(axis=0)
    return dy


def _without_keepdims(dy: Any, shape: Any) -> Any:
    while dy.ndim > len(shape):
        dy = dy.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            dy = dy.sum(axis=axis)
    return dy


def _one_axis(dy: Any, shape: Any) -> Any:
    return right_fit(dy, shape) if dy.ndim < 3 else dy.sum(axis=0)


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


def _nothing_to_add_to(tape: Tape, target: Number, source: Number) -> Any:
    arrived = {target: Number(1.0)}
    for result, inputs in reversed(tape.records):
        for number, rule in inputs:
            arrived[number] += rule(arrived[result])
    return arrived[source]


def _always_1(tape: Tape, target: Number, source: Number) -> Any:
    arrived = {target: Number(1.0)}
    for result, inputs in reversed(tape.records):
        for number, rule in inputs:
            if result in arrived:
                arrived[number] = arrived.get(number, Number(0.0)) + rule(Number(1.0))
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


def _recorded_twice(a: Number, b: Number) -> Number:
    to_b: Any = TO_B
    return record(a / b, [(a, lambda dy: dy / b), (b, lambda dy: to_b(dy, a, b))])


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
            (_nothing_to_add_to, "the first that arrives is put there"),
            (_always_1, "and not 1"),
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
        division,
        divide,
        (
            (_not_recorded, "nothing arrives at a and b"),
            (_only_the_first, "nothing arrives at b"),
            (_other_way_round, "that is b / a"),
            (_recorded_twice, "twice"),
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
        fit,
        right_fit,
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
            (_until_it_fits, "your loop does not end"),
            (lambda dy, shape: dy[: shape[0]], "nothing is added up"),
            (lambda dy, shape: dy.sum(axis=0, keepdims=True), "column sums"),
            (lambda dy, shape: dy.reshape(shape), "cannot reshape"),
            (_without_keepdims, "keep the axis"),
            ((3,), "a function"),
        ),
        "This is what unbroadcasting means, in every engine.",
    ),
}
