"""What the readers say, word for word where a word was wrong before."""

from __future__ import annotations

from typing import Any

import pytest

from readers.test_explain import run

HEAD = "import autodiff_kit as ad\nimport numpy as np\n"


def told(text: str) -> Any:
    """The only finding about a program."""
    (finding,) = run(HEAD + text).findings
    return finding


@pytest.mark.parametrize(
    "relaxation", ["piecewise_linear(h)", "sigmoid_sum(h, 999.0)", "detour(h)"]
)
def test_a_zero_in_a_relaxation_is_the_relaxations_not_its_relus(relaxation: str) -> None:
    name = relaxation.split("(")[0]
    found = told(f"""
x = ad.Variable([0.3, 1.3])
with ad.GradientTape() as tape:
    h = x * 1.0
    y = ad.reduce_sum(ad.nn.relu(ad.relax.{relaxation}))
ad.explain(tape, y, x)
""")
    assert (found.status, found.op, found.line.number) == ("zero", None, 7)
    assert f"ad.relax.{name}" in found.why and "unit is dead" not in found.why
    assert found.fix.startswith("ad.relax.") and "(h" in found.fix and "leaky" not in found.fix


def test_a_relu_beside_a_relaxation_is_still_a_dead_relu() -> None:
    found = told("""
x = ad.Variable([0.9, 1.95])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.nn.relu(-ad.relax.piecewise_linear(x)))
ad.explain(tape, y, x)
""")
    assert (found.op, "dead" in found.why) == ("Relu", True)
