"""Entries of a gradient that are zero while others are not are told, with the reason."""

from __future__ import annotations

import pytest

from readers.test_told import run, told

LAYER = """
x = ad.constant([[1.0, 2.0], [3.0, -1.0]])
W = ad.Variable([[1.0, -1.0, 0.5], [0.5, -2.0, 0.2]])
b, V = ad.Variable([0.0, {bias}, 0.0]), ad.Variable([[1.0], [1.0], [1.0]])
with ad.GradientTape() as tape:
    h = ad.nn.relu(x @ W + b)
    y = ad.reduce_mean((h @ V - 1.0) ** 2)
ad.explain(tape, y, [W, b, V])
"""


def test_a_dead_unit_is_told_of_all_that_leads_to_it_and_away() -> None:
    kernel, bias, after = (found.also for found in run(LAYER.format(bias=-9.0)).findings)
    assert kernel[0].startswith("Column 1 of its 3 gets zero: what goes into relu at line 8 of")
    assert bias[0].startswith("Element 1 of its 3 gets zero: what goes into relu at line 8 of")
    assert after[0].startswith("Row 1 of its 3 gets zero: what comes out of relu at line 8 of")


def test_a_relu_that_is_flat_for_some_rows_only_is_healthy() -> None:
    assert [found.also for found in run(LAYER.format(bias=3.5)).findings] == [[], [], []]


def test_a_layer_of_the_kits_is_told_too() -> None:
    text = """
x = ad.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 0.5]])
layers = [ad.keras.layers.Dense(2, activation="relu"), ad.keras.layers.Dense(1)]
model = ad.keras.Sequential(layers)
model(x)
model.trainable_variables[0].assign([[1.0, 1.0], [1.0, 1.0]])
model.trainable_variables[1].assign([0.0, {}])
with ad.GradientTape() as tape:
    y = ad.reduce_mean(model(x) ** 2)
ad.explain(tape, y, model.trainable_variables)
"""
    dead = [len(found.also) for found in run(text.format(-50.0)).findings]
    assert dead == [1, 1, 1, 0]
    assert not any(found.also for found in run(text.format(0.0)).findings)


@pytest.mark.parametrize(
    "value, words",
    [
        (
            "ad.reduce_sum(ad.clip_by_value(v, -1.0, 1.0) ** 2)",
            "2 of its 3 elements get zero, element 1 for example: clip_by_value at line 6 of",
        ),
        ("ad.reduce_max(2.0 * v)", "2 of its 3 elements get zero, element 0 for example: ad.reduce"),
        ("ad.reduce_min(v)", "takes only the smallest"),
        ("ad.reduce_sum(ad.nn.relu(v - 0.1))", "Element 2 of its 3 gets zero: relu at line 6 of"),
        ("ad.reduce_sum(ad.maximum(v, 1.0))", "ad.maximum at line 6 of"),
    ],
)  # fmt: skip
def test_elements_are_told(value: str, words: str) -> None:
    found = told(f"""
v = ad.Variable([0.5, 5.0, -3.0])
with ad.GradientTape() as tape:
    y = {value}
ad.explain(tape, y, v)
""")
    assert found.status == "flows" and len(found.also) == 1 and words in found.also[0], str(found)


@pytest.mark.parametrize(
    "value",
    [
        "ad.reduce_sum(ad.nn.relu(v) + v)",  # another way brings a gradient
        "ad.reduce_sum(ad.clip_by_value(v, -9.0, 9.0))",
        "ad.reduce_sum(ad.nn.relu(x * v))",  # each unit has a row above 0
        "ad.reduce_sum((v - [0.5, 0.0, 0.0]) ** 2)",  # one of them is learnt
        "ad.reduce_sum(v * [1.0, 0.0, 1.0])",
        "v[1] ** 2",
        "ad.reduce_max(ad.nn.softmax(v))",
        "ad.reduce_sum(ad.nn.relu(ad.reduce_sum(v * x, axis=1)))",
    ],
)
def test_other_zeros_and_healthy_gradients_get_no_remark(value: str) -> None:
    found = told(f"""
v, x = ad.Variable([0.5, 5.0, -3.0]), ad.constant([[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])
with ad.GradientTape() as tape:
    y = {value}
ad.explain(tape, y, v)
""")
    assert (found.status, found.also) == ("flows", []), str(found)


def test_one_row_alone_is_no_batch() -> None:
    text = LAYER.format(bias=-9.0).replace("[[1.0, 2.0], [3.0, -1.0]]", "[[1.0, 2.0]]")
    assert [found.also for found in run(text).findings] == [[], [], []]


def test_the_largest_of_a_row_that_nothing_comes_back_to_is_not_counted() -> None:
    found = told("""
v = ad.Variable([[1.0, 5.0], [2.0, 0.0], [0.0, 3.0]])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.reduce_max(v, axis=1) * [1.0, 0.0, 1.0])
ad.explain(tape, y, v)
""")
    assert "3 of its 6 elements get zero, element [0, 0] for example" in found.also[0], str(found)
