"""Kernels that go another way when there are many elements: the result is that of the plain way."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad

SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-30, 9.3, 10.05, -88.0, 200.0]
FLOATS = ["float16", "float32", "float64"]
quiet = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def many(dtype: str, *shape: int) -> Any:
    """Random numbers, and among them in every row those where kernels go wrong."""
    x = np.random.default_rng(0).normal(size=shape).astype(dtype)
    x[..., : len(SPECIAL)] = SPECIAL
    return np.random.default_rng(1).permuted(x, axis=-1)


def with_gradient(f: Any, x: Any) -> tuple[Any, Any]:
    """The value, and the gradient of the sum of its elements times 1, 2, 3 ..."""
    tensor = ad.constant(x)
    with ad.GradientTape() as tape:
        tape.watch(tensor)
        y = f(tensor)
    shape = y.shape.as_list()
    seed = np.arange(1.0, math.prod(shape) + 1).reshape(shape).astype(x.dtype)
    return y.numpy(), tape.gradient(y, tensor, ad.constant(seed)).numpy()


@quiet
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "f",
    [ad.nn.elu, ad.nn.selu, ad.nn.leaky_relu, ad.nn.gelu, ad.math.erfc],
    ids=lambda f: f.__name__,
)
def test_many_are_as_each_alone(f: Any, dtype: str) -> None:
    x = many(dtype, 2000)
    found = f(ad.constant(x)).numpy()
    np.testing.assert_array_equal(found, [f(ad.constant(v)).numpy() for v in x])


@pytest.mark.parametrize("dtype", FLOATS)
def test_softplus_of_many_is_as_exact(dtype: str) -> None:
    x = np.concatenate([np.linspace(-110, 30, 50_000), SPECIAL]).astype(dtype)
    exact = np.logaddexp(0, x.astype(np.float64)).astype(dtype)
    found, labels = ad.math.softplus(ad.constant(x)).numpy(), ad.zeros(x.shape, dtype)
    np.testing.assert_array_max_ulp(found, exact, 8)
    entropy = ad.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=ad.constant(x))
    usual = np.isfinite(x)  # infinity times a label of 0 is no number
    np.testing.assert_array_equal(entropy.numpy()[usual], found[usual])


def test_erfc_rounds_as_pythons() -> None:
    x = np.random.default_rng(0).uniform(-11, 11, 50_000).astype(np.float32)
    exact = np.array([math.erfc(v) for v in x.tolist()]).astype(np.float32)
    np.testing.assert_array_max_ulp(ad.math.erfc(ad.constant(x)).numpy(), exact, 1)


@quiet
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("classes", [2, 10, 32, 33])
def test_many_short_rows(classes: int, dtype: str) -> None:
    x = np.random.default_rng(0).integers(-9, 9, (40, 20, classes)).astype(dtype)
    x[3, 4, 1], x[5, 6, 0], x[7, 8] = np.nan, np.inf, -np.inf
    rows = ad.constant(x)
    for f in (ad.reduce_max, ad.reduce_min, ad.reduce_logsumexp, ad.nn.softmax, ad.nn.log_softmax):
        found = f(rows, axis=-1).numpy()
        each = [[f(ad.constant(row), axis=-1).numpy() for row in part] for part in x]
        np.testing.assert_array_equal(found, each)
    kept = ad.reduce_max(rows, -1, keepdims=True)
    np.testing.assert_array_equal(kept.numpy(), x.max(-1, keepdims=True))


@quiet
@pytest.mark.parametrize("k", [1, 3, 25])
@pytest.mark.parametrize("kind", ["all different", "ties", "nan", "infinite"])
def test_the_few_largest(kind: str, k: int) -> None:
    rng = np.random.default_rng(0)
    x = rng.permuted(np.tile(np.arange(200.0), (12, 1)), axis=1)
    if kind == "ties":
        x[2:4] = rng.integers(0, 9, (2, 200))
    if kind == "nan":
        x[1, 5:195], x[2] = np.nan, np.nan
    if kind == "infinite":
        x[:, ::7], x[:, 1::7] = np.inf, -np.inf
    order = np.argsort(-x, axis=-1, kind="stable")[:, :k]
    values, indices = ad.math.top_k(ad.constant(x), k)
    np.testing.assert_array_equal(indices.numpy(), order)
    np.testing.assert_array_equal(values.numpy(), np.take_along_axis(x, order, -1))
    _, gradient = with_gradient(lambda t: ad.math.top_k(t, k)[0], x)
    expected = np.zeros_like(x)
    np.put_along_axis(expected, order, np.arange(1.0, 12 * k + 1).reshape(12, k), -1)
    np.testing.assert_array_equal(gradient, expected)


@quiet
@pytest.mark.parametrize("dtype", [*FLOATS, "int32"])
@pytest.mark.parametrize("reverse", [False, True])
def test_running_sums_of_long_rows(reverse: bool, dtype: str) -> None:
    x = (np.random.default_rng(0).normal(size=(3, 7, 300)) * 3).astype(dtype)
    turned = x[:, ::-1] if reverse else x
    for f, ufunc, start in ((ad.cumsum, np.add, 0), (ad.math.cumprod, np.multiply, 1)):
        expected = ufunc.accumulate(turned, axis=1, dtype=x.dtype)
        before = np.concatenate([np.full((3, 1, 300), start, dtype), expected[:, :-1]], axis=1)
        for exclusive, y in ((False, expected), (True, before)):
            found = f(ad.constant(x), 1, exclusive, reverse).numpy()
            np.testing.assert_array_equal(found, y[:, ::-1] if reverse else y)


@pytest.mark.parametrize("lower, upper", [(-1, 0), (0, -1), (2, 5), (-1, -1)])
def test_band_of_a_large_matrix(lower: int, upper: int) -> None:
    x = np.random.default_rng(0).normal(size=(40, 50))
    expected = np.triu(np.tril(x, upper if upper >= 0 else 50), -lower if lower >= 0 else -50)
    np.testing.assert_array_equal(ad.linalg.band_part(ad.constant(x), lower, upper), expected)


@pytest.mark.parametrize("mode", ["REFLECT", "SYMMETRIC"])
def test_mirrors_give_back_to_what_they_mirror(mode: str) -> None:
    x, pads = np.arange(60.0).reshape(3, 4, 5), [(1, 2), (0, 3), (4, 0)]
    y, gradient = with_gradient(lambda t: ad.pad(t, pads, mode), x)
    np.testing.assert_array_equal(y, np.pad(x, pads, mode.lower()))
    seeds = np.arange(1.0, y.size + 1)
    np.testing.assert_array_equal(gradient.ravel(), np.bincount(y.ravel().astype(int), seeds))


WINDOWS = [
    ((7, 6), (2, 2), (2, 2), "VALID"),
    ((7, 6), (3, 2), (1, 1), "SAME"),
    ((5, 8), (2, 3), (3, 2), "SAME"),
    ((5, 4), (3, 3), (2, 1), [[0, 0], [2, 0], [1, 2], [0, 0]]),
]


def margins(sizes: Any, window: Any, strides: Any, padding: Any) -> list[tuple[int, int]]:
    if padding == "VALID":
        return [(0, 0)] * len(sizes)
    if padding != "SAME":
        return [tuple(pair) for pair in padding[1:-1]]
    pairs = []
    for size, k, s in zip(sizes, window, strides, strict=True):
        total = max((-(-size // s) - 1) * s + k - size, 0)
        pairs.append((total // 2, total - total // 2))
    return pairs


def places(x: Any, window: Any, strides: Any) -> Any:
    """Each place of a window in a padded image, and which part of the image that is."""
    counts = [(n - k) // s + 1 for n, k, s in zip(x.shape[1:3], window, strides, strict=True)]
    for place in np.ndindex(*counts):
        starts = [p * s for p, s in zip(place, strides, strict=True)]
        yield place, tuple(slice(a, a + k) for a, k in zip(starts, window, strict=True))


@pytest.mark.parametrize("sizes, window, strides, padding", WINDOWS)
def test_max_pooling_place_by_place(sizes: Any, window: Any, strides: Any, padding: Any) -> None:
    x = np.random.default_rng(0).integers(0, 4, (2, *sizes, 3)).astype(np.float64)
    x[0, 2, 1, 0] = x[0, 2, 2, 0] = np.nan
    pads = [(0, 0), *margins(sizes, window, strides, padding), (0, 0)]
    y, gradient = with_gradient(lambda t: ad.nn.max_pool(t, window, strides, padding), x)
    seeds = np.arange(1.0, y.size + 1).reshape(y.shape)
    whole = np.pad(x, pads, constant_values=-np.inf)
    expected = np.zeros_like(whole)
    for place, part in places(whole, window, strides):
        for n, channel in np.ndindex(2, 3):
            seen = whole[(n, *part, channel)]
            first = np.unravel_index(np.argmax(seen), seen.shape)
            np.testing.assert_array_equal(y[(n, *place, channel)], seen[first])
            expected[(n, *part, channel)][first] += seeds[(n, *place, channel)]
    inner = tuple(slice(a, n - b) for n, (a, b) in zip(whole.shape, pads, strict=True))
    np.testing.assert_array_equal(gradient, expected[inner])


@pytest.mark.parametrize("sizes, window, strides, padding", WINDOWS)
def test_convolution_place_by_place(sizes: Any, window: Any, strides: Any, padding: Any) -> None:
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(2, *sizes, 3)), rng.normal(size=(*window, 3, 2))
    pads = [(0, 0), *margins(sizes, window, strides, padding), (0, 0)]
    y = ad.nn.conv2d(ad.constant(x), ad.constant(w), strides, padding).numpy()
    whole = np.pad(x, pads)
    for place, part in places(whole, window, strides):
        expected = np.tensordot(whole[(slice(None), *part)], w, 3)
        np.testing.assert_allclose(y[(slice(None), *place)], expected, rtol=1e-12)


def test_a_window_that_fits_nowhere_along_one_axis() -> None:
    x = ad.zeros([1, 1, 6, 1])
    for f in (ad.nn.max_pool, ad.nn.avg_pool):
        assert f(x, 2, 2, "VALID").shape == (1, 0, 3, 1)
    assert ad.nn.conv2d(x, ad.zeros([2, 2, 1, 4]), 2, "VALID").shape == (1, 0, 3, 4)


def test_lists_of_different_lengths_are_refused_in_the_same_words() -> None:
    with pytest.raises(ValueError, match="non-rectangular"):
        ad.pad([1.0, 2.0], [[1, 1], [2]])


@quiet
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("f", [ad.maximum, ad.minimum], ids=["maximum", "minimum"])
@pytest.mark.parametrize("number", [0.0, -0.0, 0.5, -np.inf, np.nan])
def test_a_bound_of_many_is_that_of_each(f: Any, number: float, dtype: str) -> None:
    x, bound = many(dtype, 2000), np.array(number, dtype)[()]
    found = f(ad.constant(x), ad.constant(bound)).numpy()
    alone = [f(ad.constant(v), ad.constant(bound)).numpy() for v in x]
    np.testing.assert_array_equal(found, alone)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(alone))


@quiet
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("exponent", [-0.5, 0.5, 1.0, 2.0, 3.0, 4.0])
@pytest.mark.parametrize("positive", [False, True])
def test_powers_of_many(exponent: float, positive: bool, dtype: str) -> None:
    x = many(dtype, 2000)
    x = np.abs(x[np.isfinite(x)]) + np.array(0.125, dtype) if positive else x
    found, dx = with_gradient(lambda t: t**exponent, x)
    small = 4 * np.finfo(dtype).eps
    expected = np.power(x, np.array(exponent, dtype))
    np.testing.assert_allclose(found, expected, rtol=small, atol=np.finfo(dtype).tiny)
    seed = np.arange(1.0, x.size + 1).astype(dtype)
    slope = seed * np.array(exponent, dtype) * np.power(x, np.array(exponent - 1, dtype))
    np.testing.assert_allclose(dx, slope, rtol=small, atol=np.finfo(dtype).tiny)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("count", [3, 40, 200])
def test_positions_named_once_and_positions_named_twice(axis: int, count: int) -> None:
    x = np.random.default_rng(0).normal(size=(250, 260)).astype(np.float32)
    once = np.random.default_rng(1).permutation(250)[:count]
    for places in (once, np.append(once, once[1])):
        found, dx = with_gradient(lambda t, p=places: ad.gather(t, p, axis=axis), x)
        np.testing.assert_array_equal(found, x.take(places, axis))
        seed = np.arange(1.0, found.size + 1).reshape(found.shape).astype(np.float32)
        expected = np.zeros_like(x)
        np.add.at(expected, (slice(None),) * (axis % 2) + (places,), seed)
        np.testing.assert_array_equal(dx, expected)


@pytest.mark.parametrize("f", [ad.reduce_max, ad.reduce_min], ids=["max", "min"])
def test_the_winner_of_a_row_and_winners_that_share(f: Any) -> None:
    alone = np.float32([[1.0, 3.0, 2.0, -1.0], [5.0, 4.0, -2.0, 0.0]])
    shared = np.vstack([alone, np.float32([7.0, 7.0, -7.0, -7.0])])
    unknown = np.vstack([shared, np.float32([np.nan, 1.0, 2.0, 3.0])])
    first = with_gradient(lambda t: f(t, axis=1), alone)[1]
    second = with_gradient(lambda t: f(t, axis=1), shared)[1]
    third = with_gradient(lambda t: f(t, axis=1), unknown)[1]
    np.testing.assert_array_equal(second[:2], first)
    np.testing.assert_array_equal(third[:3], second)
    assert sorted(second[2]) == [0.0, 0.0, 1.5, 1.5]
    assert np.isnan(third[3]).all()


@quiet
def test_the_cross_entropy_of_logits_is_the_one_written_out() -> None:
    x = np.float32([0.0, -0.0, 3.0, -3.0, 40.0, -40.0, 500.0, -500.0, np.nan] * 4)
    z = np.repeat(np.float32([0.0, 1.0, 0.5, 0.25]), 9)

    def written_out(t: Any) -> Any:
        positive = t >= 0
        rest = ad.math.log1p(ad.exp(ad.where(positive, -t, t)))
        return ad.where(positive, t, 0.0) - t * z + rest

    found = with_gradient(lambda t: ad.nn.sigmoid_cross_entropy_with_logits(z, t), x)
    for ours, plain in zip(found, with_gradient(written_out, x), strict=True):
        np.testing.assert_allclose(ours, plain, rtol=1e-6)
