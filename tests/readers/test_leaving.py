"""Values that leave the tensors: the line is the learner's, and what is named stands there."""

from __future__ import annotations

import re
import sys
from operator import attrgetter
from typing import Any

import pytest

import autodiff_kit as ad
from autodiff_kit.readers.program import numpywords
from autodiff_kit.readers.program.numpys import SAME
from readers.test_explain import inside_a_function, marked, run

HEAD = "import autodiff_kit as ad\nimport numpy as np\n"
columns = pytest.mark.skipif(sys.version_info < (3, 11), reason="columns are known from 3.11 on")

# NumPy's functions written in C, and those written in Python, which have frames of their own.
FUNCTIONS = (
    "np.exp(x)", "np.dot(x, x)", "np.mean(x)", "np.sum(x)", "np.std(x)", "np.max(x)",
    "np.median(x)", "np.average(x)", "np.percentile(x, 50)", "np.sort(x)", "np.clip(x, 0, 1)",
    "np.round(x)", "np.diff(x)", "np.stack([x, x])", "np.transpose(x)", "np.full([2], x[0])",
    "np.polyfit(x, x, 1)", "np.linalg.norm(x)", "np.interp(0.5, x, x)", "np.mean([x[0], x[1]])",
    "np.vectorize(lambda v: v * 2.0)(x)",
)  # fmt: skip


@pytest.mark.parametrize("form", [str, inside_a_function])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_numpy_is_found_at_the_line_that_calls_it(function: str, form: Any) -> None:
    text = form(f"""{HEAD}
x = ad.Variable([1.0, 2.0], name="x")
with ad.GradientTape() as tape:
    m = {function}  # here
    half = 0.5
    y = ad.reduce_sum(ad.constant(half) * m)
ad.explain(tape, y, x)
""")
    (finding,) = run(text).findings
    assert finding.cause == "left the tensors" and [finding.line.number] == marked(text)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_gradient_that_flows_beside_numpy_is_not_the_whole(function: str) -> None:
    (finding,) = run(f"""{HEAD}
x = ad.Variable([1.0, 2.0], name="x")
with ad.GradientTape() as tape:
    y = ad.reduce_sum((ad.reduce_sum(x) - {function}) * x[0])
ad.explain(tape, y, x)
""").findings
    assert finding.status == "flows" and "at line 6 of" in finding.also[0], finding


LITERAL = {
    "np.exp(x * 0.5)": "ad.exp(x * 0.5)",
    "math.exp(x[0])": "ad.exp(x[0])",
    "math.erf(x[0])": "ad.math.erf(x[0])",
    "np.mean(x, axis=0)": "ad.reduce_mean(x, axis=0)",
    "np.maximum(x, 1.5)": "ad.maximum(x, 1.5)",
    "np.clip(x, 0.0, 1.5)": "ad.clip_by_value(x, 0.0, 1.5)",
    "np.linalg.norm(x)": "ad.norm(x)",
    "np.asarray(ad.tanh(x))": "ad.tanh(x)",
    "ad.constant(x)": "x",
    "rng.normal(x, 1.0)": "(x + 1.0 * rng.standard_normal())",
    "rng.normal(x[0] + 1.0, 1.0, 3)": "((x[0] + 1.0) + 1.0 * rng.standard_normal(3))",
}


@columns
@pytest.mark.parametrize(("written", "code"), LITERAL.items())
def test_the_call_in_the_kits_words_mends(written: str, code: str) -> None:
    text = f"""{HEAD}import math
rng = np.random.default_rng(0)
x = ad.Variable([1.0, 2.0], name="x")
with ad.GradientTape() as tape:
    y = ad.reduce_sum(0.5 * CALL)
ad.explain(tape, y, x)
"""
    (finding,) = run(text.replace("0.5 * CALL", f"ad.constant(0.5) * {written}")).findings
    assert finding.fix == f"{code}    # instead of {written}", str(finding)
    (mended,) = run(text.replace("CALL", code)).findings
    assert mended.status == "flows", str(mended)


@columns
@pytest.mark.parametrize("written", ["np.sum(x, where=[True, False])", "math.log(x[0], 2.0)",
                                     "np.median(x)", "np.sin(x.numpy().T)"])  # fmt: skip
def test_where_the_arguments_mean_something_else_there_is_no_code(written: str) -> None:
    (finding,) = run(f"""{HEAD}import math
x = ad.Variable([1.0, 2.0], name="x")
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.constant(0.5) * {written})
ad.explain(tape, y, x)
""").findings
    assert (finding.cause, finding.fix) == ("left the tensors", ""), str(finding)


@columns
@pytest.mark.parametrize("function", ["np.size(x)", "np.zeros_like(x)", "np.ones_like(x)"])
def test_who_asks_for_the_shape_takes_no_value(function: str) -> None:
    text = f"""{HEAD}
x = ad.Variable([1.0, 2.0], name="x")
with ad.GradientTape() as tape:
    n = {function}
    y = ad.reduce_sum(n * START)
ad.explain(tape, y, x)
"""
    (finding,) = run(text.replace("START", "x + 1.0")).findings
    assert not finding.also, finding
    (finding,) = run(text.replace("START", "ad.constant(2.0)")).findings
    assert (finding.cause, finding.line.number) == ("only the shape", 6)


LEFT: dict[str, tuple[str, str]] = {  # what is said, with bars between, and the program
    "an index": (
        "whole numbers here (Cast)|as a position: `x[i]`",
        """
x, p = ad.constant([1.0, 2.0, 3.0]), ad.Variable(1.0, name="p")
with ad.GradientTape() as tape:
    i = ad.cast(p, ad.int32)  # here
    y = x[i] * 2.0
ad.explain(tape, y, p)
""",
    ),
    "the end of a slice": (
        "positions here (ArgMax)|as a position: `x[:i]`",
        """
x, p = ad.constant([1.0, 2.0, 3.0]), ad.Variable([1.0, 3.0, 2.0], name="p")
with ad.GradientTape() as tape:
    i = ad.argmax(p)  # here
    y = ad.reduce_sum(x[:i])
ad.explain(tape, y, p)
""",
    ),
    "an int that is written": (
        "a Python number here (int())",
        """
x, p = ad.constant([1.0, 2.0, 3.0]), ad.Variable(1.0, name="p")
with ad.GradientTape() as tape:
    y = x[int(p)] * 2.0  # here
ad.explain(tape, y, p)
""",
    ),
    "a function of Python's": (
        "`math.exp` takes plain numbers|ad.sin(x) instead of math.sin(x)",
        """
import math
p = ad.Variable(1.0, name="p")
with ad.GradientTape() as tape:
    y = ad.constant(2.0) * math.exp(p)  # here
ad.explain(tape, y, p)
""",
    ),
    "a place of an array": (
        "put into `R[1]`, which holds plain numbers|ad.stack",
        """
p = ad.Variable(1.0, name="p")
with ad.GradientTape() as tape:
    R = np.zeros(2, np.float32)
    R[1] = ad.cos(p)  # here
    y = ad.reduce_sum(R * ad.constant(2.0))
ad.explain(tape, y, p)
""",
    ),
    "an array of tensors": (
        "(NumPy)|ad.stack in the place of np.array",
        """
p = ad.Variable(1.0, name="p")
with ad.GradientTape() as tape:
    y = ad.reduce_sum(ad.constant(np.array([p, p * 2.0])) * 2.0)  # here
ad.explain(tape, y, p)
""",
    ),
    "a constant made of a variable": (
        "`ad.constant` takes plain numbers",
        """
p = ad.Variable(1.0, name="p")
with ad.GradientTape() as tape:
    y = ad.constant(p) * 2.0  # here
ad.explain(tape, y, p)
""",
    ),
    "a loss that is called under another name": (
        "(NumPy)",
        """
p = ad.Variable([1.0, 2.0], name="p")
def squares(h):
    return np.dot(h, h)  # here
def train(loss_function):
    with ad.GradientTape() as tape:
        h = p * 2.0
        y = loss_function(h) * ad.constant(1.0)
    return tape, y
tape, y = train(squares)
ad.explain(tape, y, p)
""",
    ),
    "a method without a name of its own": (
        "(NumPy)",
        """
class Tanh:
    def __call__(self, h):
        return np.tanh(h)  # here
p = ad.Variable([[1.0, 2.0]], name="p")
layer = Tanh()
with ad.GradientTape() as tape:
    h = p * 2.0
    y = ad.reduce_sum(layer(h) * 2.0)
ad.explain(tape, y, p)
""",
    ),
}


@columns
@pytest.mark.parametrize("form", [str, inside_a_function])
@pytest.mark.parametrize("name", LEFT)
def test_what_is_named_stands_on_the_line(name: str, form: Any) -> None:
    words, text = LEFT[name]
    text = form(HEAD + text)
    (finding,) = run(text).findings
    assert finding.status == "none" and [finding.line.number] == marked(text), finding
    assert all(one in str(finding) for one in words.split("|")), finding


@pytest.mark.parametrize(
    "value", ["[ad.cos(t), t]", "[[ad.cos(t), -ad.sin(t)], [1.0, t]]", "parts"]
)
def test_a_variable_made_of_a_list_of_tensors(value: str) -> None:
    text = f"""{HEAD}
t = ad.Variable(0.5, name="t")
with ad.GradientTape() as tape:
    parts = [ad.cos(t), t]
    R = ad.Variable({value})
    y = ad.reduce_sum(R * 2.0)
ad.explain(tape, y, t)
"""
    (finding,) = run(text).findings
    assert (finding.cause, finding.line.number) == ("assigned", 7), finding
    assert finding.fix.startswith(f"R = ad.stack({value})")
    again = run(text.replace(f"R = ad.Variable({value})", finding.fix)).findings[0]
    assert again.status == "flows"


LITERAL = {  # what is written, and the code that stands in its place
    "np.exp(x / 2.0)": "ad.exp(x / 2.0)",
    "np.sum(x, axis=0)": "ad.reduce_sum(x, axis=0)",
    "np.mean([x[0], x[1]])": "ad.reduce_mean([x[0], x[1]])",
    "np.maximum(x, 1.5)": "ad.maximum(x, 1.5)",
    "np.clip(x, 0.5, 1.5)": "ad.clip_by_value(x, 0.5, 1.5)",
    "np.sum(np.exp(x))": "ad.reduce_sum(ad.exp(x))",
    "np.sort(x)": "ad.sort(x)",
    "np.asarray(ad.tanh(x))": "ad.tanh(x)",
    "np.asarray(x * 2.0)": "(x * 2.0)",
    "ad.constant(np.log(x))": "ad.math.log(x)",
}


@columns
@pytest.mark.parametrize("form", [str, inside_a_function])
@pytest.mark.parametrize(
    "line", ["y = ad.reduce_sum({} * 2.0)", "y = -{}", "h = {}\n    y = h * 2.0"]
)
@pytest.mark.parametrize("written", LITERAL)
def test_the_kits_own_function_stands_in_the_place_of_numpys(
    written: str, line: str, form: Any
) -> None:
    text = form(f"""{HEAD}
x = ad.Variable([1.0, 2.0], name="x")
with ad.GradientTape() as tape:
    {line.format(written)}
    y = ad.reduce_sum(y)
ad.explain(tape, y, x)
""")
    (finding,) = run(text).findings
    assert finding.fix == f"{LITERAL[written]}    # instead of {written}", finding
    code = finding.fix.split("    #")[0]
    assert run(text.replace(written, code)).findings[0].status == "flows"


@columns
@pytest.mark.parametrize(
    "lines, words",
    [
        ("y = np.sign(x)", "ad.sin(x) instead of np.sin(x)"),
        ("y = np.exp(x).astype('float32')", "Use ad.exp in the place of np.exp"),
        ("h = np.exp(x)\n    y = np.sqrt(h)", "Use ad.exp"),
        ("h = np.exp(x)\n    y = ad.constant(h) * 2.0", "Use ad.exp"),
        ("y = np.maximum(x, np.ones(2))", "Use ad.maximum"),
        (
            "parts = [x[0], x[1]] if x[0] > 0.0 else x\n    y = np.asarray(parts)",
            "if it is given one tensor; of a list",
        ),
        (
            "kept = []\n    kept.append((1, float(x[0])))\n    y = ad.constant([b for _, b in kept])",
            "Keep the tensor itself in the list, without float(); of the tensors in it ad.stack",
        ),
        (
            "kept = []\n    for h in x:\n        kept.append(h.numpy())\n    y = ad.constant(kept)",
            "Keep the tensor itself in the list, without numpy()",
        ),
        ("h = x * 2.0\n    y = np.asarray(h, 'float32')", "Leave np.asarray out: what it is given"),
        ("y = np.interp(x, [0, 5], [0, 1])", "The kit has no np.interp. Find the interval"),
        (
            "y = np.abs(np.fft.rfft(x))",
            "The kit has no np.fft.rfft. A Fourier transform is a product",
        ),
        ("y = np.median(x) * 1.0", "ad.sort gives the values in order"),
        ("y = np.convolve(x, [1.0, 1.0])", "ad.nn.conv1d does it with tensors"),
        ("y = np.real(np.linalg.eigvals(x[:, None] * x))", "The kit has no np.linalg.eigvals"),
        ("y = np.linalg.eigvalsh(x[:, None] * x)", "Use ad.linalg.eigvalsh in the place of"),
        ("y = np.linalg.svd(x[:, None] * x)[1]", "ad.linalg.svd in the place of np.linalg.svd"),
        ("y = np.gradient(x, 0.5)", "Subtract slices of the tensor"),
        (
            "y = ad.gather([1.0, 2.0], np.searchsorted([1, 3], x.numpy()))",
            "gives positions or counts",
        ),
        ("y = np.log10(x)", "The kit has no np.log10: ad.math.log(x) / np.log(10.0) is the same"),
        (
            "import math; y = 2.0 * math.log10(x[0])",
            "The kit has no log10: ad.math.log(x) / math.log",
        ),
        ("y = np.cumsum(x)", "Use ad.cumsum in the place of np.cumsum"),
        ("y = np.linspace(0.0, x[1], 5)", "Use ad.linspace in the place of np.linspace"),
        ("y = np.vstack([x, x])", "ad.stack puts vectors beside each other"),
        ("y = np.hstack([x, x])", "Use ad.concat in the place of np.hstack"),
        ("y = np.diag(x) * 1.0", "ad.linalg.diag makes a matrix of its diagonal"),
        ("y = np.tril(x[:, None] * x)", "ad.linalg.band_part in the place of np.tril"),
        ("y = np.hypot(x[0], x[1])", "ad.sqrt(a * a + b * b)"),
        ("y = np.logaddexp(x, 0.0)", "ad.reduce_logsumexp(ad.stack([a, b]), axis=0)"),
    ],
)
def test_there_are_words_where_code_might_not_mend(lines: str, words: str) -> None:
    (finding,) = run(f"""{HEAD}
x = ad.Variable([1.0, 2.0], name="x")
with ad.GradientTape() as tape:
    {lines}
    y = ad.reduce_sum(y)
ad.explain(tape, y, x)
""").findings
    assert finding.cause == "left the tensors" and words in finding.advice and not finding.fix


def test_the_kit_has_what_the_words_name() -> None:
    for function in numpywords.KNOWN:
        words = numpywords.instead_of(function, f"np.{function}")
        for name in re.findall(r"ad\.([\w.]*\w)", words):
            assert attrgetter(name)(ad), name


def test_the_kit_has_what_stands_for_numpys_functions() -> None:
    assert all(callable(attrgetter(name)(ad)) for name in SAME.values())
