"""Layer 3: sums of products, named by letters.

One idea: in ``ij,jk->ik`` each factor can be exchanged with the result, and that is its gradient.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np

from autodiff_kit.convert import refuse_dtypes, refuse_kind
from autodiff_kit.define import operation
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.namespace import xp
from autodiff_kit.ops.integers import listed
from autodiff_kit.ops.joining import together
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["einsum"]

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL = 2000  # below it, looking for the best order costs more than it saves


def _contracted(*values: Any, equation: str) -> Any:
    dtype = values[0].dtype
    if dtype == np.float16:
        values = tuple(v.astype(np.float32) for v in values)
    best = len(values) > 2 or (len(values) == 2 and values[0].size + values[1].size > _SMALL)
    result = np.einsum(equation, *values, optimize=best)
    return (result.astype(dtype) if result.dtype != dtype else result)[()]


def _exchanged(step: Any, dy: Any) -> list[Any]:
    inputs, output = step.attrs["equation"].split("->")
    labels = inputs.split(",")
    return [
        _factor(step.inputs, labels, output, number, dy) if place >= 0 else None
        for number, place in enumerate(step.places)
    ]


def _factor(values: Any, labels: list[str], output: str, number: int, dy: Any) -> Any:
    """The gradient of one factor: the product of the result's gradient with all other factors.

    A letter that only this factor had was summed over: ones spread the gradient along it. A letter it
    had twice named a diagonal: a unit matrix puts the gradient onto it.
    """
    others = [k for k in range(len(values)) if k != number]
    terms, factors = [output, *(labels[k] for k in others)], [dy, *(values[k] for k in others)]
    unused = _unused("".join(labels))
    mine = ""
    for letter, size in zip(labels[number], values[number].shape, strict=True):
        if letter in mine:
            copy = unused.pop()
            terms.append(letter + copy)
            factors.append(_constant(np.eye(size), dy))
            letter = copy
        elif not any(letter in term for term in terms):
            terms.append(letter)
            factors.append(_constant(np.ones(size), dy))
        mine += letter
    return xp.einsum(*factors, equation=",".join(terms) + "->" + mine)


def _constant(array: Any, like: Any) -> Any:
    if type(like) is Tensor:
        return tensor_of(array.astype(like._value.dtype))
    return array.astype(like.dtype)


_einsum = operation("Einsum", "einsum", _contracted, pull=_exchanged)


def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """A sum of products along axes that are named by letters.

    Args:
      equation: for example ``"ij,jk->ik"``: a letter for each axis of each input, and those of the
        result; letters that the result has not are summed over. ``...`` stands for any further axes,
        which broadcast. Without ``->`` the result has the letters that occur once, in order.
      inputs: tensors of one dtype.
      kwargs: ``name`` and ``optimize`` are accepted and ignored.

    Returns:
      The tensor that the equation describes.

    Raises:
      ValueError: for an equation that cannot be read or does not fit the number of inputs.
      TypeError: if the equation is not a string and the first argument.
      InvalidArgumentError: for shapes or dtypes that do not fit.

    Source: https://www.tensorflow.org/api_docs/python/tf/einsum

    >>> import autodiff_kit as ad
    >>> x = ad.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> ad.einsum("ij->j", x)
    <Tensor: shape=(2,), dtype=float32, numpy=array([4., 6.], dtype=float32)>
    """
    for key in kwargs:
        if key not in ("name", "optimize", "greedy"):
            raise TypeError(
                f"Invalid keyword arguments for einsum: {key}. Valid arguments: name, optimize, greedy."
            )
    if not isinstance(equation, str) or any(isinstance(one, str) for one in inputs):
        given = ", ".join(type(one).__name__ for one in (equation, *inputs))
        raise TypeError(
            f"einsum takes the equation first, a string, and then the tensors, but received {given}: "
            'write ad.einsum("ij,jk->ik", a, b)'
        )
    tensors = together(inputs)
    terms, output = _read(equation, len(tensors))
    refuse_dtypes("Einsum", [t._value for t in tensors])
    if tensors[0]._value.dtype.kind == "b":
        refuse_kind("Einsum", tensors[0]._value, "iuf")
    shapes = [t._value.shape for t in tensors]
    labels, output, free = _spelled_out(terms, output, shapes)
    sizes = _sizes(labels, shapes, free)
    for number, (letters, tensor) in enumerate(zip(labels, tensors, strict=True)):
        kept = "".join(  # an axis of length 1 that broadcasts does not count
            c for c, n in zip(letters, tensor._value.shape, strict=True) if n == sizes[c]
        )
        if kept != letters:
            shape = tuple(sizes[c] for c in kept)
            labels[number], tensors[number] = kept, xp.reshape(tensor, shape=shape)
    return _einsum(*tensors, equation=",".join(labels) + "->" + output)


@lru_cache(1000)
def _read(equation: str, count: int) -> tuple[tuple[str, ...], str]:
    """The letters of each input and of the result, still with ``...`` in them."""
    text = equation.replace(" ", "")
    if not re.fullmatch(r"[a-zA-Z,.]*(->[a-zA-Z.]*)?", text):
        raise ValueError(f"Subscripts have incorrect format: {equation}")
    left, arrow, output = text.partition("->")
    labels = tuple(left.split(","))
    for term in (*labels, output):
        if "." in term.replace("...", "", 1):
            raise ValueError(f"Subscripts have incorrect format: {equation}")
    if len(labels) != count:
        raise ValueError(f'Got {count} inputs for equation "{equation}", expecting {len(labels)}')
    letters = left.replace("...", "").replace(",", "")
    if not arrow:
        once = sorted(c for c in set(letters) if letters.count(c) == 1)
        output = ("..." if "..." in left else "") + "".join(once)
    plain = output.replace("...", "")
    if len(set(plain)) != len(plain):
        raise ValueError(f"Output subscripts contain a label appearing more than once: {equation}")
    for c in plain:
        if c not in letters:
            raise ValueError(
                f"Output subscripts contain the label {c} not present in the input subscripts."
            )
    return labels, output


@lru_cache(1000)
def _letters_besides(letters: str) -> tuple[str, ...]:
    return tuple([c for c in _LETTERS if c not in letters])


def _unused(letters: str) -> list[str]:
    """The letters that are still free for axes without a name."""
    return list(_letters_besides(letters))


def _spelled_out(
    labels: tuple[str, ...], output: str, shapes: list[Any]
) -> tuple[list[str], str, str]:
    """Letters in place of ``...``, counted from the last axis; the third part says which."""
    unused = _unused("".join(labels))
    longest, spelled = 0, []
    for number, (term, shape) in enumerate(zip(labels, shapes, strict=True)):
        more = len(shape) - len(term.replace("...", ""))
        if more < 0 or (more > 0 and "..." not in term):
            raise InvalidArgumentError(
                f"Expected input {number} to have rank {len(term.replace('...', ''))} but got: "
                f"{len(shape)} [Op:Einsum]"
            )
        longest = max(longest, more)
        spelled.append(term.replace("...", "".join(unused[:more][::-1])))
    if longest and "..." not in output:
        raise InvalidArgumentError(
            f"Output contains {longest} broadcasting dimension(s) but no ellipsis (...) was found in "
            "the output subscripts. [Op:Einsum]"
        )
    free = "".join(unused[:longest][::-1])
    return spelled, output.replace("...", free), free


def _sizes(labels: list[str], shapes: list[Any], free: str) -> dict[str, int]:
    """The length that each letter stands for; only the letters of ``...`` broadcast."""
    sizes: dict[str, int] = {}
    for letters, shape in zip(labels, shapes, strict=True):
        for axis, (c, n) in enumerate(zip(letters, shape, strict=True)):
            known = sizes.setdefault(c, n)
            if known == 1 and c in free:
                sizes[c] = n
            elif n != known and not (n == 1 and c in free):
                raise InvalidArgumentError(
                    f"Expected dimension {known} at axis {axis} of the input shaped {listed(shape)} "
                    f"but got dimension {n} [Op:Einsum]"
                )
    return sizes
