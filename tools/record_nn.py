"""Ask TensorFlow the questions of tests/ops/nn_cases.py and keep its answers.

Run it in an environment that has TensorFlow:  python tools/record_nn.py
(with TF_ENABLE_ONEDNN_OPTS=0, because oneDNN ends the process where others raise an error).
"""

from __future__ import annotations

import json

import tensorflow as tf

from ops.nn_cases import CASES, namespace
from record_math import ROOT, answer


def main() -> None:
    names = namespace(tf)
    answers = {case: answer(case, names) for case in CASES}
    lines = ",\n".join(
        f"{json.dumps(case)}: {json.dumps(found)}" for case, found in answers.items()
    )
    about = json.dumps(f"TensorFlow {tf.__version__} on a CPU")
    path = ROOT / "tests" / "data" / "nn.json"
    path.write_text(
        f'{{"recorded with": {about},\n"answers": {{\n{lines}\n}}}}\n', encoding="utf-8"
    )


if __name__ == "__main__":
    main()
