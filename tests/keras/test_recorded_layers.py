"""Each layer beside TensorFlow's: variables, outputs, gradients, moving statistics, refusals."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from layer_cases import CASES, REFUSED, answer, name_of, refusal
from recorded_training import DATA

RECORD = json.loads((DATA / "layers.json").read_text("utf-8"))


def close(found: Any, expected: Any) -> None:
    assert (found is None) == (expected is None)
    if found is not None:
        assert (found["dtype"], found["shape"]) == (expected["dtype"], expected["shape"])
        np.testing.assert_allclose(found["values"], expected["values"], rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_layer_gives_what_keras_gives(case: tuple[str, str, str]) -> None:
    found, expected = answer(ad, case), RECORD["answers"][name_of(case)]
    for what in ("names", "shapes", "trained"):
        assert found[what] == expected[what]
    for what in ("first", "outputs", "gradients", "after"):
        for one, other in zip(found[what], expected[what], strict=True):
            close(one, other)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: name_of(case[:2]))
def test_what_keras_refuses_is_refused_in_its_words(case: tuple[str, str, str]) -> None:
    found, expected = refusal(ad, case), RECORD["refusals"][name_of(case[:2])]
    assert case[2] in found and case[2] in expected
    assert found.split(":")[0] == expected.split(":")[0], "the same kind of error"
