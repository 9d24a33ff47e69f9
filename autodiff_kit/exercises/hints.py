"""Pieces that many checks are made of: the right kind of answer, and hints for known mistakes.

One idea: each piece returns a hint, or None if it has nothing to say, so that they chain with ``or``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autodiff_kit.exercises.stubs import from_the_library
from autodiff_kit.readers.facts.finding import Explanation
from autodiff_kit.teaching.values import plain, quoted, same


def a_number(answer: Any) -> str | None:
    """A hint unless the answer is one number.

    >>> a_number(3), a_number("three")
    (None, "a number is asked for, and this is 'three'.")
    """
    value = plain(answer)
    if isinstance(value, np.ndarray) and value.shape == ():
        return None
    if isinstance(value, np.ndarray) and value.size == 1:
        return "one number is asked for, and this is a list with one in it: leave the brackets out."
    return f"a number is asked for, and this is {quoted(answer)}."


def a_function(answer: Any) -> str | None:
    """A hint unless the answer can be called.

    >>> a_function(abs), a_function(3)
    (None, 'a function is asked for, and this is 3.')
    """
    return None if callable(answer) else f"a function is asked for, and this is {quoted(answer)}."


def said(error: BaseException) -> str:
    """An error's name and message.

    >>> said(ValueError("odd"))
    'ValueError: odd'
    """
    return f"{type(error).__name__}: {error}"


def explained(result: Any) -> str | None:
    """A hint about what `explain` returned, alone or in a list, where something else is asked for.

    >>> explained(3.0), explained([None, 3.0])
    (None, None)
    """
    parts = result if isinstance(result, (list, tuple)) else [result]
    if any(isinstance(part, Explanation) for part in parts):
        return (
            "your function returns an Explanation, which is there to be read: print what explain says, "
            "and return what is asked for."
        )
    return None


def boxed(result: Any) -> str | None:
    """A hint about a list, tuple or dict with one thing in it, where that thing itself is asked for.

    >>> boxed([3.0])[:48], boxed(3.0), boxed([3.0, 4.0])
    ('your function returns a list with one thing in i', None, None)
    """
    if explained(result):
        return explained(result)
    if isinstance(result, (list, tuple, dict)) and len(result) == 1:
        return (
            f"your function returns a {type(result).__name__} with one thing in it: return that thing "
            "itself. (A list of sources gives a list of gradients.)"
        )
    return None


def in_company(result: Any, right: Any) -> str | None:
    """A hint about a list, tuple or dict that holds what is asked for, beside other things.

    >>> in_company((58.0, 12.0), 12.0)
    'your function returns a tuple of 2, and one of the things in it is right: return that one alone.'
    >>> in_company([12.0, 30.0], [12.0, 30.0]), in_company(12.0, 12.0)
    (None, None)
    """
    if not isinstance(result, (list, tuple, dict)):
        return None
    parts = list(result.values()) if isinstance(result, dict) else result
    if not any(same(part, right) for part in parts):
        return None
    return boxed(result) or (
        f"your function returns a {type(result).__name__} of {len(parts)}, and one of the things in it "
        "is right: return that one alone."
    )


def a_tensor(result: Any, source: str = "x") -> str | None:
    """A hint about what a function of the learner returned, if it is nothing, a list or a bare number.

    Args:
      result: what came back.
      source: the name of what it should be computed from.

    >>> a_tensor(None)
    'your function returns nothing. Is there a return?'
    >>> a_tensor(3)[:46]
    'your function returns 3, which is no tensor: a'
    """
    if result is None:
        return "your function returns nothing. Is there a return?"
    if explained(result):
        return explained(result)
    if isinstance(result, (bool, int, float, np.generic, np.ndarray)):
        return (
            f"your function returns {quoted(result)}, which is no tensor: a tape has no record of "
            f"Python and NumPy numbers. Compute it from {source} with ad's functions, without float(), "
            "int() or .numpy() on the way."
        )
    if callable(result) and not hasattr(result, "shape"):
        return (
            f"your function returns {quoted(result)}, which is a function itself: call it, with what "
            "it works on in brackets."
        )
    if isinstance(result, (list, tuple, dict)):
        return (
            f"your function returns a {type(result).__name__}, and a tensor is asked for; ad.stack "
            "makes one of a list of tensors."
        )
    return None


def moved(source: Any, before: Any, name: str = "x") -> str | None:
    """A hint about a function of the learner that writes into its argument.

    Args:
      source: the variable that the function was given, after the call.
      before: what it held.
      name: what the exercise calls it.

    >>> import autodiff_kit as ad
    >>> moved(ad.Variable(3.0), 3.0), moved(ad.Variable(3.0), 2.0)[:31]
    (None, 'your function changes x itself,')
    """
    if same(source, before):
        return None
    return (
        f"your function changes {name} itself, as assign does. Leave it as it is given: compute a new "
        "tensor from it."
    )


def unseen(answer: Any) -> str:
    """What to look at when a function of the learner returns None where a gradient is asked for.

    >>> unseen(lambda v: v.assign(1.0))[:20]
    'Is there a return? I'
    """
    names = getattr(getattr(answer, "__code__", None), "co_names", ())
    if from_the_library(answer):
        return UNSEEN
    return f"{NEW_VARIABLE} {UNSEEN}" if "Variable" in names else UNSEEN


NEW_VARIABLE = (
    "A new ad.Variable is filled with numbers and does not know what they were computed from: if one "
    "is made on the way, the way begins there."
)
UNSEEN = (
    "Is there a return? Is all of it computed inside the block? And is the target asked for first, as "
    "in gradient(y, x)? In the place of tape.gradient, print(ad.explain(...)) says more."
)


def among(answer: Any, right: Any, mistakes: Mapping[Any, str], otherwise: str) -> str | None:
    """None for the right answer, else the hint of the known mistake, else ``otherwise``.

    >>> among(4, 4.0, {}, "?"), among(2, 4.0, {2: "and its square?"}, "?"), among(9, 4.0, {}, "?")
    (None, 'and its square?', '?')
    """
    if same(answer, right):
        return None
    return next((hint for known, hint in mistakes.items() if same(answer, known)), otherwise)
