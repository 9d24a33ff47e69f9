"""A gradient function of one's own that forgets what arrives: told, and mended by the code."""

from __future__ import annotations

import numpy as np
import pytest

from readers.test_told import remarks, run, told

PROGRAMS = {
    "a lambda": """
@ad.custom_gradient
def square(x):
    return x * x, «lambda dy: 2.0 * x»
x = ad.Variable(3.0)
with ad.GradientTape(persistent=True) as tape:
    y = 5.0 * square(x)
ad.explain(tape, y, x)
""",
    "a function, a mean": """
@ad.custom_gradient
def log1pexp(x):
    e = ad.exp(x)
    def grad(upstream):
        «return 1 - 1 / (1 + e)»
    return ad.math.log(1 + e), grad
x = ad.Variable([0.0, 2.0])
with ad.GradientTape(persistent=True) as tape:
    y = ad.reduce_mean(log1pexp(x))
ad.explain(tape, y, x)
""",
    "two inputs": """
@ad.custom_gradient
def mul(x, b):
    def grad(dy):
        «return b, x»
    return x * b, grad
x, b = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape(persistent=True) as tape:
    y = mul(x, b) ** 2
ad.explain(tape, y, x)
""",
    "a list": """
@ad.custom_gradient
def mul(x, b):
    return x * b, «lambda dy: [b, x]»
x, b = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape(persistent=True) as tape:
    y = 3.0 * mul(x, b)
ad.explain(tape, y, x)
""",
    "asked for its shape only": """
@ad.custom_gradient
def doubled(x):
    def grad(dy):
        «return 2.0 * ad.ones_like(dy)»
    return 2.0 * x, grad
x = ad.Variable([0.2, 1.7])
with ad.GradientTape(persistent=True) as tape:
    y = ad.reduce_sum(doubled(x) ** 2)
ad.explain(tape, y, x)
""",
    "a loss in a class": """
labels = ad.constant([[0.0, 1.0], [1.0, 0.0]])
class Loss:
    @staticmethod
    @ad.custom_gradient
    def cross_entropy(logits):
        p = ad.nn.softmax(logits)
        def grad(dy):
            «return p - labels»
        return -ad.reduce_sum(labels * ad.math.log(p)), grad
x = ad.Variable([[1.0, 2.0], [3.0, 4.0]])
with ad.GradientTape(persistent=True) as tape:
    y = Loss.cross_entropy(x) / 2.0
ad.explain(tape, y, x)
""",
}


GRADIENTS = {  # by hand
    "a lambda": 30.0,
    "a function, a mean": [0.25, 0.44039854],
    "two inputs": 36.0,
    "a list": 9.0,
    "asked for its shape only": [1.6, 13.6],
    "a loss in a class": [[0.13447071, -0.13447071], [-0.36552929, 0.36552929]],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_told_and_the_code_mends_it(name: str) -> None:
    text = PROGRAMS[name]
    lines = ["", "", *text.splitlines()]  # below the two imports
    line = next(number for number, one in enumerate(lines, 1) if "«" in one)
    found = told(text.replace("«", "").replace("»", ""))
    assert found.status == "flows"
    assert f"at line {line} of " in found.also[0] and " never uses `" in found.also[0]
    code, _, old = found.fix.partition("    # instead of ")
    assert f"«{old}»" in text
    better = text.replace(f"«{old}»", code)
    after = told(better)
    assert remarks(after) == [] and after.fix == ""
    gradient = run(better.replace("ad.explain", "ad.replay")).gradients
    np.testing.assert_allclose(gradient, GRADIENTS[name], rtol=1e-5)


HEALTHY = {
    "it is multiplied in": """
@ad.custom_gradient
def f(x):
    def grad(dy):
        return dy * 2.0 * x
    return x * x, grad
""",
    "an inner function uses it": """
@ad.custom_gradient
def f(x):
    def grad(dy):
        return [part() for part in [lambda: -dy]][0]
    return -x, grad
""",
    "clipped": """
@ad.custom_gradient
def f(x):
    return ad.identity(x), lambda dy: ad.clip_by_value(dy, -1.0, 1.0)
""",
    "with variables": """
w = ad.Variable(2.0)
@ad.custom_gradient
def f(x):
    def grad(*dys, variables=None):
        return dys[0] * w, [dys[0] * x]
    return x * w, grad
""",
    "its derivative is zero": """
@ad.custom_gradient
def step(x):
    return ad.sign(x), lambda dy: ad.zeros_like(x)
def f(x):
    return x + step(x)
""",
    "the kit's own": """
f = ad.recompute_grad(lambda x: x * x)
""",
}


@pytest.mark.parametrize("name", HEALTHY)
def test_one_that_uses_it_gets_no_sentence(name: str) -> None:
    found = told(
        f"""{HEALTHY[name]}
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = 5.0 * f(x)
ad.explain(tape, y, x)
"""
    )
    assert (found.status, found.fix) == ("flows", "")
    assert not any("never uses" in one for one in found.also)


def test_where_more_than_a_product_is_needed_there_is_no_code() -> None:
    found = told("""
@ad.custom_gradient
def lin(x, w):
    def grad(dy):
        return ad.transpose(w), ad.transpose(x)
    return ad.concat([x @ w, x @ w], 1), grad
x, w = ad.Variable(ad.ones((1, 3))), ad.Variable(ad.ones((3, 1)))
with ad.GradientTape() as tape:
    y = ad.reduce_sum(lin(x, w)) * 4.0
ad.explain(tape, y, w)
""")
    assert "never uses `dy`" in found.also[0] and "here 4" in found.also[0] and found.fix == ""


TWO = """
@ad.custom_gradient
def f(x):
    def grad(da, {0}):
        return da * 2.0 * x{1}
    return (x * x, x * 3.0), grad
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    a, b = f(x)
    y = 3.0 * ad.reduce_sum(a) + {2} * ad.reduce_sum(b)
ad.explain(tape, y, x)
"""


def test_all_that_arrives_may_have_one_name() -> None:
    text = PROGRAMS["a lambda"].replace("«lambda dy: 2.0 * x»", "lambda *dys: 2.0 * x")
    found = told(text)
    assert "never uses `dys`" in found.also[0] and not found.fix


def test_one_of_two_results_may_be_forgotten() -> None:
    found = told(TWO.format("db", "", "2.0"))
    assert "never uses `db`: if that result depends" in found.also[0] and found.fix == ""
    for healthy in (("db", " + 3.0 * db", "2.0"), ("_", "", "2.0"), ("db", "", "0.0")):
        assert not any("never uses" in one for one in told(TWO.format(*healthy)).also)


def test_of_several_the_one_is_told_at_which_something_else_than_1_arrives() -> None:
    found = told("""
@ad.custom_gradient
def f(x):
    def grad(upstream):
        slope = ad.cos(x)
        return slope
    return ad.sin(x), grad
x = ad.Variable(1.0)
with ad.GradientTape() as tape:
    y = f(f(x))
ad.explain(tape, y, x)
""")
    assert "nothing is wrong yet" not in found.also[0]
    assert found.fix == "return upstream * slope    # instead of return slope"


def test_where_one_arrives_it_is_said_that_nothing_shows_yet() -> None:
    found = told("""
@ad.custom_gradient
def square(x):
    return x * x, lambda dy: 2.0 * x
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = square(x)
ad.explain(tape, y, x)
""")
    assert "here 1, so that nothing is wrong yet" in found.also[0]


def test_a_registered_gradient_is_told_too() -> None:
    found = told("""
@ad.RegisterGradient("ForgetsWhatArrives")
def slope(op, grad):
    return 2.0 * op.inputs[0]
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    with ad.gradient_override_map({"Square": "ForgetsWhatArrives"}):
        h = ad.square(x)
    y = 5.0 * h
ad.explain(tape, y, x)
""")
    assert "The gradient function of `Square`" in found.also[0]
    assert found.fix.startswith("return grad * (2.0 * op.inputs[0])")
