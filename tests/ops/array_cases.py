"""What is asked of TensorFlow and of the kit alike, about shapes, indexing and linear algebra.

The questions are the lines of tests/data/arrays.txt; besides the names of `math_cases` they use those
below.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ops import math_cases

CASES = (Path(__file__).parents[1] / "data" / "arrays.txt").read_text().splitlines()


def namespace(tf: Any) -> dict[str, Any]:
    """The names that the cases use."""
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return {
        **math_cases.namespace(tf),
        "x": x, "v": tf.Variable(x), "i": tf.constant(1), "z": tf.constant(3.0),
        "n": tf.constant([1, 2, 3]),
    }  # fmt: skip


def described(value: Any) -> Any:
    """A result as JSON can hold it; named tuples become lists."""
    return math_cases.described(list(value) if hasattr(value, "_fields") else value)
