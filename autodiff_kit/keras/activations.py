"""Layer 4: `ad.keras.activations`, the functions at the end of a layer, by name.

Source: https://keras.io/api/layers/activations/
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from autodiff_kit import lazy, nn
from autodiff_kit.convert import as_tensor
from autodiff_kit.keras.bent import bent
from autodiff_kit.ops.exponential import exp
from autodiff_kit.tensor import Tensor

__all__ = [
    "elu", "exponential", "gelu", "get", "leaky_relu", "linear", "log_softmax", "relu", "relu6",
    "selu", "sigmoid", "silu", "softmax", "softplus", "softsign", "swish", "tanh",
]  # fmt: skip
__dir__ = lazy.shown(globals())


def linear(x: Any) -> Tensor:
    """The input itself.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/linear

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.linear([-1.0]).numpy()
    array([-1.], dtype=float32)
    """
    return as_tensor(x)


def relu(
    x: Any, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0
) -> Tensor:
    """The input where it is positive, else 0; the gradient at 0 is 0.

    Args:
      x: a tensor.
      negative_slope: the slope below the threshold.
      max_value: what the outputs are cut off at; without one they are not.
      threshold: where the line is bent.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/relu

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.relu([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)
    """
    if not negative_slope and max_value is None and not threshold:
        return nn.relu(x)
    return bent(x, negative_slope, max_value, threshold)


def relu6(x: Any) -> Tensor:
    """`relu`, at most 6.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/relu6

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.relu6([-1.0, 2.0, 9.0]).numpy()
    array([0., 2., 6.], dtype=float32)
    """
    return nn.relu6(x)


def leaky_relu(x: Any, negative_slope: float = 0.2) -> Tensor:
    """The input where it is positive, else ``negative_slope`` times the input.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/leaky_relu

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.leaky_relu([-1.0, 0.0, 2.0]).numpy()
    array([-0.2,  0. ,  2. ], dtype=float32)
    """
    return nn.leaky_relu(x, negative_slope)


def elu(x: Any) -> Tensor:
    """The input where it is positive, else ``exp(x) - 1``.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/elu

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.elu([-1.0, 0.0, 2.0]).numpy().round(4)
    array([-0.6321,  0.    ,  2.    ], dtype=float32)
    """
    return nn.elu(x)


def selu(x: Any) -> Tensor:
    """`elu`, scaled so that signals keep their spread from layer to layer.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/selu

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.selu([-1.0, 0.0, 2.0]).numpy().round(4)
    array([-1.1113,  0.    ,  2.1014], dtype=float32)
    """
    return nn.selu(x)


def gelu(x: Any, approximate: bool = False) -> Tensor:
    """The input times the probability that a normal number is smaller.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/gelu

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.gelu([-1.0, 0.0, 2.0]).numpy().round(4)
    array([-0.1587,  0.    ,  1.9545], dtype=float32)
    """
    return nn.gelu(x, approximate)


def silu(x: Any) -> Tensor:
    """The input times its `sigmoid`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/silu

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.silu([-1.0, 0.0, 2.0]).numpy().round(4)
    array([-0.2689,  0.    ,  1.7616], dtype=float32)
    """
    return nn.silu(x)


def sigmoid(x: Any) -> Tensor:
    """``1 / (1 + exp(-x))``.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/sigmoid

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.sigmoid([-1.0, 0.0, 2.0]).numpy().round(4)
    array([0.2689, 0.5   , 0.8808], dtype=float32)
    """
    return nn.sigmoid(x)


def tanh(x: Any) -> Tensor:
    """The hyperbolic tangent.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/tanh

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.tanh([-1.0, 0.0, 2.0]).numpy().round(4)
    array([-0.7616,  0.    ,  0.964 ], dtype=float32)
    """
    return nn.tanh(x)


def exponential(x: Any) -> Tensor:
    """``exp(x)``.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/exponential

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.exponential([-1.0, 0.0, 2.0]).numpy().round(4)
    array([0.3679, 1.    , 7.3891], dtype=float32)
    """
    return exp(x)


def softplus(x: Any) -> Tensor:
    """``log(exp(x) + 1)``.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/softplus

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.softplus([-1.0, 0.0, 2.0]).numpy().round(4)
    array([0.3133, 0.6931, 2.1269], dtype=float32)
    """
    return nn.softplus(x)


def softsign(x: Any) -> Tensor:
    """``x / (abs(x) + 1)``.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/softsign

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.softsign([-1.0, 0.0, 2.0]).numpy().round(4)
    array([-0.5   ,  0.    ,  0.6667], dtype=float32)
    """
    return nn.softsign(x)


def softmax(x: Any, axis: int = -1) -> Tensor:
    """Positive numbers that add up to 1 along an axis.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/softmax

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.softmax([-1.0, 0.0, 2.0]).numpy().round(4)
    array([0.042 , 0.1142, 0.8438], dtype=float32)
    """
    return nn.softmax(x, axis)


def log_softmax(x: Any, axis: int = -1) -> Tensor:
    """The logarithm of `softmax`.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/log_softmax

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.log_softmax([-1.0, 0.0, 2.0]).numpy().round(4)
    array([-3.1698, -2.1698, -0.1698], dtype=float32)
    """
    return nn.log_softmax(x, axis)


swish = silu

NAMES: dict[str, Callable[..., Any]] = {name: globals()[name] for name in __all__ if name != "get"}


def get(identifier: Any) -> Callable[..., Any]:
    """The activation that a name stands for; a function as it is, and None is `linear`.

    Raises:
      ValueError: for an unknown name.
      TypeError: for something that cannot be called.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/activations/get

    >>> import autodiff_kit as ad
    >>> ad.keras.activations.get("relu") is ad.keras.activations.relu
    True
    """
    if identifier is None:
        return linear
    if callable(identifier):
        return identifier
    if isinstance(identifier, str):
        if identifier in NAMES:
            return NAMES[identifier]
        near = difflib.get_close_matches(identifier, NAMES, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(NAMES)}"
        raise ValueError(
            f"Could not interpret activation function identifier: {identifier}; {hint}"
        )
    raise TypeError(f"Could not interpret activation function identifier: {identifier!r}")
