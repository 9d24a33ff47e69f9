"""Layer 4: `ad.test`, gradients held against finite differences as TensorFlow does it.

One idea: move one input by delta to either side, divide the change of the output by two delta, and
see whether the rules say the same. Where a function jumps or has a kink the two disagree, and the
checker, not the rule, is wrong.

Source: https://www.tensorflow.org/api_docs/python/tf/test/compute_gradient
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit import lazy
from autodiff_kit.convert import constant, convert_to_tensor, is_tensor
from autodiff_kit.tape import GradientTape
from autodiff_kit.tensor import Tensor

__all__ = ["compute_gradient", "compute_gradient_error", "max_error"]
__dir__ = lazy.shown(globals())

Matrix = Any
Function = Callable[..., Any]


def compute_gradient(
    f: Function, x: Any, delta: float | None = None
) -> tuple[tuple[Matrix, ...], tuple[Matrix, ...]]:
    """The Jacobians of a function by its rules and by central differences, TensorFlow 2's form.

    Args:
      f: takes as many tensors as ``x`` has entries and returns one floating tensor.
      x: a list or tuple of arguments, each a floating tensor or what becomes one.
      delta: how far to move; 1/1024 if not given, a power of two, so that moving is exact.

    Returns:
      Two tuples of NumPy matrices, one matrix for each argument: the theoretical and the numeric
      Jacobians, with a row for each element of the output and a column for each of the argument. An
      argument that no gradient flows to has a theoretical Jacobian of zeros.

    Raises:
      ValueError: if ``x`` is not a list or a tuple.
      AssertionError: if an argument or the output is not floating.

    Source: https://www.tensorflow.org/api_docs/python/tf/test/compute_gradient

    >>> import autodiff_kit as ad
    >>> theoretical, numeric = ad.test.compute_gradient(lambda x: x * x, [[1.0, 2.0]])
    >>> theoretical[0]
    array([[2., 0.],
           [0., 4.]], dtype=float32)
    >>> bool(ad.test.max_error(theoretical, numeric) < 1e-3)
    True
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(
            "`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), "
            f"not a {type(x)}; the form (x, x_shape, y, y_shape) is ad.test.compute_gradient_error "
            "and ad.compat.v1.test.compute_gradient"
        )
    step = 1.0 / 1024 if delta is None else delta
    xs = [convert_to_tensor(each) for each in x]
    pairs = [both(f, xs, index, step) for index in range(len(xs))]
    found = tuple(np.zeros_like(n) if t is None else t for t, n in pairs)
    return found, tuple(numeric for _, numeric in pairs)


def compute_gradient_v1(
    x: Any,
    x_shape: Any,
    y: Function,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> Any:
    """The Jacobians of a function by its rules and by central differences, TensorFlow 1's form.

    There is no graph here, so ``y`` is the function that computes y from x. As in TensorFlow the
    value of ``x`` plays no part: the checker draws its own point unless ``x_init_value`` is given.

    Args:
      x: the tensor whose dtype the point gets, or a list of tensors; then ``y`` takes all of them,
        and those that are not being moved keep their own values.
      x_shape: the shape of ``x``, or a list of shapes.
      y: a function of ``x`` that returns a floating tensor of shape ``y_shape``.
      y_shape: the shape of what ``y`` returns.
      x_init_value: an array, or a list of arrays, at which to check; without it a sample of
        ``numpy.random.random_sample``, uniform in [0, 1).
      delta: how far to move.
      init_targets, extra_feed_dict: belong to graphs, and must be None.

    Returns:
      A pair of NumPy matrices, theoretical and numeric, with a row for each element of ``x`` and a
      column for each of ``y``; for a list ``x`` a list of such pairs.

    Raises:
      AssertionError: if no gradient flows, as through floor, or a shape is not the one given.
      TypeError: if ``y`` is not a function.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/test/compute_gradient

    >>> import autodiff_kit as ad
    >>> x = ad.constant([3.0])
    >>> ad.compat.v1.test.compute_gradient(x, [1], lambda x: 2.0 * x, [1], [0.5], delta=0.25)
    (array([[2.]], dtype=float32), array([[2.]], dtype=float32))
    """
    _refuse_graphs(y, init_targets, extra_feed_dict)
    if not isinstance(x, (list, tuple)):
        return _checked_at([x], 0, y, x_shape, y_shape, x_init_value, delta)
    points = [None] * len(x) if x_init_value is None else x_init_value
    return [
        _checked_at(list(x), index, y, shape, y_shape, point, delta)
        for index, (shape, point) in enumerate(zip(x_shape, points, strict=True))
    ]


def compute_gradient_error(
    x: Any,
    x_shape: Any,
    y: Function,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> Any:
    """The largest difference between the Jacobians of `ad.compat.v1.test.compute_gradient`.

    Arguments and errors are those of that function: ``y`` is a function, and the point is drawn
    from ``numpy.random.random_sample`` unless ``x_init_value`` is given.

    Returns:
      The difference as a NumPy scalar.

    Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/test/compute_gradient_error

    >>> import autodiff_kit as ad
    >>> x = ad.constant([1.0, 1.0])
    >>> bool(ad.test.compute_gradient_error(x, [2], ad.sin, [2]) < 1e-3)
    True
    """
    pairs = compute_gradient_v1(
        x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict
    )
    pairs = [pairs] if isinstance(pairs, tuple) else pairs
    return max_error([t for t, _ in pairs], [n for _, n in pairs])


def max_error(grad1: Any, grad2: Any) -> Any:
    """The largest absolute difference between two lists of matrices; 0 if all are empty.

    >>> import autodiff_kit as ad, numpy as np
    >>> float(ad.test.max_error([np.array([1.0, 2.0])], [np.array([1.0, 2.5])]))
    0.5
    """
    error: Any = 0
    for one, other in zip(grad1, grad2, strict=True):
        if one.size or other.size:
            worst = np.fabs(one - other).max()
            error = np.maximum(worst.dtype.type(error), worst)  # NumPy 1 makes 0 a float64
    return error


def both(f: Function, xs: list[Tensor], index: int, delta: float) -> tuple[Matrix | None, Matrix]:
    """The theoretical Jacobian (None if no gradient flows) and the numeric one for one argument."""
    x = xs[index]
    assert x.dtype.is_floating, (
        f"Cannot compute gradient for unsupported type {x.dtype.name} of argument {index}"
    )
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = convert_to_tensor(f(*xs))
    assert y.dtype.is_floating, f"Cannot compute gradient for unsupported type {y.dtype.name} of y"
    rows = tape.jacobian(y, x)
    size = y.shape.num_elements(), x.shape.num_elements()
    theoretical = None if rows is None else rows.numpy().reshape(size)
    return theoretical, _differences(f, xs, index, delta, y).reshape(size)


def _differences(f: Function, xs: list[Tensor], index: int, delta: float, y: Tensor) -> Matrix:
    """The numeric Jacobian, column by column, all in the dtypes of the tensors."""
    point = xs[index].numpy()
    kind = point.dtype.type
    scale = y.dtype.as_numpy_dtype(2 * delta)
    matrix = np.zeros((y.shape.num_elements(), point.size), point.dtype)

    def moved(column: int, by: Any) -> Any:
        there = np.array(point).reshape(-1)
        there[column] += by
        changed = constant(there.reshape(point.shape))
        return convert_to_tensor(f(*xs[:index], changed, *xs[index + 1 :]))._value

    for column in range(point.size):
        change = moved(column, kind(delta)) - moved(column, -kind(delta))
        matrix[:, column] = np.ravel(change / scale)
    return matrix


def _checked_at(
    xs: list[Any], index: int, y: Function, x_shape: Any, y_shape: Any, point: Any, delta: float
) -> tuple[Matrix, Matrix]:
    dtype = convert_to_tensor(xs[index]).dtype
    shape = tuple(np.atleast_1d(np.asarray(x_shape, int)).tolist())
    if point is None:
        point = np.random.random_sample(shape)  # noqa: NPY002 - the stream that TensorFlow draws from
    array = np.asarray(point._value if is_tensor(point) else point).astype(dtype.as_numpy_dtype)
    assert shape == array.shape, f"x_shape = {list(shape)}, init_data shape = {list(array.shape)}"
    tensors = [convert_to_tensor(each) for each in xs]
    tensors[index] = constant(array)
    theoretical, numeric = both(y, tensors, index, delta)
    size = int(np.prod(np.asarray(y_shape, int)))
    assert len(numeric) == size, (
        f"y_shape = {list(y_shape)}, but y returned {len(numeric)} elements"
    )
    assert theoretical is not None, (
        "dx = None: no gradient flows from y to x, so there is nothing to check; "
        "ad.test.compute_gradient takes None for zeros"
    )
    return theoretical.T, numeric.T


def _refuse_graphs(y: Any, init_targets: Any, extra_feed_dict: Any) -> None:
    if not callable(y):
        raise TypeError(
            f"y must be the function that computes y from x, got {y!r}: without a graph a tensor "
            "cannot be computed again at another x. Write "
            "compute_gradient_error(x, x_shape, f, y_shape)"
        )
    if init_targets is not None or extra_feed_dict is not None:
        raise ValueError(
            "init_targets and extra_feed_dict belong to graphs, which the kit has not; "
            "let the function y use the values directly"
        )
