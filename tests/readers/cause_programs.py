"""More programs for `true_programs.TRUTHS`: the gradient is None, and a wrong cause lay near.

Importing this adds them.
"""

from __future__ import annotations

from readers.true_programs import truth


def cause(name: str, told: tuple[str, str], words: str, text: str, mended: bool = False) -> None:
    """Add a program whose gradient is None: the cause, the operation, and parts of what is said."""
    truth(name, ("none", *told), words, text, mended)


BLOCK = """
x = ad.Variable(3.0, name="x")
w = ad.Variable([1.0, 2.0], name="w")
v = ad.Variable(1.0, name="v")
with ad.GradientTape() as tape:
    {}
ad.explain(tape, y, x)
"""
cause(
    "a variable is not watched late, whatever else is in the block",
    ("left the tensors", ""),
    "float()",
    BLOCK.format("h = w * ad.ones([2])\n    y = ad.reduce_sum(h) * float(x)  # here"),
)
cause(
    "noise is older than an assignment",
    ("assigned", "AssignVariableOp"),
    "`v` with assign",
    BLOCK.format(
        "h = w * ad.random.normal([2])\n    v.assign(x * x)  # here\n    y = ad.reduce_sum(h * v)"
    ),
)
cause(
    "noise is older than a condition",
    ("condition", ""),
    "decides",
    BLOCK.format(
        "y = ad.reduce_sum(w * ad.random.uniform([2]))\n"
        "    if y > -x:  # here\n        y = y * 2.0"
    ),
)
cause(
    "a constant that is watched after noise was drawn",
    ("left the tensors", ""),
    "float()",
    """
x = ad.constant(3.0)
w = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape:
    n = ad.random.normal([2])
    tape.watch(x)
    y = ad.reduce_sum(w * n) * float(x)  # here
ad.explain(tape, y, x)
""",
)
for watch, when in (("tape.watch(x)", "after the block"), ("    tape.watch(x)", "in it")):
    cause(
        f"watched {when}, after an operation that is on the tape took it",
        ("watched late", "MatMul"),
        "after it had been used",
        f"""
w = ad.Variable([[1.0, 1.0], [1.0, 1.0]])
x = ad.constant([[0.3, 0.2]])
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.matmul(x, w) ** 2)  # here
{watch}
ad.explain(tape, y, x)
""",
    )
