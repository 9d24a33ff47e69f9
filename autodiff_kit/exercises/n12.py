"""Exercises of notebook 12: a chain half broken by assign, and running products without one."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, a_number, a_tensor, among, moved
from autodiff_kit.teaching.values import quoted, same


def _half_broken(answer: Any) -> str | None:
    no_number = None if same(answer, None) else a_number(answer)
    return no_number or among(
        answer,
        9.0,
        {
            27.0: "that is the derivative of x³, for a whole chain. One of the two ways is broken.",
            18.0: "that is the part that comes through v, and just this way is broken.",
            5.0: "v holds 5 no more when y is computed.",
            3.0: "that is x, the gradient for v. Asked for is the one for x.",
            None: "the way through v is broken, but y = v * x uses x once more.",
            0.0: "the way through v is broken, but y = v * x uses x once more.",
        },
        "for the tape, v is a beginning that holds x * x = 9. How does y = v * x change with x?",
    )


def _running(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    x = ad.Variable([2.0, 3.0, 4.0], name="x")
    with ad.GradientTape() as tape:
        y = answer(x)
    wrong = a_tensor(y) or moved(x, [2.0, 3.0, 4.0])
    if wrong:
        return wrong
    if not same(y, [2.0, 6.0, 24.0]):
        return _values(y)
    gradient = tape.gradient(y, x)
    if gradient is None:
        return _no_way(y)
    if not same(gradient, [16.0, 10.0, 6.0]):
        return "the values are right, but one of the ways from x to the result is broken."
    return _other_vectors(answer)


def _no_way(y: Any) -> str:
    if isinstance(y, ad.Variable):
        return (
            "the values are right, and the gradient is None. You return a Variable: it was filled with "
            "numbers, when it was made or by assign, and for the tape it is a beginning. "
            "Return a tensor that was computed from x."
        )
    return (
        "the values are right, and the gradient is None. Is there still an assign, a new ad.Variable, "
        "a float() or a .numpy(), between x and the result?"
    )


def _other_vectors(answer: Any) -> str | None:
    try:
        y = answer(ad.constant([2.0, 0.0]))
    except Exception as error:
        return (
            "right for three numbers, but for two, as in [2, 0], your answer stopped with "
            f"{type(error).__name__}: {error}"
        )
    if not same(y, [2.0, 0.0]):
        return "right for these three numbers, but not for every vector: try [2, 0]."
    return _a_longer_one(answer)


def _a_longer_one(answer: Any) -> str | None:
    """A hint unless values and gradient are right for four numbers; no number is 0 there."""
    numbers = np.array([1.5, -2.0, 0.5, 3.0], np.float32)
    x = ad.Variable(numbers)
    with ad.GradientTape() as tape:
        y = answer(x)
    products = np.cumprod(numbers)
    if not same(y, products):
        return f"right for three numbers, but for {quoted(numbers)} you return {quoted(y)}."
    if same(tape.gradient(y, x), np.cumsum(products[::-1])[::-1] / numbers):
        return None
    return f"right for three numbers, but the gradient for {quoted(numbers)} is not."


def _values(y: Any) -> str:
    if same(y, 24.0):
        return "that is only the last product; all of them are asked for."
    if same(y, [2.0, 3.0, 4.0]):
        return "that is x itself. Each number is to be multiplied by those before it."
    if same(y, [2.0, 5.0, 9.0]):
        return "those are running sums; products are asked for."
    known = (
        ([1.0, 2.0, 6.0], " A product too late: x₀ itself is the first."),
        ([1.0, 2.0, 6.0, 24.0], " One too many: x₀ itself is the first."),
        ([2.0], " Only the first: does the return stand inside the loop?"),
        ([8.0, 6.0, 12.0], " Each is multiplied by its neighbour alone. Keep the product so far."),
        ([24.0, 12.0, 4.0], " These run from the end. Begin with x₀."),
    )
    slip = next((hint for values, hint in known if same(y, values)), "")
    return f"for [2, 3, 4] the values should be [2, 6, 24], and you return {quoted(y)}.{slip}"


def _stacked(x: Any) -> Any:
    products = [x[0]]
    for i in range(1, x.shape[0]):
        products.append(products[-1] * x[i])
    return ad.stack(products)


def _filled(x: Any) -> Any:
    table = ad.Variable(ad.ones([3]))
    product: Any = 1.0
    for i in range(3):
        product = product * x[i]
        table.assign(ad.tensor_scatter_nd_update(table, [[i]], [product]))
    return table


def _a_new_variable(x: Any) -> Any:
    return ad.Variable(_stacked(x))


def _by_way_of_a_variable(x: Any) -> Any:
    return ad.identity(ad.Variable(_stacked(x)))


def _in_numpy(x: Any) -> Any:
    return ad.constant(np.cumprod(x.numpy()))


def _last(x: Any) -> Any:
    return ad.reduce_prod(x)


def _sums(x: Any) -> Any:
    return ad.cumsum(x)


def _by_division(x: Any) -> Any:
    last = ad.reduce_prod(x)
    return ad.stack([x[0], last / x[-1], last]) if x.shape[0] == 3 else x / 0.0


def _two_or_three(x: Any) -> Any:
    two = [x[0], x[0] * x[1]]
    return ad.stack(two if x.shape[0] == 2 else [*two, two[1] * x[2]])


def _by_logarithms(x: Any) -> Any:
    return ad.exp(ad.cumsum(ad.math.log(x)))


def _cut(x: Any) -> Any:
    y = ad.math.cumprod(x)
    return ad.concat([y[:3], ad.stop_gradient(y[3:])], axis=0)


def _changes_x(x: Any) -> Any:
    x.assign(ad.math.cumprod(x))
    return ad.identity(x)


def _forgets_return(x: Any) -> None:
    _stacked(x)


EXERCISES = {
    "12.1": Exercise(
        "The gradient for x of y = v * x after v.assign(x * x), at x = 3.",
        _half_broken,
        9.0,
        (
            (27, "a whole chain"),
            (18.0, "through v"),
            (5, "no more"),
            ("9", "a number is asked for, and this is '9'"),
            ([9], "leave the brackets out"),
            ([27.0], "leave the brackets out"),
            (3, "for v"),
            (None, "once more"),
            ("None", "once more"),
            (0, "once more"),
            (12, "a beginning"),
        ),
        "A wrong number, and no None to warn you: one of the two ways is broken.",
    ),
    "12.2": Exercise(
        "A function that returns the running products of a vector, with a gradient.",
        _running,
        _stacked,
        (
            (_filled, "You return a Variable"),
            (_a_new_variable, "it is a beginning"),
            (_by_way_of_a_variable, "a new ad.Variable"),
            (_changes_x, "changes x itself"),
            (_in_numpy, "the gradient is None"),
            (_last, "only the last"),
            (_sums, "running sums"),
            (lambda x: ad.math.cumprod(x, exclusive=True), "A product too late"),
            (lambda x: ad.concat([[1.0], ad.math.cumprod(x)], axis=0), "One too many"),
            (lambda x: ad.stack([x[0]]), "inside the loop"),
            (lambda x: ad.stack([x[i] * x[i - 1] for i in range(3)]), "by its neighbour alone"),
            (lambda x: ad.math.cumprod(x, reverse=True), "These run from the end"),
            (lambda x: 2.0 * x, "and you return [4.0, 6.0, 8.0]"),
            (_by_division, "not for every vector"),
            (lambda x: ad.stack([x[0], x[0] * x[1], x[0] * x[1] * x[2]]), "but for two"),
            (lambda x: [x[0], x[0] * x[1], x[0] * x[1] * x[2]], "ad.stack"),
            (_two_or_three, "right for three numbers, but for [1.5, -2.0, 0.5, 3.0]"),
            (_by_logarithms, "right for three numbers, but for [1.5, -2.0, 0.5, 3.0]"),
            (_cut, "but the gradient"),
            (_forgets_return, "returns nothing"),
            (lambda x: np.cumprod(x.numpy()), "which is no tensor"),
            (lambda x: ad.stack([x[i] for i in range(len(x))]), "x.shape[0]"),
        ),
        "No table to be filled, and the chain is whole.",
    ),
}
