"""Layer 3: while_loop.

One idea: on a tape a loop is a loop. Every round that ran is recorded, one after the other.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import nest
from autodiff_kit.control import truth
from autodiff_kit.convert import as_tensor
from autodiff_kit.structures import refuse_other

__all__ = ["while_loop"]


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
