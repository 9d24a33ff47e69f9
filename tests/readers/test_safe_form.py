"""The safe form that `explain` prints is run: the same values as the learner's, a finite gradient."""

import linecache

import numpy as np
import pytest

import autodiff_kit as ad

PROGRAMS = {
    "log in the first branch": "y = ad.where(x > 0, ad.math.log(x), 0.0)",
    "log in the second branch": "y = ad.where(x <= 0, 0.0, ad.math.log(x))",
    "the other branch is computed": "y = ad.where(x > 0, ad.math.log(x), -2.0 * x)",
    "part of its branch": "y = ad.where(x > 0, 3.0 * ad.math.log(x) + x, -x)",
    "a condition that is a call": "y = ad.where(ad.equal(x, 0.0), 1.0, ad.sin(x) / x)",
    "a quotient with a name": "r = 1.0 / x\ny = ad.where(x > 0, 3.0 * r, x)",
    "a name in the second branch": "a = ad.math.log(x)\ny = ad.where(x <= 0, 0.0, 2.0 * a)",
    "exp too large": "y = ad.where(x < 80, ad.exp(x), x)",
    "a power": "y = ad.where(x > 0, x**0.5 / 2.0, 0.0)",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_safe_form_has_the_same_values_and_a_finite_gradient(name):
    file = f"<{name}>"
    lines = ["with ad.GradientTape(persistent=True) as tape:"]
    lines += [f"    {line}" for line in PROGRAMS[name].splitlines()]
    text = "\n".join([*lines, "found = ad.explain(tape, y, x).findings[0]", ""])
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {"ad": ad, "x": ad.Variable([-1.0, 0.0, 4.0, 1000.0], name="x")}
    exec(compile(text, file, "exec"), scope)
    assert scope["found"].status == "not finite"
    *first, last = scope["found"].fix.splitlines()
    with ad.GradientTape() as tape:
        exec("\n".join([*first, f"safe_y = {last}"]), scope)
    np.testing.assert_allclose(scope["safe_y"].numpy(), scope["y"].numpy(), rtol=1e-6)
    assert np.all(np.isfinite(tape.gradient(scope["safe_y"], scope["x"]).numpy()))
