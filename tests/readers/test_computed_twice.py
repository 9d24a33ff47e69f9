"""A layer that ran twice made two tensors, and the gradient is asked for the wrong one."""

from __future__ import annotations

import pytest

from readers.test_told import told

NET = """
class Net(ad.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = ad.keras.layers.Dense(3, activation="tanh")
        self.second = ad.keras.layers.Dense(1)
    def hidden(self, x):
        return self.first(x) * 2.0 + 1.0
    def call(self, x):
        return self.second(self.hidden(x))
net, x = Net(), ad.constant([[1.0, -2.0]])
with ad.GradientTape() as tape:
    {}
    {}
ad.explain(tape, y, h)
"""
INSIDE, RESULT = "h = net.hidden(x)", "y = net(x)"


@pytest.mark.parametrize("lines", [(INSIDE, RESULT), (RESULT, INSIDE)])
def test_what_looks_like_the_inside_of_a_model_is_a_twin_of_it(lines: tuple[str, str]) -> None:
    found = told(NET.format(*lines))
    assert found.cause == "computed twice" and found.fix == ""
    assert "For `y` the same was computed again, by this line too" in found.why
    assert found.line.text == "return self.first(x) * 2.0 + 1.0"
    assert "the rest of them with `h`" in found.advice


@pytest.mark.parametrize("watched", [(INSIDE + "; tape.watch(h)", RESULT), (INSIDE, RESULT)])
def test_watching_the_twin_changes_nothing(watched: tuple[str, str]) -> None:
    assert told(NET.format(*watched)).cause == "computed twice"


def test_the_advice_mends_it() -> None:
    assert told(NET.format(INSIDE, "y = net.second(h)")).status == "flows"


def test_a_layer_of_a_model_that_is_called_by_itself_as_well() -> None:
    found = told("""
model = ad.keras.Sequential([ad.keras.layers.Dense(3, "relu"), ad.keras.layers.Dense(1)])
images = ad.constant([[1.0, 2.0]])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(model(images))
    inner = model.layers[0](images)
ad.explain(tape, loss, inner)
""")
    assert found.cause == "computed twice" and "again, at line 7" in found.why


LOOP = """
w, xs = ad.Variable([1.0, 2.0]), {}
zs = []
with ad.GradientTape() as tape:
    for x in xs:
        z = ad.tanh(w * x)
        zs.append(z)
    loss = ad.reduce_sum(zs[-1])
first = zs[0]
ad.explain(tape, loss, first)
"""


@pytest.mark.parametrize("xs", ["[1.0, 3.0]", "[ad.constant(1.0), ad.constant(3.0)]"])
def test_a_round_with_other_data_is_no_twin(xs: str) -> None:
    assert told(LOOP.format(xs)).cause != "computed twice"


def test_a_round_with_the_same_data_is_one() -> None:
    assert told(LOOP.format("[1.0, 1.0]")).cause == "computed twice"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ad.reduce_sum(w, axis=0)", "ad.reduce_sum(w, axis=1)"),
        ("ad.tanh(w)", "ad.tanh(v)"),
        ("w + 1.0", "w + 2.0"),
        ("w * ad.random.normal([2, 2])", "w * ad.random.normal([2, 2])"),
    ],
)
def test_other_settings_variables_or_numbers_make_no_twin(one: str, other: str) -> None:
    found = told(f"""
w, v = ad.Variable([[1.0, 2.0], [2.0, 1.0]]), ad.Variable([[1.0, 2.0], [2.0, 1.0]])
with ad.GradientTape() as tape:
    a = {one}
    b = {other}
    loss = ad.reduce_sum(b ** 2)
ad.explain(tape, loss, a)
""")
    assert found.cause != "computed twice"


def test_what_a_function_returned_is_called_as_its_caller_calls_it() -> None:
    found = told("""
class Two(ad.keras.Model):
    def __init__(self):
        super().__init__()
        self.policy, self.value = ad.keras.layers.Dense(2), ad.keras.layers.Dense(1)
    def call(self, x):
        return self.policy(x), self.value(x)
two = Two()
with ad.GradientTape() as tape:
    logits, worth = two(ad.constant([[1.0, 2.0]]))
    loss = ad.reduce_sum(logits ** 2)
ad.explain(tape, loss, two.value.kernel)
""")
    assert "ends with `worth`, made at line 9" in found.why


def test_the_inside_that_is_computed_after_the_block_needs_no_second_name() -> None:
    found = told(NET.format("pass", RESULT).replace("ad.explain", "h = net.hidden(x)\nad.explain"))
    assert found.cause == "new expression" and found.fix == ""
    assert "compute `y` from that very tensor" in found.advice


def test_a_deep_network_with_short_cuts_is_compared_in_no_time() -> None:
    """Each pair of places is looked at once, however many ways lead to it."""
    found = told("""
w = ad.Variable([0.01, 0.02])
def deep():
    h = ad.tanh(w)
    for _ in range(300):
        h = h + h * ad.tanh(h)
    return h
with ad.GradientTape() as tape:
    h = deep()
    y = ad.reduce_sum(deep())
ad.explain(tape, y, h)
""")
    assert found.cause == "computed twice"
