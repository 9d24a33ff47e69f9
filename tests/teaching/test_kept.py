"""`kept` lists what a tape holds for the way back, and nothing else."""

import autodiff_kit as ad
from autodiff_kit.teaching import kept


def rows(tape):
    return [line.split() for line in str(kept(tape)).splitlines()[3:]]


def test_sums_keep_nothing_products_the_other_factor_exp_its_output():
    x = ad.Variable(2.0, name="x")
    with ad.GradientTape() as tape:
        a = ad.exp(x)
        b = ad.sin(x)
        c = a * b
        d = c + 1.0
    assert [row[-1] for row in rows(tape)] == ["a", "x", "b", "nothing"]
    assert "a, b" in str(kept(tape))
    assert d.shape == ()


def test_a_kernel_is_kept_only_if_somebody_watches_the_input():
    x, kernel = ad.ones([1, 3]), ad.Variable(ad.ones([3, 2]), name="kernel")
    with ad.GradientTape() as tape:
        y = x @ kernel
    assert "kernel (3, 2)" not in str(kept(tape)) and "x (1, 3)" in str(kept(tape))
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x @ kernel
    assert "kernel (3, 2)" in str(kept(tape))
    assert y.shape == (1, 2)


def test_a_tape_that_let_go_keeps_nothing():
    x = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    assert rows(tape) == []
