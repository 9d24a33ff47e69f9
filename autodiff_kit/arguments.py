"""Layer 2: what a function with a gradient of its own is called with.

One idea: `grad_fn` returns one gradient for each positional argument, so each of them has to be
something that counts: a tensor, what becomes one, or a string, which TensorFlow's tensors can hold too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit import nest
from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.tensor import Tensor, tensor_of

# Stands for a string where gradients are counted: it is not floating, so there is none for it.
AS_IT_IS = tensor_of(np.False_)


def positional(name: str, args: tuple[Any, ...]) -> list[Any]:
    """The leaves of the positional arguments: tensors, variables, strings.

    Raises:
      ValueError: for one that is none of these and cannot become a tensor, such as None.
    """
    return [
        leaf if is_tensor(leaf) or without_number(leaf) else _number(name, leaf)
        for leaf in nest.flatten(args)
    ]


def without_number(leaf: Any) -> bool:
    """Whether an argument counts, but is no tensor in the kit: a string, a complex number."""
    if isinstance(leaf, (np.ndarray, np.generic)):
        return leaf.dtype.kind in "SUc"
    return isinstance(leaf, (str, bytes, complex))


def _number(name: str, leaf: Any) -> Tensor:
    try:
        return as_tensor(leaf)
    except (TypeError, ValueError):
        raise ValueError(
            f"Attempt to convert a value ({leaf!r}) with an unsupported type ({type(leaf)}) to a "
            f"Tensor: {name} takes tensors, numbers and strings by position, for it has a gradient "
            "for each of them. Give this one by its keyword, or let the body take it from outside"
        ) from None
