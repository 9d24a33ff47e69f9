"""A plain tape that has let go of its records still says what it knows."""

from __future__ import annotations

import sys
import weakref
from typing import Any

import pytest

import autodiff_kit as ad
from readers.test_told import columns, run, told

PROGRAM = """
w, v, log = ad.Variable(2.0, name="w"), ad.Variable(3.0, name="v"), []
with ad.GradientTape() as tape:
{}
g = tape.gradient(y, {})
ad.explain(tape, y, w)
"""


def asked(*lines: str, sources: str = "w") -> Any:
    return told(PROGRAM.format("\n".join(f"    {line}" for line in lines), sources))


@pytest.mark.parametrize(
    "lines, words",
    [
        (["y = w * np.sin(w)"], "line 6 of"),
        (["h = w * w", "k = float(h)", "y = k * w"], "line 7 of"),
        (["h = w * w", "k = h.numpy() + 1.0", "k = k * 2.0", "y = k * w"], "line 7 of"),
    ],
)
def test_a_value_that_left_is_told_when_the_records_are_gone(lines: list[str], words: str) -> None:
    found = asked(*lines)
    assert found.status == "flows" and len(found.also) == 1, str(found)
    assert words in found.also[0] and "no gradient flows through it" in found.also[0]
    if sys.version_info >= (3, 11):
        assert "On another way a value that depends on `w` left" in found.also[0]


def test_whose_value_it_was_is_not_claimed() -> None:
    found = asked("y = w * np.multiply(v, w) + v", sources="[w, v]")
    assert "If it depends on `w`, this gradient is only a part" in found.also[0]


@pytest.mark.parametrize(
    "lines",
    [
        ["y = w * w"],
        ["y = w * w", "print(float(y), end='')"],
        ["y = w * w", "log.append(float(y))"],
        ["y = w * w", "if float(y) < 0.0:", "    y = w * 3.0"],
        ["h = w * w", "total = float(h) + 1.0", "y = h * 2.0"],
        ["k = np.float32(3.0)", "y = w * k * float(ad.constant(2.0))"],
        ["y = w * ad.constant([1.0, 2.0])[int(w) - 1]"],
        ["y = w * v", "v.assign(y)"],
    ],
)
def test_what_did_not_lead_on_is_not_told(lines: list[str]) -> None:
    found = asked(*lines)
    assert (found.status, found.also) == ("flows", []), str(found)


def test_a_target_that_is_nan_is_told() -> None:
    found = asked("y = w * w + ad.math.log(ad.constant(-1.0)) * 0.0")
    assert found.status == "flows" and "`y` itself is not finite (nan)" in found.also[0]


def test_an_assignment_that_was_read_is_told() -> None:
    found = asked("v.assign(w * w)", "y = v * w")
    assert (
        len(found.also) == 1 and "`v` was assigned a value that the tape tracked" in found.also[0]
    )


AGAIN = """
w = ad.Variable(2.0, name="w")
with ad.GradientTape() as tape:
    y = {}
tape.gradient(y, w)
try:
    tape.{}(y, w)
except RuntimeError:
    pass
ad.explain(tape, y, w)
"""


@pytest.mark.parametrize("question", ["gradient", "jacobian"])
@pytest.mark.parametrize("value, status", [("w * w", "flows"), ("w * 0.0", "zero")])
def test_a_second_question_is_told(value: str, status: str, question: str) -> None:
    found = told(AGAIN.format(value, question))
    assert found.status == status and len(found.also) == 1, str(found)
    assert "`tape` was asked again at line 9 of" in found.also[0]


def test_a_tape_that_begins_anew_was_not_refused() -> None:
    text = AGAIN.format("w * w", "gradient").replace(
        "ad.explain", "with tape:\n    y = w * 2.0\nad.explain"
    )
    assert told(text).also == []


def test_several_targets_and_none_of_them_a_name() -> None:
    found = run("""
w = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    ys = [w * 2.0, w * np.sin(w)]
g = tape.gradient(ys, w)
ad.explain(tape, ys, w)
""").findings[0]
    assert found.status == "flows"


def test_what_is_told_keeps_nothing() -> None:
    w = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        h = w * w
        k = float(h)
        y = k * w
    kept = weakref.ref(h._value) if hasattr(type(h._value), "__weakref__") else None
    tape.gradient(y, w)
    with pytest.raises(RuntimeError, match="non-persistent"):
        tape.gradient(y, w)
    assert (tape.records, tape.aliases, tape.outsiders, kept) == ([], {}, [], None)


def test_a_tape_without_a_block() -> None:
    program = (
        'x = ad.Variable(3.0, name="x")\ntape = ad.GradientTape()\n{}\nad.explain(tape, y, x)\n'
    )
    found = told(program.format("y = x * x"))
    assert found.cause == "outside the tape" and "and it has none" in found.why
    assert told(program.format(found.fix)).status == "flows"
    assert not told(program.format("h = x * x\ny = 2.0 * h")).fix


def test_the_class_is_no_tape() -> None:
    with pytest.raises(TypeError, match="is the class GradientTape, not a tape"):
        ad.explain(ad.GradientTape, ad.constant(1.0), ad.constant(1.0))


ELEMENTS = """
x = ad.Variable([0.3, 0.7])
with ad.GradientTape(persistent=True) as tape:
    y = x * x
"""


@pytest.mark.parametrize(
    "setting, question, name",
    [
        ("", "ad.explain(tape, y[1], x)", "target = y[1]"),
        ("target = 1.0\n", "ad.explain(tape, y[1], x)", "asked_for = y[1]"),
        ("target = asked_for = 1.0\n", "ad.explain(tape, y*2.0, x)", "target_2 = y*2.0"),
        ("", "ad.explain(tape, target=y * 2.0, sources=x)", "asked_for = y * 2.0"),
        ("", "ad.explain(tape, [y * 2.0, y * 3.0], x)", "target = [y * 2.0, y * 3.0]"),
        ("target = 1.0\n", "answer = [ad.explain(tape, y[i], x) for i in [1]][0]", ""),
    ],
)
def test_the_line_that_asks_is_never_to_be_indented(setting: str, question: str, name: str) -> None:
    found = told(
        f"{setting}{ELEMENTS}print([tape.gradient(y[i], x) for i in range(2)], end='')\n{question}\n"
    )
    if sys.version_info >= (3, 11):
        assert "inside the block, under a name, and ask for that" in found.advice, str(found)
    assert "Indent" not in found.advice and "explain" not in found.fix
    assert name in found.fix and bool(name) == bool(found.fix)


@columns
@pytest.mark.parametrize("asked", ["y[1]", "one"])
def test_elements_one_by_one_are_told_of_the_jacobian(asked: str) -> None:
    found = told(f"{ELEMENTS}one = y[1]\nad.explain(tape, {asked}, x)\n")
    assert "all elements of `y` at once" in found.advice and "tape.jacobian(y, x)" in found.advice


@columns
@pytest.mark.parametrize("asked", ["y[:1]", "y * 2.0", "ad.reduce_sum(y)", "before[0]"])
def test_what_is_no_element_is_not_told_of_the_jacobian(asked: str) -> None:
    found = told(f"before = ad.constant([1.0, 2.0])\n{ELEMENTS}ad.explain(tape, {asked}, x)\n")
    assert "jacobian" not in str(found), str(found)
