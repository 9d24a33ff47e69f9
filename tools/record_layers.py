"""Ask TensorFlow the questions of tests/layer_cases.py and keep its answers.

Run it in an environment that has TensorFlow:  python tools/record_layers.py
It writes tests/data/layers.json.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from recorded import keep

# Not imported by name: the project's own environments do not have it.
tf: Any = import_module("tensorflow")

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
cases: Any = import_module("layer_cases")


def main() -> None:
    """Write the file; a refusal that has not the words that are looked for is an error."""
    answers = {cases.name_of(case): cases.answer(tf, case) for case in cases.CASES}
    refusals = {cases.name_of(case[:2]): cases.refusal(tf, case) for case in cases.REFUSED}
    for case in cases.REFUSED:
        if case[2] not in refusals[cases.name_of(case[:2])]:
            sys.exit(f"{case}: TensorFlow says {refusals[cases.name_of(case[:2])]}")
    about = f"TensorFlow {tf.__version__} on a CPU"
    keep("layers", about, answers=answers, refusals=refusals)


if __name__ == "__main__":
    main()
