"""A program with types at its assignments is read as one without."""

from __future__ import annotations

import re

import pytest

from readers.test_told import run, told

ROUNDS = """
{w}
for step in range(2):
    with ad.GradientTape() as tape:
        c: ad.Tensor = {cost}
    g = tape.gradient(c, w)
    if step:
        answer = ad.explain(tape, c, {parts})
        break
    {step}
"""
ONE, TWO = "w: ad.Variable = ad.Variable(3.0)", "w: list = [ad.Variable(1.0), ad.Variable(2.0)]"


@pytest.mark.parametrize(
    ("made", "cost", "parts", "step"),
    [
        (ONE, "w ** 2", "w", "w: ad.Tensor = w - 0.1 * g"),
        (TWO, "w[0] * w[1]", "w[0]", "w: list = [p - 0.1 * q for p, q in zip(w, g)]"),
    ],
)
def test_a_step_in_a_loop(made: str, cost: str, parts: str, step: str) -> None:
    text = ROUNDS.format(w=made, cost=cost, parts=parts, step=step)
    (found,) = run(text).findings
    assert found.cause == "rebound" and "assign(" in found.fix, str(found)
    code = found.fix.replace("\n", "\n    ")
    assert run(text.replace(step, code)).findings[0].status == "flows"


@pytest.mark.parametrize(
    "body",
    [
        "h: ad.Variable = ad.Variable(x * 2.0)\n    y = h * h",
        "h: ad.Tensor = x * 2.0\n    y: ad.Tensor = ad.where(h > 0.0, ad.math.log(h - h), 0.0)",
        "h: ad.Tensor = ad.stop_gradient(x * 2.0)\n    y: ad.Tensor = h * h",
        "h: float = float(x)\n    y: ad.Tensor = ad.constant(h) * h",
    ],
)
def test_types_change_no_word_of_an_answer(body: str) -> None:
    text = f"""
x: ad.Variable = ad.Variable(2.0)
with ad.GradientTape() as tape:
    {body}
ad.explain(tape, y, x)
"""
    bare = re.sub(r": (ad\.Variable|ad\.Tensor|float) =", " =", text)
    for one in (typed := told(text)), (plain := told(bare)):
        one.line = one.line.number
    assert (typed.why, typed.fix, typed.line) == (plain.why, plain.fix, plain.line)


def test_an_annotation_stays_where_a_line_is_written_anew() -> None:
    found = told("""
n: ad.Variable = ad.Variable(5)
with ad.GradientTape() as tape:
    y = n * n
ad.explain(tape, y, n)
""")
    assert found.fix == "n: ad.Variable = ad.Variable(5, dtype=ad.float32)"
