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


def answer_of(made: str) -> Any:
    text = f"""import autodiff_kit as ad
import numpy as np
{made}
with ad.GradientTape() as tape:
    {"tape.watch(x)" if "constant" in made and "cast" not in made else "pass"}
    loss = ad.reduce_sum(x * x)
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
