"""Programs of people whose training is set up in a special way, written anew and smaller."""

from __future__ import annotations

import linecache
import re
from typing import Any

import numpy as np
import pytest

from autodiff_kit.readers.mending import theirwords
from readers.test_told import HEAD, columns, run, told

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
    meant = "If it is a constant there on purpose"
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
    first = "held something already when the block of `tape` began" if target == "mean" else (
        "adds up the rounds of a loop, each with a block of its own"
    )  # fmt: skip
    assert f"`total` {first}" in also and re.search("add up the(ir)? gradients", also)


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


CUT = """
w = ad.Variable([[0.3], [0.2]])
def residual(X):
    x = {cut}(X[:, 0:1])
    t = {cut}(X[:, 1:2])
    with ad.GradientTape() as tape:
        {first}
        tape.watch([x, t])
        u = ad.tanh({inputs} @ w)
    answer = ad.explain(tape, u, x)
    return answer, {ask}
answer, gradient = residual({whole})
"""
USUAL = {
    "cut": "", "first": "pass", "inputs": "X", "ask": "tape.gradient(u, x)",
    "whole": "ad.constant([[0.1, 0.2], [0.3, 0.4]])",
}  # fmt: skip


def residual(**parts: str) -> Any:
    """What `CUT` answers, and the gradient that it asks for."""
    text = HEAD + CUT.format(**{**USUAL, **parts})
    file = f"<settings {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": "learner"}
    exec(compile(text, file, "exec"), scope)
    return scope["answer"].findings[0], scope["gradient"]


@columns
def test_a_piece_of_what_went_into_the_model_is_joined_again_or_cut_after_that() -> None:
    found, gradient = residual()
    assert gradient is None and found.line.text == "x = (X[:, 0:1])"
    assert "`x` was cut out of `X` here, and `u` was computed from `X` itself" in found.why
    joined = "ad.concat([x, t], axis=1)"
    assert f"{joined}, and compute `u` from that" in found.advice
    watch, ask = found.fix.splitlines()
    found, gradient = residual(inputs=joined)
    assert found.status == "flows"
    _, same = residual(first=watch, ask=ask)
    assert same.shape == (2, 1) and np.allclose(same, gradient)


@columns
def test_a_piece_of_an_array_is_joined_again() -> None:
    array = "np.array([[0.1, 0.2], [0.3, 0.4]], dtype=np.float32)"
    found, _ = residual(whole=array, cut="ad.convert_to_tensor")
    assert "`x` was cut out of `X` here" in found.why and found.fix == ""
    assert "ad.concat([x, t], axis=1)" in found.advice


@columns
def test_a_piece_of_something_else_is_not_blamed() -> None:
    assert "cut out of" not in residual(inputs="ad.ones([1, 2])")[0].why
    array = {"whole": "np.ones((2, 2), np.float32)", "cut": "ad.convert_to_tensor"}
    for inputs in ("ad.ones([X.shape[0], 2])", "ad.ones([len(X), 2])"):
        assert "cut out of" not in residual(inputs=inputs, **array)[0].why


EXPRESSION = """
w = ad.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
with ad.GradientTape(persistent=True) as tape:
    {}y = ad.reduce_sum(w**3)
ad.explain(tape, y, {})
"""


@columns
@pytest.mark.parametrize(
    "source, same",
    [
        ("w[0]", "tape.gradient(y, w)[0]"),
        ("w[:, 1:]", "tape.gradient(y, w)[:, 1:]"),
        ("ad.gather(w, [1], axis=1)", "ad.gather(tape.gradient(y, w), [1], axis=1)"),
        ("a", "ad.split(tape.gradient(y, w), 2, axis=1)[0]"),
    ],
)
def test_the_derivative_by_a_piece_is_the_piece_of_the_derivative(source: str, same: str) -> None:
    before = "a, b = ad.split(w, 2, axis=1)\n    " if source == "a" else ""
    found = told(EXPRESSION.format(before, source))
    assert found.status == "none"
    assert found.fix == f"{same}    # the same piece of the gradient of the whole"


@columns
@pytest.mark.parametrize("source", ["w * 1.0", "ad.reduce_sum(w, axis=0)", "w[i]"])
def test_what_is_computed_or_cut_by_a_name_is_no_piece_that_is_known(source: str) -> None:
    found = told(EXPRESSION.format("i = 0\n    ", source))
    assert "same piece" not in found.fix


STEPS = """
xs = ad.constant([0.0, 0.5, 1.0])
params = {begin}
for epoch in range(3):
    with ad.GradientTape() as tape:
        loss = ad.reduce_mean((params[{a}] * xs + params[{b}] - 2.0) ** 2)
    grads = tape.gradient(loss, params)
    if epoch == 2:
        break
    STEP
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((params[{a}] * xs + params[{b}] - 2.0) ** 2)
ad.explain(tape, loss, params[{a}])
"""
A_LIST = {"begin": "[ad.Variable(1.0), ad.Variable(0.5)]", "a": "0", "b": "1"}
A_DICT = {"begin": "{'a': ad.Variable(1.0), 'b': ad.Variable(0.5)}", "a": "'a'", "b": "'b'"}
REPLACED = (
    (A_LIST, "params = [p - 0.1 * g for p, g in zip(params, grads)]",
     "for p, g in zip(params, grads):\n    p.assign(p - 0.1 * g)"),
    (A_LIST, "for i in range(2):\n        params[i] = params[i] - 0.1 * grads[i]",
     "params[i].assign(params[i] - 0.1 * grads[i])"),
    (A_DICT, "params = {k: v - 0.1 * grads[k] for k, v in params.items()}",
     "for k, v in params.items():\n    v.assign(v - 0.1 * grads[k])"),
)  # fmt: skip


@columns
@pytest.mark.parametrize("kind, step, code", REPLACED)
def test_variables_in_a_list_that_a_step_replaced_are_assigned_to(
    kind: dict[str, str], step: str, code: str
) -> None:
    text = STEPS.format(**kind).replace("range(3)", "range(1)").replace("if epoch == 2", "if epoch")
    found = told(text.replace("STEP", step))
    assert (found.cause, found.line.text) == ("rebound", step.splitlines()[-1].strip())
    assert found.fix == f"{code}    # changes the ad.Variable instead of replacing it"
    head = step.rsplit("\n", 1)[0] + "\n" if "\n" in step else ""
    again = head + found.fix.replace("\n", "\n    ") if not head else f"{head}        {found.fix}"
    assert told(text.replace("STEP", again)).status == "flows"


@columns
def test_tensors_in_a_list_are_not_taken_for_variables() -> None:
    tensors = {**A_LIST, "begin": "[ad.constant(1.0), ad.constant(0.5)]"}
    step = "params = [p - 0.1 for p in params]"
    found = told(STEPS.format(**tensors).replace("STEP", step))
    assert "assign(" not in found.fix


@pytest.mark.parametrize(
    "name, said", [("tf", "a tf.Variable"), ("ad", "an ad.Variable"), ("a", "an a.Variable")]
)
def test_an_article_fits_the_learners_name_of_the_kit(name: str, said: str) -> None:
    assert theirwords._said("Were it an ad.Variable", {name: "ad"}) == f"Were it {said}"


DRAWN = """
mu, s = ad.Variable(0.3, name="mu"), ad.Variable(0.5, name="s")
ad.random.set_seed(1)
with ad.GradientTape() as tape:
    noise = ad.random.normal([])
    z = {}
    loss = {}
ad.explain(tape, loss, mu)
"""


@columns
@pytest.mark.parametrize(
    "drawn, loss, code",
    [
        ("mu + s * noise", "-0.5 * ((z - mu) / s) ** 2", "ad.stop_gradient(z) - mu"),
        ("ad.random.normal([]) * s + mu", "(mu - z) ** 2", "mu - ad.stop_gradient(z)"),
        (
            "mu + 0.1 * noise",
            "ad.square(ad.subtract(z, mu))",
            "ad.subtract(ad.stop_gradient(z), mu)",
        ),
    ],
)
def test_what_was_drawn_moves_along_with_its_mean(drawn: str, loss: str, code: str) -> None:
    found = told(DRAWN.format(drawn, loss))
    assert (found.status, found.cause, found.op) == ("zero", "cancelled", "Sub"), found
    assert "`mu` is in `z` already" in found.why
    assert found.fix.split("    #")[0] == code
    old = found.fix.split("instead of ")[1]
    assert told(DRAWN.format(drawn, loss.replace(old, code))).status == "flows"


@columns
@pytest.mark.parametrize(
    "drawn, loss",
    [
        ("mu * 2.0", "noise * ((z - mu) - mu)"),
        ("mu + noise", "(z - noise) - mu + 0.0 * z"),
        ("mu + noise", "z - z"),
    ],
)
def test_other_ways_that_cancel_are_no_draw_that_moves_along(drawn: str, loss: str) -> None:
    found = told(DRAWN.format(drawn, loss))
    assert found.status == "zero" and "drawn at random: it moves" not in found.why, found


CLIPPED = """
ratio, gain = ad.Variable([1.5, 1.6], name="ratio"), ad.constant([1.0, 2.0])
with ad.GradientTape() as tape:
    bounded = ad.clip_by_value(ratio, 0.8, 1.2) * gain
    loss = -ad.reduce_mean({})
ad.explain(tape, loss, ratio)
"""


def test_a_bound_beyond_which_there_is_nothing_to_gain_may_be_meant() -> None:
    found = told(CLIPPED.format("ad.minimum(ratio * gain, bounded)"))
    assert (found.status, found.fix) == ("zero", "")
    assert "minimum at line 7" in found.advice and "as in the loss of PPO" in found.advice


@pytest.mark.parametrize(
    "loss", ["ad.minimum(bounded, 5.0)", "bounded", "ad.minimum(gain * 9.0, bounded)"]
)
def test_a_bound_that_is_compared_with_nothing_of_it_is_only_a_bound(loss: str) -> None:
    found = told(CLIPPED.format(loss))
    assert found.status == "zero" and "PPO" not in found.advice


LEARNT_RATE = """
rate, w = ad.Variable(0.1, name="rate"), ad.Variable(2.0, name="w")
{}
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        loss = (w - 1.0) ** 2
    {}
    late = (w - 0.5) ** 2
ad.explain(outer, late, rate)
"""


@pytest.mark.parametrize(
    ("made", "cause"),
    [
        ("opt = ad.keras.optimizers.SGD(float(rate))", "not used"),
        ("opt = ad.keras.optimizers.SGD(0.1); opt.learning_rate = rate", "not used"),
        (
            "opt = ad.keras.optimizers.SGD(lambda: rate)",
            "not on the way",
        ),  # it is read in each step
    ],
)
def test_a_learning_rate_has_no_gradient_through_a_step(made: str, cause: str) -> None:
    step = "opt.apply_gradients([(inner.gradient(loss, w), w)])"
    found = told(LEARNT_RATE.format(made, step))
    assert found.cause == cause
    assert "If an optimizer moved `w` with it at line 9" in found.advice
    assert "a step is not recorded" in found.advice
    assert "a step is not" not in told(LEARNT_RATE.format(made, "inner.gradient(loss, w)")).advice


def test_how_often_a_while_runs_is_weighed_round_by_round() -> None:
    text = """
far = ad.Variable(2.5, name="far")
with ad.GradientTape() as tape:
    x, way = ad.constant(1.0), 0.0
    {} way < {}far{}:
        x, way = x * 0.5, way + 1.0{}
    loss = (x - 1.0) ** 2
ad.explain(tape, loss, far)
"""
    for parts in (("while", "", "", ""), ("while", "float(", ")", "")):
        found = told(text.format(*parts))
        assert found.cause == "condition" and "multiply what each round adds" in found.advice, found
    found = told(text.format("if", "", "", ""))
    assert "each round" not in found.advice


COPIED = """
net, rate = ad.keras.Sequential([ad.keras.layers.Dense(1)]), ad.Variable(0.5, name="rate")
x = ad.constant([[1.0, 2.0]])
net(x)
with ad.GradientTape() as tape:
    net.set_weights([w * rate for w in net.weights])
    loss = ad.reduce_sum(net(x))
ad.explain(tape, loss, rate)
"""


@columns
def test_weights_that_are_computed_stay_tensors() -> None:
    found = told(COPIED)
    assert found.cause == "left the tensors" and "on purpose" not in found.advice
    assert "compute with these what the layers do" in found.advice


KEPT = """
class Scale(ad.keras.layers.Layer):
    def build(self, shape):
        self.gain = self.add_weight(shape=(shape[-1],), initializer="ones")
        self.seen = self.add_weight(shape=(shape[-1],), initializer="zeros", trainable=False)
    def call(self, x):
        self.seen.assign(0.9 * self.seen + 0.1 * ad.reduce_mean(x, axis=0))
        return x * self.gain
model = ad.keras.Sequential([Scale()])
x = ad.constant([[1.0, 2.0]])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(model(x))
answer = ad.explain(tape, loss, model.{0})
gradients = {1}
ad.explain(tape, loss, model.trainable_variables)
"""


@pytest.mark.parametrize("kind", ["variables", "weights"])
def test_of_all_variables_those_that_are_not_to_be_learnt_are_left_out(kind: str) -> None:
    text = HEAD + KEPT.format(kind, "tape.gradient(loss, model.trainable_variables)")
    file = f"<settings {kind}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": "learner"}
    exec(compile(text, file, "exec"), scope)
    (kept,) = [one for one in scope["answer"].findings if one.status == "none"]
    assert kept.cause == "not trainable" and f"`model.{kind}` has those as well" in kept.advice
    assert kept.fix == f"model.trainable_variables    # instead of model.{kind}"
    assert all(one is not None for one in scope["gradients"])


LEFT_OVER = """
net = ad.keras.Sequential([ad.keras.layers.Dense(2), ad.keras.layers.Dense(1)])
x = ad.constant([[1.0, 2.0]])
net(x)
for v in net.trainable_variables:
    v.assign(v * 0.5)
    {}
with ad.GradientTape() as tape:
    loss = ad.constant(3.0) * 2.0
ad.explain(tape, loss, net.trainable_variables)
"""


def test_a_name_left_over_from_a_loop_is_not_what_the_last_of_a_list_is_called() -> None:
    last = run(LEFT_OVER.format("pass")).findings[-1]
    assert last.source == "net.trainable_variables[3]"
    assert run(LEFT_OVER.format("last = v")).findings[-1].source == "last"


def test_random_numbers_are_called_what_drew_them() -> None:
    found = told("""
x = ad.random.uniform([3], -1.0, 1.0)
with ad.GradientTape() as tape:
    y = ad.reduce_sum(x * x)
ad.explain(tape, y, x)
""")
    assert "`x` is a plain tensor, drawn by ad.random.uniform" in found.why


def test_what_was_made_too_late_under_a_name_is_to_be_made_before() -> None:
    found = told("""
w = ad.Variable([1.0, 2.0], name="w")
with ad.GradientTape() as tape:
    y = ad.reduce_sum(w * ad.zeros([2]))
begin = ad.zeros([2])
ad.explain(tape, y, begin)
""")
    assert found.cause == "new expression" and found.fix == ""
    assert "Make it before `y`" in found.advice


OWN = """
x = ad.Variable(2.0, name="x")
@ad.custom_gradient
def square(x):
    slope = {}
    return x * x, lambda dy: dy * slope
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        y = {}
    g = inner.gradient(y, x)
ad.explain(outer, g, x)
"""


def test_a_gradient_function_without_the_source_has_no_derivative() -> None:
    found = told(OWN.format("ad.constant(4.0)", "square(x) * 3.0"))
    assert (found.cause, found.op, found.line.number) == ("second derivative", "CustomGradient", 8)
    assert "the gradient function of `square` computed here" in found.why
    assert found.fix.startswith('outer.gradient(g, x, unconnected_gradients="zero")')
    assert told(OWN.format("2.0 * x", "square(x) * 3.0")).status == "flows"


def test_a_gradient_function_on_one_of_two_ways_is_named() -> None:
    own = "`square` brings its own gradient function"
    assert own in told(OWN.format("ad.constant(4.0)", "square(x) + 3.0 * x")).advice
    assert own not in told(OWN.format("ad.constant(4.0)", "2.0 * x + 1.0")).advice


@columns
@pytest.mark.parametrize(
    "begin, line, end",
    [
        ("np.zeros(2)", "out[i] = (v * float(i)).numpy()", True),
        ("[]", "out.append(float(v * float(i)))", True),
        ("0.0", "out = [float(v * k) for k in (1.0, 2.0)]", True),
        ("0.0", "out = float(v * float(i))", False),
    ],
)
def test_numbers_that_are_collected_are_collected_as_tensors(
    begin: str, line: str, end: bool
) -> None:
    found = told(f"""
v = ad.Variable(1.0, name="v")
with ad.GradientTape() as tape:
    out = {begin}
    for i in range(2):
        {line}
    loss = ad.reduce_sum(ad.constant(out, dtype=ad.float32))
ad.explain(tape, loss, v)
""")
    assert found.cause == "left the tensors"
    assert ("ad.stack" in found.advice) == end, found
