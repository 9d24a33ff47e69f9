"""Ask TensorFlow the questions of tests/data/arrays.txt and keep its answers.

Run it in an environment that has TensorFlow:  python tools/record_arrays.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import tensorflow as tf

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from ops.array_cases import CASES, described, namespace  # noqa: E402
from recorded import keep  # noqa: E402


def dense(value: Any) -> Any:
    """TensorFlow's sparse form of a gradient as an array."""
    if isinstance(value, list):
        return [dense(v) for v in value]
    return tf.convert_to_tensor(value) if isinstance(value, tf.IndexedSlices) else value


def answer(case: str, names: dict[str, Any]) -> Any:
    """What a case gives: a value, gradients, or an error."""
    try:
        return described(dense(eval(case, names)))
    except Exception as error:
        text = re.sub(r"\{\{[^}]*\}\} ?", "", str(error))
        text = re.sub(
            r" is not in the list of allowed.*|\n\t; NodeDef.*", "", text, flags=re.DOTALL
        )
        text = text.replace("_Mkl", "").replace("tf.Tensor", "Tensor").replace("tf.", "ad.")
        text = re.sub(r", node name: \w+| name: .*| \d \d(?= \[Op:Batch)|[.]$", "", text)
        return {"error": type(error).__name__, "message": text}


def main() -> None:
    names = namespace(tf)
    answers = {case: answer(case, names) for case in CASES}
    keep("arrays", f"TensorFlow {tf.__version__} on a CPU", answers=answers)


if __name__ == "__main__":
    main()
