"""Tapes, variables, conversion and bad input do what they do in TensorFlow, program by program."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import autodiff_kit as ad
from as_tensorflow import answers, result, tapes, values

PROGRAMS = {**tapes(), **values()}
ANSWERS = answers()

# What the kit does otherwise, on purpose, and why.
OTHER_RESULT = {
    "output_gradients list": "TensorFlow takes the first number for all and drops the second",
    "output_gradients list one": "the same",
    "output_gradients scalar": "a gradient has its target's shape; TensorFlow broadcasts it",
    "output_gradients nones": "None stands for ones, as without output_gradients",
    "output_gradients dict": "the same",
    "output gradients, too few": "TensorFlow fills in ones without a word",
    "output gradients, too many": "TensorFlow drops what is left over without a word",
    "watch outside before": "watching may come before the block; TensorFlow trips over its own None",
    "stop_recording watch inside": "watch does what it says, even while nothing is recorded",
    "gradient on unused tape": "nothing was recorded: None, which `explain` explains",
    "jacobian x x": "the identity, as `gradient` gives 1 for an unwatched source that is the target",
    "ad.constant(1)+np.array([1.,2.])": "TensorFlow cuts off the decimals of the array",
    "ad.constant(1)+np.float32(1.5)": "the same",
    "ad.constant(1)+np.float64(1.5)": "the same",
    "ad.constant(1)+2**40": "TensorFlow keeps the lowest 32 bits",
    "ad.constant(1)*2**31": "the same",
    "ad.constant(1,ad.uint8)+300": "the same",
    "ad.constant(300,ad.uint8)": "the same",
    "ad.constant(-1,ad.uint8)": "the same",
    "ad.constant('a')": "no strings in the kit",
    "ad.constant(['a','b'])": "the same",
    "ad.Variable('a').dtype.name": "the same",
    'ad.Variable(np.array(["a"]))': "the same",
    "ad.constant(1j)": "no complex numbers in the kit",
    "ad.constant(1,dtype=int)": "Python's types are names of dtypes too",
    "ad.add(1,ad.constant(2.))": "a Python number follows the tensor on either side",
    "{ad.constant(1.):1}": "tapes keep tensors in dicts, by identity",
    "{ad.Variable(1.):1}": "the same",
    "str(ad.constant(1.5))": "printed without the prefix tf.",
    'f"{ad.Variable(1.5):.2f}"': "a variable formats as its value does",
}

# What docs/coming-from-tensorflow.md says of them: a phrase of the page, and the programs it is about.
ON_THE_PAGE = {
    "a None among the `output_gradients`": "output_gradients nones|output_gradients dict",
    "`output_gradients` of other shapes or another number": (
        "output_gradients list|output_gradients list one|output_gradients scalar|"
        "output gradients, too few|output gradients, too many"
    ),
    "`tape.watch` before the block, or inside `stop_recording`": (
        "watch outside before|stop_recording watch inside"
    ),
    "`gradient` of a tape that recorded nothing": "gradient on unused tape",
    "`jacobian(x, x)`": "jacobian x x",
    "an integer tensor beside a NumPy float": (
        "ad.constant(1)+np.array([1.,2.])|ad.constant(1)+np.float32(1.5)|"
        "ad.constant(1)+np.float64(1.5)"
    ),
    "a Python integer that the dtype cannot hold": (
        "ad.constant(1)+2**40|ad.constant(1)*2**31|ad.constant(1,ad.uint8)+300|"
        "ad.constant(300,ad.uint8)|ad.constant(-1,ad.uint8)"
    ),
    "complex numbers, strings": (
        "ad.constant('a')|ad.constant(['a','b'])|ad.Variable('a').dtype.name|"
        'ad.Variable(np.array(["a"]))|ad.constant(1j)'
    ),
    "`dtype=int`": "ad.constant(1,dtype=int)",
    "a Python number as the first of two arguments": "ad.add(1,ad.constant(2.))",
    "as keys of a dict": "{ad.constant(1.):1}|{ad.Variable(1.):1}",
    "the same text without the prefix": "str(ad.constant(1.5))",
    'f"{variable:.2f}"': 'f"{ad.Variable(1.5):.2f}"',
}

# Errors of another class than TensorFlow's, and why.
NOT_TENSORFLOWS_MESSAGE = "TensorFlow stumbles over an attribute; the kit says what is wrong"
NOT_THE_NUMBER = "the kit names both dtypes, whichever side the number stands on"
NO_STRINGS = "there are no strings: refused before any operation"
OTHER_ERROR = {
    "watch after gradient": NOT_TENSORFLOWS_MESSAGE,
    "float source": NOT_TENSORFLOWS_MESSAGE,
    "numpy source": NOT_TENSORFLOWS_MESSAGE,
    "ndarray source": NOT_TENSORFLOWS_MESSAGE,
    "float target": NOT_TENSORFLOWS_MESSAGE,
    "jacobian list target": NOT_TENSORFLOWS_MESSAGE,
    "jacobian list one target": NOT_TENSORFLOWS_MESSAGE,
    "jacobian none target": NOT_TENSORFLOWS_MESSAGE,
    "[1,2,3][ad.constant(1.)]": NOT_TENSORFLOWS_MESSAGE,
    "2.5+ad.constant(1)": NOT_THE_NUMBER,
    "ad.constant(4)/3.": NOT_THE_NUMBER,
    "2.**ad.constant(3)": NOT_THE_NUMBER,
    "ad.constant(1)<2.5": NOT_THE_NUMBER,
    "ad.subtract(3,1.5)": NOT_THE_NUMBER,
    "ad.less(1,2.)": NOT_THE_NUMBER,
    "ad.constant([1, 2]) / ad.constant([1., 2.])": NOT_THE_NUMBER,
    "ad.reduce_sum(ad.constant([1.,2.]),axis=0.5)": "the operation says what an axis is",
    "ad.constant(True)+1": "1 is no bool: refused before the addition",
    "ad.constant([1.,2.])=='a'": NO_STRINGS,
    "ad.Variable([1.,2.]).assign('a')": NO_STRINGS,
    "ad.sin('a')": NO_STRINGS,
    "ad.constant(1.)+'a'": NO_STRINGS,
    "ad.constant(1.) + 1j": "no complex numbers: refused before the addition",
    "ad.constant(ad.constant(2.),ad.float64)": "one error for a tensor of another dtype",
}


def same(found: Any, expected: Any) -> bool:
    """Whether two results agree: floats to a few units of the last place, all else exactly."""
    if isinstance(found, float) and isinstance(expected, float):
        return math.isclose(found, expected, rel_tol=2e-6, abs_tol=1e-30)
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(found, dict) and isinstance(expected, dict):
        half = any(one.get(kind) == "float16" for kind in "TN" for one in (found, expected))
        return found.keys() == expected.keys() and all(
            close_half(found[k], expected[k]) if half else same(found[k], expected[k])
            for k in found
        )
    return type(found) is type(expected) and found == expected


def close_half(found: Any, expected: Any) -> bool:
    if isinstance(found, list) and found and isinstance(found[0], float):
        return all(math.isclose(a, b, rel_tol=2e-3) for a, b in zip(found, expected, strict=True))
    return same(found, expected)


@pytest.mark.filterwarnings("ignore::autodiff_kit.GradientWarning")
@pytest.mark.parametrize("name", [n for n in PROGRAMS if n not in OTHER_RESULT])
def test_as_tensorflow(name: str) -> None:
    expected = ANSWERS[name]
    if "result" in expected:
        found = result(PROGRAMS[name], ad)
        assert same(found, expected["result"]), f"{found}\nTensorFlow: {expected['result']}"
        return
    with pytest.raises(Exception) as caught:
        result(PROGRAMS[name], ad)
    error = caught.value
    if name not in OTHER_ERROR:
        assert expected["raises"] in [kind.__name__ for kind in type(error).__mro__], repr(error)
    assert len(str(error)) > 15, "an error says what was given, and what to do"


@pytest.mark.filterwarnings("ignore::autodiff_kit.GradientWarning")
@pytest.mark.parametrize("name", [*OTHER_RESULT, *OTHER_ERROR])
def test_a_deliberate_difference_is_one(name: str) -> None:
    try:
        found = {"result": result(PROGRAMS[name], ad)}
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        assert ANSWERS[name].get("raises") not in kinds, "no difference: strike it off the table"
        assert isinstance(error, (TypeError, ValueError, RuntimeError)), repr(error)
        return
    assert "result" not in ANSWERS[name] or not same(found["result"], ANSWERS[name]["result"])


def test_the_page_for_those_who_come_from_tensorflow_names_the_differences() -> None:
    page = (Path(__file__).parents[1] / "docs/coming-from-tensorflow.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|")]
    for phrase in ON_THE_PAGE:
        assert any(phrase in row for row in rows), phrase
    told = [name for names in ON_THE_PAGE.values() for name in names.split("|")]
    assert sorted(told) == sorted(OTHER_RESULT)


def test_every_program_was_recorded() -> None:
    assert PROGRAMS.keys() == ANSWERS.keys()
    assert len(PROGRAMS) == len(tapes()) + len(values())
