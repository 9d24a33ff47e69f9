"""Layer 5: a sentence as Markdown, as a notebook shows it.

One idea: what stands between backticks is a piece of a program and is shown as it is; elsewhere a sign
that Markdown would read as emphasis, a link, a tag or a formula has to stand for itself.
"""

from __future__ import annotations

import re

# A star between spaces, and an underscore within a word, mean nothing to Markdown.
_MEANS_MORE = re.compile(r"(?<!\s)\*|\*(?!\s)|(?<!\w)_|_(?!\w)|\](?=\()|<(?=[a-zA-Z/!])|\$")


def as_markdown(sentence: str) -> str:
    r"""The sentence with a backslash before each sign that would be lost.

    >>> as_markdown("take `x**2`, not x**2, for v_2 < 2 * v_1")
    'take `x**2`, not x\\*\\*2, for v_2 < 2 * v_1'
    """
    pieces = sentence.split("`")
    pieces[::2] = [_MEANS_MORE.sub(r"\\\g<0>", prose) for prose in pieces[::2]]
    return "`".join(pieces)
