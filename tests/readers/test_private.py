"""Names that begin with an underscore are a learner's too, and `self.tape` is a name of a tape."""

from __future__ import annotations

import re

import pytest

from readers import test_imports, test_truth
from readers.test_told import run, told
from readers.true_programs import TRUTHS

OBJECT = """
class Net:
    def __init__(self):
        self._w, self._state = ad.{}(2.0), ad.Variable(0.0)
        self._sq = self._w * self._w
    def ask(self):
        with ad.GradientTape() as self._tape:
            {}
        return ad.explain(self._tape, self._y, self._w)
answer = Net().ask()
"""


@pytest.mark.parametrize(
    "kind, lines, words",
    [
        (
            "Variable",
            "self._y = self._sq * 2.0",
            "`self._sq` was computed here, before the block of `self._tape` began",
        ),
        (
            "Variable",
            "self._state.assign(self._w * 3.0); self._y = self._state * 2.0",
            "stored in the variable `self._state` with assign",
        ),
        ("constant", "self._y = self._w * 2.0", "code:  self._tape.watch(self._w)    #"),
    ],
)
def test_the_attributes_of_an_object(kind: str, lines: str, words: str) -> None:
    (found,) = run(OBJECT.format(kind, lines)).findings
    assert words in str(found), str(found)


def test_the_names_of_a_module() -> None:
    text = """
_x = ad.constant(2.0)
with ad.GradientTape() as _t:
    _y = _x * _x
ad.explain(_t, _y, _x)
"""
    found = told(text)
    assert found.fix.startswith("_t.watch(_x)"), str(found)
    block = "as _t:\n"
    assert told(text.replace(block, f"{block}    {found.fix}\n")).status == "flows"


def test_what_ipython_keeps_is_no_name_of_the_learners() -> None:
    found = told("""
x = ad.constant(2.0)
with ad.GradientTape() as tape:
    y = x * x
_, _3, __, _i5 = y, y, tape, x
ad.explain(tape, y, x)
""")
    assert found.fix.startswith("tape.watch(x)") and "_" not in found.why, str(found)


_NAMES = re.compile(r"(?<![\w.])(x|w|v|h|y|loss|tape)(?!\w|=[^=])")


def renamed(text: str, begin: str) -> str:
    """A program in which the usual names begin otherwise."""
    return _NAMES.sub(rf"{begin}\1", text)


def is_simple(text: str) -> bool:
    return not re.search(r"[\"'](x|w|v|h|y|loss|tape)\b|lambda|getattr|def |class ", text)


@pytest.mark.parametrize("name", [name for name in TRUTHS if is_simple(TRUTHS[name].text)])
def test_a_program_with_an_underscore_before_its_names(name: str) -> None:
    text = test_truth.plain(TRUTHS[name].text)
    public, private = (test_imports.answer(renamed(text, begin)) for begin in ("kq", "_"))
    assert private == public.replace("kq", "_")
