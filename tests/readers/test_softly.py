"""An `if` on a number becomes a mixture: the code stands for all of it, and a gradient flows."""

from __future__ import annotations

import re
import textwrap

import pytest

from readers.test_told import told
from readers.test_truth import NO_COLUMNS

# The part between « and » is what the code takes the place of.
FUNCTION = """
def piece(x, a, b):
    {}
x, a, b = ad.Variable(2.0), ad.Variable(1.5), ad.Variable(5.0)
with ad.GradientTape() as tape:
    y = piece(x, a, b) * b
ad.explain(tape, y, x)
"""
BLOCK = """
x, a, b = ad.Variable(2.0), ad.Variable(1.5), ad.Variable(5.0)
with ad.GradientTape() as tape:
    y = a * b
    {}
ad.explain(tape, y, x)
"""
RETURNS = [
    "«if x > 0.0:\n        return a\n    return b»",
    "«if x <= 0:\n        return 1\n    else:\n        return 0.0»",
    "«if float(x) < 1.0:\n        return a * b\n    return ad.tanh(a)»",
    "return 2.0 * («a if ad.greater(x, 1.0) else b»)",
    "«if ad.greater(x, 1.0):\n        return a\n    return b»",
    "h = x * x\n    «if h.numpy() > 1.5:\n        return a\n    return -b»",
]
ASSIGNED = [
    "«if x * 100.0 > 1.0:\n        y = a * 2.0\n    else:\n        y = (b +\n             1.0)»",
    "«if x < 1.0:\n        y = y + 1.0»",
    "«if x > 1.0:\n        y *= b + 1.0»",
    "for k in range(2):\n        «if x > 1.0 * k:\n            y = y + a»",
    "y = y + («a if float(x) > 1.0 else b»)",
]
PROGRAMS = [FUNCTION.format(one) for one in RETURNS] + [BLOCK.format(one) for one in ASSIGNED]


def mended(text: str, fix: str) -> str:
    """The program with the code in the place of what is marked."""
    before, rest = text.split("«")
    indent = before.rsplit("\n", 1)[1]
    first, after = fix.splitlines(), rest.split("»")[1]
    if indent.strip():  # an expression: its first line goes before the statement
        *lines, value = [line.split("    #")[0] for line in first]
        head, statement = before.rsplit("\n", 1)
        indented = [re.sub(r"\S.*", "", statement) + line for line in lines]
        return "\n".join([head, *indented, f"{statement}{value}{after}"])
    return before + textwrap.indent("\n".join(first), indent).strip() + after


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_code_stands_for_the_whole_decision(text: str) -> None:
    found = told(text.replace("«", "").replace("»", ""))
    assert (found.status, found.cause) == ("none", "condition"), str(found)
    if NO_COLUMNS and not found.fix:
        pytest.skip("code objects know no columns before 3.11")
    assert found.fix, str(found)
    assert told(mended(text, found.fix)).status == "flows", mended(text, found.fix)


@pytest.mark.parametrize(
    "written",
    [
        "if x > 1.0:\n        y = a\n    else:\n        y = ad.math.log(a - 2.0)",  # NaN there
        "if x == 2.0:\n        y = a\n    else:\n        y = b",  # no slope where both are equal
        "if x > 1.0 and b > 1.0:\n        y = a\n    else:\n        y = b",
        "if x > 1.0:\n        n = 1\n    y = a * 2.0",  # what is chosen is only looked at
        "if x > 1.0:\n        y = a\n        k = 1\n    else:\n        y = b",
        "if x > 9.0:\n        y = a\n    elif x > 1.0:\n        y = b",
        "y = a if float(x) > np.float64(1.0) else b",
        "if x > 1.0:\n        y = len([a]) * b\n    else:\n        y = b",
    ],
)
def test_where_the_code_might_not_mend_there_are_words(written: str) -> None:
    found = told(BLOCK.format(written))
    assert (found.cause, found.fix) == ("condition", ""), str(found)
    assert "softly" in found.advice


@pytest.mark.parametrize(
    "question, words",
    [
        ("float(x) == 2.0", "ad.exp(-ad.square((x - 2.0) / 0.1))"),
        ("x.numpy() < 1.0", "ad.sigmoid of ten"),
    ],
)
def test_a_number_that_is_compared_is_weighed_as_a_tensor_is(question: str, words: str) -> None:
    found = told(BLOCK.format(f"if {question}:\n        y = a\n    else:\n        y = b"))
    assert words in found.advice and "softmax" not in found.advice
