"""The code takes the place of what the learner wrote, over several lines or beside an operator, and
mends there as it is, with not a bracket more.
"""

from __future__ import annotations

import ast
import re
import sys

import numpy as np
import pytest

from readers.test_told import run

MARKED = re.compile(r"«(.*?)»", re.DOTALL)
columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="no columns before Python 3.11")

# What stands between the marks is what the code is for; lines before it belong at `# first`.
PROGRAMS = {
    "a root over several lines": """
    # first
    loss = ad.reduce_sum(
        «ad.sqrt(
            (x - 1.0) ** 2  # to the first
            + (y - 2.0) ** 2
        )»
        * 2.0
    )""",
    "a root and a backslash": """
    # first
    loss = ad.reduce_sum(«ad.sqrt((x - 1.0) ** 2 + \\
        (y - 2.0) ** 2)»)""",
    "where over several lines": """
    # first
    loss = ad.reduce_sum(
        «ad.where(
            x > 1.0,
            ad.math.log(
                x - 1.0
            ),
            0.0,
        )»
    )""",
    "a quotient whose upper part is a sum": """
    # first
    loss = ad.reduce_sum(«ad.where(x > 1.0, (y + 1.0) / (x - 1.0), 0.0)»)""",
    "the same over several lines": """
    # first
    loss = ad.reduce_sum(
        «ad.where(x > 1.0,
                 (y
                  + 1.0) / (x - 1.0),
                 0.0)»)""",
    "a quotient whose upper part is negative": """
    # first
    loss = ad.reduce_sum(1.0 - «ad.where(x > 1.0, -(y - 3.0) / (x - 1.0), 0.0)»)""",
    "an arc cosine": """
    loss = ad.reduce_sum(
        «ad.acos(
            x
            / 3.0
        )»
    )""",
    "a length": """
    loss = ad.reduce_sum(
        «ad.norm(
            ad.stack(
                [x - 1.0, y - 2.0],
            ),
            axis=0,
        )»
    )""",
    "the logarithm of a hyperbolic cosine, times a number": """
    loss = ad.reduce_sum(0.5 * «ad.math.log(ad.cosh(100.0 * x))»)""",
    "the logarithm of a sigmoid": """
    loss = ad.reduce_sum(
        «ad.math.log(
            1.0
            / (1.0 + ad.exp(100.0 * x))
        )»
    )""",
    "a condition in the argument": """
    # first
    loss = ad.reduce_sum(«ad.sqrt(x - 1.0 if x.shape else y)»)""",
    "round over several lines": """
    # first
    loss = ad.reduce_sum(
        «ad.round(
            x
            * 1.4
        )»
        / 4.0
    )""",
    "NumPy over several lines": """
    loss = ad.reduce_sum(
        «np.maximum(
            x,
            2.0,
        )»
    )""",
    "assign over several lines": """
    «v.assign(
        x * 2.0
        + 1.0
    )»
    loss = ad.reduce_sum(v)""",
    "a variable over several lines": """
    «v = ad.Variable(
        x * 2.0
        + 1.0
    )»
    loss = ad.reduce_sum(v)""",
    "a draw, times a number": """
    loss = ad.reduce_sum(2.0 * «rng.normal(x[1], 0.5)»)""",
    "a function on one line": """
    def length(a, b): return «ad.sqrt(ad.square(a - 1.0) + ad.square(b - 2.0))»
    loss = ad.reduce_sum(length(x, y))""",
    "a second statement on one line": """
    h = ad.square(x - 1.0); loss = ad.reduce_sum(«ad.sqrt(h)»)""",
    "a loop that asks": """
    loss = ad.reduce_sum(x)
    while loss < 6.0 and (loss := loss + ad.reduce_sum(«ad.sqrt(ad.square(x - 1.0))»)) < 6.0:
        pass""",
    "a power in a lambda": """
    f = lambda t: 2.0 * «t ** -1.0»
    loss = ad.reduce_sum(f(ad.square(x - 1.0)))""",
}  # fmt: skip
HEAD = """import numpy as np
rng = np.random.default_rng(0)
v = ad.Variable([0.0, 0.0])
x, y = ad.Variable([1.0, 3.0], name="x"), ad.Variable([2.0, 5.0], name="y")
with ad.GradientTape() as tape:"""
ASKED = "\nad.explain(tape, loss, x)\n"


def put_in(text: str, fix: str) -> str:
    """The program with the code in it, as it is."""
    *before, last = fix.splitlines()
    text = MARKED.sub(lambda _: last.split("    #")[0], text)
    return text.replace("# first", "\n    ".join(one.split("    #")[0] for one in before))


@columns
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_code_is_put_in_as_it_is_and_mends(name: str) -> None:
    text = HEAD + PROGRAMS[name] + ASKED
    plain = MARKED.sub(r"\1", text)
    fix = run(plain)[0].fix
    assert fix and len(fix.splitlines()) < 2 or "# first" in text, fix
    again = run(put_in(text, fix))[0]
    assert again.status == "flows", f"{put_in(text, fix)}\n{again}"
    before, after = (run(f"{one}\nanswer = loss\n").numpy() for one in (plain, put_in(text, fix)))
    if np.isfinite(before) and "normal" not in name and "draw" not in name:
        np.testing.assert_allclose(after, before, atol=0.004)


@columns
@pytest.mark.parametrize(
    "written", ["ad.math.log(ad.cosh(100.0 * x))", "rng.normal(x[1], 0.5)", "rng.normal(1.0, x[1])"]
)
@pytest.mark.parametrize(
    ("around", "brackets"),
    [("2.0 * {}", True), ("-{}", True), ("{} ** 2", True), ("ad.identity({})", False)],
)
def test_a_sum_has_brackets_where_an_operator_is_beside_it(
    written: str, around: str, brackets: bool
) -> None:
    line = around.format(written)
    fix = run(f"{HEAD}\n    loss = ad.reduce_sum({line})\nad.explain(tape, loss, x)\n")[0].fix
    code, _, old = fix.partition("    # instead of ")
    assert old == written and (code[0] + code[-1] == "()") is brackets, fix


def test_a_line_break_in_a_string_stays_there() -> None:
    text = HEAD + '\n    loss = ad.reduce_sum(ad.sqrt(x - 1.0, name="""a\nb"""))' + ASKED
    fix = run(text)[0].fix
    assert 'name="""a\nb"""' in fix and ast.parse(fix)
