"""A metric keeps its sum in a variable, and a loss that is read from it has no way back."""

from __future__ import annotations

import pytest

from readers.test_told import columns, told

METRIC = """
class Average:
    def __init__(self):
        self.total = ad.Variable(0.0, trainable=False)
        self.count = ad.Variable(0.0, trainable=False)
    def update(self, value):
        self.total.assign_add(value)
        self.count.assign_add(1.0)
    def result(self):
        return self.total / self.count
class Model(ad.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense, self.average = ad.keras.layers.Dense(1), Average()
    def call(self, x):
        return self.dense(x)
    def step(self, x, y):
        with ad.GradientTape() as tape:
            error = {}
            self.average.update({})
            loss = {}
        return ad.explain(tape, loss, self.dense.kernel)
x, y = ad.constant([[1.0, 2.0]]), ad.constant([[3.0]])
"""


def answer(*parts: str) -> object:
    return told(METRIC.format(*parts) + "answer = Model().step(x, y)\n")


@columns
@pytest.mark.parametrize(
    ("error", "added"),
    [
        ("self(x) - y", "ad.reduce_mean(error ** 2)"),
        ("ad.reduce_mean((self(x) - y) ** 2)", "value=error"),
        ("ad.reduce_mean((self(x) - y) ** 2)", "error * 1.0"),
    ],
)
def test_a_loss_that_is_read_from_a_metric(error: str, added: str) -> None:
    found = answer(error, added, "self.average.result()")
    assert found.cause == "assigned" and "`self.average.total`" in found.why
    assert found.line.text == "self.total.assign_add(value)"
    assert "as a metric is, leave it so, and compute `loss` from what is added" in found.advice


def test_the_loss_itself_has_a_gradient_and_the_metric_takes_nothing_from_it() -> None:
    found = answer("ad.reduce_mean((self(x) - y) ** 2)", "error", "error * 2.0")
    assert (found.status, found.also) == ("flows", [])


@pytest.mark.parametrize("added", ["ad.reduce_mean(y ** 2)", "ad.reduce_sum(x) * 0.5"])
def test_a_metric_of_something_else_is_no_way_that_is_lost(added: str) -> None:
    found = answer("ad.reduce_mean((self(x) - y) ** 2)", added, "self.average.result()")
    assert found.cause != "assigned" and "`error`" in found.why
