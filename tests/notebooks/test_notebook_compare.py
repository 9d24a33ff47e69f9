"""The numeric comparison of outputs: what may differ between machines, and what may not."""

import doctest

import pytest

import notebook_compare
from notebook_compare import difference, text_difference

LAST_DIGITS = {
    "float32": ("numpy=0.33333334>", "numpy=0.3333333>"),
    "exact float gains digits in an array": ("[4. 5.]", "[4.        5.0000005]"),
    "array moves its columns": (
        "[[ 1.   -2.25]\n [ 3.    4.  ]]",
        "[[ 1.        -2.2500002]\n [ 3.         4.       ]]",
    ),
    "array breaks its lines elsewhere": (
        "[0.1 0.2\n 0.3 0.4]",
        "[0.1        0.2        0.3\n 0.4]",
    ),
    "array repr moves its dtype to the next line": (
        "numpy=array([0.1, 0.2 ], dtype=float32)>",
        "numpy=array([0.1       , 0.20000001],\n      dtype=float32)>",
    ),
    "fixed and scientific notation": ("[1.e-05 1.e+00]", "[0.00001 1.     ]"),
    "zeros of any length": ("[0. 1.5]", "[0.000 1.500]"),
    "not a number, both times": ("[nan 1. inf]", "[      nan 1.0000001       inf]"),
    "in a sentence": ("loss: 1.2345678e-03.", "loss: 1.2345679e-03."),
    "in a Markdown table": ("| dx | 2.7182817 |", "| dx | 2.7182819 |"),
    "in HTML": ("<td>2.7182817</td>", "<td>2.7182819</td>"),
}
NOT_THE_SAME = {
    "fourth digit": ("0.3333", "0.3334"),
    "zero and nearly zero": ("0.0", "1e-09"),
    "zero and nearly zero in an array": ("[0. 1.]", "[1.e-09 1.e+00]"),
    "zero and less than any float": ("0.0", "1e-400"),
    "nan": ("nan", "0.5"),
    "nan in an array": ("[nan 1.]", "[1. 1.]"),
    "inf and minus inf": ("inf", "-inf"),
    "None": ("None", "0.0"),
    "sign": ("-0.5", "0.5"),
    "sign of zero": ("-0.0", "0.0"),
    "sign of a small number": ("1e-09", "-1e-09"),
    "sign in an array": ("[ 1. -2.]", "[1. 2.]"),
    "exponent": ("1.5e-07", "1.5e-08"),
    "sign of the exponent": ("1.5e+07", "1.5e-07"),
    "int": ("1000000", "1000001"),
    "int at the end of a sentence": ("There are 1000000.", "There are 1000001."),
    "int as a float": ("4", "4.0"),
    "leading zero of an int": ("007", "7"),
    "shape": ("shape=(2, 3)", "shape=(3, 2)"),
    "rank": ("[1. 2. 3. 4.]", "[[1. 2.]\n [3. 4.]]"),
    "grouping": ("[[1. 2.]\n [3. 4.]]", "[[1.]\n [2. 3. 4.]]"),
    "list and array": ("[1., 2.]", "[1. 2.]"),
    "one element more": ("[1. 2.]", "[1. 2. 3.]"),
    "one line more": ("1.0\n", "1.0\n2.0\n"),
    "a blank line more": ("a\n\nb", "a\nb"),
    "dtype": ("dtype=float32", "dtype=float64"),
    "name": ("x1 = 0.5", "x2 = 0.5"),
    "unit": ("10ms", "11ms"),
    "a float with its unit is one word": ("1.500000ms", "1.500001ms"),
    "version": ("1.2.300000", "1.2.300001"),
    "colour": ("#100000", "#100001"),
    "spaces outside arrays": ("a  b", "a b"),
    "word in an array": ("['a', 'b']", "['a', 'c']"),
    "unclosed bracket keeps its spaces": ("[0, 1)  x", "[0, 1) x"),
}


@pytest.mark.parametrize(("stored", "new"), LAST_DIGITS.values(), ids=LAST_DIGITS)
def test_the_same_in_both_directions(stored, new):
    assert text_difference(stored, new) is None
    assert text_difference(new, stored) is None


@pytest.mark.parametrize(("stored", "new"), NOT_THE_SAME.values(), ids=NOT_THE_SAME)
def test_not_the_same_in_both_directions(stored, new):
    assert text_difference(stored, new)
    assert text_difference(new, stored)


@pytest.mark.parametrize(
    "number", ["1.0000000", "9.9999999", "0.00012345678", "-123.45678", "5.4321098e-12", "10.0 "]
)
def test_each_of_the_first_four_digits_counts(number):
    mantissa = number.split("e")[0]
    start = next(i for i, c in enumerate(mantissa) if c in "123456789")
    places = [i for i in range(start, len(mantissa)) if mantissa[i].isdigit()][:4]
    for place in places:
        for digit in set("0123456789") - {number[place]}:
            flipped = number[:place] + digit + number[place + 1 :]
            for form in ("dx = {}", "[{} 1.]", "array([{}, 2.], dtype=float32)", "<td>{}</td>"):
                assert text_difference(form.format(number), form.format(flipped)), flipped


def stream(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def result(text, kind="execute_result", **data):
    return {"output_type": kind, "metadata": {}, "data": {"text/plain": text, **data}}


def error(name, message):
    return {"output_type": "error", "ename": name, "evalue": message, "traceback": ["…"]}


PICTURE = {"image/png": "iVBOR"}
SAME_OUTPUTS = {
    "nothing": ([], []),
    "a stream in pieces": ([stream("a\nb\n")], [stream("a\n"), stream("b\n")]),
    "text as a list of lines": ([stream(["a\n", "b\n"])], [stream("a\nb\n")]),
    "another picture": ([result("", **PICTURE)], [result("", **{"image/png": "other"})]),
    "another traceback": (
        [error("E", "m")],
        [{**error("E", "m"), "traceback": ["File /usr/lib/x.py"]}],
    ),
    "another count": ([result("1.5") | {"execution_count": 3}], [result("1.5")]),
}
OTHER_OUTPUTS = {
    "missing": ([stream("a"), result("1")], [stream("a")]),
    "additional": ([], [result("1")]),
    "exchanged streams and results": ([stream("a"), result("1")], [result("1"), stream("a")]),
    "exchanged results": ([result("1"), result("2")], [result("2"), result("1")]),
    "a print after the result instead of before": (
        [stream("a"), result("1"), stream("b")],
        [stream("a"), stream("b"), result("1")],
    ),
    "stderr instead of stdout": ([stream("a")], [stream("a", "stderr")]),
    "shown instead of returned": ([result("1")], [result("1", kind="display_data")]),
    "one form missing": ([result("1", **{"text/html": "<b>1</b>"})], [result("1")]),
    "picture missing": ([result("f", **PICTURE)], [result("f")]),
    "number in HTML": (
        [result("", **{"text/html": "<b>1.5</b>"})],
        [result("", **{"text/html": "<b>1.6</b>"})],
    ),
    "number in Markdown": (
        [result("", **{"text/markdown": "**1.5**"})],
        [result("", **{"text/markdown": "**1.6**"})],
    ),
    "error's name": ([error("ValueError", "m")], [error("TypeError", "m")]),
    "error's message": ([error("ValueError", "shape (2,)")], [error("ValueError", "shape (3,)")]),
    "no error": ([error("ValueError", "m")], []),
}


@pytest.mark.parametrize(("stored", "new"), SAME_OUTPUTS.values(), ids=SAME_OUTPUTS)
def test_same_outputs(stored, new):
    assert difference(stored, new) is None


@pytest.mark.parametrize(("stored", "new"), OTHER_OUTPUTS.values(), ids=OTHER_OUTPUTS)
def test_other_outputs(stored, new):
    assert difference(stored, new)
    assert difference(new, stored)


def test_comparing_changes_nothing():
    stored = [stream("a"), stream("b")]
    difference(stored, stored)
    assert stored == [stream("a"), stream("b")]


def test_examples_in_the_module():
    tried = doctest.testmod(notebook_compare)
    assert tried.attempted and not tried.failed
