"""Layer 4: second derivatives, a gradient's gradient.

One idea: a tape around a tape sees the way back of the inner one, and can go back through it.

Source: https://www.tensorflow.org/guide/advanced_autodiff#hessian
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit import nest
from autodiff_kit.convert import as_tensor, convert_to_tensor, is_tensor
from autodiff_kit.forward import tangent_of
from autodiff_kit.tape import GradientTape
from autodiff_kit.tensor import Tensor
from autodiff_kit.variable import Variable

__all__ = ["gradients", "hessian", "hvp"]


def hvp(f: Callable[..., Any], x: Any, v: Any) -> Any:
    """The product of a function's Hessian with a vector, without the Hessian: a gradient's
    gradient.

    Args:
      f: takes ``x``, and returns one number as a tensor.
      x: a floating tensor or variable, or what becomes one; or several in a list or tuple, which
        ``f`` then takes as several arguments.
      v: the vector, in the structure and shape of ``x``.

    Returns:
      The product, in the structure of ``x``; zeros where the gradient does not depend on ``x``.

    Raises:
      ValueError: if ``f`` does not return a single number, or ``v`` does not fit ``x``.
      TypeError: if ``x`` is a list or a tuple and ``v`` is not.

    Source: https://www.tensorflow.org/guide/advanced_autodiff#hessian

    >>> import autodiff_kit as ad
    >>> ad.hvp(lambda x: ad.reduce_sum(x * x * x), [1.0, 2.0], [1.0, 0.0])
    <Tensor: shape=(2,), dtype=float32, numpy=array([6., 0.], dtype=float32)>
    """
    many = isinstance(x, (list, tuple)) and any(is_tensor(each) for each in x)
    points = [_point(each) for each in x] if many else [_point(x)]
    vectors = _parts(x, v) if many else [v]
    if len(vectors) != len(points):
        raise ValueError(f"v has {len(vectors)} parts, but x has {len(points)}: give one for each")
    tangents = [tangent_of(*pair) for pair in zip(points, vectors, strict=True)]
    with GradientTape(watch_accessed_variables=False) as outer:
        outer.watch(points)
        gradients = _gradients(f, points)
    products = outer.gradient(gradients, points, tangents, unconnected_gradients="zero")
    return nest.with_parts(x, products) if many else products[0]


def _parts(x: Any, v: Any) -> list[Any]:
    """The vectors for the parts of ``x``, if it is clear which belongs to which."""
    named = [getattr(one, "_fields", None) for one in (x, v)]
    if not isinstance(v, (list, tuple)) and not is_tensor(v) and not isinstance(v, np.ndarray):
        raise TypeError(
            f"x is a {type(x).__name__}, but v is a {type(v).__name__}: give one vector for each "
            "part of x, in a list"
        )
    if None not in named and named[0] != named[1]:
        raise TypeError(
            f"x has the fields {named[0]}, but v has {named[1]}: make v a {type(x).__name__} too"
        )
    return list(v)


def hessian(f: Callable[..., Any], x: Any) -> Tensor:
    """All second derivatives of a function at a point.

    Args:
      f: takes a tensor, and returns one number as a tensor.
      x: a floating tensor or variable, or what becomes one.

    Returns:
      A tensor of shape ``x.shape + x.shape``; zeros where the gradient does not depend on ``x``.

    Raises:
      ValueError: if ``f`` does not return a single number.

    Source: https://www.tensorflow.org/guide/advanced_autodiff#hessian

    >>> import autodiff_kit as ad
    >>> ad.hessian(lambda x: ad.reduce_sum(x * x * x), [1.0, 2.0])
    <Tensor: shape=(2, 2), dtype=float32, numpy=
    array([[ 6.,  0.],
           [ 0., 12.]], dtype=float32)>
    """
    point = _point(x)
    with GradientTape(watch_accessed_variables=False) as outer:
        outer.watch(point)
        gradient = _gradients(f, [point])[0]
    return outer.jacobian(gradient, point, unconnected_gradients="zero")


def gradients(ys: Any, xs: Any, *args: Any, **kwargs: Any) -> Any:
    """TensorFlow 1's gradients of a graph; as in TensorFlow 2's eager mode, only an error.

    Raises:
      RuntimeError: always, with what to write instead.

    Source: https://www.tensorflow.org/api_docs/python/tf/gradients

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(1.0)
    >>> ad.gradients(x * x, x)
    Traceback (most recent call last):
        ...
    RuntimeError: tf.gradients is not supported when eager execution is enabled. Use \
tf.GradientTape instead. Compute y inside `with ad.GradientTape() as tape:`, then call \
tape.gradient(y, x).
    """
    raise RuntimeError(
        "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape "
        "instead. Compute y inside `with ad.GradientTape() as tape:`, then call "
        "tape.gradient(y, x)."
    )


def _gradients(f: Callable[..., Any], points: list[Any]) -> list[Any]:
    if not callable(f):
        raise TypeError(
            f"f must be a function of x that returns one number, but received {f!r}: write it as "
            "lambda x: ..."
        )
    with GradientTape(watch_accessed_variables=False) as inner:
        inner.watch(points)
        y = as_tensor(f(*points))
    if y._value.shape != ():
        raise ValueError(
            f"A Hessian is that of a function with one number as its result, got shape {y.shape}; "
            "add the elements up with ad.reduce_sum, or use tape.jacobian"
        )
    return inner.gradient(y, points, unconnected_gradients="zero")


def _point(x: Any) -> Any:
    point = x if isinstance(x, Variable) else convert_to_tensor(x)
    if not point.dtype.is_floating:
        raise ValueError(
            f"The point has dtype {point.dtype.name}, and only floating tensors have derivatives; "
            "write 1.0 for 1, or use ad.cast"
        )
    return point
