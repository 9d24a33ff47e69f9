"""Ask TensorFlow the questions of tests/ops/nn_cases.py and keep its answers.

Run it in an environment that has TensorFlow:  python tools/record_nn.py
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # it ends the process where others raise an error
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import tensorflow as tf  # noqa: E402

from ops.nn_cases import CASES, namespace  # noqa: E402
from record_math import answer  # noqa: E402
from recorded import keep  # noqa: E402


def main() -> None:
    names = namespace(tf)
    answers = {case: answer(case, names) for case in CASES}
    keep("nn", f"TensorFlow {tf.__version__} on a CPU", answers=answers)


if __name__ == "__main__":
    main()
