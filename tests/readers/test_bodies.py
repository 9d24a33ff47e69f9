"""What is said of functions that bring their own gradient, and of what is inside of them."""

from __future__ import annotations

import pytest

from readers.test_told import remarks, run, told

SINE = """
{}@ad.custom_gradient
def f(x):
    return {}, lambda dy: dy * np.cos(np.asarray(x))
x = ad.Variable([1.0, 2.0], name="x")
with ad.GradientTape() as tape:
    y = ad.reduce_sum({})
ad.explain(tape, y, x)
"""
HELPER = "def value(x):\n    return ad.constant(np.sin(np.asarray(x)))\n"


@pytest.mark.parametrize(
    "before, value, after",
    [
        ("", "ad.constant(np.sin(x.numpy()))", "f(x * 1.0)"),
        (HELPER, "value(x)", "f(x) * x"),
        ("", "x * float(x[0])", "f(x)"),
    ],
)
def test_what_leaves_the_tensors_in_a_body_is_not_lost(before: str, value: str, after: str) -> None:
    found = told(SINE.format(before, value, after))
    assert (found.status, remarks(found)) == ("flows", [])


@pytest.mark.parametrize("after", ["f(x) * value(x)", "f(x * float(x[0]))"])
def test_what_leaves_outside_of_it_is(after: str) -> None:
    found = told(SINE.format(HELPER, "value(x)", after))
    assert found.status == "flows" and "left the tensors" in str(found.also)


CAPTURED = """
w, x = ad.Variable(2.0, name="w"), ad.Variable(3.0, name="x")
@ad.custom_gradient
def line(x):
    z = {}
    return z + 1.0, lambda dy: dy * h
with ad.GradientTape() as tape:
    h = ad.exp(w)
    y = {}
ad.explain(tape, y, w)
"""


def test_what_a_body_takes_from_outside_gets_no_gradient() -> None:
    found = told(CAPTURED.format("h * x", "line(x) * 2.0"))
    assert (found.status, found.cause, found.op) == ("none", "not an argument", "Mul")
    assert found.line.number == 7 and "argument of `line`" in found.advice and not found.fix


def test_nor_where_another_way_has_one() -> None:
    found = told(CAPTURED.format("h * x", "line(x) * h"))
    assert found.status == "flows" and "into the body of `line` at line 7" in str(found.also)


@pytest.mark.parametrize(
    "body, target",
    [
        ("x * ad.stop_gradient(h)", "line(x) * h"),
        ("ad.where(h > 3.0, x, 0.0)", "line(x) * h"),
        ("x + 0.0", "line(h) * h"),
        ("x * w", "line(w) * h"),
    ],
)
def test_what_had_no_gradient_there_loses_none(body: str, target: str) -> None:
    found = told(CAPTURED.format(body, target))
    assert (found.status, remarks(found)) == ("flows", [])


def test_the_result_that_was_not_made_of_it_is_not_blamed() -> None:
    found = told(CAPTURED.format("h * x", "0.0\n    y = pair(x)[1]").replace(
        "with ad", "@ad.custom_gradient\ndef pair(x):\n    "
        "return (x * h, x * 2.0), lambda a, b: a * h + 2.0 * b\nwith ad", 1))  # fmt: skip
    assert found.cause == "not on the way"


def test_what_only_chooses_beside_it_is_told_after_it() -> None:
    found = told(CAPTURED.format("h * x", "line(x) * ad.one_hot(ad.argmax([0.0, w]), 2)[0]"))
    assert found.cause == "not an argument" and "(ArgMax)" in str(found.also)


FORGOTTEN = """
@ad.custom_gradient
def f(x):
    def grad(dy):
        slope = 2.0 * x
        {}
    return x * x, grad
x = ad.Variable(3.0, name="x")
with ad.GradientTape() as tape:
    y = f(x)
ad.explain(tape, y, x)
"""


@pytest.mark.parametrize(
    "last, fix",
    [
        ("dy * slope", "return dy * slope    # instead of dy * slope"),
        ("g = dy * slope", "return g    # the last line of `grad`"),
        ("pass", "return dy    # in `grad`, for example, instead of None"),
    ],
)
def test_a_forgotten_return_is_written_with_what_was_computed(last: str, fix: str) -> None:
    found = told(FORGOTTEN.format(last))
    assert (found.cause, found.fix) == ("custom None", fix) and "no `return`" in found.why
    mended = fix if "instead of dy" in fix else f"{last}\n        {fix}"
    assert told(FORGOTTEN.format(mended)).status == "flows"


LAMBDA = """
@ad.custom_gradient
def f(x):
    return ad.round(x), {}
x = ad.Variable(3.2, name="x")
with ad.GradientTape() as tape:
    y = f(x) * 2.0
ad.explain(tape, y, x)
"""


def test_a_lambda_gets_no_return() -> None:
    found = told(LAMBDA.format("lambda dy: print(end='')"))
    fix, _, old = found.fix.partition("    # for example, instead of ")
    assert (fix, old) == ("lambda dy: dy", "lambda dy: print(end='')")
    assert told(LAMBDA.format(fix)).status == "flows"
    assert not told(LAMBDA.format("[lambda dy: dy, lambda dy: None][1]")).fix


KEYWORD = """
@ad.{}
def f(x, scale):
    return x * scale{}
x, k = ad.Variable(3.0), ad.Variable(2.0, name="k")
with ad.GradientTape() as tape:
    y = f(x, {}k){}
ad.explain(tape, y, k)
"""


@pytest.mark.parametrize(
    "wrapper, rule, words",
    [
        (
            "custom_gradient",
            ", lambda dy: dy * scale",
            "returned no gradient for `k`, which was given",
        ),
        ("recompute_grad", "", "ad.recompute_grad has no gradient for `k`, which was given"),
        ("grad_pass_through", "", "ad.grad_pass_through has no gradient for `k`, which was given"),
    ],
)
def test_what_is_given_by_keyword_has_no_gradient(wrapper: str, rule: str, words: str) -> None:
    found = told(KEYWORD.format(wrapper, rule, "scale=", ""))
    assert words in found.why and not found.fix
    assert "recompute.py" not in str(found)


def test_the_kits_own_gradient_functions_are_not_to_be_looked_into() -> None:
    zero = told(KEYWORD.format("recompute_grad", " * 0.0", "", ""))
    assert "ran `f` once more" in zero.why and "leave ad.recompute_grad out" in zero.advice
    sick = told(KEYWORD.format("recompute_grad", " + ad.sqrt(scale - 2.0)", "", ""))
    assert "ran `f` once more" in sick.why and "leave ad.recompute_grad out" in sick.advice


FAILS = """
def helper(dy):
    return dy / nothing
@ad.custom_gradient
def f(x):
    def grad(dy):
        scale = 2.0
        return {}
    return ad.reduce_sum(x * x), grad
x = ad.Variable([1.0, 2.0], name="x")
with ad.GradientTape(persistent=True) as tape:
    h = x * 3.0
    y = f(h)
ad.{}(tape, y, x)
"""


@pytest.mark.parametrize(
    "returned, line, words",
    [
        ("dy * scale", 10, "does not fit: ValueError: Incompatible shapes"),
        ("dy, dy", 10, "does not fit: ValueError: custom_gradient function expected to return 1"),
        ("dy * scal", 10, "stops with an error: NameError"),
        ("dy * (dy > 0.5)", 10, "stops with an error: InvalidArgumentError"),
        ("helper(dy)", 5, "stops with an error: NameError"),
        ("{}[dy.dtype]", 10, "stops with an error: KeyError"),
    ],
)
def test_an_error_in_a_gradient_function_is_told_at_its_line(
    returned: str, line: int, words: str
) -> None:
    found = told(FAILS.format(returned, "explain"))
    assert (found.status, found.op) == ("error", "CustomGradient")
    assert words in found.why and found.line.number == line
    drawn = str(run(FAILS.format(returned, "draw")))
    assert "its rule stops with an error" in drawn and drawn.count("no gradient flows back") == 2


def test_an_error_of_a_recomputed_function_is_not_its_gradient_functions() -> None:
    found = told("""
runs = []
@ad.recompute_grad
def f(x):
    runs.append(x)
    return x * [2.0][len(runs) - 1]
x = ad.Variable(2.0)
with ad.GradientTape() as tape:
    y = f(x)
ad.explain(tape, y, x)
""")
    assert "ran `f` once more" in found.why and found.line.number == 8
