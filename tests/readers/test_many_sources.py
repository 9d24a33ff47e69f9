"""Sources of which there are many: which is meant, and which of them a learner wanted."""

from __future__ import annotations

from typing import Any

import pytest

from readers.test_told import run

NORM = """
class Norm(ad.keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(shape[-1],), initializer="ones")
        self.mean = self.add_weight(
            name="mean", shape=(shape[-1],), initializer="zeros", trainable=False
        )
    def call(self, x):
        now = ad.reduce_mean(x, axis=0)
        self.mean.assign(0.9 * self.mean + 0.1 * now)
        return (x - now) * self.scale
class Net(ad.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden, self.norm = ad.keras.layers.Dense(2), Norm()
        self.head, self.other = ad.keras.layers.Dense(1), ad.keras.layers.Dense(1)
    def call(self, x):
        h = self.norm(self.hidden(x))
        return self.head(h), self.other(h)
net = Net()
x = ad.constant([[1.0, 2.0], [3.0, 5.0]])
with ad.GradientTape(persistent=True) as tape:
    first, second = net(x)
    loss = ad.reduce_sum(first ** 2)
"""


def heads(text: str) -> list[str]:
    """The first lines of the findings, and what is said to be the same."""
    lines = str(run(text)).splitlines()
    return [line for line in lines if line[:2] != "  " or line.startswith("  same:")]


def test_a_number_in_a_list_of_variables_says_which_layer_it_is() -> None:
    lines = heads(NORM + "ad.explain(tape, loss, net.trainable_variables)\n")
    assert "net.trainable_variables[2] (net.norm.scale): a gradient flows" in lines
    assert "net.trainable_variables[5] (net.other.kernel): no gradient (None)" in lines


def test_the_same_is_said_of_others_with_both_their_names() -> None:
    text = NORM + "w = net.trainable_variables\nad.explain(tape, ad.constant(1.0), w)\n"
    assert "w[1] (net.hidden.bias), w[2] (net.norm.scale)" in heads(text)[-1]


@pytest.mark.parametrize(
    "asked", ["net.trainable_variables[5]", "net.other.kernel", "[net.other.kernel]"]
)
def test_who_wrote_which_one_is_told_no_second_name(asked: str) -> None:
    (line,) = heads(f"{NORM}ad.explain(tape, loss, {asked})\n")
    assert "(" not in line.partition(": no")[0]


def test_variables_in_a_plain_list_have_no_second_name() -> None:
    lines = heads("""
ws = [ad.Variable(1.0), ad.Variable(2.0)]
with ad.GradientTape() as tape:
    y = ws[0] * 2.0
ad.explain(tape, y, ws)
""")
    assert lines == ["ws[0]: a gradient flows", "", "ws[1]: no gradient (None)"]


def test_a_layer_that_no_attribute_holds_is_known_by_the_variables_own_name() -> None:
    lines = heads("""
model = ad.keras.Sequential([ad.keras.layers.Dense(1, name="only")])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(model(ad.constant([[1.0, 2.0]])))
ad.explain(tape, y, model.weights)
""")
    assert lines[0] == "model.weights[0] (only/kernel): a gradient flows"


def missing(text: str) -> Any:
    return next(found for found in run(text).findings if found.status == "none")


@pytest.mark.parametrize("every", ["variables", "weights"])
def test_who_asked_for_all_variables_meant_those_that_are_learnt(every: str) -> None:
    both = NORM.replace("** 2)", "** 2) + ad.reduce_sum(second)")
    found = missing(f"{both}ad.explain(tape, loss, net.{every})\n")
    assert (found.source, found.known_as) == (f"net.{every}[3]", "net.norm.mean")
    assert found.fix == f"net.trainable_variables    # instead of net.{every}"
    answers = run(f"{both}ad.explain(tape, loss, {found.fix.split()[0]})\n").findings
    assert "none" not in [found.status for found in answers]


SCALE = """
class Scale(ad.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.by = self.add_weight(name="by", shape=(), initializer="ones", trainable=False)
    def call(self, x):
        return x * self.by
scale = Scale()
with ad.GradientTape() as tape:
    y = scale(ad.constant(2.0))
ad.explain(tape, y, {})
"""


@pytest.mark.parametrize(
    ("asked", "watched"),
    [
        pytest.param("scale.by", "scale.by", id="one"),
        pytest.param("scale.variables", "scale.variables[0]", id="nothing to be learnt instead"),
    ],
)
def test_a_frozen_weight_can_be_watched(asked: str, watched: str) -> None:
    assert missing(SCALE.format(asked)).fix.startswith(f"tape.watch({watched})")


LAYERS = """
layers = [ad.keras.layers.Flatten(), ad.keras.layers.Dense(2)]
x = ad.constant([[[1.0, 2.0]]])
outs = [x]
with ad.GradientTape() as tape:
    for layer in layers:
        {}
    loss = ad.reduce_sum(outs[-1])
ad.explain(tape, loss, outs[1])
"""


@pytest.mark.parametrize(
    "line",
    [
        "outs.append(layer(outs[-1]))",
        "outs += [layer(outs[-1])]",
        "outs = [*outs, layer(outs[-1])]",
    ],
)
def test_what_is_put_at_the_end_of_a_list_takes_no_ones_place(line: str) -> None:
    found = missing(LAYERS.format(line))
    assert found.cause == "not watched" and "plain tensor, the result of Reshape" in found.why
    assert found.fix == "" and "in the line after" in found.advice
    assert "first thing inside the block" in found.advice


def test_a_place_in_a_list_that_is_filled_from_the_one_before_is_not_rebound() -> None:
    found = missing("""
h = [ad.constant([1.0, 2.0]), None]
for i in range(1):
    h[i + 1] = h[i] * 2.0
w = ad.Variable(1.0)
with ad.GradientTape() as tape:
    y = ad.reduce_sum(w * h[1])
ad.explain(tape, y, h[1])
""")
    assert found.cause == "not watched" and "no longer" not in found.why


def test_a_place_in_a_list_that_gets_another_tensor_is_rebound() -> None:
    found = missing("""
h = [ad.Variable([1.0, 2.0])]
h[0] = h[0] * 2.0
with ad.GradientTape() as tape:
    y = ad.reduce_sum(h[0] ** 2)
ad.explain(tape, y, h[0])
""")
    assert found.cause == "rebound"


def test_a_tape_that_has_given_its_gradients_says_so_once() -> None:
    text = str(
        run("""
m = ad.keras.Sequential([ad.keras.layers.Dense(4), ad.keras.layers.Dense(1)])
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((m(ad.ones((2, 3))) - 1.0) ** 2)
grads = tape.gradient(loss, m.trainable_variables)
ad.explain(tape, loss, m.trainable_variables)
""")
    )
    assert text.count("let go of its records") == 1 and text.count("a gradient flows") == 1
    assert "  same:  m.trainable_variables[1] (" in text and "m.trainable_variables[3] (" in text


TABLE = """
w, b = ad.Variable([[1.0], [2.0]]), ad.Variable(0.5)
with ad.GradientTape() as tape:
    loss = ad.reduce_mean((w * 2.0 + b - [1.0, 2.0]) ** 2)
ad.explain(tape, loss, {})
"""


def test_what_is_said_of_several_sources_is_said_once() -> None:
    answer = run(TABLE.format("[w, b]"))
    first, second = (found.also for found in answer.findings)
    assert first == second and len(first[0]) > 100  # who asks for the parts gets all of them
    for shown in (str(answer), answer._repr_markdown_()):
        assert shown.count("makes a table of shape (2, 2)") == 1
        assert shown.count("As for `w`, above: ") == 1 and shown.rstrip().endswith(" ...")
    assert "As for" not in str(run(TABLE.format("w")))


def test_what_differs_is_said_of_each() -> None:
    answer = run("""
w, v = ad.Variable(1.0), ad.Variable(2.0)
with ad.GradientTape(persistent=True) as tape:
    y = w * float(w) + v * v
ad.explain(tape, y, [w, v])
""")
    assert "As for" not in str(answer) and str(answer).count("also:") == 1


TARGETS = """
w, b = ad.Variable(2.0), ad.Variable(1.0)
with ad.GradientTape(persistent=True) as tape:
    a, c, d = w * w, b - 4.0 * w, b * ad.math.log(w - 2.0)
    losses = [w * v for v in (1.0, 2.0, 3.0, 4.0)]
ad.explain(tape, {}, w)
"""


@pytest.mark.parametrize(
    "targets, status, words",
    [
        ("[a, a * 1.0, c]", "flows", "this is the gradient of their sum"),
        ("{'a': a, 'loss': losses[1]}", "flows", "`a` and `losses[1]` are added up: this is"),
        ("losses", "flows", "`losses[0]` and 3 more targets are added up"),
        ("[a, a]", "flows", "`a` stands 2 times among the targets, and counts as often."),
        (
            "[a, c]",
            "zero",
            "`a` and `c` are added up: it is the gradient of their sum that is zero",
        ),
        ("[a, d]", "not finite", "`a` and `d` are added up: one that is not finite spoils"),
    ],
)
def test_targets_are_added_up(targets: str, status: str, words: str) -> None:
    (found,) = run(TARGETS.replace("{}", targets.replace("a * 1.0", "losses[0]"))).findings
    assert found.status == status and any(words in text for text in found.also), str(found)


@pytest.mark.parametrize("targets", ["a", "[a]", "[a, b]", "[a, ad.constant(1.0)]", "[b, a]"])
def test_one_that_has_no_part_in_it_is_not_counted(targets: str) -> None:
    (found,) = run(TARGETS.replace("{}", targets)).findings
    assert "added up" not in str(found) and "times among" not in str(found), str(found)


def test_the_target_that_is_not_finite_is_named() -> None:
    (found,) = run(TARGETS.replace("{}", "[a, d]")).findings
    assert "on the way to `d`" in found.why and "`a` itself is finite" not in found.why, str(found)
