"""Programs of people whose training is set up in a special way, written anew and smaller."""

from __future__ import annotations

import pytest

from readers.test_told import columns, told

POLICY = """
w = ad.Variable([[0.2, 0.4]], name="w")
s = ad.constant([[1.0]])
def reward(a):
    return 2.0 * a - 1.0
with ad.GradientTape() as tape:
    probs = ad.nn.softmax(s @ w)
    {}
    loss = -ad.constant(float(reward(a)))
ad.explain(tape, loss, w)
"""
DRAWS = (
    "a = np.random.choice(2, p=[float(probs[0, 0]), 1.0 - float(probs[0, 0])])",
    "p = probs[0].numpy().astype(float)\n    a = np.random.choice(2, p=p / p.sum())",
    "p = np.squeeze(probs)\n    a = np.random.binomial(1, p[1])",
    "r = np.random.default_rng(1)\n    p = float(probs[0, 1])\n    a = r.binomial(1, p)",
)


@columns
@pytest.mark.parametrize("draw", DRAWS)
def test_no_derivative_leads_through_a_draw_however_it_is_written(draw: str) -> None:
    found = told(POLICY.format(draw))
    assert (found.status, found.cause, found.fix) == ("none", "left the tensors", "")
    assert "draws at random: what comes out only jumps" in found.advice
    assert "logarithm of its probability enter `loss`" in found.advice
    assert "own operations" not in found.advice


@columns
def test_a_draw_from_a_normal_distribution_can_be_written_with_tensors() -> None:
    found = told(POLICY.format("a = np.random.normal(probs[0, 1].numpy(), 0.1)"))
    assert "the mean plus the deviation times a draw" in found.advice


@columns
@pytest.mark.parametrize(
    "line",
    [
        "a = float(probs[0, 0]) * np.random.normal(0.0, 1.0)",
        "i = np.random.choice(2)\n    a = float(probs[0, i])",
        "a = float(probs[0, 0]) + sum(np.random.choice([0.5, 1.0]) for _ in range(2))",
    ],
)
def test_what_is_drawn_beside_a_value_is_not_drawn_from_it(line: str) -> None:
    found = told(POLICY.format(line))
    assert found.cause == "left the tensors" and "draws at random" not in found.advice


BESIDE = """
v, w = ad.Variable(0.5, name="v"), ad.Variable(2.0, name="w")
with ad.GradientTape() as tape:
    gain = 3.0 - {}
    loss = {} * gain
ad.explain(tape, loss, v)
"""


@columns
def test_a_number_beside_something_that_learns_may_be_meant_as_a_constant() -> None:
    meant = "Is it a constant there on purpose"
    assert meant in told(BESIDE.format("float(v * v)", "-ad.math.log(w)")).advice
    assert meant not in told(BESIDE.format("float(v * v)", "ad.constant(2.0)")).advice


LOOKED_UP = """
table, at = ad.constant([0.0, 1.0, 4.0, 9.0]), ad.Variable(1.6, name="at")
def look_up(t, p):
    {}
with ad.GradientTape() as tape:
    loss = (look_up(table, at) - 2.0) ** 2
ad.explain(tape, loss, at)
"""


@columns
@pytest.mark.parametrize(
    "lines",
    [
        "i = ad.cast(ad.floor(p), ad.int32)\n    return t[i]",
        "i = ad.cast(p, ad.int32)\n    return ad.gather(t, i)",
        "return t[int(p)]",
    ],
)
def test_between_two_entries_of_a_table_a_straight_line_has_a_gradient(lines: str) -> None:
    found = told(LOOKED_UP.format(lines))
    assert found.status == "none" and not found.also, found
    assert "with low = ad.floor(at), the entry at low times 1 - (at - low)" in found.advice


def test_a_position_that_was_made_of_what_flows_is_no_lost_way() -> None:
    found = told(LOOKED_UP.format("i = ad.cast(p, ad.int32)\n    return t[i] * p"))
    assert found.status == "flows" and not found.also, found


@pytest.mark.parametrize("kind, word", [("max", "largest"), ("min", "smallest")])
def test_who_takes_a_position_for_a_value_is_told_what_gives_the_value(
    kind: str, word: str
) -> None:
    found = told(f"""
w = ad.Variable([[1.0, 2.0]], name="w")
with ad.GradientTape() as tape:
    q = ad.cast(ad.arg{kind}(w * 2.0, axis=1), ad.float32)
    loss = ad.reduce_sum((q - 3.0) ** 2)
ad.explain(tape, loss, w)
""")
    assert f"if the {word} value itself is meant" in found.advice
    assert f"ad.reduce_{kind}" in found.advice


TOTAL = """
w = ad.Variable(2.0, name="w")
total = 0.0
for x in (1.0, 2.0, 3.0):
    with ad.GradientTape() as tape:
        loss = (w * x - 1.0) ** 2
        {}
ad.explain(tape, {}, w)
"""


@pytest.mark.parametrize(
    "line, target",
    [
        ("total += loss", "total"),
        ("total = loss / 3.0 + total", "total"),
        ("total = total + loss\n        mean = total / 3.0", "mean"),
    ],
)
def test_a_sum_that_was_begun_before_the_block_has_the_gradient_of_its_last_part(
    line: str, target: str
) -> None:
    found = told(TOTAL.format(line, target))
    assert found.status == "flows"
    (also,) = found.also
    assert "`total` held something already when the block of `tape` began" in also
    assert "add up their gradients" in also


@pytest.mark.parametrize(
    "line, target",
    [
        ("total = 0.0\n        total += loss", "total"),
        ("total = total * 0.5 + loss * total", "total"),
        ("mean = loss + 1.0", "mean"),
    ],
)
def test_a_sum_of_its_own_block_has_its_whole_gradient(line: str, target: str) -> None:
    assert not told(TOTAL.format(line, target)).also


LISTED = """
net, rate = ad.keras.Sequential([ad.keras.layers.Dense(1)]), ad.Variable(0.5)
x = ad.constant([[1.0, 2.0]])
def residual(x):
    return rate * net(x) ** 2
before = residual(x)
with ad.GradientTape() as tape:
    loss = ad.reduce_mean({})
everything = net.trainable_variables + [rate]
ad.explain(tape, loss, everything[0])
"""


def test_what_a_model_in_a_list_computed_before_the_block_is_named() -> None:
    found = told(LISTED.format("before"))
    assert found.cause == "outside the tape"
    assert "`loss` was computed from `before`, and `before` was computed here, before" in found.why


def test_a_model_in_a_list_that_had_no_part_in_it_is_not_blamed() -> None:
    found = told(LISTED.format("ad.square(rate)"))
    assert found.cause == "not used", found
