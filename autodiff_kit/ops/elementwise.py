"""Layer 3: how a function of each element by itself is defined, with its documentation.

One idea: thirty functions differ in a kernel, a rule, a sentence and an example; only these are said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_kit.define import unary
from autodiff_kit.opdef import no_gradient
from autodiff_kit.tensor import Tensor

_INPUT = {
    "f": "a floating tensor",
    "if": "a tensor of floats or of signed integers",
}


def elementwise(
    type_: str,
    name: str,
    kernel: Callable[..., Any],
    vjp: Callable[..., Any] = no_gradient,
    *,
    says: str,
    example: tuple[float, object],
    kinds: str = "f",
    dtype: str = "float32",
) -> Callable[..., Tensor]:
    """As `unary`; ``says`` is the sentence about it, ``example`` an input and its output."""
    given, found = example
    returns = "dtype" if dtype == "float32" else f"of dtype {dtype}"
    return unary(
        type_,
        name,
        kernel,
        vjp,
        kinds=kinds,
        same_form=dtype == "float32",
        doc=f"""{says}

    Args:
      x: {_INPUT[kinds]}.
      name: ignored.

    Returns:
      A tensor of the same shape {"and " if returns == "dtype" else ""}{returns}.

    Raises:
      InvalidArgumentError: for another dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/math/{name}

    >>> import autodiff_kit as ad
    >>> ad.math.{name}({given})
    <Tensor: shape=(), dtype={dtype}, numpy={found}>
    """,
    )
