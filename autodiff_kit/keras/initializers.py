"""Layer 4: `ad.keras.initializers`, the first values of a layer's variables.

One idea: an initializer is a function of a shape. The random ones draw from the kit's global stream, so
`ad.random.set_seed` fixes them, and they are TensorFlow's numbers. With a seed of its own it is a fixed
function: as in Keras it gives the same numbers each time.

Source: https://keras.io/api/layers/initializers/
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff_kit import lazy
from autodiff_kit.convert import convert_to_tensor
from autodiff_kit.dtypes import as_dtype
from autodiff_kit.keras.initializer import Initializer, draw
from autodiff_kit.keras.orthogonal import Orthogonal
from autodiff_kit.ops.integers import integers
from autodiff_kit.tensor import Tensor

__all__ = [
    "Constant", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "Initializer",
    "LecunNormal", "LecunUniform", "Ones", "Orthogonal", "RandomNormal", "RandomUniform",
    "TruncatedNormal", "VarianceScaling", "Zeros", "constant", "get", "glorot_normal",
    "glorot_uniform", "he_normal", "he_uniform", "lecun_normal", "lecun_uniform", "ones",
    "orthogonal", "random_normal", "random_uniform", "truncated_normal", "zeros",
]  # fmt: skip
__dir__ = lazy.shown(globals())


class Constant(Initializer):
    """The same number, or the same array, everywhere.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/Constant

    >>> import autodiff_kit as ad
    >>> ad.keras.initializers.Constant(3.0)([2])
    <Tensor: shape=(2,), dtype=float32, numpy=array([3., 3.], dtype=float32)>
    """

    def __init__(self, value: Any = 0.0) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """The constant in this shape and dtype."""
        value = np.asarray(self.value, as_dtype(dtype or "float32").as_numpy_dtype)
        return convert_to_tensor(np.broadcast_to(value, integers(shape)))


class Zeros(Constant):
    """Zeros.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/Zeros

    >>> import autodiff_kit as ad
    >>> ad.keras.initializers.Zeros()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __init__(self) -> None:
        super().__init__(0.0)


class Ones(Constant):
    """Ones.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/Ones

    >>> import autodiff_kit as ad
    >>> ad.keras.initializers.Ones()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __init__(self) -> None:
        super().__init__(1.0)


class RandomUniform(Initializer):
    """Numbers from ``minval`` to ``maxval``, all equally likely.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/RandomUniform

    >>> import autodiff_kit as ad
    >>> ad.keras.initializers.RandomUniform(0.0, 1.0)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self, minval: float = -0.05, maxval: float = 0.05, seed: int | None = None
    ) -> None:
        self.minval = minval
        self.maxval = maxval
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """One draw."""
        return draw("uniform", shape, self.minval, self.maxval, dtype, self.seed)


class RandomNormal(Initializer):
    """Normally distributed numbers.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/RandomNormal

    >>> import autodiff_kit as ad
    >>> ad.keras.initializers.RandomNormal()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        self.mean = mean
        self.stddev = stddev
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """One draw."""
        return draw("normal", shape, self.mean, self.stddev, dtype, self.seed)


class TruncatedNormal(RandomNormal):
    """Normally distributed numbers, those beyond two deviations drawn again.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/TruncatedNormal

    >>> import autodiff_kit as ad
    >>> ad.keras.initializers.TruncatedNormal()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """One draw."""
        return draw("truncated_normal", shape, self.mean, self.stddev, dtype, self.seed)


class VarianceScaling(Initializer):
    """Random numbers whose spread fits the size of the layer, so that signals neither grow nor fade.

    Args:
      scale: the variance is ``scale / fan``.
      mode: the fan: ``"fan_in"``, the number of inputs, ``"fan_out"``, of outputs, or ``"fan_avg"``.
      distribution: ``"uniform"``, ``"truncated_normal"``, which ``"normal"`` is too, or
        ``"untruncated_normal"``.
      seed: an integer; the same numbers are then drawn each time.

    Raises:
      ValueError: for another mode or distribution, or a scale that is not positive.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/VarianceScaling

    >>> import autodiff_kit as ad
    >>> ad.keras.initializers.VarianceScaling(2.0, "fan_in", "uniform")([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ) -> None:
        if scale <= 0:
            raise ValueError(f"Argument `scale` must be positive float. Received: scale={scale}")
        _one_of("mode", mode, ("fan_in", "fan_out", "fan_avg"))
        distribution = "truncated_normal" if distribution == "normal" else distribution
        _one_of("distribution", distribution, ("uniform", "truncated_normal", "untruncated_normal"))
        self.scale = scale
        self.mode = mode
        self.distribution = distribution
        self.seed = seed

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """One draw."""
        fan_in, fan_out = fans(integers(shape))
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return draw("uniform", shape, -limit, limit, dtype, self.seed)
        if self.distribution == "untruncated_normal":
            return draw("normal", shape, 0.0, math.sqrt(variance), dtype, self.seed)
        # What is cut off makes the spread smaller by this factor.
        stddev = math.sqrt(variance) / 0.87962566103423978
        return draw("truncated_normal", shape, 0.0, stddev, dtype, self.seed)


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """The number of inputs and of outputs of a kernel; a convolution's window counts for both."""
    if len(shape) < 2:
        size = shape[0] if shape else 1
        return size, size
    window = math.prod(shape[:-2])
    return window * shape[-2], window * shape[-1]


def _one_of(what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(
            f"Invalid `{what}` argument: {value}. Please use one of {', '.join(allowed)}"
        )


def _scaled(name: str, scale: float, mode: str, distribution: str) -> type[VarianceScaling]:
    """One of the named forms of `VarianceScaling`."""

    def __init__(self: VarianceScaling, seed: int | None = None) -> None:
        VarianceScaling.__init__(self, scale, mode, distribution, seed)

    text = f"""`VarianceScaling` with scale {scale}, {mode!r} and {distribution!r}.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/{name}

    >>> import autodiff_kit as ad
    >>> ad.keras.initializers.{name}()([3, 2]).shape
    TensorShape([3, 2])
    """
    return type(name, (VarianceScaling,), {"__init__": __init__, "__doc__": text})


GlorotUniform = glorot_uniform = _scaled("GlorotUniform", 1.0, "fan_avg", "uniform")
GlorotNormal = glorot_normal = _scaled("GlorotNormal", 1.0, "fan_avg", "truncated_normal")
HeUniform = he_uniform = _scaled("HeUniform", 2.0, "fan_in", "uniform")
HeNormal = he_normal = _scaled("HeNormal", 2.0, "fan_in", "truncated_normal")
LecunUniform = lecun_uniform = _scaled("LecunUniform", 1.0, "fan_in", "uniform")
LecunNormal = lecun_normal = _scaled("LecunNormal", 1.0, "fan_in", "truncated_normal")
zeros, ones, constant = Zeros, Ones, Constant
random_uniform, random_normal = RandomUniform, RandomNormal
truncated_normal, orthogonal = TruncatedNormal, Orthogonal

NAMES: dict[str, Any] = {
    "constant": Constant,
    "glorot_normal": GlorotNormal,
    "glorot_uniform": GlorotUniform,
    "he_normal": HeNormal,
    "he_uniform": HeUniform,
    "lecun_normal": LecunNormal,
    "lecun_uniform": LecunUniform,
    "ones": Ones,
    "orthogonal": Orthogonal,
    "random_normal": RandomNormal,
    "random_uniform": RandomUniform,
    "truncated_normal": TruncatedNormal,
    "variance_scaling": VarianceScaling,
    "zeros": Zeros,
}
SHORT: dict[str, Any] = {
    "normal": RandomNormal, "one": Ones, "uniform": RandomUniform, "zero": Zeros
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The initializer that a name stands for; functions and initializers as they are.

    Raises:
      ValueError: for an unknown name, or something that cannot be called.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/initializers/get

    >>> import autodiff_kit as ad
    >>> ad.keras.initializers.get("zeros")([1]).numpy()
    array([0.], dtype=float32)
    """
    known = {**NAMES, **SHORT, **{each.__name__: each for each in NAMES.values()}}
    if isinstance(identifier, str) and identifier in known:
        return known[identifier]()
    if isinstance(identifier, type) and issubclass(identifier, Initializer):
        return identifier()
    if callable(identifier):
        return identifier
    raise ValueError(
        f"Could not interpret initializer identifier: {identifier}; known names are "
        f"{', '.join(NAMES)}"
    )
