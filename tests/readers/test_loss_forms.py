"""What a loss is made of by hand: hits, exponentials, cosh and attention."""

from __future__ import annotations

import numpy as np
import pytest

import autodiff_kit as ad
from readers.test_told import columns, told
from readers.test_truth import mended, plain

TAPE = "with ad.GradientTape() as tape:\n    "
ACCURACY = """
x, y = ad.constant([[1.0], [2.0], [-1.0]]), ad.constant([1.0, 0.0, 0.0])
w = ad.Variable([[0.5]])
with ad.GradientTape() as tape:
    p = ad.sigmoid(x @ w)
    loss = 1.0 - ad.reduce_mean(ad.cast({}, ad.float32))
ad.explain(tape, loss, w)
"""


@pytest.mark.parametrize(
    "hits",
    [
        "ad.equal(ad.cast(p > 0.5, ad.float32)[:, 0], y)",
        "ad.equal(ad.squeeze(ad.round(p)), y)",
        "ad.reshape(ad.cast(p > 0.5, ad.float32), [-1]) == y",
        "(p[:, 0] > 0.5) == (y > 0.5)",
    ],
)
def test_a_count_of_hits_is_told_to_be_one_however_it_is_shaped(hits: str) -> None:
    found = told(ACCURACY.format(hits))
    assert "A count of hits" in found.advice and "cross entropy" in found.advice, str(found)
    assert ", here" not in found.advice


def test_what_no_code_stands_beside_has_no_width() -> None:
    found = told("""
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    h = ad.stop_gradient(x) * 2.0
    loss = ad.reduce_sum(ad.cast(ad.equal(h, [2.0, 3.0]), ad.float32))
ad.explain(tape, loss, x)
""")
    assert found.fix or "0.1" not in found.advice, str(found)


DECAY = """
t = ad.constant({})
k, A = ad.Variable(5000.0), ad.constant(2.0)
with ad.GradientTape() as tape:
    pred = A * ad.exp(-k * t)
    loss = ad.reduce_mean((pred - 1.0) ** 2)
ad.explain(tape, loss, k)
"""


@pytest.mark.parametrize("t", ["[0.0, 1.0, 2.0]", "[1.0, 2.0]"])
def test_an_exp_that_underflows_comes_before_the_time_that_is_zero(t: str) -> None:
    found = told(DECAY.format(t))
    assert found.op == "Exp" and "far below 0" in found.why, str(found)
    assert "mask" not in str(found)
    first = t.startswith("[0.0")
    assert any("For the rest `t` is 0" in one for one in found.also) == first
    assert ("for 2 of 3 numbers" in found.why) == first


def test_a_mask_that_stops_everything_is_still_a_mask() -> None:
    found = told(DECAY.format("[0.0, 0.0, 0.0]"))
    assert found.op == "Mul" and "`t`" in found.why, str(found)


@columns
@pytest.mark.parametrize("argument", ["r", "w - y", "2.0 * (w - y)"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_logarithm_of_cosh_has_a_form_that_does_not_overflow(argument: str, dtype: str) -> None:
    text = f"""
w = ad.Variable([1.0, 2000.0], dtype=ad.{dtype})
y = ad.constant([0.5, 2.0], dtype=ad.{dtype})
with ad.GradientTape() as tape:
    r = w - y
    loss = ad.reduce_mean(«ad.math.log(ad.cosh({argument}))»)
ad.explain(tape, loss, w)
"""
    found = told(plain(text))
    assert found.op == "Cosh" and "cannot overflow" in found.advice, str(found)
    assert told(mended(text, found.fix)).status == "flows"
    near = {"w": ad.constant([1.0, 3.0], ad.float64), "y": ad.constant([0.5, 2.0], ad.float64)}
    if dtype == "float64":
        form = eval(found.fix, {"ad": ad, "r": near["w"] - near["y"], **near})
        exact = eval(argument, {"r": near["w"] - near["y"], **near})
        np.testing.assert_allclose(form, np.log(np.cosh(exact.numpy())))


def test_the_form_for_cosh_has_its_value_and_its_slope() -> None:
    r = ad.constant([-3.0, -0.5, 0.0, 0.5, 3.0])
    with ad.GradientTape() as tape:
        tape.watch(r)
        form = ad.abs(r) + ad.math.softplus(-2.0 * ad.abs(r)) - ad.math.log(2.0)
    np.testing.assert_allclose(form, np.log(np.cosh(r.numpy())), atol=1e-6)
    np.testing.assert_allclose(tape.gradient(form, r), np.tanh(r.numpy()), atol=1e-6)


def test_a_cosh_without_a_logarithm_has_no_such_form() -> None:
    found = told(
        f"w = ad.Variable([200.0])\n{TAPE}loss = ad.reduce_sum(ad.cosh(w))\nad.explain(tape, loss, w)\n"
    )
    assert "softplus" not in str(found) and "3.4e38" in found.advice


KEYS = """
q, k = ad.ones([2, {0}, 4]), ad.ones([2, 1, 4])
w = ad.Variable(ad.eye(4))
with ad.GradientTape() as tape:
    scores = {1}
    loss = ad.reduce_sum(ad.nn.softmax(scores, axis=-1) @ k)
ad.explain(tape, loss, w)
"""


@pytest.mark.parametrize("queries", [1, 3])
@pytest.mark.parametrize(
    "scores",
    [
        "ad.matmul(q @ w, k, transpose_b=True)",
        "ad.matmul(q @ w, k, transpose_b=True) / 2.0",
        'ad.einsum("bqd,bkd->bqk", q @ w, k)',
    ],
)
def test_attention_to_one_key_is_not_sent_to_the_batch(queries: int, scores: str) -> None:
    found = told(KEYS.format(queries, scores))
    assert "one key only" in found.advice and "axis" not in found.advice, str(found)


def test_a_single_unit_whose_weights_lie_crosswise_is_no_attention() -> None:
    found = told("""
x, w = ad.ones([3, 2]), ad.Variable([[0.5, 0.1]])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.nn.softmax(ad.matmul(x, w, transpose_b=True)) ** 2)
ad.explain(tape, loss, w)
""")
    assert "sigmoid" in found.advice and "key" not in found.advice, str(found)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ("[2, 5, 1]", "among the 5 of axis 1, write axis=1"),
        ("[5, 1]", "not where these are the examples of a batch"),
        ("[2, 5, 3, 1]", "among those of another axis"),
    ],
)
def test_of_the_other_axes_the_first_is_not_recommended(shape: str, words: str) -> None:
    found = told(
        f"x = ad.Variable(ad.random.normal({shape}))\n{TAPE}"
        "loss = ad.reduce_sum(ad.nn.softmax(x) ** 2)\nad.explain(tape, loss, x)\n"
    )
    assert words in found.advice and "sigmoid" in found.advice, str(found)


@columns
def test_weights_that_a_layer_gives_as_arrays() -> None:
    found = told(
        "dense = ad.keras.layers.Dense(2)\nx = ad.ones([1, 2])\ndense(x)\n"
        f"{TAPE}penalty = sum(ad.reduce_sum(w ** 2) for w in dense.get_weights())\n"
        "    loss = ad.reduce_sum(dense(x)) + penalty\nad.explain(tape, loss, dense.kernel)\n"
    )
    assert "gives arrays" in str(found) and "plain numbers" not in str(found), str(found)


def test_layers_and_callables_leave_no_tensors() -> None:
    found = told("""
import functools
x = ad.Variable([[0.8, 0.1], [0.3, 0.3]])
class Scale:
    def __call__(self, v): return v * 2.0
    def total(self, v): return ad.reduce_sum(v)
class Own(ad.keras.layers.Layer):
    def call(self, v): return v * 2.0
class Mean(ad.keras.losses.Loss):
    def call(self, y_true, y_pred): return ad.reduce_mean((y_true - y_pred) ** 2)
scale, own, mean, twice = Scale(), Own(), Mean(), functools.partial(ad.multiply, 2.0)
total, dense = scale.total, ad.keras.layers.Dense(2)
dense(x)
with ad.GradientTape() as tape:
    parts = [scale(x), own(x), twice(x), dense(x)]
    loss = sum(map(total, parts)) + mean(ad.ones([2, 2]), x)
ad.explain(tape, loss, x)
""")
    assert (found.status, found.also) == ("flows", []), str(found)
