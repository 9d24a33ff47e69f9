"""Layer 5: names in a piece of a program.

One idea: ``x`` stands in ``x + 1``, but not in ``x1``, ``self.x`` or ``exp``.
"""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=1024)
def word(name: str) -> re.Pattern[str]:
    """What finds a name, or an expression, where it is not a part of another.

    >>> word("x").sub("t", "ad.exp(x) + self.x + x1 * x[0]")
    'ad.exp(t) + self.x + x1 * t[0]'
    """
    return re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")


def root_of(name: str) -> str:
    """The plain name that a longer one begins with.

    >>> root_of("model.layers[0].w"), root_of("x")
    ('model', 'x')
    """
    return re.split(r"\W", name)[0]


def word_in(name: str, text: str) -> bool:
    """Whether a name stands in a piece of a program."""
    return word(name).search(text) is not None


def replaced(name: str, new: str, text: str, count: int = 0) -> str:
    """A piece of a program with something else in the place of a name, the first ``count`` times."""
    return word(name).sub(lambda _: new, text, count=count)
