"""Arguments of the wrong kind: the error says what was given, what was expected and what to do next."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.errors import InvalidArgumentError

X = ad.constant([[1.0, 2.0], [3.0, 4.0]])
IMAGE = ad.constant(np.arange(16.0, dtype=np.float32).reshape(1, 2, 2, 4))
SERIES = IMAGE[0]
FORMAT = "only supports the N.* tensor format .* given the format: "
PAIRS = "Expected string for argument 'padding' .* a list of pairs"
COUNT = "only one or two elements, received . elements.*as .lowest, highest."
NO_NUMBERS = "Attempt to convert a value|Cannot convert .* to EagerTensor of dtype int32"

REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "einsum alone": (lambda: ad.einsum(X), TypeError, "received Tensor: write ad.einsum"),
    "einsum behind": (
        lambda: ad.einsum(X, X, "ij,jk->ik"), TypeError, "the equation first.*Tensor, Tensor, str",
    ),
    "einsum two": (lambda: ad.einsum("ij", "jk", X), TypeError, "received str, str, Tensor"),
    "pad": (lambda: ad.pad(X, [[1, 1], [1, 1]], 0), ValueError, "`mode` = 0; .*constant_values="),
    "pad None": (lambda: ad.pad(X, [[1, 1], [1, 1]], None), ValueError, "constant_values="),
    "bias 0": (lambda: ad.nn.bias_add(X, X[0], 0), ValueError, "`NC...`. Received: data_format=0"),
    "bias N": (lambda: ad.nn.bias_add(X, X[0], "N"), ValueError, "`NC...`. Received: data_format=N"),
    "diag none": (lambda: ad.linalg.diag(X, k=[]), InvalidArgumentError, COUNT),
    "diag three": (lambda: ad.linalg.diag(X, k=[0, 1, 2]), InvalidArgumentError, COUNT),
    "part three": (lambda: ad.linalg.diag_part(X, k=[0, 0, 1]), InvalidArgumentError, COUNT),
    "set none": (lambda: ad.linalg.set_diag(X, X[0], k=[]), InvalidArgumentError, COUNT),
    "diag deep": (
        lambda: ad.linalg.diag(X, k=[[0, 1]]), InvalidArgumentError, r"scalar or vector.*\[1,2\]",
    ),
    "which diag": (
        lambda: ad.linalg.set_diag(X, X, k=[1, 0]), InvalidArgumentError, "1 > 0 .Op:MatrixSetDiag",
    ),
    "conv": (lambda: ad.nn.conv2d(IMAGE, ad.ones([1, 1, 4, 1]), 1, 0), TypeError, PAIRS),
    "pool None": (lambda: ad.nn.max_pool2d(IMAGE, 2, 1, None), TypeError, PAIRS),
    "pool pair": (
        lambda: ad.nn.max_pool2d(IMAGE, 2, 1, [[0, 0], [1, 1], [1, 1], [0]]), ValueError,
        "list/tuple of size 2.*index 3 of size 1",
    ),
    "pool negative": (
        lambda: ad.nn.max_pool2d(IMAGE, 2, 1, [[0, 0], [-1, 1], [1, 1], [0, 0]]),
        InvalidArgumentError, "must be nonnegative",
    ),
    "pool letters": (
        lambda: ad.nn.max_pool2d(IMAGE, "a", 1, "VALID"), TypeError, "int for argument 'ksize' not 'a'",
    ),
    "strides": (
        lambda: ad.nn.conv2d(IMAGE, ad.ones([1, 1, 4, 1]), [[1, 1]], "SAME"), TypeError,
        "int for argument 'strides'",
    ),
    "reshape": (lambda: ad.reshape(X, [2.0, 2.0]), TypeError, NO_NUMBERS),
    "reshape None": (lambda: ad.reshape(X, None), ValueError, NO_NUMBERS),
    "transpose": (lambda: ad.transpose(X, "a"), ValueError, NO_NUMBERS),
    "ragged axes": (lambda: ad.reduce_sum(X, [[0], [0, 1]]), ValueError, "non-rectangular"),
    "cumsum": (lambda: ad.cumsum(X, 0.5), TypeError, NO_NUMBERS),
    "softmax": (lambda: ad.nn.softmax(X, 0.5), TypeError, NO_NUMBERS),
    "stack": (lambda: ad.stack([X, X], 0.5), TypeError, NO_NUMBERS),
    "unstack": (lambda: ad.unstack(X, axis=0.5), TypeError, NO_NUMBERS),
    "noise": (lambda: ad.nn.dropout(X, 0.5, noise_shape=1.5), TypeError, NO_NUMBERS),
    "shapes": (lambda: ad.broadcast_static_shape(None, (1,)), ValueError, NO_NUMBERS),
    "hessian": (lambda: ad.hessian(X, X), TypeError, "f must be a function of x"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_words(name: str) -> None:
    call, kind, words = REFUSED[name]
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize("kind", ["max", "avg"])
@pytest.mark.parametrize(
    ("suffix", "given", "last", "others"),
    [
        ("_pool2d", IMAGE, "NHWC", ["NCHW", "nonsense", "NWC", "", 5]),
        ("_pool1d", SERIES, "NWC", ["NCW", "nonsense"]),
        ("_pool", IMAGE, "NHWC", ["NCHW", "NDHWC"]),
        ("_pool", SERIES, "NWC", ["NCW"]),
        ("_pool", IMAGE[None], "NDHWC", ["NCDHW", "NHWC"]),
    ],
)
def test_pooling_takes_channels_last(
    kind: str, suffix: str, given: Any, last: str, others: list[Any]
) -> None:
    pool = getattr(ad.nn, kind + suffix)
    expected = pool(given, 2, 2, "VALID").numpy().tolist()
    for known in (last, None):
        assert pool(given, 2, 2, "VALID", data_format=known).numpy().tolist() == expected
    for other in others:
        with pytest.raises(InvalidArgumentError, match=f"{FORMAT}{other}"):
            pool(given, 2, 2, "VALID", data_format=other)


def test_convolution_takes_channels_last() -> None:
    filters = ad.ones([1, 1, 4, 1])
    for other in ("NCHW", "NWC"):
        with pytest.raises(InvalidArgumentError, match=f"{FORMAT}{other}"):
            ad.nn.conv2d(IMAGE, filters, 1, "VALID", data_format=other)
    for known in ("NWC", "NHWC", None):  # TensorFlow's takes both
        y = ad.nn.conv1d(SERIES, filters[0], 1, "VALID", data_format=known)
        assert y.shape == (2, 2, 1)


def test_shapes_may_still_hold_tensors_and_numpy_numbers() -> None:
    for shape in ([ad.size(X), 1], (np.int64(4), -1), np.array([4, 1]), ad.constant([4, 1])):
        assert ad.reshape(X, shape).shape == (4, 1)
    assert ad.reshape(X[0, :1], []).shape == ()
