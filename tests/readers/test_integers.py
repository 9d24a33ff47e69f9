"""The code that makes an integer source floating, put in literally."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

MADE = {
    "x = ad.Variable(3)": "x = ad.Variable(3, dtype=ad.float32)",
    "x = ad.Variable([1, -2], name='x')": "x = ad.Variable([1, -2], name='x', dtype=ad.float32)",
    "x = ad.Variable([1, 2], dtype=ad.int32)": "x = ad.Variable([1, 2], dtype=ad.float32)",
    "x = ad.Variable([1, 2], dtype='int64')": "x = ad.Variable([1, 2], dtype='float32')",
    "x = ad.Variable(ad.ones((2,), ad.int32))": "x = ad.Variable(ad.ones((2,), ad.float32))",
    "x = ad.Variable(np.arange(2))": "x = ad.Variable(np.arange(2), dtype=ad.float32)",
    "x = ad.Variable(np.array([1, 2], np.int32))": "x = ad.Variable(np.array([1, 2], np.float32))",
    "x = ad.constant([1, 2], ad.int64)": "x = ad.constant([1, 2], ad.float32)",
    "n = [1, 2]; x = ad.Variable(n)": "",
    "x, y = ad.Variable(1), ad.Variable(2)": "",
    "x = ad.cast(ad.constant([1.5]), ad.int32)": "",
}


def answer_of(made: str, loss: str = "ad.reduce_sum(x * x)") -> Any:
    text = f"""import autodiff_kit as ad
import numpy as np
w = ad.Variable([[1.0, 2.0], [3.0, 4.0]])
def power(base, k):
    return [base := base * base for _ in range(k)][-1]
def cube(k):
    return k * k * k
def other():
    x = 3
    return range(x)
{made}
with ad.GradientTape() as tape:
    {"tape.watch(x)" if "constant" in made and "cast" not in made else "pass"}
    loss = {loss}
answer = ad.explain(tape, loss, x)
"""
    file = f"<integers {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": "learner"}
    exec(compile(text, file, "exec"), scope)
    (finding,) = scope["answer"].findings
    return finding


@pytest.mark.filterwarnings("ignore:The dtype of the watched tensor")
@pytest.mark.parametrize(("made", "fix"), MADE.items())
def test_the_line_with_a_floating_dtype(made: str, fix: str) -> None:
    found = answer_of(made)
    assert (found.cause, found.fix) == ("integer source", fix), str(found)
    if fix:
        assert answer_of(fix).status == "flows"


WHOLE = {
    "ad.switch_case(x, [lambda: w, lambda: w * w])": "It goes into `ad.switch_case(",
    "[w * i for i in range(x + 2)][-1]": "It goes into `range(x + 2)` (line 14 of",
    "power(w, x)": "It goes into `range(k)` (line 5 of",
    "ad.reduce_max(w, axis=x)": "It goes into `ad.reduce_max(w, axis=x)`",
    "ad.reshape(w, [x, 4])": "It goes into `ad.reshape(w, [x, 4])`",
    "w[x]": "It is used as an index at line 14 of",
    "w[:, x - 1]": "It is used as an index at line 14 of",
    "w if x > 0 else w * w": "It goes into `x > 0`",
}


@pytest.mark.parametrize(("loss", "words"), WHOLE.items())
def test_what_has_to_stay_whole_is_not_made_floating(loss: str, words: str) -> None:
    found = answer_of("x = ad.Variable(1)", loss)
    assert (found.cause, found.fix) == ("integer source", "")
    assert words in found.advice and "do not ask for its gradient" in found.advice


@pytest.mark.parametrize(
    "loss", ["cube(x)", "ad.square(x) * 2", "ad.add_n([x, x - 1])", "cube(-x)"]
)
def test_what_is_computed_with_is(loss: str) -> None:
    found = answer_of("x = ad.Variable(1)", loss)
    assert found.fix == "x = ad.Variable(1, dtype=ad.float32)"
    assert answer_of(found.fix, loss).status == "flows"


@pytest.mark.filterwarnings("ignore:The dtype of the watched tensor")
def test_true_and_false_are_no_integers() -> None:
    found = answer_of("x = ad.constant([True, False])", "ad.boolean_mask(w, x)")
    assert "True or False cannot move by a little" in found.why and not found.fix


EMBEDDED = """
table, head = ad.Variable([[1.0, 2.0], [0.5, 1.0], [3.0, 1.0]]), ad.constant([[1.0], [2.0]])
x = ad.constant({})
with ad.GradientTape() as tape:
    tape.watch(x)
    rows = ad.gather(table, {})
    loss = ad.reduce_sum((ad.reshape(rows, [-1, 2]) @ head) ** 2)
answer = ad.explain(tape, loss, {})
"""


def asked(*parts: str) -> Any:
    text = f"import autodiff_kit as ad\n{EMBEDDED.format(*parts)}"
    scope: dict[str, Any] = {"__name__": "learner"}
    file = f"<integers {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), scope)
    return scope["answer"].findings[0]


@pytest.mark.filterwarnings("ignore:The dtype of the watched tensor")
@pytest.mark.parametrize(
    ("made", "index"), [("[0, 2]", "x"), ("[0.0, 2.0]", "ad.cast(x, ad.int32)")]
)
def test_how_much_each_word_counts_is_told_by_the_rows(made: str, index: str) -> None:
    found = asked(made, index, "x")
    assert found.status == "none" and "To see how much each index counts" in found.advice
    assert "give the rows that are taken there a name" in found.advice
    assert asked(made, index, "rows").status == "flows"


def test_a_position_that_is_no_id_is_not_taken_for_one() -> None:
    found = asked("[0.3, 1.7]", "ad.cast(x, ad.int32)", "x")
    assert "each index counts" not in found.advice and "softly" in found.advice


def test_a_bias_of_zeros_before_an_argmax_is_no_list_of_ids() -> None:
    found = asked(
        "[0.0, 0.0, 0.0]", "ad.cast(ad.cast(ad.argmax(x + 1.0), ad.float32), ad.int32)", "x"
    )
    assert "each index counts" not in found.advice and "used as an index" in found.advice
