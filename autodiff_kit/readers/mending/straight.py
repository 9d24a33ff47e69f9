"""Layer 5: a straight-through estimator whose bracket is in the wrong place.

One idea: in ``stop_gradient(hard - soft + soft)`` one term is there with both signs, so that it adds
nothing to the value. It is there for its gradient, and belongs outside.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autodiff_kit.readers.program.nodes import expression


def straight_through(text: str) -> str:
    """The sum with that term outside of `stop_gradient`, \"\" if there is no such term.

    >>> straight_through("hard - soft + soft")
    'soft + ad.stop_gradient(hard - soft)'
    >>> straight_through("hard - soft")
    ''
    """
    whole = expression(text)
    terms = list(_terms(whole, "+")) if whole is not None else []
    positive = [term for sign, term in terms if sign == "+"]
    twice = [term for sign, term in terms if sign == "-" and term in positive]
    if len(twice) != 1:
        return ""
    terms.remove(("+", twice[0]))
    terms.sort(key=lambda term: term[0] == "-")  # one that is added stands first
    first, *others = terms
    if first[0] == "-":
        return ""
    inner = " ".join([first[1], *(f"{sign} {term}" for sign, term in others)])
    return f"{twice[0]} + ad.stop_gradient({inner})"


def _terms(node: ast.expr, sign: str) -> Iterator[tuple[str, str]]:
    """The terms of a sum with their signs."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from _terms(node.left, sign)
        minus = isinstance(node.op, ast.Sub)
        yield from _terms(node.right, {"+": "-", "-": "+"}[sign] if minus else sign)
    else:
        yield sign, ast.unparse(node)
