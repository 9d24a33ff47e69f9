"""What TensorFlow answered to the cases of a family, and whether the kit's answer is the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SMALL = {"float16": 1e-3, "float32": 2e-6, "float64": 1e-13}


def answers(name: str) -> dict[str, Any]:
    """The recorded answers, by case."""
    path = Path(__file__).parents[1] / "data" / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["answers"]
    return found


def close(ours: Any, theirs: Any, small: float) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=small, atol=1e-37)


def agree(found: Any, expected: Any, close: Callable[..., None] = close) -> None:
    """A result, or each of several, is TensorFlow's."""
    if isinstance(expected, list):
        assert len(found) == len(expected)
        for pair in zip(found, expected, strict=True):
            agree(*pair, close)
        return
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert (found["dtype"], found["shape"]) == (expected["dtype"], expected["shape"])
    ours, theirs = (np.array(v["values"], np.float64) for v in (found, expected))
    close(ours, theirs, SMALL.get(expected["dtype"], 0.0))
