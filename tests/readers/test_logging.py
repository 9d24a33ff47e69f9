"""What a program shows or logs beside its computation is not why a gradient is missing."""

from __future__ import annotations

import pytest

from readers.test_told import told

LOOKS = [
    "print({0}.numpy() if hasattr({0}, 'numpy') else {0})",
    "print(f'{{{0}}}', float(ad.reduce_sum({0})))",
    "seen.append({0}.numpy())",
    "seen.append({0}.numpy() if hasattr({0}, 'numpy') else {0})",
    "log['x'] = {0}.numpy()",
    "show({0})",
]
SETTING = """seen, log = [], {}
def show(v):
    print(v.numpy() if hasattr(v, 'numpy') else v)
x, w = ad.Variable([2.0, 1.0]), ad.Variable(3.0)
with ad.GradientTape() as tape:
    h = x * x
"""


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(
    "made, cause",
    [
        ("v = ad.Variable(np.zeros(2, np.float32))", "not used"),
        ("v = ad.Variable(h)", "into a variable"),
        ("v = ad.floor(h)", "no gradient"),
    ],
)
def test_the_cause_is_what_it_is_without_the_log(made: str, cause: str, look: str) -> None:
    lines = [look.format("h"), made, look.format("v"), "y = ad.reduce_sum(v * w)", look.format("y")]
    ask = "\nad.explain(tape, y, x)\n"
    plain = told(f"{SETTING}    {made}\n    y = ad.reduce_sum(v * w){ask}")
    found = told(SETTING + "".join(f"    {line}\n" for line in lines) + ask)
    assert (found.cause, found.op, found.also) == (plain.cause, plain.op, plain.also), str(found)
    assert found.line.text == plain.line.text, str(found)


@pytest.mark.parametrize("look", LOOKS)
def test_what_is_only_looked_at_is_in_no_branch(look: str) -> None:
    found = told(
        f"{SETTING}    {look.format('h')}\n    y = ad.tanh(x) * w\nad.explain(tape, y, h)\n"
    )
    assert found.status == "none" and "branch" not in found.why, str(found)
