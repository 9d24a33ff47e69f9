"""What the learner calls the kit and NumPy is what the answer calls them, and its code runs so."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import autodiff_kit as ad
from readers import test_truth
from readers.test_explain import run
from readers.true_programs import TRUTHS

_NUMBERS = re.compile(r"<program \d+>|\"below \d+|dense_\d+")  # which differ from run to run
_ASKS = re.compile(r"^( *)(?=(?:\w+\.)?explain\()", re.M)


def answer(text: str) -> str:
    """What a program's question is answered, wherever its `explain` comes from."""
    ad.random.set_seed(1)
    return _NUMBERS.sub("", str(asked(text)))


def asked(text: str) -> Any:
    return run(_ASKS.sub(r"\1answer = ", text).replace("answer = ad.explain", "ad.explain"))


def with_other_names(text: str, names: dict[str, str]) -> str:
    """A text in which modules have other names."""
    for name, other in names.items():
        text = re.sub(rf"(?<![\w.]){name}\.", f"{other}.", text)
        text = re.sub(rf"^(import \w+ as) {name}$", rf"\1 {other}", text, flags=re.M)
    return text.replace("an tf.", "a tf.")


@pytest.mark.parametrize("name", TRUTHS)
def test_the_kit_under_another_name(name: str) -> None:
    text, names = test_truth.plain(TRUTHS[name].text), {"ad": "tf", "np": "N"}
    same = with_other_names(answer(text), names).replace(" an tf.", " a tf.")
    assert answer(with_other_names(text, names)) == same


SETTING = """
x, w = Variable([1.5, 0.0]), Variable(2.0)
with GradientTape() as tape:
    loss = w * {}
explain(tape, loss, x)
"""
FROM = "from autodiff_kit import Variable, GradientTape, explain, round, constant, reduce_sum"


@pytest.mark.skipif(test_truth.NO_COLUMNS, reason="code objects know no columns before 3.11")
@pytest.mark.parametrize(
    "imports, written, code",
    [
        ("", "round(x * 2.0)", "h + ad.stop_gradient(round(h) - h)"),
        ("stop_gradient as stop", "round(x)", "x + stop(round(x) - x)"),
        ("nn, argmax, cast, float32", "cast(argmax(x), float32)", "nn.softmax(10.0 * x)"),
        ("sqrt, where", "reduce_sum(sqrt(x))", "where(ok, sqrt(safe_x), 0.0)"),
        ("math as M, where", "reduce_sum(where(x > 0, M.log(x), 0.0))", "M.log(safe_x)"),
        ("", "constant(sin(x))", "ad.sin(x)"),
        ("", "constant(N.mean(N.square(x)))", "ad.reduce_mean(ad.square(x))"),
        ("reduce_mean, square", "constant(N.mean(N.square(x)))", "reduce_mean(square(x))"),
    ],
)
def test_only_some_functions_are_imported(imports: str, written: str, code: str) -> None:
    head = f"import numpy as N\nfrom numpy import sin\n{FROM}{', ' if imports else ''}{imports}\n"
    text = head + SETTING.format(written)
    (found,) = asked(text).findings
    assert code in found.fix, str(found)
    code_alone = re.sub("    #.*", "", found.fix)
    assert code_alone.startswith("import autodiff_kit as ad\n") == ("ad." in code_alone)
    old = re.findall("# instead of (.*)", found.fix) or [written.split("(", 1)[1][:-1]]
    marked = text.replace(old[0], f"«{old[0]}»")
    assert asked(test_truth.mended(marked, found.fix)).findings[0].status == "flows", found.fix


def test_a_file_without_the_kit_gets_the_import_too(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "squashing.py").write_text(
        "import numpy as np\n\n\ndef squash(v):\n    return 2.0 * np.tanh(v)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    text = """
import autodiff_kit as ad
from squashing import squash
x, w = ad.Variable(1.5), ad.Variable(2.0)
with ad.GradientTape() as tape:
    loss = w * squash(x)
ad.explain(tape, loss, x)
"""
    (found,) = run(text).findings
    sys.modules.pop("squashing")
    if not test_truth.NO_COLUMNS:
        lines = ["import autodiff_kit as ad    # at the top"]
        assert found.fix.splitlines() == [*lines, "ad.tanh(v)    # instead of np.tanh(v)"]


def test_a_name_that_means_something_else_is_left_alone() -> None:
    (found,) = run("""
import autodiff_kit as tf
ad = {"x": 1.0}
x = tf.Variable(1.5)
with tf.GradientTape() as tape:
    loss = tf.round(x * ad["x"])
answer = tf.explain(tape, loss, x)
""").findings
    assert "tf.stop_gradient" in str(found.fix) or test_truth.NO_COLUMNS
    assert "import" not in found.fix
