"""Is broadcasting undone? The check of exercise 16.3.

One idea: the array that is handed over counts how often it is added up, so that no loop is endless.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.exercises.hints import a_function
from autodiff_kit.teaching.values import quoted, same


class _EndlessError(Exception):
    """An answer adds up what is a single number already, again and again."""


class _Counted(np.ndarray):
    """An array that is added up a few times at most, so that a loop without end has one."""

    added = 0

    def sum(self, *args: Any, **options: Any) -> Any:
        """As NumPy's; what comes back counts on."""
        result = np.asarray(np.asarray(self).sum(*args, **options)).view(_Counted)
        result.added = self.added + 1
        if result.added > 20:
            raise _EndlessError
        return result


def fit(answer: Any) -> str | None:
    """A hint unless the answer undoes broadcasting, from every shape to every other."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    try:
        return _fitted(answer)
    except _EndlessError:
        return (
            "your loop does not end: with axis=0 alone, a (2, 3) never gets the shape (2, 1). First "
            "add up the axes in front, as many as there are too many, and then along each length of 1 "
            "(keepdims)."
        )


def _fitted(answer: Any) -> str | None:
    dy = np.arange(6.0).reshape(2, 3).view(_Counted)
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
    deep = np.arange(24.0).reshape(4, 2, 3).view(_Counted)
    if not same(answer(deep.copy(), (3,)), deep.sum(axis=(0, 1))):
        return "right for (2, 3), but from (4, 2, 3) to (3,) two axes have to go."
    shapes: tuple[tuple[int, ...], ...] = ((2, 3), (1, 3), (2, 1), (4, 1, 3), ())
    for goal in shapes:
        result = answer(deep.copy(), goal)
        if not same(result, right_fit(deep, goal)):
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


def right_fit(dy: Any, shape: Any) -> Any:
    """The sum over what was stretched."""
    dy = dy.sum(axis=tuple(range(dy.ndim - len(shape))))
    stretched = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return np.sum(dy, axis=stretched, keepdims=True)
