"""`nn`, `where` and control flow give what TensorFlow gave: values, dtypes, gradients, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from ops.answers import agree, answers
from ops.math_cases import described
from ops.nn_cases import CASES, namespace

ANSWERS = answers("nn")


def close(ours: Any, theirs: Any, small: float) -> None:
    # Sums of many terms may cancel, so what is small is compared with what is large.
    largest = np.max(np.abs(theirs), initial=1.0, where=np.isfinite(theirs))
    np.testing.assert_allclose(ours, theirs, rtol=small, atol=small * largest)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("case", CASES)
def test_as_tensorflow(case: str) -> None:
    expected = ANSWERS[case]
    if not isinstance(expected, dict) or "error" not in expected:
        agree(described(eval(case, namespace(ad))), expected, close)
        return
    with pytest.raises(Exception) as caught:
        eval(case, namespace(ad))
    assert expected["error"] in [c.__name__ for c in type(caught.value).__mro__]
    assert str(caught.value).startswith(expected["message"])


def test_nothing_is_recorded_that_is_not_asked() -> None:
    assert set(ANSWERS) == set(CASES)
