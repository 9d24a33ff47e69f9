"""What TensorFlow gave: the cases of tests/data/training.json, with exact bits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

BITS = {"float16": np.uint16, "float32": np.uint32, "float64": np.uint64}
DATA = Path(__file__).resolve().parent / "data"


def decoded(value: Any) -> Any:
    """Numbers as arrays, everything else as it is."""
    if isinstance(value, dict) and "hex" in value:
        bits = [int(word, 16) for word in value["hex"].split()]
        array = np.array(bits, BITS[value["dtype"]]).view(value["dtype"])
        return array.reshape(value["shape"])
    if isinstance(value, dict):
        return {key: decoded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [decoded(each) for each in value]
    return value


CASES: dict[str, Any] = decoded(json.loads((DATA / "training.json").read_text(encoding="utf-8")))
KERAS: dict[str, Any] = json.loads((DATA / "keras.json").read_text(encoding="utf-8"))


def family(prefix: str) -> set[str]:
    """The ids that begin so."""
    return {key for key in CASES if key.startswith(prefix)}


def close(found: Any, expected: Any, rtol: float = 1e-6, atol: float = 1e-7) -> None:
    """Equal in shape and dtype, and in value to a few units in the last place."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape and found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=atol)
