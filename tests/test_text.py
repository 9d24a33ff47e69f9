"""The printed text against what TensorFlow printed (tools/record_text.py), under any NumPy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff_kit import text

RECORDED = json.loads((Path(__file__).parent / "data" / "text.json").read_text())


def value_of(case: dict[str, Any]) -> Any:
    wide = np.float64 if case["dtype"].startswith("float") else case["dtype"]
    with np.errstate(all="ignore"):
        return np.array(case["value"], dtype=wide).astype(case["dtype"])


def texts_of(value: Any) -> list[str]:
    return [text.tensor_repr(value), text.tensor_str(value), text.variable_repr("x:0", value)]


@pytest.mark.parametrize("group", RECORDED["groups"], ids=lambda group: str(group["options"]))
def test_values_print_as_in_tensorflow(group: dict[str, Any]) -> None:
    with np.printoptions(**group["options"]):
        for case in group["prints"]:
            assert texts_of(value_of(case)) == case["texts"]


def test_a_scalar_and_an_array_of_no_dimensions_print_alike() -> None:
    for value in (np.float16(0.1), np.float32(4), np.float64(1e16), np.int32(-3), np.bool_(True)):
        assert texts_of(value) == texts_of(np.array(value))


def test_the_users_formatter_is_used_for_arrays() -> None:
    large = np.float32([2e6, 1.0])
    for kind in ("float", "float_kind", "all"):
        with np.printoptions(formatter={kind: lambda x: f"<{x:.1f}>"}):
            assert text.tensor_str(large) == (
                "Tensor([<2000000.0> <1.0>], shape=(2,), dtype=float32)"
            )
    with np.printoptions(formatter={"int": lambda x: f"<{x}>"}, sign="+"):
        assert text.tensor_str(np.int32([1])) == "Tensor([<1>], shape=(1,), dtype=int32)"
        assert text.tensor_str(large) == "Tensor([+2.e+06 +1.e+00], shape=(2,), dtype=float32)"


@pytest.mark.parametrize("legacy", ["1.13", "1.21"])
def test_legacy_printing_has_no_effect(legacy: Any) -> None:
    values = [np.float32([[1.5, -2], [2e6, 3]]), np.float64(0.1) + np.float64(0.2), np.int32([1])]
    expected = [texts_of(value) for value in values]
    with np.printoptions(legacy=legacy):
        assert [texts_of(value) for value in values] == expected


def test_the_users_options_are_left_as_they_were() -> None:
    with np.printoptions(precision=3, suppress=True):
        before = np.get_printoptions()
        texts_of(np.float32([2e6, 1]))
        assert np.get_printoptions() == before


def test_shapes() -> None:
    for shape, plain, full in [
        ((), "()", "TensorShape([])"),
        ((3,), "(3,)", "TensorShape([3])"),
        ((1, 4), "(1, 4)", "TensorShape([1, 4])"),
    ]:
        assert (text.shape_str(shape), text.shape_repr(shape)) == (plain, full)
    assert text.shape_repr(np.array([1, 4])) == "TensorShape([1, 4])"
