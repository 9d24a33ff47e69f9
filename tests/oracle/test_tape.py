"""The experiments of the documents against what TensorFlow gave; and no recorded case is forgotten."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from oracle import programs_custom, test_control
from oracle.programs_control import PROGRAMS as CONTROL
from oracle.programs_tape import PROGRAMS, TENSOR_X, run_of
from recorded_training import CASES as TRAINING
from recorded_training import decoded

TESTS = Path(__file__).parents[1]
ORACLE = json.loads((TESTS / "data" / "oracle.json").read_text(encoding="utf-8"))
CASES: dict[str, Any] = ORACLE["cases"]
assert programs_custom

# The kit prints without TensorFlow's prefix; everything else of the text is the same.
PREFIX = {"doc2.repr.constant", "doc2.repr.variable_case1", "doc2.str.variable_case1"}

# Not a behaviour that a program of the kit could show, and why.
ABSENT = {
    "doc2.linspace.equals_np_linspace_dtype32": "compares two functions of NumPy with each other",
    "doc2.plot.stale_res_1_takes_other_branch": "the state of a notebook, not of a library",
}
EXACT = {"doc2.w", "doc2.linspace"}  # bit for bit
SMALL = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-13}
TYPE_NAMES = {"type"}  # of a class of TensorFlow's: a Variable is called ResourceVariable there


def same(found: Any, wanted: Any, path: str) -> None:
    """The same structure, None where None, dtypes, shapes and ints exactly, floats closely."""
    if isinstance(wanted, dict) and "shape" in wanted:
        assert isinstance(found, ad.Tensor), f"{path}: {found!r}"
        record = decoded(wanted)
        if isinstance(record, dict):
            record = np.array(wanted["v"], wanted["dtype"]).reshape(wanted["shape"])
        value = np.asarray(found)
        assert (value.dtype, value.shape) == (record.dtype, record.shape), path
        if path in EXACT or value.dtype.kind != "f":
            assert value.tobytes() == record.tobytes(), path
        else:
            rtol = SMALL[value.dtype.name]
            np.testing.assert_allclose(value, record, rtol=rtol, err_msg=path)
    elif isinstance(wanted, dict):
        for key in wanted.keys() - TYPE_NAMES:
            same(found[key], wanted[key], f"{path}.{key}")
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), path
        for number, pair in enumerate(zip(found, wanted, strict=True)):
            same(*pair, f"{path}[{number}]")
    else:
        assert type(found) is type(wanted) and found == wanted, f"{path}: {found!r}"


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_as_recorded(name: str) -> None:
    recorded = CASES[name]
    if "raises" in recorded:
        with pytest.raises(Exception) as caught:
            PROGRAMS[name]()
        assert type(caught.value).__name__ == recorded["raises"]
        assert str(caught.value) == recorded["message"]
        return
    wanted = recorded["value"]
    if name in PREFIX:
        wanted = wanted.replace("<tf.", "<")
    same(PROGRAMS[name](), wanted, name)


@pytest.mark.parametrize("number", TENSOR_X)
@pytest.mark.parametrize("watch", [False, True])
def test_the_ten_runs_print_what_the_document_prints(number: int, watch: bool) -> None:
    """Up to the last digits of three values, which TensorFlow itself prints otherwise today."""
    how = "watch" if watch else "nowatch"
    for part in ("y", "loss", "dy_dx", "dloss_dy", "dloss_dx"):
        printed = CASES[f"doc2.case{number}.{how}.{part}"]["doc_prints"]
        found = run_of(number, watch)[part]
        if printed == "None":
            assert found is None
            continue
        numbers, _, rest = printed.removeprefix("tf.Tensor(").partition(", shape=")
        ours, _, our_rest = str(found).removeprefix("Tensor(").partition(", shape=")
        assert our_rest == rest
        theirs = np.array(numbers.replace("[", " ").replace("]", " ").split(), float)
        mine = np.array(ours.replace("[", " ").replace("]", " ").split(), float)
        np.testing.assert_allclose(mine, theirs, rtol=3e-6)


def test_no_recorded_case_is_forgotten_and_none_is_held_twice() -> None:
    assert len(ORACLE["ids"]) == len(set(ORACLE["ids"])) == 444
    homes = [CASES.keys(), test_control.CASES.keys(), TRAINING.keys()]
    assert sum(map(len, homes)) == 444, "a case in two files"
    assert set().union(*homes) == set(ORACLE["ids"])


def test_every_case_has_a_program_or_a_reason() -> None:
    assert PROGRAMS.keys() | ABSENT.keys() == CASES.keys()
    assert not PROGRAMS.keys() & ABSENT.keys()
    assert CONTROL.keys() | test_control.ABSENT.keys() == test_control.CASES.keys()
    assert not CONTROL.keys() & test_control.ABSENT.keys()
    assert all(map(str.strip, [*ABSENT.values(), *test_control.ABSENT.values()]))


def test_every_family_of_the_training_cases_has_a_test_that_reads_it() -> None:
    """Those tests are beside what they test; each asks for its cases by id."""
    texts = set()
    for path in TESTS.rglob("test_*.py"):
        source = path.read_text(encoding="utf-8")
        if "recorded_training" in source and path != Path(__file__):
            strings = [n.value for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant)]
            texts |= {text for text in strings if isinstance(text, str)}
    for family in {name.split(".")[0] for name in TRAINING}:
        assert any(text.startswith(family) for text in texts), f"nobody reads {family}.*"
