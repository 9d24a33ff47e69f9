"""Record how TensorFlow prints tensors, for tests/test_text.py to compare with.

Run it with a Python that has TensorFlow and NumPy 2.3 or later: `python tools/record_text.py`.
It writes tests/data/text.json: values, the print options that were set, and the three texts, from
which `tf.` is removed.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

# Not imported by name: the project's own environments do not have it.
tf: Any = import_module("tensorflow")

TARGET = Path(__file__).resolve().parent.parent / "tests" / "data" / "text.json"

SCALARS: dict[str, list[Any]] = {
    "float16": [0.1, 1000.0, 999.5, 1e-4, 6e-8, "nan"],
    "float32": [4.0, 0.1, -0.0, 1e-4, 1e-5, 999999.0, 1e6, 1e16, "nan", "inf", "-inf"],
    "float64": [0.1, 1e-4, 1e15, 1e16, 2.5],
    "int32": [-3],
    "int64": [2**40],
    "bool": [True],
}
# At the edges where NumPy's rules differ between releases, and where a line is full.
ARRAYS: dict[str, list[Any]] = {
    "float16": [[1000.0, 2], [999.5, 2], [1e-4, 1], [-1234.0, 0.5], [0.1, "nan"]],
    "float32": [
        [[1.0, 2.0, 3.0]],
        [[1.0], [-0.0]],
        [1e-4],
        [1e-4, 0.1],
        [1e-4, 0.100001],
        [999999.94, 1],
        [1e6, 1],
        [-1e6, "nan", 1],
        [2e6, "inf", "-inf"],
        [16777216.0, 0.1],
        [1e38, 1e-38],
        ["nan", "inf"],
        [0.0, 0.0],
        [[[0.1, 100.5], [1.0, 2.0]]],
        [i / 7 for i in range(6)],
        [i / 7 for i in range(7)],
        [i / 7 for i in range(40)],
        [1e6 + i for i in range(12)],
        [],
        [[], []],
    ],
    "float64": [[0.1, 1e8], [1e8 - 1, 1], [1e-4, 1], [[1.5, 2.5]], [], [[]]],
    "int32": [[1, -20], [[100, 2], [3, 4]], list(range(30)), []],
    "int64": [[1, -20], []],
    "bool": [[True, False], [[True], [False]]],
}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"precision": 3},
    {"linewidth": 40},
    {"threshold": 5},
    {"threshold": 3, "edgeitems": 1},
    {"suppress": True},
    {"sign": "+"},
    {"sign": " "},
    {"floatmode": "fixed", "precision": 2},
    {"floatmode": "unique"},
    {"nanstr": "none", "infstr": "much"},
]


def record(value: Any, dtype: str) -> dict[str, Any]:
    """Return the three texts of one value."""
    with np.errstate(all="ignore"):
        tensor = tf.constant(np.array(value, dtype=np.float64 if dtype[0] == "f" else dtype), dtype)
    texts = repr(tensor), str(tensor), repr(tf.Variable(tensor, name="x"))
    return {"value": value, "dtype": dtype, "texts": [text.replace("tf.", "") for text in texts]}


def main() -> None:
    """Write the file."""
    groups = []
    for options in OPTIONS:
        with np.printoptions(**options):
            kinds = (SCALARS, ARRAYS) if not options else (ARRAYS,)
            prints = [
                record(value, dtype)
                for values in kinds
                for dtype, cases in values.items()
                for value in cases
            ]
        lines = ",\n".join(json.dumps(each) for each in prints)
        groups.append(f'{{"options": {json.dumps(options)}, "prints": [\n{lines}\n]}}')
    about = f'"tensorflow": "{tf.__version__}", "numpy": "{np.__version__}"'
    body = ",\n".join(groups)
    TARGET.write_text(f'{{{about}, "groups": [\n{body}\n]}}\n')


if __name__ == "__main__":
    main()
