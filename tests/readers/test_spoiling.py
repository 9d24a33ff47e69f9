"""What is certainly not finite, although the tape does not keep it, really is not."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.opdef import all_operations
from autodiff_kit.readers.facts.spoiling import KEEP_INFINITE, KEEP_NAN, certainly_spoilt, is_finite

OTHERS = (0.0, 1.0, -2.0, np.inf)


@pytest.mark.parametrize("kind", sorted(KEEP_NAN))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_function_does_not_lose_what_is_not_finite(kind: str) -> None:
    operation = all_operations().get(kind)
    if operation is None or not operation.elementwise:
        pytest.skip("no function of each element by itself")
    bad = [np.nan, np.inf, -np.inf] if kind in KEEP_INFINITE else [np.nan]
    both = operation.arity == 2
    for value, other, number in itertools.product(bad, OTHERS, (0, 1) if both else (0,)):
        if kind == "RealDiv" and number == 1 and np.isinf(value):
            continue  # x / inf is 0: only what is divided counts
        inputs = [np.float32(other)] * (1 + both)
        inputs[number] = np.float32(value)
        assert not np.isfinite(operation.kernel(*inputs)), (kind, inputs)


@pytest.mark.parametrize("made", [
    lambda x: ad.reduce_sum(x, axis=0), lambda x: ad.reduce_mean(x), lambda x: x @ ad.zeros([2, 2]),
    lambda x: ad.stack([x, x]), lambda x: ad.concat([x, x], 0), lambda x: ad.transpose(x),
    lambda x: ad.reshape(x, [4]), lambda x: ad.expand_dims(x, 0), lambda x: ad.squeeze(x),
    lambda x: ad.cast(x, ad.float16), lambda x: ad.broadcast_to(x, [3, 2, 2]),
    lambda x: ad.add_n([x, x]), lambda x: ad.nn.bias_add(x, [1.0, 2.0]),
])  # fmt: skip
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_put_together_does_not_lose_it(made: Any, bad: float) -> None:
    x = ad.Variable([[bad, 1.0], [2.0, 3.0]])
    with ad.GradientTape() as tape:
        y = made(x)
    place = tape.find(y)
    read = {0: x.numpy()}
    assert place in certainly_spoilt(tape.records, read, is_finite)
    assert not is_finite(y.numpy())


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    "chosen", ["x[1:]", "ad.gather(x, [1])", "ad.where([True, False], 0.0, x)"]
)
def test_what_chooses_may_lose_it(chosen: str) -> None:
    x = ad.Variable([np.nan, 1.0])
    with ad.GradientTape() as tape:
        y = eval(chosen, {"ad": ad, "x": x})
    assert is_finite(y.numpy())
    assert not certainly_spoilt(tape.records, {0: x.numpy()}, is_finite)
