"""Programs for `true_programs.TRUTHS` in which an optimizer takes a step inside a tape's block.

Importing this adds them.
"""

from __future__ import annotations

from readers.cause_programs import cause

STEPS = {
    "a list of pairs": "opt.apply_gradients([(g, w)])  # here",
    "a zip": "opt.apply_gradients(zip([g], [w]))  # here",
    "a loss as a function": "opt.minimize(lambda: rate * w * w, [w])  # here",
    "a tuple of several": "opt.apply_gradients(((u * 2.0, u), (g, w)))  # here",
}
for how, step in STEPS.items():
    cause(
        f"an optimizer's step is not recorded: {how}",
        ("assigned", "AssignVariableOp"),
        "An optimizer moved the variable `w` here|depends on `rate`|not recorded",
        f"""
rate, w, u = ad.Variable(0.3), ad.Variable(1.0), ad.Variable(2.0)
opt = ad.keras.optimizers.Adam(0.1)
with ad.GradientTape() as tape:
    g = rate * 2.0 * w
    {step}
    loss = (w - 3.0) ** 2
ad.explain(tape, loss, rate)
""",
    )
cause(
    "a step of the other variable says nothing",
    ("not on the way", "Mul"),
    "nothing that was made of it leads to `loss`",
    """
rate, w, u = ad.Variable(0.3), ad.Variable(1.0), ad.Variable(2.0)
opt = ad.keras.optimizers.SGD(0.1)
with ad.GradientTape() as tape:
    opt.apply_gradients([(rate * w, w), (u * 2.0, u)])  # here
    loss = (u - 3.0) ** 2
ad.explain(tape, loss, rate)
""",
)
cause(
    "what an inner tape made, in a loop",
    ("assigned", "AssignVariableOp"),
    "An optimizer moved the variable `w` here|write it as an operation|watch it",
    """
reg, w = ad.Variable(0.1), ad.Variable([1.0, -2.0])
opt = ad.keras.optimizers.SGD(0.1, momentum=0.9)
with ad.GradientTape() as outer:
    for _ in range(3):
        with ad.GradientTape() as inner:
            loss = ad.reduce_sum((w - 1.0) ** 2) + reg * ad.reduce_sum(w ** 2)
        g = inner.gradient(loss, [w])
        opt.apply_gradients(zip(g, [w]))  # here
    val = ad.reduce_sum((w - 1.0) ** 2)
ad.explain(outer, val, reg)
""",
)
