"""Where a block has to be put around other lines, the code is the whole of it and runs as it stands."""

from __future__ import annotations

import re
from typing import Any

import pytest

from readers.test_told import run, told

SETTING = """
w = ad.Variable(0.7, name="w")
t = ad.constant(0.5)
"""
INNER = """with ad.GradientTape() as tape:
    with ad.GradientTape() as inner:
        inner.watch(t)
        u = ad.tanh(w * t)
"""


def mended(question: str, lines: str) -> tuple[str, str]:
    """What is said about a program, and what is said when the code stands for all its lines."""
    (before,) = run(f"{SETTING}{lines}{question}\n").findings
    if not before.fix:
        return str(before), ""
    (after,) = run(f"{SETTING}{before.fix}\n{question}\n").findings
    return str(before), after.status


@pytest.mark.parametrize(
    "lines, words",
    [
        (
            "u_t = inner.gradient(u, t)\nresidual = u_t + u\nloss = residual ** 2\n",
            "Begin with line 10 of .*u_t = inner.*: indent it and what `loss` is made of after it",
        ),
        ("loss = u * u\n", "Indent that line"),
        (
            "h = [u]\nn = 2.0\nfor _ in range(2):\n    h.append(h[-1] * n)\nloss = h[2] + h[1]\n",
            "Begin with line 10 of ",
        ),
        ("h = u * 1.0\nunused = h * 2.0\nprint(end='')\nloss = h * h\n", "line 10 of .*h = u"),
    ],
)
def test_what_stands_below_the_block_is_moved_into_it(lines: str, words: str) -> None:
    told, status = mended("ad.explain(tape, loss, w)", INNER + lines)
    assert re.search(words, told), told
    assert status == "flows"
    assert "unused" not in told.split("code:")[1] and "print" not in told.split("code:")[1]


@pytest.mark.parametrize(
    "lines",
    [
        "def double(h):\n    return h * 2.0\nloss = double(u)\n",
        "g = tape.gradient(u, w)\nloss = g * u\n",
    ],
)
def test_what_cannot_be_moved_as_it_stands_is_told_in_words(lines: str) -> None:
    told, _ = mended(
        "ad.explain(tape, loss, w)", INNER.replace("()", "(persistent=True)", 1) + lines
    )
    assert "Compute `loss` inside the block" in told and "code:" not in told


NEST = """with ad.GradientTape({}) as a:
    with ad.GradientTape({}) as b:
        loss = ad.reduce_sum(w ** 4)
"""


@pytest.mark.parametrize(
    "lines, asked, repaired, words",
    [
        (NEST.format("", "") + "grad = a.gradient(loss, w)\n", "b", "a", "two tapes are exchanged"),
        (NEST.format("", "") + "grad = b.gradient(loss, w)\n", "a", "a", "one with block in the other"),
        (
            NEST.format("", "") + "scale = [3.0]\ngrad = b.gradient(loss, w, scale)\n",
            "a", "a", "one with block in the other",
        ),
        (NEST.format("", "") + "grad = b.jacobian(loss, w)\n", "a", "a", "grad = b.jacobian"),
        (
            NEST.format("persistent=True", "") + "grad = a.gradient(loss, w)\n",
            "a", "outer", "`a` gave that gradient itself",
        ),
        (
            "with ad.GradientTape() as a, ad.GradientTape() as b:\n    loss = w ** 4\n"
            "grad = b.gradient(loss, w)\n",
            "a", "a", "one with block in the other",
        ),
    ],
)  # fmt: skip
def test_a_gradient_that_was_taken_outside(
    lines: str, asked: str, repaired: str, words: str
) -> None:
    (before,) = run(f"{SETTING}{lines}ad.explain({asked}, grad, w)\n").findings
    assert (before.cause, words in str(before)) == ("inner gradient outside", True), str(before)
    code = before.fix.removesuffix(f"{repaired}.gradient(grad, w)")
    (after,) = run(f"{SETTING}{code}\nad.explain({repaired}, grad, w)\n").findings
    assert after.status == "flows", f"{before}\n{after}"


@pytest.mark.parametrize(
    "lines, words",
    [
        (
            "with ad.GradientTape() as b:\n    h = w * w\nwith ad.GradientTape() as a:\n    h * 1.0\n",
            "",
        ),
        (
            "with ad.GradientTape(watch_accessed_variables=False) as a:\n"
            "    with ad.GradientTape() as b:\n        h = w * w\n",
            "let `a` watch `w` before",
        ),
    ],
)
def test_where_two_blocks_stand_apart_there_is_no_code(lines: str, words: str) -> None:
    (found,) = run(f"{SETTING}{lines}grad = b.gradient(h, w)\nad.explain(a, grad, w)\n").findings
    assert (found.cause, found.fix) == ("inner gradient outside", "")
    assert "one with block in the other" in found.advice and words in found.advice


BEFORE = """with ad.GradientTape({}) as inner:
    l = (w * v) ** 3
"""


@pytest.mark.parametrize(
    "lines, block, value",
    [
        ("gw = inner.gradient(l, w)\nfast = w - 0.1 * gw\n", "meta = fast ** 2", 2.24672),
        ("gw, gv = inner.gradient(l, [w, v])\nfast = w - 0.1 * gw\n", "meta = fast ** 2", 2.24672),
        ("gw = inner.gradient(l, w)\n", "meta = gw ** 2", 790.272),
        (
            "gw = inner.gradient(l, w)\ngv = inner.gradient(l, v)\nf = w - gw\ng = v - gv\n",
            "meta = f * g", 264.08,
        ),
    ],
)  # fmt: skip
def test_an_inner_step_before_the_block_comes_into_it_with_its_own_block(
    lines: str, block: str, value: float
) -> None:
    setting = 'w, v = ad.Variable(0.7, name="w"), ad.Variable(2.0, name="v")\n'
    text = (
        f"{BEFORE.format('persistent=True')}{lines}with ad.GradientTape() as outer:\n    {block}\n"
    )
    (before,) = run(f"{setting}{text}ad.explain(outer, meta, w)\n").findings
    assert before.fix.count("as inner") == 1, str(before)
    gradient = run(f"{setting}{before.fix}\nanswer = outer.gradient(meta, w)\n")
    assert float(gradient) == pytest.approx(value, rel=1e-4)


def test_an_inner_step_in_a_function_is_moved_into_the_block_by_its_call() -> None:
    step = f"""{SETTING}
def step():
    with ad.GradientTape() as inner:
        l = w ** 3
    return w - 0.1 * inner.gradient(l, w)
"""
    (found,) = run(f"""{step}
fast = step()
with ad.GradientTape() as outer:
    meta = fast ** 2
ad.explain(outer, meta, w)
""").findings
    block = "with ad.GradientTape() as outer:\n    fast = step()\n    meta = fast ** 2"
    assert (found.status, found.fix) == ("none", block)
    scope: dict[str, Any] = {}
    exec(f"import autodiff_kit as ad\n{step}\n{block}", scope)
    w = float(scope["w"])
    second = 2 * (w - 0.3 * w**2) * (1 - 0.6 * w)
    assert float(scope["outer"].gradient(scope["meta"], scope["w"])) == pytest.approx(second)


def test_what_takes_only_the_shape_is_no_other_way() -> None:
    (found,) = run(f"""{SETTING}
with ad.GradientTape() as tape:
    with ad.GradientTape() as second:
        second.watch(t)
        with ad.GradientTape() as first:
            first.watch(t)
            u = ad.nn.relu(t * w)
        u_t = first.gradient(u, t)
    u_tt = second.gradient(u_t, t)
    loss = (u_tt + 1.0) ** 2
ad.explain(tape, loss, w)
""").findings
    assert (found.status, found.op, found.also) == ("zero", "ReluGrad", []), str(found)
    assert "dead" not in str(found)


def test_a_source_that_is_in_the_derivative_does_not_fall_out_of_it() -> None:
    (found,) = run("""
w = ad.Variable(2.0, name="w")
def adapted():
    with ad.GradientTape() as inner:
        l = w**3
    g = inner.gradient(l, w)
    return [ad.Variable(v - 0.1 * g) for v in [w]]
with ad.GradientTape() as outer:
    loss = ad.reduce_sum([fast**2 for fast in adapted()])
ad.explain(outer, loss, w)
""").findings
    assert found.status == "none" and "does not occur" not in found.why, str(found)


def test_a_constant_that_only_the_inner_tape_watches() -> None:
    found = told("""
x = ad.constant(3.0)
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        inner.watch(x)
        y = x**3
    dy = inner.gradient(y, x)
ad.explain(outer, dy, x)
""")
    assert (found.cause, found.fix.split("    #")[0]) == ("not watched", "outer.watch(x)")
    assert "That `inner` follows it is of no help" in found.why


def test_what_is_computed_in_the_question_gets_a_name_in_the_block() -> None:
    program = """
w = ad.Variable([1.0, 2.0])
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        y = ad.reduce_sum(w**3)
    g = inner.gradient(y, w)
ad.explain(outer, {}, w)
"""
    found = told(program.format("g[0]"))
    assert found.fix.splitlines()[-1] == "    target = g[0]" and "under a name" in found.advice
    block = program.partition("ad.explain")[0].partition("with")[0] + found.fix
    assert told(f"{block}\nad.explain(outer, target, w)\n").status == "flows"
