"""Elementwise functions and reductions give what TensorFlow gave: values, dtypes, gradients, errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from ops.math_cases import CASES, described, namespace

ANSWERS = json.loads((Path(__file__).parents[1] / "data" / "math.json").read_text())["answers"]
SMALL = {"float16": 1e-3, "float32": 2e-6, "float64": 1e-13}


def agree(found: Any, expected: Any) -> None:
    if isinstance(expected, list):
        assert len(found) == len(expected)
        for pair in zip(found, expected, strict=True):
            agree(*pair)
        return
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert (found["dtype"], found["shape"]) == (expected["dtype"], expected["shape"])
    rtol = SMALL.get(expected["dtype"], 0.0)
    ours, theirs = (np.array(v["values"], np.float64) for v in (found, expected))
    np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=1e-37)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("case", CASES)
def test_as_tensorflow(case: str) -> None:
    expected = ANSWERS[case]
    if not isinstance(expected, dict) or "error" not in expected:
        agree(described(eval(case, namespace(ad))), expected)
        return
    with pytest.raises(Exception) as caught:
        eval(case, namespace(ad))
    assert type(caught.value).__name__ == expected["error"]
    assert str(caught.value).startswith(expected["message"])


def test_nothing_is_recorded_that_is_not_asked() -> None:
    assert set(ANSWERS) == set(CASES)
