"""Elementwise functions and reductions give what TensorFlow gave: values, dtypes, gradients, errors."""

from __future__ import annotations

import pytest

import autodiff_kit as ad
from ops.answers import agree, answers
from ops.math_cases import CASES, described, namespace

ANSWERS = answers("math")


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
