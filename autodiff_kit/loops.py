"""Layer 3: while_loop, and map_fn.

One idea: on a tape a loop is a loop. Every round that ran is recorded, one after the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit import nest
from autodiff_kit.control import truth
from autodiff_kit.convert import as_tensor
from autodiff_kit.dtypes import DType, as_dtype
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.ops.joining import stack
from autodiff_kit.structures import refuse_other
from autodiff_kit.tensor import Tensor, tensor_of

__all__ = ["map_fn", "while_loop"]


def while_loop(
    cond: Any,
    body: Any,
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Runs ``body`` again and again while ``cond`` is true; each round is recorded.

    Args:
      cond: takes the loop's values and returns a truth value.
      body: takes the loop's values and returns the new ones, as a list or a tuple.
      loop_vars: a list or a tuple with the first values, each of which may be nested.
      maximum_iterations: the largest number of rounds.
      shape_invariants, parallel_iterations, back_prop, swap_memory, name: ignored.

    Returns:
      The last values as tensors, in a list or a tuple as ``body`` returned them.

    Raises:
      TypeError: if ``cond`` or ``body`` is not a function, or ``body`` returns no list or tuple, or
        containers of another kind than those in ``loop_vars``.
      ValueError: without loop variables, or if ``body`` returns another structure.

    Source: https://www.tensorflow.org/api_docs/python/tf/while_loop

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(2.0)
    >>> with ad.GradientTape() as tape:
    ...     i, y = ad.while_loop(lambda i, y: i < 3, lambda i, y: [i + 1, y * x], [0, 1.0])
    >>> y, tape.gradient(y, x)
    (<Tensor: shape=(), dtype=float32, numpy=8.0>, <Tensor: shape=(), dtype=float32, numpy=12.0>)
    """
    for what, function in (("cond", cond), ("body", body)):
        if not callable(function):
            raise TypeError(
                f"'{what}' must be callable, but received {function!r}: give a function of the loop "
                "variables"
            )
    if parallel_iterations < 1:
        raise TypeError("'parallel_iterations' must be a positive integer.")
    if not isinstance(loop_vars, (list, tuple)) or not loop_vars:
        raise ValueError("'loop_vars' must be provided.")
    rounds, values = _limit(maximum_iterations), loop_vars
    while (rounds is None or rounds > 0) and truth(cond(*values)):
        values = _same_structure(loop_vars, body(*values))
        rounds = None if rounds is None else rounds - 1
    return nest.map_structure(as_tensor, values)


def _limit(maximum: Any) -> int | None:
    if maximum is None:
        return None
    limit = as_tensor(maximum)
    if limit._value.shape:
        raise ValueError(
            f"'maximum_iterations' must be a scalar. Received shape: {limit._value.shape}"
        )
    return int(limit._value)


def _same_structure(first: Any, values: Any) -> Any:
    if not isinstance(values, (list, tuple)):
        raise TypeError(
            f"body must return a list or tuple with the new values of the {len(first)} loop "
            f"variables, but returned {values!r}"
        )
    refuse_other(
        list(first), list(values), ". The first are the loop_vars, the second what body returned"
    )
    return values


def map_fn(
    fn: Any,
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """What a function makes of each part along the first axis, stacked.

    Args:
      fn: takes one part, or a structure of parts if ``elems`` is one.
      elems: a tensor of one axis at least, or several of one length in nested lists, tuples or dicts.
      fn_output_signature: the dtype of what ``fn`` returns, or a structure of dtypes; the structure and
        the dtypes of ``elems``, if it is None.
      dtype: an older name of the same.
      parallel_iterations, back_prop, swap_memory, infer_shape, name: ignored.

    Returns:
      A tensor with one more axis than what ``fn`` returns, or a structure of such tensors.

    Raises:
      TypeError: if ``fn`` is not a function.
      ValueError: for a scalar in ``elems``, other lengths, or if ``fn`` returns another structure than
        the signature, or other shapes for other parts.
      InvalidArgumentError: if ``fn`` returns another dtype than the signature.

    Source: https://www.tensorflow.org/api_docs/python/tf/map_fn

    >>> import autodiff_kit as ad
    >>> ad.map_fn(lambda row: ad.reduce_sum(row * row), ad.constant([[1.0, 2.0], [3.0, 0.0]]))
    <Tensor: shape=(2,), dtype=float32, numpy=array([5., 9.], dtype=float32)>
    """
    if not callable(fn):
        raise TypeError(f"fn must be callable, but received {fn!r}")
    tensors = [as_tensor(one) for one in nest.flatten(elems)]
    rounds = _rounds(tensors)
    signature = fn_output_signature if fn_output_signature is not None else dtype
    if signature is None:
        signature = nest.pack_sequence_as(elems, [one.dtype for one in tensors])
    results: list[list[Any]] = []
    for i in range(rounds):
        result = fn(nest.pack_sequence_as(elems, [one[i] for one in tensors]))
        refuse_other(
            signature, result, ". The first is the fn_output_signature, the second what fn returned"
        )
        results.append([as_tensor(one) for one in nest.flatten(result)])
    kinds = [as_dtype(one) for one in nest.flatten(signature)]
    columns = zip(*results, strict=True) if rounds else [()] * len(kinds)
    stacked = [_stacked(parts, kind) for parts, kind in zip(columns, kinds, strict=True)]
    return nest.pack_sequence_as(signature, stacked)


def _rounds(tensors: list[Tensor]) -> int:
    """How many parts there are."""
    if not tensors:
        raise ValueError("elems must hold at least one tensor")
    if any(not one._value.shape for one in tensors):
        raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
    first, *others = [one._value.shape[0] for one in tensors]
    for other in others:
        if other != first:
            raise ValueError(f"Dimensions {first} and {other} are not compatible")
    return first


def _stacked(parts: Any, kind: DType) -> Tensor:
    """The results of all rounds in one tensor of the dtype that was announced."""
    shapes = [one._value.shape for one in parts]
    for one, shape in zip(parts, shapes, strict=True):
        if one.dtype != kind:
            raise InvalidArgumentError(
                f"TensorArray dtype is {kind.name} but Op is trying to write dtype {one.dtype.name} "
                "(say in fn_output_signature what fn returns)"
            )
        if shape != shapes[0]:
            raise ValueError(f"Incompatible shape for value ({shape}), expected ({shapes[0]})")
    return stack(parts) if parts else tensor_of(np.zeros(0, kind.as_numpy_dtype))
