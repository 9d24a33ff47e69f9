"""Exercises of notebook 17: three faulty functions, to be mended."""

from __future__ import annotations

from typing import Any

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.distances import mean_distance
from autodiff_kit.exercises.losses import mean_error, penalty


def _penalty_right(x: Any) -> Any:
    return ad.reduce_sum(ad.maximum(x - 1.0, 0.0))


def _penalty_faulty(x: Any) -> Any:
    total = ad.Variable(0.0)
    for part in x:
        total.assign_add(ad.maximum(part - 1.0, 0.0))
    return total


def _penalty_copied(x: Any) -> Any:
    return ad.identity(_penalty_faulty(x))


def _penalty_of_floats(x: Any) -> Any:
    return sum(max(float(part) - 1.0, 0.0) for part in x)


def _penalty_connected(x: Any) -> Any:
    return _penalty_faulty(x) + 0.0 * ad.reduce_sum(x)


def _penalty_silent(x: Any) -> None:
    _penalty_right(x)


def _penalty_half(x: Any) -> Any:
    total = ad.Variable(0.0)
    for part in x[:-1]:
        total.assign_add(ad.maximum(part - 1.0, 0.0))
    return total + ad.maximum(x[-1] - 1.0, 0.0)


def _penalty_rule(x: Any) -> Any:
    @ad.custom_gradient
    def own(t: Any) -> Any:
        return _penalty_right(t), lambda upstream: ad.cast(t > 1.0, ad.float32)

    return own(x)


def _error_right(w: Any, points: Any, targets: Any) -> Any:
    return ad.reduce_mean((ad.squeeze(points @ w, axis=1) - targets) ** 2)


def _error_faulty(w: Any, points: Any, targets: Any) -> Any:
    return ad.reduce_mean((points @ w - targets) ** 2)


def _error_row(w: Any, points: Any, targets: Any) -> Any:
    return ad.reduce_mean((points @ w - ad.reshape(targets, (1, -1))) ** 2)


def _error_of_three(w: Any, points: Any, targets: Any) -> Any:
    return ad.reduce_mean((ad.reshape(points @ w, (3,)) - targets) ** 2)


def _error_flattened(w: Any, points: Any, targets: Any) -> Any:
    return ad.reduce_mean(((points @ w).numpy()[:, 0] - targets) ** 2)


def _error_half(w: Any, points: Any, targets: Any) -> Any:
    error = (points @ w)[:, 0] - targets
    return ad.reduce_mean(error * ad.stop_gradient(error))


def _distance_right(w: Any, points: Any) -> Any:
    squares = ad.reduce_sum((w - points) ** 2, axis=1)
    apart = squares > 0.0
    return ad.reduce_mean(ad.where(apart, ad.sqrt(ad.where(apart, squares, 1.0)), 0.0))


def _distance_faulty(w: Any, points: Any) -> Any:
    distances = []
    for point in points:
        squares = ad.reduce_sum((w - point) ** 2)
        distances.append(float(ad.sqrt(squares)))
    return ad.reduce_mean(distances)


def _distance_first_only(w: Any, points: Any) -> Any:
    return ad.reduce_mean(ad.sqrt(ad.reduce_sum((w - points) ** 2, axis=1)))


def _distance_second_only(w: Any, points: Any) -> Any:
    squares = [float(ad.reduce_sum((w - point) ** 2)) for point in points]
    return ad.reduce_mean([s**0.5 if s > 0 else 0.0 for s in squares])


def _distance_behind_the_root(w: Any, points: Any) -> Any:
    squares = ad.reduce_sum((w - points) ** 2, axis=1)
    return ad.reduce_mean(ad.sqrt(squares) + 1e-12)


def _distance_over_two(w: Any, points: Any) -> Any:
    return 0.5 * len(points) * _distance_right(w, points)


def _distance_chosen_once(w: Any, points: Any) -> Any:
    squares = ad.reduce_sum((w - points) ** 2, axis=1)
    return ad.reduce_mean(ad.sqrt(ad.where(squares > 0.0, squares, 1.0)))


def _distance_chosen_by_a_power(w: Any, points: Any) -> Any:
    squares = ad.reduce_sum((w - points) ** 2, axis=1)
    return ad.reduce_mean(ad.where(squares > 0.0, squares**0.5, 0.0))


def _distance_beyond(size: float) -> Any:
    def far(w: Any, points: Any) -> Any:
        squares = ad.reduce_sum((w - points) ** 2, axis=1)
        apart = squares > size
        return ad.reduce_mean(ad.where(apart, ad.sqrt(ad.where(apart, squares, 1.0)), 0.0))

    return far


def _distance_no_nan(w: Any, points: Any) -> Any:
    distances = ad.norm(w - points, axis=1)
    return ad.reduce_mean(ad.where(ad.math.is_nan(distances), 0.0, distances))


def _distance_stopped(w: Any, points: Any) -> Any:
    squares = ad.reduce_sum((w - points) ** 2, axis=1)
    return ad.reduce_mean(squares / ad.stop_gradient(ad.sqrt(squares + 1e-12)))


def _distance_guard(size: float) -> Any:
    return lambda w, x: ad.reduce_mean(ad.sqrt(ad.reduce_sum((w - x) ** 2, axis=1) + size))


def _distance_of_moved(size: float) -> Any:
    return lambda w, x: ad.reduce_mean(ad.norm(w - x + size, axis=1))


def _distance_or_differences(w: Any, points: Any) -> Any:
    squares = ad.reduce_sum((w - points) ** 2, axis=1)
    apart = squares > 0.0
    safe = ad.sqrt(ad.where(apart, squares, 1.0))
    return ad.reduce_mean(ad.where(apart, safe, ad.reduce_sum(w - points, axis=1)))


def _distance_in_numpy(w: Any, points: Any) -> Any:
    return float(_distance_right(w, points))


def _distance_moving(w: Any, points: Any) -> Any:
    w.assign(w + 0.0)
    result = _distance_right(w, points)
    w.assign_add([1.0, 1.0])
    return result


def _penalty_explained(x: Any) -> Any:
    with ad.GradientTape() as tape:
        y = _penalty_faulty(x)
    return ad.explain(tape, y, x)


def _penalty_moving(x: Any) -> Any:
    x.assign(ad.maximum(x - 1.0, 0.0))
    return ad.reduce_sum(x)


def _distance_large_guard(w: Any, points: Any) -> Any:
    return ad.reduce_mean(ad.sqrt(ad.reduce_sum((w - points) ** 2, axis=1) + 0.01))


def _distance_left_out(w: Any, points: Any) -> Any:
    squares = [ad.reduce_sum((w - point) ** 2) for point in points]
    return ad.reduce_mean(ad.stack([ad.sqrt(s) for s in squares if s > 0]))


EXERCISES = {
    "17.1": Exercise(
        "Mend a penalty whose gradient is None.",
        penalty,
        _penalty_right,
        (
            (_penalty_faulty, "is None: the way back is cut"),
            (_penalty_copied, "is None: the way back is cut"),
            (_penalty_of_floats, "which is no tensor"),
            (lambda x: ad.constant(_penalty_of_floats(x)), "is None"),
            (_penalty_connected, "is zero: what flows back"),
            (_penalty_half, "Is one of the ways cut"),
            (_penalty_rule, "right as long as 1 arrives"),
            (lambda x: ad.reduce_sum(ad.cast(x > 1.0, ad.float32)), "counts how many"),
            (lambda x: ad.reduce_sum(ad.where(x > 1.0, x, 0.0)), "Subtract 1"),
            (lambda x: ad.reduce_sum(x - 1.0), "take something away"),
            (lambda x: ad.reduce_mean(ad.nn.relu(x - 1.0)), "The sum is asked for"),
            (lambda x: ad.reduce_sum(ad.nn.relu(x - 1.0) ** 2), "leave the value as it is"),
            (lambda x: ad.reduce_sum(ad.maximum(x, 1.0)), "the value should be 2.5"),
            (lambda x: ad.nn.relu(x - 1.0), "the shape (3,)"),
            (lambda x: ad.nn.relu(x[-1] - 1.0), "begin anew in each round"),
            (lambda x: ad.reduce_sum(ad.abs(x - 1.0)), "with their distance"),
            (lambda x: ad.reduce_sum(ad.nn.softplus(x - 1.0)), "the value should be 2.5"),
            (_penalty_silent, "returns nothing"),
            (_penalty_explained, "print what explain says"),
            (_penalty_moving, "changes x itself"),
            (2.5, "a function"),
        ),
        "What is added up stays a tensor, and so the way back is whole.",
    ),
    "17.2": Exercise(
        "Mend a squared error whose gradient agrees with a difference quotient and is wrong.",
        mean_error,
        _error_right,
        (
            (_error_faulty, "every prediction is still compared with every target"),
            (_error_row, "every prediction is still compared with every target"),
            (_error_of_three, "your answer stopped with"),
            (_error_flattened, "is None"),
            (lambda w, x, t: float(_error_right(w, x, t)), "Compute it from w with"),
            (_error_half, "Is one of the ways cut"),
            (lambda w, x, t: ad.reduce_sum(((x @ w)[:, 0] - t) ** 2), "not the sum"),
            (lambda w, x, t: (ad.reduce_mean(x @ w) - ad.reduce_mean(t)) ** 2, "cancel"),
            (lambda w, x, t: ad.reduce_mean(ad.reduce_sum((x @ w - t) ** 2, 1)), "n times n pairs"),
            (lambda w, x, t: ad.reduce_mean(ad.abs((x @ w)[:, 0] - t)), "The squares"),
            (lambda w, x, t: ((x @ w)[:, 0] - t) ** 2, "the shape (3,)"),
            (lambda w, x, t: ad.sqrt(_error_right(w, x, t)), "the root of what is asked for"),
            (lambda w, x, t: 0.5 * _error_right(w, x, t), "Leave out the half"),
            (lambda w, x, t: ad.norm((x @ w)[:, 0] - t), "the root of a sum"),
            (lambda w, x, t: ad.reduce_mean((x @ w)[:, 0] - t), "the value should be"),
        ),
        "No quotient could tell: it takes the program as it stands, and the program was wrong.",
    ),
    "17.3": Exercise(
        "Mend a mean distance with two faults, of which one hides the other.",
        mean_distance,
        _distance_right,
        (
            (_distance_faulty, "is None: the way back is cut"),
            (_distance_second_only, "is None: the way back is cut"),
            (_distance_first_only, "this is the fault that it hid"),
            (_distance_behind_the_root, "*before* the function"),
            (_distance_large_guard, "the value should be"),
            (_distance_over_two, "however many points there are"),
            (_distance_chosen_once, "choose once more, after the root"),
            (_distance_chosen_by_a_power, "this is the fault that it hid"),
            (_distance_beyond(1e-6), "yours are 0.0 and [0.0, 0.0]"),
            (_distance_beyond(1e-3), "the value should be"),
            (_distance_no_nan, "this is the fault that it hid"),
            (_distance_stopped, "Is one of the ways cut"),
            (
                lambda w, x: ad.sqrt(ad.reduce_mean(ad.reduce_sum((w - x) ** 2, 1))),
                "root of the mean",
            ),
            (lambda w, x: ad.reduce_mean(ad.norm(w - x, axis=0)), "axis=1"),
            (_distance_guard(1e-6), "make it smaller"),
            (_distance_guard(1e-7), "make it smaller"),
            (_distance_guard(1e-8), "make it smaller"),
            (_distance_of_moved(1e-4), "added to the differences"),
            (_distance_of_moved(1e-6), "added to the differences"),
            (_distance_of_moved(1e-9), "added to the differences"),
            (_distance_or_differences, "yours adds [1.0, 1.0]"),
            (_distance_in_numpy, "Compute it from w with"),
            (_distance_moving, "changes w itself"),
            (_distance_left_out, "Its distance is 0, and it counts"),
            (lambda w, x: ad.reduce_mean(ad.reduce_sum((w - x) ** 2, 1)), "the root"),
            (lambda w, x: 1.0 * _distance_right(w, x) * len(x), "The mean is asked for"),
            (lambda w, x: ad.linalg.norm(w - ad.reduce_mean(x, 0)), "the middle of all points"),
            (lambda w, x: ad.reduce_mean(ad.reduce_sum(ad.abs(w - x), 1)), "along both axes"),
            (lambda w, x: ad.linalg.norm(w - x, axis=1), "the shape (2,)"),
        ),
        "The None had hidden the NaN: after each mend, ask again.",
    ),
}
