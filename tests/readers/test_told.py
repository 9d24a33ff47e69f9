"""What the readers say, word for word where a word was wrong before."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from autodiff_kit import registry

columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects know no columns")
HEAD = "import autodiff_kit as ad\nimport numpy as np\n"


def run(text: str) -> Any:
    """What the last question of a program, which stands at the beginning of a line, answers."""
    text = HEAD + re.sub(r"^ad\.(?=explain|replay|draw)", "answer = ad.", text, flags=re.M)
    file = f"<told {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": "learner"}
    exec(compile(text, file, "exec"), scope)
    return scope["answer"]


def told(text: str) -> Any:
    """The only finding about a program."""
    (finding,) = run(text).findings
    return finding


def remarks(found: Any) -> list[str]:
    """What is said beside a finding, but that a rule of the learner's own lies on the way."""
    return [text for text in found.also if "ad.test.compute_gradient compares it" not in text]


@pytest.mark.parametrize(
    "relaxation", ["piecewise_linear(h)", "sigmoid_sum(h, 999.0)", "detour(h)"]
)
def test_a_zero_in_a_relaxation_is_the_relaxations_not_its_relus(relaxation: str) -> None:
    name = relaxation.split("(")[0]
    found = told(f"""
x = ad.Variable([0.3, 1.3])
with ad.GradientTape() as tape:
    h = x * 1.0
    y = ad.reduce_sum(ad.nn.relu(ad.relax.{relaxation}))
ad.explain(tape, y, x)
""")
    assert (found.status, found.op, found.line.number) == ("zero", None, 7)
    assert f"ad.relax.{name}" in found.why and "unit is dead" not in found.why
    assert found.fix.startswith("ad.relax.") and "(h" in found.fix and "leaky" not in found.fix


def test_a_relu_beside_a_relaxation_is_still_a_dead_relu() -> None:
    found = told("""
x = ad.Variable([0.9, 1.95])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.nn.relu(-ad.relax.piecewise_linear(x)))
ad.explain(tape, y, x)
""")
    assert (found.op, "dead" in found.why) == ("Relu", True)


def labelled(text: str) -> list[str]:
    """The names of what each step of a replay computed, the first operation first."""
    story = run(text)
    return [f"{step.name} = {step.type}" for step in reversed(story.steps)]


F_AND_G = """
def f(a, b):
    return a * b
def g(a):
    return ad.sin(a)
x, y = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    {}
ad.replay(tape, loss, [x, y])
"""


@pytest.mark.parametrize(
    "statement, names",
    [
        ("loss = f(y, ad.square(x))", ["v1 = Square", "loss = Mul"]),
        (
            "loss = f(g(x), ad.square(x) + y)",
            ["v1 = Sin", "v2 = Square", "v3 = AddV2", "loss = Mul"],
        ),
        ("loss = ad.square(x) + g(y)", ["v1 = Square", "v2 = Sin", "loss = AddV2"]),
        ("h = ad.square(x); loss = f(h, y)", ["h = Square", "loss = Mul"]),
    ],
)
def test_an_argument_is_not_named_by_the_assignment_it_stands_in(
    statement: str, names: Any
) -> None:
    assert labelled(F_AND_G.format(statement)) == names


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects know no columns before 3.11")
def test_each_of_several_values_on_a_line_gets_its_own_name() -> None:
    text = """
x = ad.Variable(2.0)
def model():
    a, b = ad.sin(x), ad.cos(x); c = a * b
    return (d := c * 2.0) + a
with ad.GradientTape() as tape:
    loss = model()
ad.replay(tape, loss, x)
"""
    assert labelled(text) == ["a = Sin", "b = Cos", "c = Mul", "d = Mul", "loss = AddV2"]


TWO_WAYS = """
k1, k2 = ad.Variable(2.0), ad.Variable(3.0)
with ad.GradientTape() as tape:
    a = ad.sin(k1)
    c = k2 * 2.0
    loss = a * a + c
ad.replay(tape, loss, {})
"""


def test_a_replay_tells_only_what_leads_to_the_sources() -> None:
    story = run(TWO_WAYS.format("k2"))
    assert [(s.number, s.type) for s in story.steps] == [(1, "AddV2"), (2, "Mul")]
    assert "2 steps lead elsewhere and not to k2: not shown." in str(story)
    story = run(TWO_WAYS.format("[k1, k2]"))
    assert len(story.steps) == 4 and "elsewhere" not in str(story)


def test_a_replay_shows_the_step_at_which_the_way_to_a_source_ends() -> None:
    story = run(TWO_WAYS.replace("ad.sin", "ad.floor").format("k1"))
    assert [s.type for s in story.steps] == ["AddV2", "Mul", "Floor"]
    assert "1 step leads elsewhere and not to k1: not shown." in str(story)


@pytest.fixture
def registry_as_before() -> Iterator[None]:
    """What a program registers is forgotten after the test."""
    before = dict(registry.GRADIENTS)
    yield
    registry.GRADIENTS.clear()
    registry.GRADIENTS.update(before)


def test_a_gradient_registered_where_there_was_none_is_called_by_its_name(
    registry_as_before: None,
) -> None:
    story = run("""
@ad.RegisterGradient("Unique")
def back_to_each(op, dy, dindex):
    '''A docstring that has no place in a table.'''
    return ad.gather(dy, op.outputs[1])
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    y, _ = ad.unique(x)
ad.replay(tape, y, x)
""")
    assert str(story.steps[0].flows[0]).startswith("dx = back_to_each(op, d")


HELD = """
class Model:
    def __init__(self):
        self.w, self.parts = ad.Variable(2.0), [ad.Variable(3.0)]
    def ask(self, losses):
        with ad.GradientTape() as tape:
            self.loss = self.w * self.parts[0]
        losses.append(self.loss)
        return ad.{}(tape, self.loss, [self.w, self.parts[0]])
losses, model = [], Model()
answer = model.ask(losses)
"""


def test_variables_without_a_name_of_their_own_are_called_what_the_learner_calls_them() -> None:
    story = run(HELD.format("replay"))
    assert story.target == ["self.loss"] and story.sources == ["self.w", "self.parts[0]"]
    assert story.steps[0].inputs == ("self.w", "self.parts[0]")
    text = "Result: dself.loss/dself.w = 3.0; dself.loss/dself.parts[0] = 2.0"
    assert text in str(story)
    drawn = str(run(HELD.format("draw")))
    assert "self.w: variable (source)" in drawn and "Variable" not in drawn


def test_the_name_that_was_written_is_better_than_an_old_lists() -> None:
    answer = run(HELD.format("explain"))
    assert answer.target == "self.loss"
    assert [f.source for f in answer.findings] == ["self.w", "self.parts[0]"]


def test_two_variables_of_the_same_name_both_have_their_result() -> None:
    story = run(
        """
def ask(pair):
    with ad.GradientTape() as tape:
        y = ad.multiply(*pair)
    return ad.replay(tape, y, [*pair])
answer = ask({ad.Variable(2.0, name="w").ref(): 1, ad.Variable(3.0, name="w").ref(): 2})
""".replace("*pair", "*(one.deref() for one in pair)")
    )
    assert story.sources == ["w₁", "w"]
    assert "Result: dy/dw₁ = 3.0; dy/dw = 2.0" in str(story)


def test_a_name_of_its_own_is_better_than_the_place_where_a_variable_is_kept() -> None:
    story = run("""
class Model: pass
model = Model()
model.kernel = ad.Variable(2.0, name="dense/kernel")
def ask():
    with ad.GradientTape() as tape:
        y = model.kernel * 3.0
    return ad.replay(tape, y, list(vars(model).values()))
answer = ask()
""")
    assert story.sources == ["dense.kernel"]


@pytest.mark.parametrize(
    "statement, said",
    [
        ("y = ad.stop_gradient(x) * x", ["ad.stop_gradient"]),
        ("y = x * x + ad.floor(x)", ["Floor"]),
        ("k = float(x); y = k * x", ["float()"]),
        ("y = x - ad.floor(x)", []),
        ("y = ad.square(x - 2.0 * ad.round(x / 2.0))", []),
        ("y = (x - ad.floor(x)) * ad.floor(x)", ["Floor"]),
        ("y = (x * 2.0 - ad.floor(x)) * x", ["Floor"]),
        ("y = ad.where(x > 0.0, x, -x)", []),
        ("y = ad.relax.straight_through(x) * x", []),
        ("y = x * x\n    print(float(y), end='')", []),
    ],
)
def test_a_gradient_that_flows_on_some_of_the_ways_only(statement: str, said: list[str]) -> None:
    found = told(
        f"x = ad.Variable(2.5)\nwith ad.GradientTape() as tape:\n    {statement}\n"
        "ad.explain(tape, y, x)"
    )
    assert found.status == "flows" and len(found.also) == len(said), found.also
    assert all(word in text for word, text in zip(said, found.also, strict=True))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects know no columns before 3.11")
@pytest.mark.parametrize(
    "position, lost",
    [
        ("np.searchsorted([1.0, 2.0, 3.0], x.numpy())", False),
        ("np.clip(np.searchsorted([1.0, 2.0, 3.0], x) - 1, 0, 1)", False),
        ("(x.numpy() > 1.0).astype('float32')", False),
        ("np.round(x.numpy())", True),
    ],
)
def test_who_looks_up_a_position_or_compares_with_numpy_loses_no_gradient(
    position: str, lost: bool
) -> None:
    found = told(f"""
import numpy as np
x = ad.Variable(2.5)
with ad.GradientTape() as tape:
    i = {position}
    y = x * np.arange(5.0, dtype="float32")[int(i)] + x * (i if i > 5 else 1.0)
ad.explain(tape, y, x)
""")
    assert found.status == "flows" and bool(found.also) == lost, found.also


@pytest.mark.parametrize(
    "line, lost", [("float(x) ** 2", True), ("2.0 if float(x) > 1.0 else 1.0", False)]
)
def test_a_zero_tells_of_a_value_that_left_the_tensors_too(line: str, lost: bool) -> None:
    found = told(f"""
x = ad.Variable(2.5)
with ad.GradientTape() as tape:
    k = {line}
    y = ad.nn.relu(-x) + k
ad.explain(tape, y, x)
""")
    assert found.op == "Relu" and len(found.also) == lost, found.also


@pytest.mark.parametrize("index", ["i", "i + 1"])
def test_a_whole_number_that_serves_as_an_index_stays_one(index: str) -> None:
    found = told(f"""
x, table = ad.Variable(1.3), ad.constant([0.0, 1.0, 4.0, 9.0])
with ad.GradientTape() as tape:
    i = ad.cast(ad.floor(x), ad.int32)
    y = table[{index}] + ad.cast(i, ad.float32)
ad.explain(tape, y, x)
""")
    assert found.op == "Cast" and not found.fix, str(found)
    assert "used as an index, and an index has to be whole" in found.advice


def test_a_condition_is_asked_for_in_the_learners_words() -> None:
    found = told("""
x = ad.Variable([3.0, 2.0])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.where(x > 5.0, x, 0.0))
ad.explain(tape, y, x)
""")
    assert found.fix == "ad.reduce_any(x > 5.0)    # is it ever true?"


def test_no_source_at_all_is_said_with_what_it_usually_means() -> None:
    answer = run("""
model = ad.keras.Sequential([ad.keras.layers.Dense(1)])
variables = model.trainable_variables
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(model(ad.ones([2, 3])))
ad.explain(tape, loss, variables)
""")
    assert (
        len(answer) == 0
        and "first call" in str(answer)
        and "first call" in answer._repr_markdown_()
    )


def test_a_pause_is_mentioned_where_the_tape_did_not_see_something() -> None:
    found = told("""
w, u, log = ad.Variable(1.0), ad.Variable(2.0), []
with ad.GradientTape() as tape:
    with tape.stop_recording():
        log.append(w * w)
    loss = u * 2.0
ad.explain(tape, loss, w)
""")
    assert found.cause == "not used" and len(found.also) == 1
    assert "paused the tape at line 6 of" in found.also[0]


NO_TEXT = """
import autodiff_kit as ad
w, v = ad.Variable(2.0), ad.Variable(0.0)
with ad.GradientTape() as tape:
    {}
answer = ad.explain(tape, y, w)
"""


@pytest.mark.parametrize("body", ["v.assign_add(w * 2.0); y = v * 1.0", "y = ad.Variable(w * 2.0)"])
def test_without_a_text_only_what_the_tape_knows_is_said(body: str) -> None:
    scope: dict[str, Any] = {"__name__": "learner"}
    exec(NO_TEXT.format(body), scope)
    (found,) = scope["answer"].findings
    assert found.cause == "not on the way" and "no operation on the tape takes" in found.why


def test_the_nan_of_a_gradient_is_not_laid_on_a_value_that_is_nan_elsewhere() -> None:
    found = told("""
x = ad.Variable([-1.0, 0.0, 4.0])
with ad.GradientTape(persistent=True) as tape:
    y = ad.where(x > 0, ad.math.log(x), 0.0)  # the gradient is -0, NaN, 0.25
ad.explain(tape, y, x)
""")
    assert "0 * inf is NaN" in found.why and "A value is NaN" not in found.why, str(found)


def test_what_is_asked_for_already_is_not_recommended() -> None:
    answer = run("""
w, b = ad.Variable(2.0), ad.Variable(1.0)
with ad.GradientTape() as tape:
    loss = w * w
ad.explain(tape, loss, [w, b])
""")
    assert "ask for that" not in answer.findings[1].advice


PENALTY = """
D, E = ad.keras.layers.Dense(3), ad.keras.layers.Dense(3)
x = ad.constant([[0.3, -0.5], [1.0, 2.0]])
D(x), E(x)
with ad.GradientTape() as inner:
    inner.watch(x)
    d = ad.tanh({}(x))
g = inner.gradient(d, x)
with ad.GradientTape() as tape:
    penalty = ad.reduce_mean(g ** 2)
ad.explain(tape, penalty, D.trainable_variables[0])
"""


def test_the_block_of_a_model_goes_into_the_other_one() -> None:
    text = PENALTY.format("D")
    found = told(text)
    assert found.cause == "outside the tape" and "g = inner.gradient" in found.fix, str(found)
    blocks = text[text.index("with ad.GradientTape() as inner") : text.index("ad.explain")]
    assert told(text.replace(blocks, found.fix + "\n")).status == "flows"


def test_the_block_of_another_model_does_not() -> None:
    assert told(PENALTY.format("E")).fix == ""


BOUND = """
v = ad.Variable([5.0, 6.0])
w = ad.Variable([{}], name="w")
with ad.GradientTape() as tape:
    loss = ad.reduce_sum({} ** 2)
ad.explain(tape, loss, w)
"""


@columns
@pytest.mark.parametrize(
    "values, bound, fix",
    [
        ("3.0, 2.0", "ad.minimum(w, 1.0)", "w + ad.stop_gradient(ad.minimum(w, 1.0) - w)"),
        ("3.0, 2.0", "ad.maximum(4.0, w)", "w + ad.stop_gradient(ad.maximum(4.0, w) - w)"),
        ("-3.0, -2.0", "(1.0 + ad.maximum(0.0, w))", "ad.nn.leaky_relu(w)"),
    ],
)
def test_a_bound_that_cut_all_off_is_written_so_that_a_gradient_passes(
    values: str, bound: str, fix: str
) -> None:
    program = BOUND.format(values, bound)
    found = told(program)
    code, _, old = found.fix.partition("    # instead of ")
    assert (found.status, code) == ("zero", fix) and old in bound
    assert told(program.replace(old, f"({code})")).status == "flows"


def test_a_maximum_of_two_values_is_no_bound() -> None:
    assert "stop_gradient" not in told(BOUND.format("3.0, 2.0", "ad.maximum(w, v)")).fix


@pytest.mark.parametrize(
    ("first", "second", "again"),
    [
        ("ok", "ok", False),
        ("mask", "mask", False),
        ("x > 5.0", "s > 3.0", True),
        ("mask", "other", True),
    ],
)
def test_two_choices_by_one_condition_are_one_end(first: str, second: str, again: bool) -> None:
    """As of a distance that is 0, and was made safe with two where."""
    found = told(f"""
x = ad.Variable([1.0, 2.0])
mask, other = ad.constant([False, False]), ad.constant([False, False])
with ad.GradientTape() as tape:
    ok = x > 5.0
    s = ad.where({first}, x, 1.0)
    y = ad.where({second}, ad.math.log(s), 0.0)
ad.explain(tape, y, x)
""")
    assert (found.status, found.op, found.line.number) == ("zero", "SelectV2", 9)
    assert any("That alone is not enough" in one for one in found.also) == again


def test_a_state_is_called_by_its_attribute_not_by_the_result_that_it_is() -> None:
    found = told("""
class Cell:
    def __init__(self):
        self.u, self.h = ad.Variable(0.5), ad.Variable(0.0, trainable=False)
    def step(self, x):
        self.h.assign(ad.tanh(self.h * self.u + x))
        return self.h
cell = Cell()
with ad.GradientTape() as tape:
    for x in (1.0, 2.0):
        out = cell.step(x)
    loss = out * 2.0
ad.explain(tape, loss, cell.u)
""")
    assert found.cause == "assigned" and "in the variable `cell.h` with assign" in found.why


OVERWRITTEN = """
v, ws = ad.Variable(3.0), [ad.Variable(1.0), ad.Variable(2.0)]
with ad.GradientTape() as tape:
    {}
ad.explain(tape, y, ws[0])
"""


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "for w in ws:\n        y = w ** 2",
            "After it the same line ran again and gave `y` another",
        ),
        ("for w in ws:\n        y = (v * w - 1.0) ** 2", "the same line ran again and gave `y`"),
        ("y = ws[0] ** 2\n    y = v ** 2", "After it line 7 of <told"),
        ("h = ws[0] ** 2\n    y = v ** 2", ""),
        ("for w in ws:\n        h = w ** 2\n    y = v ** 2", ""),
    ],
)
def test_a_value_that_was_overwritten_does_not_count(body: str, words: str) -> None:
    found = told(OVERWRITTEN.format(body))
    assert found.cause == "not on the way" and words in found.why
    assert ("If both values are to count, add them up." in found.advice) == bool(words)


@pytest.mark.parametrize(("use", "op"), [("w * x", "Mul"), ("x + w", "AddV2"), ("w * 2.0", "Mul")])
def test_the_operation_that_ends_a_way_is_the_one_that_was_written(use: str, op: str) -> None:
    found = told(f"""
w, v, x = ad.Variable(2.0), ad.Variable(1.0), ad.constant([1.0, 2.0])
with ad.GradientTape() as tape:
    h = {use}
    loss = v * 3.0
ad.explain(tape, loss, w)
""")
    assert (found.cause, found.op) == ("not on the way", op)
