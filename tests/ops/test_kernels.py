"""What every kernel keeps: dtype and shape, a NumPy scalar for shape (), its inputs as they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad

m = ad.math
UNARY = [
    ad.abs, ad.sign, ad.sqrt, m.rsqrt, m.reciprocal, ad.exp, m.expm1, m.log, m.log1p, ad.sigmoid,
    m.log_sigmoid, m.softplus, ad.tanh, ad.sinh, ad.cosh, ad.asinh, ad.acosh, ad.atanh, ad.sin, ad.cos,
    ad.tan, ad.asin, ad.acos, ad.atan, m.erf, m.erfc, m.erfinv, m.lgamma, m.digamma, ad.floor, m.ceil,
    ad.round, m.rint, ad.square, ad.negative, m.reciprocal_no_nan, ad.zeros_like, ad.ones_like,
]  # fmt: skip
BINARY = [
    ad.maximum, ad.minimum, m.squared_difference, m.divide_no_nan, m.multiply_no_nan, m.xlogy,
    m.xlog1py, m.xdivy, ad.atan2, lambda x, y: m.add_n([x, y]), lambda x, y: ad.clip_by_value(x, y, y),
]  # fmt: skip
REDUCTIONS = [
    ad.reduce_sum, ad.reduce_mean, ad.reduce_prod, ad.reduce_max, ad.reduce_min, ad.reduce_logsumexp,
    m.reduce_std, m.reduce_variance, m.reduce_euclidean_norm, ad.norm,
]  # fmt: skip
DTYPES = ["float16", "float32", "float64"]
SHAPES = [(), (3,), (2, 1), (2, 0)]
quiet = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def called(f: Any) -> str:
    return getattr(f, "__name__", "f").replace("<lambda>", "made")


def check(f: Any, *xs: Any, shape: Any = None) -> None:
    """Call and differentiate; the result and the gradients have the dtype of the inputs."""
    tensors = [ad.constant(x) for x in xs]
    before = [x.numpy() for x in tensors]
    with ad.GradientTape() as tape:
        tape.watch(tensors)
        y = f(*tensors)
    value, like = y._value, xs[0].shape if shape is None else shape
    assert value.dtype == xs[0].dtype and value.shape == like
    assert isinstance(value, np.generic if like == () else np.ndarray)
    for x, dx in zip(tensors, tape.gradient(y, tensors), strict=True):
        if dx is not None:
            assert dx._value.dtype == x._value.dtype and dx.shape == x.shape
            assert type(dx._value) is type(x._value)
    for x, old in zip(tensors, before, strict=True):
        np.testing.assert_array_equal(x.numpy(), old)


@quiet
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("f", UNARY, ids=called)
def test_functions_of_one_tensor(f: Any, dtype: str) -> None:
    for shape in SHAPES:
        check(f, np.full(shape, 0.5, dtype))


@quiet
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("f", BINARY, ids=called)
def test_functions_of_two_tensors(f: Any, dtype: str) -> None:
    for shape in SHAPES:
        check(f, np.full(shape, 0.5, dtype), np.full(shape, 2.0, dtype))


@quiet
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("f", REDUCTIONS, ids=called)
def test_reductions(f: Any, dtype: str) -> None:
    check(f, np.asarray(2.0, dtype)[()])
    x = np.arange(1, 7, dtype=dtype).reshape(2, 3)
    check(f, x, shape=())
    for axis, shape in ((0, (3,)), (-1, (2,))):
        check(lambda t, axis=axis: f(t, axis=axis), x, shape=shape)
    check(lambda t: f(t, axis=1, keepdims=True), x, shape=(2, 1))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64"])
def test_reductions_of_integers_stay_integers(dtype: str) -> None:
    x = ad.constant(np.array([[1, 2], [3, 4]], dtype))
    functions = ad.reduce_sum, ad.reduce_mean, ad.reduce_prod, ad.reduce_max, ad.cumsum, m.cumprod
    for f in functions:
        assert f(x).dtype == dtype


def test_mean_of_squares_in_tensorflows_order() -> None:
    """((1 / n) * 2) * y, to the last bit."""
    y = ad.constant(np.random.default_rng(0).uniform(-20, 20, 7).astype(np.float32))
    with ad.GradientTape() as tape:
        tape.watch(y)
        loss = ad.reduce_mean(y**2)
    n, two = np.float32(7), np.float32(2)
    expected = ((np.float32(1) / n) * two) * y.numpy()
    np.testing.assert_array_equal(tape.gradient(loss, y).numpy(), expected)


def test_comparisons_with_what_is_not_alike() -> None:
    x = ad.constant([1.0, 2.0])
    assert (x == None) is False and (x != None) is True  # noqa: E711
    assert not (x == ad.constant([1.0, 2.0, 3.0])) and x != ad.constant([1.0, 2.0, 3.0])
    assert x in [x] and {x: 1}[x] == 1


# --- what docs/coming-from-tensorflow.md says is otherwise than there ------------------------------


@pytest.mark.parametrize("number", [np.nan, -np.inf])
def test_max_pooling_hands_on_nan_and_minus_infinity(number: float) -> None:
    image = ad.fill([1, 2, 2, 1], number)
    assert np.array_equal(ad.nn.max_pool2d(image, 2, 1, "VALID"), [[[[number]]]], equal_nan=True)
    mixed = ad.constant([[[number], [1.0], [0.0]]])
    pooled = ad.nn.max_pool1d(mixed, 2, 1, "VALID").numpy().ravel().tolist()
    assert np.array_equal(pooled, [np.maximum(number, 1.0), 1.0], equal_nan=True)


@pytest.mark.parametrize(("length", "window"), [(4, 5), (3, 5), (4, 7), (2, 5)])
def test_mean_pooling_in_windows_that_are_too_large_has_its_own_gradient(
    length: int, window: int
) -> None:
    image = np.arange(float(length * length)).reshape(1, length, length, 1) ** 1.5
    theirs, ours = ad.test.compute_gradient(
        lambda x: ad.nn.avg_pool2d(x, window, 1, "SAME"), [ad.constant(image)]
    )
    np.testing.assert_allclose(theirs[0], ours[0], atol=1e-6)


def test_erf_of_infinities() -> None:
    for dtype in DTYPES:
        assert m.erf(ad.constant([np.inf, -np.inf], dtype)).numpy().tolist() == [1.0, -1.0]


def test_a_mask_for_the_last_axis() -> None:
    x = ad.constant([[1.0, 2.0], [3.0, 4.0]])
    assert ad.boolean_mask(x, [False, True], axis=-1).numpy().tolist() == [[2.0], [4.0]]
