"""`ad.replay` shows the very steps, and its sums are the very numbers, of `gradient`."""

from __future__ import annotations

import warnings
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_kit as ad
from autodiff_kit import nest
from readers.array_programs import array_programs
from readers.random_programs import Program


def same_bits(a: Any, b: Any) -> bool:
    """Whether two gradients are the same to the last bit, the sign of zero included."""
    if a is None or b is None:
        return a is b
    x, y = np.asarray(a.numpy()), np.asarray(b.numpy())
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def check_sums(story: Any, tape: Any, sources: list[Any], gradients: list[Any]) -> None:
    """The last sum at each source's place, and the replay's gradients, are what `gradient` gave."""
    for mine, theirs in zip(nest.flatten(story.gradients), gradients, strict=True):
        assert same_bits(mine, theirs)
    sums = {flow.place: flow.sum for step in story.steps for flow in step.flows}
    for source, gradient in zip(sources, gradients, strict=True):
        places = (
            tape.variables.get(source) if isinstance(source, ad.Variable) else [tape.find(source)]
        )
        if gradient is not None and places and len(places) == 1 and places[0] in sums:
            assert np.asarray(sums[places[0]]).tobytes() == gradient.numpy().tobytes()


@given(array_programs())
@settings(max_examples=150)
def test_the_sums_are_the_gradients_bit_for_bit(program: Any) -> None:
    story = ad.replay(program.tape, program.target, program.sources)
    gradients = program.tape.gradient(program.target, program.sources)
    check_sums(story, program.tape, program.sources, gradients)
    assert str(story) and story._repr_html_() and story.markdown()


@pytest.mark.parametrize("block", range(10))
def test_also_with_every_cause_of_none_mixed_in(block: int) -> None:
    for seed in range(block * 50, block * 50 + 50):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ad.GradientWarning)
            program = Program(seed)
        target = program.values[-1]
        story = ad.replay(program.tape, target, program.sources)
        check_sums(
            story, program.tape, program.sources, program.tape.gradient(target, program.sources)
        )


@given(st.integers(0, 3), st.integers(1, 6))
def test_a_running_sum_grows_by_what_comes_out(seed: int, uses: int) -> None:
    x = ad.Variable(np.random.default_rng(seed).normal(size=3).astype("float32"))
    with ad.GradientTape() as tape:
        y = ad.add_n([ad.sin(x) * float(k) for k in range(uses)])
    flows = [
        f for s in ad.replay(tape, y, x).steps for f in s.flows if f.place == tape.variables[x][0]
    ]
    total = None
    for flow in flows:
        total = flow.gradient if total is None else total + flow.gradient
        np.testing.assert_array_equal(flow.sum, total)
    assert len(flows) == uses


def test_the_same_input_twice_arrives_in_two_steps() -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = x * x
    first, second = ad.replay(tape, y, x).steps[0].flows
    assert (first.gradient, first.sum) == (3.0, 3.0)
    assert (second.gradient, second.sum) == (3.0, 6.0)
    assert first.rule == second.rule == "dy * x"


def test_the_learners_names_and_lines() -> None:
    w, b = ad.Variable([[1.0], [2.0]], name="w"), ad.Variable([0.5], name="b")
    x = ad.constant([[1.0, -1.0], [0.5, 2.0]])
    with ad.GradientTape() as tape:
        h = ad.tanh(x @ w + b)
        loss = ad.reduce_mean(ad.square(h))
    story = ad.replay(tape, loss, [w, b])
    assert [s.type for s in story.steps] == [
        "Mean", "Square", "Tanh", "AddV2", "Broadcast", "MatMul"
    ]  # fmt: skip
    assert story.steps[1].line.text == "loss = ad.reduce_mean(ad.square(h))"
    assert [flow.name for flow in story.steps[1].flows] == ["h"]
    assert story.steps[1].flows[0].rule == "2.0 * h * dv3"
    assert story.steps[-1].flows[0].rule == "transpose(x) @ dv1"
    assert "b was stretched from (1,) to (2, 1)" in str(story)
    assert "line " in str(story) and "test_replay.py: h = ad.tanh(x @ w + b)" in str(story)


def test_a_plain_tape_is_not_used_up() -> None:
    x = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y = x * x * x
    story = ad.replay(tape, y, x)
    assert same_bits(story.gradients, tape.gradient(y, x))
    with pytest.raises(
        RuntimeError, match=r"let go of its records.*persistent=True.*ad\.replay before"
    ):
        ad.replay(tape, y, x)


def test_after_gradient_as_long_as_the_records_are_kept() -> None:
    x = ad.Variable(2.5)
    with ad.GradientTape() as tape:
        y = ad.floor(x)
    assert tape.gradient(y, x) is None
    story = ad.replay(tape, y, x)
    assert story.gradients is None
    assert str(story.steps[0].flows[0]) == "dx: no gradient"
    assert "dy/dx = None (ad.explain tells why)" in str(story)


def test_inside_the_block_nothing_is_recorded_and_the_tape_goes_on() -> None:
    x = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y = x * x
        before = len(tape.records)
        ad.replay(tape, y, x, output_gradients=3.0)
        assert len(tape.records) == before
        z = y * x
    assert tape.gradient(z, x).numpy() == 12.0


def test_second_order() -> None:
    x = ad.Variable(0.7)
    with ad.GradientTape(persistent=True) as outer:
        with ad.GradientTape() as inner:
            y = ad.exp(x) * x
        g = inner.gradient(y, x)
    story = ad.replay(outer, g, x)
    assert same_bits(story.gradients, outer.gradient(g, x))
    assert "g = inner.gradient(y, x)" in {step.line.text for step in story.steps}


def test_output_gradients_several_targets_and_structures() -> None:
    x, y = ad.Variable([1.0, 2.0]), ad.Variable(3.0)
    with ad.GradientTape(persistent=True) as tape:
        a, b = x * y, ad.reduce_sum(x)
    seeds = [ad.constant([0.5, -1.0]), 2.0]
    story = ad.replay(tape, [a, b], {"x": x, "y": y}, output_gradients=seeds)
    found = tape.gradient([a, b], {"x": x, "y": y}, output_gradients=seeds)
    assert set(story.gradients) == {"x", "y"}
    assert all(same_bits(story.gradients[k], found[k]) for k in found)


def test_long_replays_are_folded_in_print_and_complete_in_steps() -> None:
    x = ad.Variable(0.5)
    with ad.GradientTape() as tape:
        y = x * 1.0
        for _ in range(100):
            y = ad.sin(y)
    story = ad.replay(tape, y, x)
    assert len(story.steps) == 101
    assert "77 steps left out" in str(story)
    assert len(str(story).splitlines()) < 70
    assert "77 of 101 steps are left out here; all of them are in .steps." in story._repr_html_()


def test_large_arrays_are_abbreviated_to_digits_that_hold_elsewhere() -> None:
    x = ad.Variable(np.linspace(0.0, 1.0, 300).reshape(30, 10))
    with ad.GradientTape() as tape:
        y = ad.reduce_sum(x * x)
    text = str(ad.replay(tape, y, x))
    assert "(30, 10) [0.0, 0.00668896, … 2.0]" in text
    assert max(map(len, text.splitlines())) < 130


def test_a_gradient_that_raises_raises_here_too() -> None:
    x = ad.Variable([1.0, 2.0])
    with ad.GradientTape() as tape:
        y, _ = ad.unique(x)
    with pytest.raises(LookupError):
        ad.replay(tape, y, x)
    with pytest.raises(TypeError, match="Python value was not recorded"):
        ad.replay(tape, y, 3.0)


class Page(HTMLParser):
    """Counts the cells of a table, spans included, and remembers its tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))


def test_the_html_is_a_real_table() -> None:
    x = ad.Variable(3.0, name='a<b>"|')
    with ad.GradientTape() as tape:
        y = x * x + 1.0
    page = ad.replay(tape, y, x)._repr_html_()
    tags = Page(page).tags
    assert [t for t, _ in tags].count("caption") == 1
    assert all("scope" in a for t, a in tags if t == "th")
    assert {a["scope"] for t, a in tags if t == "th"} == {"col", "row", "rowgroup"}
    assert '<th scope="row" style="text-align:left;vertical-align:top"></th>' not in page
    assert "color:#" not in page and "background" not in page  # the theme's own colours


def test_markdown_is_a_table_whose_cells_cannot_break_it() -> None:
    x = ad.Variable([1.0, 2.0])
    with ad.GradientTape() as tape:
        y = x | 0 if False else x * 2.0  # a bar in the learner's own line
    lines = [row for row in ad.replay(tape, y, x).markdown().splitlines() if row.startswith("|")]
    assert len({row.replace("\\|", "").count("|") for row in lines}) == 1


def arrays(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [array for part in value.values() for array in arrays(part)]
    return [value] if isinstance(value, np.ndarray) else []


def test_what_is_shown_cannot_be_changed() -> None:
    x, seed = ad.Variable([1.0, 2.0]), ad.constant([1.0, 1.0])
    with ad.GradientTape(persistent=True) as tape:
        y = x + 1.0
        first, second = ad.split(x * 2.0, 2)
        z = ad.gather(x, [0, 1]) * ad.concat([first, second], 0) + x[:2]
    story = ad.replay(tape, y, x, seed)
    with pytest.raises(ValueError, match="read-only"):
        story.steps[0].dy[0] = 99.0
    assert seed.numpy().tolist() == story.gradients.numpy().tolist() == [1.0, 1.0]
    story.gradients.numpy()[0] = 99.0  # a copy
    assert story.gradients.numpy().tolist() == [1.0, 1.0]
    seen = []
    for step in ad.replay(tape, z, x, seed).steps:
        for value in (step.dy, *((flow.gradient, flow.sum) for flow in step.flows)):
            parts = value if isinstance(value, tuple) else (value,)
            seen += [array for part in parts for array in arrays(part)]
    assert len(seen) > 20 and not any(array.flags.writeable for array in seen)
    assert tape.gradient(z, x, seed).numpy().tolist() == [5.0, 9.0]


@ad.custom_gradient
def halved_back(x):
    y = ad.exp(x) * ad.exp(x)
    return y, lambda upstream: upstream * 0.5


def test_a_function_with_a_gradient_of_its_own_has_its_name_and_leaves_no_gap_in_the_numbers():
    x = ad.Variable([1.0, 2.0], name="x")
    with ad.GradientTape(persistent=True) as tape:
        ad.sin(x)
        y = ad.reduce_sum(halved_back(halved_back(x) * 3.0))
    story = ad.replay(tape, y, x)
    assert [step.operation for step in story.steps] == [
        "y = Sum(v3)",
        "v3 = halved_back(v2)",
        "v2 = Mul(v1, 3.0)",
        "v1 = halved_back(x)",
    ]
    assert {step.type for step in story.steps} == {"Sum", "Mul", "CustomGradient"}
    assert "v3 = halved_back" in str(ad.draw(tape, y, x))
    nameless = ad.custom_gradient(lambda t: (t * 2.0, lambda upstream: upstream))
    with ad.GradientTape(persistent=True) as tape:
        y = nameless(x)
    assert ad.replay(tape, y, x).steps[0].operation == "y = CustomGradient(x)"


def test_constants_without_a_name_are_numbered_if_there_are_several():
    x = ad.Variable([1.0, 2.0], name="x")
    with ad.GradientTape(persistent=True) as tape:
        y = x * [3.0, 4.0]
        z = y * ad.constant([5.0, 6.0]) + x * ad.ones(2)
    assert [step.inputs for step in ad.replay(tape, y, x).steps] == [("x", "const")]
    told = [step.inputs for step in ad.replay(tape, z, x).steps]
    assert told == [("v1", "v2"), ("x", "const3"), ("y", "const2"), ("x", "const1")]
    drawn = str(ad.draw(tape, z, x))
    assert all(f"from const{number}: no gradient" in drawn for number in (1, 2, 3))


def test_a_constant_that_is_only_compared_takes_no_number_from_those_that_a_replay_shows():
    x = ad.Variable([1.0, 2.0], name="x")
    with ad.GradientTape(persistent=True) as tape:
        y = ad.where(x > [0.0, 3.0], x * [3.0, 4.0], [5.0, 6.0])
    told = [step.inputs for step in ad.replay(tape, y, x).steps]
    assert told == [("v1", "v2", "const2"), ("x", "const1")]
    assert "from const3: no gradient" in str(ad.draw(tape, y, x))


def test_the_same_constant_has_the_same_number_and_no_name_of_the_learners_is_taken():
    x, const1 = ad.Variable([1.0, 2.0], name="x"), ad.constant([2.0, 2.0])

    def twice(t, by):
        return t * by * by

    with ad.GradientTape(persistent=True) as tape:
        y = twice(x, ad.constant([3.0, 4.0])) * ad.ones(2) * const1
    names = [step.inputs[1] for step in ad.replay(tape, y, x).steps]
    assert names == ["const1", "const3", "const2", "const2"]


def test_a_name_of_keras_does_not_read_like_a_division():
    layer = ad.keras.layers.Dense(1, name="hidden")
    with ad.GradientTape(persistent=True) as tape:
        y = layer(ad.ones([1, 2]))
    step = ad.replay(tape, y, layer.trainable_variables).steps[-1]
    assert step.operation == "v1 = MatMul(const, hidden.kernel)"
    assert str(step.flows[0]) == "dhidden.kernel = transpose(const) @ dv1"
