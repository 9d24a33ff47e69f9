"""Programs in which a value, a factor or a slope is 0, and what is true of each."""

from readers.true_programs import truth
from readers.true_zeros import one_line, zero

TWO = 'x, b = ad.Variable([0.3, -0.2], name="x"), ad.Variable([0.5, 0.7], name="b")'
GATED = (
    f"{TWO}\nremaining = ad.constant(0.0)\nwith ad.GradientTape() as tape:\n"
    "    h = ad.tanh(x)\n    gate = ad.cast(ad.reduce_mean(h) > -9.0, ad.float32)\n"
    "    loss = {}  # here\nad.explain(tape, loss, x)\n"
)
for gated in (
    "ad.reduce_mean((b + remaining * gate * h) ** 2)",
    "ad.reduce_sum(b + h * (remaining * gate))",
):
    zero(f"a gate that depends on the value, and is 0: {gated}", "zero", "Mul",
         "the other factor is 0 everywhere|`remaining`", GATED.format(gated))  # fmt: skip
SUMS_TO_0 = "[[0.75, -0.5, -0.25]]"  # and divided by 0.75 it does not, in float32
one_line("products that cancel to the last digit", "zero", "MatMul",
         "the sums of these products are zero", "x = ad.Variable([[0.7]])",
         f"ad.reduce_sum((x @ [[1.0, 1.0, 1.0]]) * {SUMS_TO_0})")  # fmt: skip
one_line("one number added to all logits", "cancelled", "Broadcast", "cancel each other",
         "x = ad.Variable(0.3)", f"ad.reduce_sum(([[0.1, 0.7, 0.4]] + x) * {SUMS_TO_0})")  # fmt: skip
truth(
    "a gradient that is too small for its dtype, with both signs",
    ("zero", "vanished", "Mul"),
    "too small for float32",
    """
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    h = x * [1e-30, -1e-30]  # here
    loss = ad.reduce_sum(h * 1e-20) * 0.1
ad.explain(tape, loss, x)
""",
    False,
)
