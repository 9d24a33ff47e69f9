"""A function is asked at several points: at a single one, a wrong rule may agree with the right one.

One idea: a known mistake is a function too, and its hint is given only if it agrees everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autodiff_kit.teaching.values import plain, quoted, same

Point = Mapping[str, Any]
Mistakes = Sequence[tuple[Callable[..., Any], str]]


def by_rule(
    answer: Callable[..., Any],
    right: Callable[..., Any],
    points: Sequence[Point],
    mistakes: Mistakes = (),
    remark: Callable[[Callable[..., Any]], str] = lambda _answer: "",
) -> str | None:
    """None if a function agrees with the right one at all points, else what is wrong with it.

    Args:
      answer: the function that is judged; it gets a point's values, in their order.
      right: what it should compute, of NumPy numbers.
      points: each a dict from the names of the arguments to their values.
      mistakes: wrong functions, each with its hint.
      remark: what is said besides of an answer that is none of these.

    >>> points = [{"x": 2.0}, {"x": 3.0}]
    >>> by_rule(lambda x: x * x, lambda x: x**2, points)
    >>> by_rule(lambda x: -x * x, lambda x: x**2, points, [(lambda x: -(x**2), "the sign.")])
    'the sign.'
    >>> by_rule(lambda x: x + x, lambda x: x**2, points)
    'right for x = 2.0, but for x = 3.0 it should be 9.0, not 6.0.'
    """
    given = [{name: plain(value) for name, value in point.items()} for point in points]
    goals = _along(right, given)  # an answer may change its argument: the goals are of before
    results = [answer(*point.values()) for point in points]
    if _agree(results, goals):
        return None
    for mistake, hint in mistakes:
        if _agree(results, _along(mistake, given)):
            return hint + _changed(given, points)
    return _first_difference(results, goals, given) + remark(answer) + _changed(given, points)


def _along(rule: Callable[..., Any], given: Sequence[Point]) -> list[Any]:
    return [rule(*point.values()) for point in given]


def _changed(given: Sequence[Point], points: Sequence[Point]) -> str:
    for before, point in zip(given, points, strict=True):
        for name, value in point.items():
            if not same(value, before[name]):
                return f" And your function changes {name} itself: leave it as it is given."
    return ""


def _agree(results: Sequence[Any], goals: Sequence[Any]) -> bool:
    return all(same(result, goal) for result, goal in zip(results, goals, strict=True))


def _first_difference(results: list[Any], goals: list[Any], points: Sequence[Point]) -> str:
    odd = next(i for i, goal in enumerate(goals) if not same(results[i], goal))
    text = f"{_said(points[odd])} it should be {quoted(goals[odd])}, not {quoted(results[odd])}."
    if odd:
        text = f"right {_said(points[0])}, but {text}"
    if all(same(result, results[0]) for result in results):
        text += " It is the same everywhere: compute with what is given."
    return text


def _said(point: Point) -> str:
    return "for " + ", ".join(f"{name} = {quoted(value)}" for name, value in point.items())
