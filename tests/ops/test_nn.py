"""`nn`, `where` and control flow give what TensorFlow gave: values, dtypes, gradients, errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from ops.math_cases import described
from ops.nn_cases import CASES, namespace

ANSWERS = json.loads(
    (Path(__file__).parents[1] / "data" / "nn.json").read_text(encoding="utf-8")
)["answers"]  # fmt: skip
SMALL = {"float32": 2e-6, "float64": 1e-13}


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
    ours, theirs = (np.array(v["values"], np.float64) for v in (found, expected))
    small = SMALL.get(expected["dtype"], 0.0)
    # Sums of many terms may cancel, so what is small is compared with what is large.
    largest = np.max(np.abs(theirs), initial=1.0, where=np.isfinite(theirs))
    np.testing.assert_allclose(ours, theirs, rtol=small, atol=small * largest)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("case", CASES)
def test_as_tensorflow(case: str) -> None:
    expected = ANSWERS[case]
    if not isinstance(expected, dict) or "error" not in expected:
        agree(described(eval(case, namespace(ad))), expected)
        return
    with pytest.raises(Exception) as caught:
        eval(case, namespace(ad))
    assert expected["error"] in [c.__name__ for c in type(caught.value).__mro__]
    assert str(caught.value).startswith(expected["message"])


def test_nothing_is_recorded_that_is_not_asked() -> None:
    assert set(ANSWERS) == set(CASES)
