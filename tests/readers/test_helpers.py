"""A helper that asks for others has names of its own; the answer is in those where the block stands."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

import autodiff_kit as ad
from readers.test_told import run

HELPER = """
def check(tp, target, params):
    for one in params:
        answers.append(ad.explain(tp, target, one))
"""
MAIN = """
answers = []
def main():
    {made}
    with ad.GradientTape({options}) as tape:
        {body}
    {after}
    check(tape, loss, {asked})
main()
answer = answers[-1]
"""
CASES = {
    "a constant": ("w = ad.constant(3.0)", "", "loss = w * w", "", "[w]", "tape.watch(w)"),
    "a list of tensors": (
        "ws = [ad.ones((2,)) * float(k) for k in range(2)]", "", "loss = ad.reduce_sum(ws[0] * ws[1])",
        "", "ws", "tape.watch(ws[1])",
    ),
    "a variable that the tape was not told of": (
        "w = ad.Variable(3.0)", "watch_accessed_variables=False", "loss = w * w", "", "(w,)",
        "tape.watch(w)",
    ),
    "a name that was bound anew": (
        "w = ad.Variable(3.0)\n    w = w / 2.0", "", "loss = w * w", "", "[w]", "w.assign(w / 2.0)",
    ),
    "a branch that was not taken": (
        "w, b = ad.Variable(3.0), ad.Variable(1.0)", "",
        "loss = w * 2.0\n        if loss < 0.0:\n            loss = loss + b", "", "[b]",
        "tape.gradient(loss, b, unconnected",
    ),
    "before the block": (
        "w = ad.Variable(3.0)\n    h = w * 2.0", "", "loss = h * h", "", "[w]", "    h = w * 2.0",
    ),
    "after the block": (
        "w = ad.Variable(3.0)", "", "h = w * 2.0", "loss = h * h", "[w]", "    loss = h * h",
    ),
    "exchanged": ("loss = ad.Variable(3.0)", "", "y = loss * 2.0", "", "[y]", "tape.gradient(y, loss)"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_code_is_in_the_names_of_the_block(name: str) -> None:
    made, options, body, after, asked, code = CASES[name]
    after = after or "pass"
    text = MAIN.format(made=made, options=options, body=body, after=after, asked=asked)
    (found,) = run(HELPER + text).findings
    assert found.status == "none" and code in found.fix, str(found)
    for word in ("`tp`", "`target`", "`one`", "`params"):
        assert word not in str(found), str(found)


def test_a_helper_in_a_module_of_its_own() -> None:
    file, scope = "<module of helpers>", {"__name__": "helpers", "ad": ad, "answers": []}
    lines = HELPER.splitlines(keepends=True)
    linecache.cache[file] = (len(HELPER), None, lines, file)
    exec(compile(HELPER, file, "exec"), scope)
    ad.helper_for_this_test = scope  # type: ignore[attr-defined]
    try:
        (found,) = run("""
kept = ad.helper_for_this_test
w = ad.Variable(3.0)
for step in range(2):
    with ad.GradientTape(persistent=True) as tape:
        loss = w ** 2
    kept["check"](tape, loss, [w])
    w = w - 0.1 * tape.gradient(loss, w) if step == 0 else w
answer = kept["answers"][-1]
""").findings
    finally:
        del ad.helper_for_this_test  # type: ignore[attr-defined]
    assert found.source == "w" and found.cause == "rebound", str(found)


@pytest.mark.parametrize("made", ["ad.ones((2,)) * 0.5", "ad.constant(2.0)"])
def test_where_the_function_of_the_block_is_over_nothing_false_is_said(made: str) -> None:
    """The text of the block does not know the helper's name, so it does not tell that it is unused."""
    found: Any = run(
        HELPER
        + f"""
answers = []
def make():
    return {made}
def compute(p):
    with ad.GradientTape() as tape:
        loss = ad.reduce_sum(p * p)
    return tape, loss
def main():
    w = make()
    tape, loss = compute(w)
    check(tape, loss, [w])
main()
answer = answers[-1]
"""
    ).findings[0]
    assert found.cause == "not watched" and "not computed from" not in found.why, str(found)
    assert not found.fix and "take the name that it has there" in found.advice, str(found)


def test_a_drawing_and_a_replay_of_a_helper_have_these_names_too() -> None:
    shown: Any = run("""
answers = []
def show(tp, target, params):
    answers.append((str(ad.replay(tp, target, params)), str(ad.draw(tp, target))))
def main():
    height, width = ad.Variable(3.0), ad.Variable(4.0)
    with ad.GradientTape(persistent=True) as tape:
        area = height * width
    show(tape, area, [height, width])
main()
answer = answers[-1]
""")
    for text in shown:
        assert "height" in text and "width" in text and "params" not in text, text


def test_in_a_method_the_objects_name_is_self() -> None:
    """A global name may lead there too; it need not be there when the block runs."""
    text = """
class Trainer:
    def __init__(self):
        self.scale, self.found = ad.constant(2.0), None
    def step(self, x):
        with ad.GradientTape() as tape:
            {}loss = self.scale * x
        self.report(tape, loss, self.scale)
        return self.found
    def report(self, tape, loss, source):
        self.found = ad.explain(tape, loss, source)
trainer = Trainer()
answer = trainer.step(3.0)
"""
    (found,) = run(text.format("")).findings
    assert found.source == "self.scale" and found.fix.startswith("tape.watch(self.scale) ")
    (again,) = run(text.format(found.fix + "\n            ")).findings
    assert again.status == "flows"


def test_the_variables_of_a_layer_have_no_name_of_the_helpers_in_code() -> None:
    found = run(
        HELPER
        + """
answers = []
def main():
    net = ad.keras.layers.Dense(1)
    net(ad.ones((2, 3)))
    with ad.GradientTape(watch_accessed_variables=False) as tape:
        loss = ad.reduce_sum(net(ad.ones((2, 3))))
    check(tape, loss, net.trainable_variables)
main()
answer = answers[0]
"""
    ).findings[0]
    assert found.cause == "variables not watched"
    assert "one" not in found.fix and "params" not in found.fix, str(found)
