"""What `facts.kinds` says of operations is so: their kernels are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.opdef import all_operations
from autodiff_kit.readers.facts import kinds

NAMED = {name: one for name, one in vars(kinds).items() if isinstance(one, frozenset)}
OPERATIONS = {**all_operations(), "Broadcast": BROADCAST}
FUNCTIONS = sorted(t for t, op in OPERATIONS.items() if op.elementwise and op.arity == 1)
FLOATING = [t for t in FUNCTIONS if t not in ("Invert", "LogicalNot")]

# How an operation is called with a floating tensor of shape (1, 2, 3).
CALLS: dict[str, Callable[[Any], Any]] = {
    "AddN": lambda x: ad.add_n([x, x]), "AddV2": lambda x: x + x, "Mul": lambda x: x * x,
    "All": lambda x: ad.reduce_all(x > 1.0), "Any": lambda x: ad.reduce_any(x > 1.0),
    "ArgMax": ad.argmax, "ArgMin": ad.argmin, "ArgSort": ad.argsort,
    "Where": lambda x: ad.where(x > 1.0),
    "AvgPool": lambda x: ad.nn.avg_pool(x[None], 1, 1, "VALID"),
    "BatchMatMulV2": lambda x: ad.matmul(x, x, transpose_b=True),
    "BroadcastTo": lambda x: ad.broadcast_to(x, [2, 2, 3]),
    "Broadcast": lambda x: x + ad.ones([2, 2, 3]),
    "Cast": lambda x: ad.cast(x, ad.float64), "ConcatV2": lambda x: ad.concat([x, x], 1),
    "Conv2D": lambda x: ad.nn.conv2d(x[None], ad.ones([1, 1, 3, 1]), 1, "VALID"),
    "Cumprod": ad.math.cumprod, "Cumsum": ad.cumsum, "DivNoNan": lambda x: ad.math.divide_no_nan(x, x),
    "Einsum": lambda x: ad.einsum("abc,abd->acd", x, x), "Equal": lambda x: x == 1.0,
    "EnsureShape": lambda x: ad.ensure_shape(x, [1, None, 3]),
    "EuclideanNorm": ad.math.reduce_euclidean_norm, "ExpandDims": lambda x: ad.expand_dims(x, 0),
    "GatherNd": lambda x: ad.gather_nd(x, [[0, 1]]), "GatherV2": lambda x: ad.gather(x, [1], axis=1),
    "Greater": lambda x: x > 1.0, "GreaterEqual": lambda x: x >= 1.0, "IsFinite": ad.math.is_finite,
    "IsInf": ad.math.is_inf, "IsNan": ad.math.is_nan, "LeakyRelu": ad.nn.leaky_relu,
    "Less": lambda x: x < 1.0, "LessEqual": lambda x: x <= 1.0,
    "LogicalAnd": lambda x: ad.logical_and(x > 1.0, x < 2.0),
    "LogicalNot": lambda x: ad.logical_not(x > 1.0),
    "LogicalOr": lambda x: ad.logical_or(x > 1.0, x < 2.0), "LogSoftmax": ad.nn.log_softmax,
    "LogSumExp": ad.reduce_logsumexp, "MatMul": lambda x: ad.matmul(x[0], x[0], transpose_b=True),
    "Multinomial": lambda x: ad.random.categorical(x[0], 2),
    "StatelessMultinomial": lambda x: ad.random.stateless_categorical(x[0], 2, [1, 2]),
    "Max": ad.reduce_max, "Mean": ad.reduce_mean, "Min": ad.reduce_min, "Prod": ad.reduce_prod,
    "Maximum": lambda x: ad.maximum(x, x), "Minimum": lambda x: ad.minimum(x, x),
    "MaxPool": lambda x: ad.nn.max_pool(x[None], 1, 1, "VALID"),
    "MirrorPad": lambda x: ad.pad(x, [[0, 0], [1, 1], [1, 1]], "REFLECT"),
    "MulNoNan": lambda x: ad.math.multiply_no_nan(x, x), "NotEqual": lambda x: x != 1.0,
    "OnesLike": ad.ones_like, "Pack": lambda x: ad.stack([x, x]),
    "Pad": lambda x: ad.pad(x, [[1, 1]] * 3),
    "PadV2": lambda x: ad.pad(x, [[1, 1]] * 3, constant_values=5.0), "Pow": lambda x: x**x,
    "Rank": ad.rank, "RealDiv": lambda x: x / ad.ones_like(x),
    "Reshape": lambda x: ad.reshape(x, [3, 2]),
    "ReverseV2": lambda x: ad.reverse(x, [2]), "Roll": lambda x: ad.roll(x, 1, 2), "Shape": ad.shape,
    "Size": ad.size, "Softmax": ad.nn.softmax, "Split": lambda x: ad.split(x, 2, 1),
    "SplitV": lambda x: ad.split(x, [2, 1], 2), "Squeeze": ad.squeeze,
    "StridedSlice": lambda x: x[:, 1:],
    "SquaredDifference": lambda x: ad.math.squared_difference(x, 0.0), "Sub": lambda x: x - 0.0,
    "Sum": ad.reduce_sum, "Tile": lambda x: ad.tile(x, [2, 1, 1]), "Transpose": ad.transpose,
    "Unpack": lambda x: ad.unstack(x, axis=1), "Xlogy": lambda x: ad.math.xlogy(x, 2.0),
    "BiasAdd": lambda x: ad.nn.bias_add(x, [0.0, 0.0, 0.0]), "ZerosLike": ad.zeros_like,
}  # fmt: skip
WITH_A_GRADIENT = {"LeakyReluGrad", "Relu6Grad", "ReluGrad"}  # the gradient is what goes in first


def _result(kind: str, numbers: Any) -> Any:
    """What an operation makes of numbers, all of its outputs in one array."""
    if kind in FUNCTIONS:
        return np.asarray(OPERATIONS[kind].kernel(np.asarray(numbers, np.float32)))
    if kind in WITH_A_GRADIENT:
        more = (0.2,) if kind == "LeakyReluGrad" else ()
        kernel = OPERATIONS[kind].kernel
        values = [np.asarray(numbers, np.float32), np.ones(np.shape(numbers), np.float32)]
        return np.asarray(kernel(*values, *more))
    x = ad.Variable(np.asarray(numbers, np.float32))
    with ad.GradientTape() as tape:
        result = CALLS[kind](x.value())
    kinds_seen = {record[0].type for record in tape.records}
    assert kind in kinds_seen or kind in kinds.NO_SLOPE, (kind, kinds_seen)
    parts = result if isinstance(result, (list, tuple)) else [result]
    return np.concatenate([np.ravel(part.numpy()) for part in parts])


NUMBERS = np.float32([[[3.0, 1.0, 2.0], [7.0, 5.0, 6.0]]])


@pytest.mark.parametrize("name", sorted(NAMED))
def test_the_types_are_there(name: str) -> None:
    assert NAMED[name] <= set(OPERATIONS), NAMED[name] - set(OPERATIONS)


@pytest.mark.parametrize("kind", sorted(kinds.MOVES | kinds.PARTS | kinds.JOINS | kinds.PADS))
def test_only_numbers_of_the_input_come_out(kind: str) -> None:
    came = np.ravel(_result(kind, NUMBERS))
    allowed = {*NUMBERS.ravel(), 0.0, 5.0} if kind in kinds.PADS else {*NUMBERS.ravel()}
    if kind == "Broadcast":  # its sum with ones is what was looked at
        came = came - 1.0
    assert set(came) <= allowed
    if kind not in kinds.CUTS:
        assert set(came) >= set(NUMBERS.ravel())
    if kind in kinds.SAME_NUMBERS:
        assert list(came[: NUMBERS.size]) == list(NUMBERS.ravel())


@pytest.mark.parametrize("kind", sorted(kinds.ZERO_OF_ZEROS - {"Broadcast"}))
@np.errstate(all="ignore")
def test_zeros_of_zeros(kind: str) -> None:
    assert not np.any(_result(kind, np.zeros((1, 2, 3))))


@pytest.mark.parametrize("kind", sorted(kinds.PRODUCTS))
def test_a_product_with_zeros_is_zero(kind: str) -> None:
    assert not np.any(_result(kind, np.zeros((1, 2, 3))))


@pytest.mark.parametrize("kind", FLOATING)
@np.errstate(all="ignore")
def test_no_function_is_forgotten(kind: str) -> None:
    at_0, of_nan, *ends = _result(kind, [0.0, np.nan, np.inf, -np.inf])
    assert (at_0 == 0.0) == (kind in kinds.ZERO_AT_ZERO)
    assert (at_0 == 1.0) == (kind in kinds.ONE_AT_ZERO)
    assert np.isnan(of_nan) == (kind in kinds.KEEP_NAN)
    assert (not np.any(np.isfinite(ends))) == (kind in kinds.KEEP_INFINITE)


@pytest.mark.parametrize("kind", sorted(kinds.KEEP_NAN - {"Broadcast"}))
@np.errstate(all="ignore")
def test_nan_is_kept(kind: str) -> None:
    for at in np.ndindex(NUMBERS.shape):
        numbers = NUMBERS.copy()
        numbers[at] = np.nan
        assert np.any(np.isnan(_result(kind, numbers)))


@pytest.mark.parametrize("kind", sorted(kinds.KEEP_INFINITE - {"Broadcast"}))
@np.errstate(all="ignore")
def test_an_infinity_is_kept(kind: str) -> None:
    for at in np.ndindex(NUMBERS.shape):
        numbers = NUMBERS.copy()
        numbers[at] = np.inf
        assert not np.all(np.isfinite(_result(kind, numbers)))


@pytest.mark.parametrize("kind", sorted(kinds.NEVER_BELOW_ZERO - {"RealDiv", "Broadcast"}))
def test_never_below_zero(kind: str) -> None:
    assert np.all(_result(kind, np.where(NUMBERS > 5.0, 0.0, NUMBERS)) >= 0.0)


@pytest.mark.parametrize("kind", sorted(kinds.ABOVE_ZERO))
def test_above_zero_and_rounded_to_it_somewhere(kind: str) -> None:
    assert np.all(_result(kind, [[[-5.0, -1.0, 0.0], [1.0, 2.0, 3.0]]]) > 0.0)
    assert not np.all(_result(kind, [[[-1e3, 0.0, 1e3], [1.0, 2.0, 3.0]]]))


@pytest.mark.parametrize("kind", sorted(kinds.NEVER_FLOATING))
def test_what_comes_out_is_no_floating_number(kind: str) -> None:
    parts = CALLS[kind](ad.constant(NUMBERS))
    assert not ad.convert_to_tensor(parts).dtype.is_floating


@pytest.mark.parametrize("kind", sorted(kinds.NO_SLOPE | kinds.ROUNDING))
def test_no_gradient_comes_back(kind: str) -> None:
    x = ad.Variable(NUMBERS)
    call = CALLS.get(kind) or getattr(ad, kind.lower(), None) or getattr(ad.math, kind.lower())
    with ad.GradientTape() as tape:
        y = ad.cast(call(x.value()), ad.float32)
    assert tape.gradient(y, x) is None


@pytest.mark.parametrize("kind", sorted(kinds.FLATTENING))
def test_the_slope_goes_to_zero(kind: str) -> None:
    call: Any = getattr(ad.nn, kind.lower(), None) or getattr(ad.math, kind.lower())
    x = ad.Variable([40.0, -40.0])
    with ad.GradientTape() as tape:
        y = call(x)
    slopes = np.diag(tape.jacobian(y, x).numpy())
    assert np.min(np.abs(slopes)) < 1e-3
