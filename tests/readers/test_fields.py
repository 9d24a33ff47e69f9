"""Programs of some fields in which several things are asked, or two lines are to be changed."""

from __future__ import annotations

import pytest

import autodiff_kit as ad
from readers.field_programs import CRITIC
from readers.test_told import run, told

GATES = """
gate = ad.Variable([[5.0, 0.0], [5.0, 0.0]])
experts = [ad.Variable([[1.0], [2.0]]), ad.Variable([[3.0], [1.0]])]
tokens = ad.constant([[1.0, 2.0], [3.0, 0.0]])
with ad.GradientTape() as tape:
    p = ad.nn.softmax(tokens @ gate)
    loss = 0.0
    for i, e in enumerate(experts):
        rows = ad.where(ad.argmax(p, 1) == i)[:, 0]
        if len(rows) == 0:
            continue
        loss += ad.reduce_sum(ad.gather(p[:, i], rows)[:, None] * (ad.gather(tokens, rows) @ e))
{}ad.explain(tape, loss, {})
"""


@pytest.mark.parametrize("sources", ["[gate, experts]", "[gate, *experts]", "[gate] + experts"])
def test_what_a_loop_left_its_name_to_has_that_of_its_list(sources: str) -> None:
    findings = run(GATES.format("", sources)).findings
    assert [found.source for found in findings] == ["gate", "experts[0]", "experts[1]"]
    assert "behind the if at line 12 (continue)" in findings[-1].why


def test_who_asks_by_the_name_of_the_loop_means_it() -> None:
    assert run(GATES.format("", "e")).findings[0].source == "e"
    (found,) = run(GATES.format("e = experts[1]\n", "e")).findings
    assert found.source == "e"


def test_a_critic_learns_when_both_lines_are_changed_as_it_is_said() -> None:
    program = CRITIC.format("ad.reduce_mean(td ** 2)")
    assert "ad.stop_gradient(td) at line 8" in told(program).advice
    program = program.replace("ad.stop_gradient(rewards - x)", "rewards - x")
    mended = told(program.replace("(w) * td", "(w) * ad.stop_gradient(td)"))
    assert (mended.status, len(mended.also)) == ("flows", 1), str(mended)


def test_an_index_that_decides_nothing_else_is_told_in_a_few_words() -> None:
    found = told("""
x, table = ad.Variable([1.0, 2.0]), ad.constant([[1.0], [2.0], [3.0]])
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(ad.gather(table, ad.cast(x, ad.int32)))
ad.explain(tape, loss, x)
""")
    assert "how much each index counts" in found.advice
    assert "ad.floor" not in found.advice and "pretend" not in found.advice


def test_a_number_for_a_target_is_told_where_it_became_one() -> None:
    x = ad.Variable([1.0, 2.0])
    with ad.GradientTape() as tape:
        loss = 0.0
        for i in range(2):
            loss += float(x[i]) ** 2
        print(float(x[0]))
    with pytest.raises(
        TypeError, match=r"became a number here did so on .*loss \+= float\(x\[i\]\)"
    ):
        ad.explain(tape, loss, x)


def test_a_number_that_never_was_a_tensor_is_told_nothing_more() -> None:
    x = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        loss = 1.0 if x > 1.0 else 0.0
    with pytest.raises(TypeError, match="on the way") as raised:
        ad.explain(tape, loss, x)
    assert "became a number" not in str(raised.value)
