"""What `ad.explain` puts in place of an operation without a gradient mends the program as it is."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from readers import field_programs  # noqa: F401 - it adds its programs
from readers.cut_programs import CUTS, SAME, WORDS
from readers.test_explain import marked, run


def put_in(text: str, fix: str) -> str:
    """The program with the code where it says that it belongs, and not a bracket more."""
    *before, last = fix.splitlines()
    code, whole = last.split("    # instead of ")
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if whole in line)
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines[at] = lines[at].replace(whole, code, 1)
    lines[at:at] = [indent + one for one in before]
    return "\n".join([*lines, ""])


def loss_of(text: str) -> Any:
    return np.asarray(run(f"{text}\nanswer = loss\n"))


def answer_of(text: str) -> Any:
    return run(text)[0]


@pytest.mark.parametrize("name", CUTS)
def test_the_code_stands_where_it_says_and_mends(name: str) -> None:
    cut = CUTS[name]
    finding = answer_of(cut.text)
    assert (finding.status, finding.op) == ("none", cut.op), str(finding)
    assert finding.line is not None and [finding.line.number] == marked(cut.text), str(finding)
    assert cut.words in str(finding)
    if not finding.fix and sys.version_info < (3, 11):
        pytest.skip("code objects know no columns before 3.11, so it is not certain what is meant")
    if cut.code:
        assert finding.fix == cut.code
    text = put_in(cut.text, finding.fix)
    again = answer_of(text)
    assert again.status == "flows", f"{text}\n{again}"
    if cut.value is not None:
        wanted = loss_of(cut.text) if cut.value == SAME else cut.value
        np.testing.assert_allclose(loss_of(text), wanted, rtol=1e-4)


@pytest.mark.parametrize("name", WORDS)
def test_where_no_code_can_mend_there_are_words(name: str) -> None:
    said, text = WORDS[name]
    finding = answer_of(text)
    assert finding.status == "none" and not finding.fix, str(finding)
    assert finding.line is not None and [finding.line.number] == marked(text), str(finding)
    for part in said.split("|"):
        assert part in str(finding), f"{part!r} is missing in\n{finding}"


@pytest.mark.parametrize("argument", ["x * 1.0", "x=h", "ad.abs(h)"])
def test_a_relaxation_keeps_its_argument(argument: str) -> None:
    text = f"""import autodiff_kit as ad
x = ad.Variable([0.3, 1.3])
with ad.GradientTape() as tape:
    h = x * 1.0
    loss = ad.reduce_sum(ad.relax.piecewise_linear({argument}))
ad.explain(tape, loss, x)
"""
    fix = answer_of(text).fix.split("    #")[0]
    assert fix == f"ad.relax.piecewise_linear({argument.removeprefix('x=')}, width=0.75)"
    again = answer_of(text.replace(f"ad.relax.piecewise_linear({argument})", fix))
    assert "piecewise_linear" in again.why or again.status == "flows"


@pytest.mark.parametrize(
    "loss", ["ad.gather(table, x) * w", "w * ad.reduce_sum(ad.one_hot(x, 3) * table)"]
)
def test_an_index_is_not_made_floating(loss: str) -> None:
    found = answer_of(f"""import autodiff_kit as ad
x, w, table = ad.Variable(1), ad.Variable(2.0), ad.constant([1.0, 2.0, 3.0])
with ad.GradientTape() as tape:
    loss = {loss}
ad.explain(tape, loss, x)
""")
    assert (found.cause, found.fix) == ("integer source", ""), str(found)
    assert "used as an index at line 4" in found.advice and "do not ask" in found.advice


def test_the_original_of_a_copy_has_its_name() -> None:
    text = """import autodiff_kit as ad
w = ad.Variable(3.0)
with ad.GradientTape() as tape:
    loss = w * w
copy = w.value()
ad.explain(tape, loss, copy)
"""
    assert answer_of(text).fix.startswith("tape.gradient(loss, w) ")


@pytest.mark.parametrize(
    ("at", "code"),
    [
        (3.2, "piecewise_linear(x, width=0.9)"),
        (3.6, "piecewise_linear(x, width=0.5)"),
        (3.0, "sigmoid_sum(x)"),
    ],
)
def test_a_ramp_is_so_wide_that_the_value_lies_on_it(at: float, code: str) -> None:
    text = f"""import autodiff_kit as ad
x = ad.Variable({at})
with ad.GradientTape() as tape:
    loss = ad.relax.piecewise_linear(x)
ad.explain(tape, loss, x)
"""
    fix = answer_of(text).fix.split("    #")[0]
    assert fix == f"ad.relax.{code}"
    assert answer_of(text.replace("ad.relax.piecewise_linear(x)", fix)).status == "flows"


ALIKE = """
import autodiff_kit as ad
w = ad.Variable([0.3, 1.7])
with ad.GradientTape() as tape:
    loss = {}
answer = ad.explain(tape, loss, w)
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="which one it is, the columns tell")
@pytest.mark.parametrize(
    "line, which",
    [
        ("«ad.stop_gradient(w)» + (ad.round(w) - ad.stop_gradient(w))", "first"),
        ("ad.ones_like(ad.stop_gradient(w)) + «ad.stop_gradient(w)»", "second"),
    ],
)
def test_of_two_alike_on_one_line_the_code_says_which(line: str, which: str) -> None:
    finding = answer_of(ALIKE.format(line.translate({ord("«"): None, ord("»"): None})))
    assert finding.fix == f"ad.identity(w)    # instead of the {which} ad.stop_gradient(w)"
    mended = line[: line.index("«")] + "ad.identity(w)" + line[line.index("»") + 1 :]
    assert answer_of(ALIKE.format(mended)).status == "flows"
