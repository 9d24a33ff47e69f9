"""What a learner writes into several cells of a notebook is told as if it stood in one file."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

import autodiff_kit as ad

SETTING = "x, w = ad.Variable(1.3), ad.Variable(2.0)\n"
ASKED = "answer = ad.explain(tape, y, x)\n"


def cells(*texts: str) -> Any:
    """The only finding about a program whose parts run one after the other, each from its own file."""
    scope: dict[str, Any] = {"ad": ad, "__name__": "learner"}
    for number, text in enumerate((SETTING, *texts, ASKED), 1):
        file = f"<cell {number} {abs(hash(texts))}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec"), scope)
    (finding,) = scope["answer"].findings
    return finding


BLOCK = "with ad.GradientTape() as tape:\n    y = h * {}\n"


@pytest.mark.parametrize("factor", ["2.0", "w"])
@pytest.mark.parametrize(
    "made, words",
    [
        ("h = x * x\n", "`h` was computed here, before the block of `tape` began"),
        (
            "with ad.GradientTape() as first:\n    h = x * x\n",
            "`h` was computed here, while another tape recorded, and not `tape`",
        ),
    ],
)
def test_what_a_cell_of_its_own_computed_before_the_block(
    made: str, words: str, factor: str
) -> None:
    block = BLOCK.format(factor)
    found = cells(made, block)
    assert words in found.why and found.line.text == "h = x * x", str(found)
    assert cells(found.fix + "\n").status == "flows", found.fix


def test_what_was_computed_in_a_cell_and_not_used_is_no_cause() -> None:
    found = cells("h = x * x\n", BLOCK.replace("h *", "w *").format("2.0"))
    assert found.cause == "not used" and "`h`" not in str(found)
