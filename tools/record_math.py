"""Ask TensorFlow the questions of tests/ops/math_cases.py and keep its answers.

Run it in an environment that has TensorFlow:  python tools/record_math.py
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from recorded import keep

# Not imported by name: the project's own environments do not have it.
tf: Any = import_module("tensorflow")

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
cases: Any = import_module("ops.math_cases")

# Where the kit's words differ, because it has not the thing.
WORDS = {
    "tf.": "ad.",
    "/IndexedSlices": "",
    "tensorflow.python.framework.ops.Eager": "autodiff_kit.tensor.",
    "a TensorFlow DType": "a DType",
}


def answer(case: str, names: dict[str, Any]) -> Any:
    """What a case gives: a value, gradients, or an error."""
    try:
        return cases.described(eval(case, names))
    except Exception as error:
        text = re.sub(r"\{\{[^}]*\}\} ?", "", str(error)).split("\n")[0]
        text = re.sub(r" (?:name: |is not in the list).*", "", text)
        for theirs, ours in WORDS.items():
            text = text.replace(theirs, ours)
        return {"error": type(error).__name__, "message": text.rstrip(".")}


def main() -> None:
    names = cases.namespace(tf)
    answers = {case: answer(case, names) for case in cases.CASES}
    keep("math", f"TensorFlow {tf.__version__} on a CPU", answers=answers)


if __name__ == "__main__":
    main()
