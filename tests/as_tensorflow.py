"""Small programs that run with TensorFlow and with the kit alike, and what comes out of them.

`tests/data/tapes.txt` holds programs that leave their result in `r`, each under a line `#: name`;
`tests/data/values.txt` holds one expression a line. Both call the library `ad`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).parent / "data"


def tapes() -> dict[str, str]:
    """The programs by name."""
    text = (DATA / "tapes.txt").read_text(encoding="utf-8")
    parts = [part.partition("\n") for part in ("\n" + text).split("\n#: ")[1:]]
    assert len({name for name, _, _ in parts}) == len(parts), "two programs with one name"
    return {name: body for name, _, body in parts}


def values() -> dict[str, str]:
    """The expressions, as programs."""
    lines = (DATA / "values.txt").read_text(encoding="utf-8").splitlines()
    return {line: f"r = {line}" for line in lines}


def answers() -> Any:
    """What TensorFlow gave, as `tools/record_tapes.py` wrote it down."""
    return json.loads((DATA / "tapes.json").read_text(encoding="utf-8"))["answers"]


def result(program: str, library: Any) -> Any:
    """What a program leaves in `r`, as JSON can hold it."""
    names = {"ad": library, "np": np}
    exec(compile(program, "<program>", "exec"), names)
    return described(names.get("r"))


def described(value: Any) -> Any:
    """Tensors and arrays as lists, with their dtypes and shapes; the kinds of all containers."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, dict):
        return {"dict": [[str(key), described(one)] for key, one in value.items()]}
    if isinstance(value, (list, tuple)) and not hasattr(value, "as_list"):
        return [type(value).__name__, *map(described, value)]
    if isinstance(value, (int, float)) and not isinstance(value, np.generic):
        return value
    if hasattr(value, "as_list"):
        return {"shape": value.as_list()}
    if hasattr(value, "name") and hasattr(value, "as_numpy_dtype"):
        return {"dtype": value.name}
    if hasattr(value, "dense_shape"):
        raise TypeError("a sparse gradient: make it dense in the program")
    array = value.numpy() if hasattr(value, "numpy") else value
    array = np.asarray(array)
    if array.dtype.kind not in "biuf":
        return {"T": "string or complex"}
    numbers = [repr(v) if v != v or v in (np.inf, -np.inf) else v for v in array.ravel().tolist()]
    kind = "N" if isinstance(value, (np.ndarray, np.generic)) else "T"
    return {kind: array.dtype.name, "shape": list(array.shape), "values": numbers}
