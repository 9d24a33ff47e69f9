"""A Jacobian by one way back with all rows at once is the one that the rows give one by one."""

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit import jacobian
from autodiff_kit.namespace import FAMILIES, xp

X = np.float32([[0.25, 0.5, 0.75], [0.3, 0.6, 0.9]])
W = np.float32([[1.0, -2.0], [0.5, 3.0], [2.0, 0.25]])

PROGRAMS = {
    "broadcast": lambda x, w: x[0] * w[:2, :1] + x * 2.0,
    "matmul": lambda x, w: ad.matmul(x, w),
    "transposed": lambda x, w: ad.matmul(x, w, transpose_a=True, transpose_b=True),
    "sums": lambda x, w: ad.reduce_sum(x * x, 0) * ad.reduce_mean(w, keepdims=True),
    "slices": lambda x, w: x[:, 1:] * x[:, :-1] + w[0],
    "repeated reads": lambda x, w: ad.stack([x[0, 0], x[0, 0] * w[1, 1]]),
    "gather": lambda x, w: ad.gather(x, [1, 0, 1]) * w[1, 0],
    "where": lambda x, w: ad.where(x > 0.5, x, x * w[0, 0]),
    "reshape": lambda x, w: ad.reshape(ad.transpose(x), [-1]) ** 2.0,
    "relu, softmax": lambda x, w: ad.nn.softmax(ad.nn.relu(x - 0.4)),
    "split": lambda x, w: ad.split(x, 3, axis=1)[1] * w[0, 0],
    "logsumexp": lambda x, w: ad.reduce_logsumexp(x * w[0, 0], axis=0),
    "cross entropies": lambda x, w: (
        ad.nn.sigmoid_cross_entropy_with_logits(X, x) * w[0, 0]
        + ad.nn.sparse_softmax_cross_entropy_with_logits([1, 0], x)[:, None]
    ),
    "huber": lambda x, w: ad.keras.losses.huber(X * 3.0, x * w[0, 0]),
    "not x": lambda x, w: w * w,
    "scalar": lambda x, w: x[0, 0] * w[0, 0],
    "stopped": lambda x, w: ad.stop_gradient(x) * w[0, 0],
    "the target is a source": lambda x, w: x,
}


def both_ways(f: Any, sources: Any, patch: pytest.MonkeyPatch) -> Any:
    with ad.GradientTape(persistent=True) as tape:
        tape.watch(sources)
        y = f(*sources)
    at_once = tape.jacobian(y, sources)
    with patch.context() as m:
        m.setattr(jacobian, "together", lambda tape, request: None)
        return at_once, tape.jacobian(y, sources)


def compare(at_once: Any, by_rows: Any) -> None:
    for a, b in zip(at_once, by_rows, strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            assert a.dtype == b.dtype and a.shape == b.shape
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compare(*both_ways(PROGRAMS[program], [ad.constant(X), ad.constant(W)], monkeypatch))


@pytest.mark.parametrize("name", sorted(FAMILIES))
@pytest.mark.filterwarnings("ignore")
def test_operations(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    apply = getattr(xp, name)
    for count in (1, 2):
        sources = [ad.constant(X), ad.constant(X[::-1])][:count]
        try:
            found = both_ways(apply, sources, monkeypatch)
        except Exception:  # not for these inputs, or not without attributes
            continue
        compare(*found)


def test_three_rows_are_one_step() -> None:
    x = ad.constant(X)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = ad.sin(x) * x
    request = jacobian.Request(y, x)
    # Under NumPy 1 rules run on tensors, and the rows go back one after the other.
    assert (jacobian.together(tape, request) is not None) == jacobian.RAW_RULES


def test_nothing_asked() -> None:
    x = ad.constant(X)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.jacobian(y, []) == []


@pytest.mark.parametrize(("batch", "inner", "out"), [(0, 3, 2), (2, 3, 0), (2, 0, 3), (0, 0, 2)])
@pytest.mark.parametrize("axis", [0, 1])
def test_an_empty_batch(
    batch: int, inner: int, out: int, axis: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [ad.Variable(np.zeros(shape)) for shape in ((batch, inner), (inner, out))]
    found = both_ways(lambda x, w: ad.reduce_sum(x @ w, axis=axis), sources, monkeypatch)
    compare(*found)
    for one, source in zip(found[0], sources, strict=True):
        assert tuple(one.shape) == ((batch, out)[1 - axis], *source.shape)
