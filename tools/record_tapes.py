"""Run the programs of tests/data/tapes.txt and values.txt in TensorFlow and keep what they give.

Run it in an environment that has TensorFlow:  python tools/record_tapes.py
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import tensorflow as tf

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from as_tensorflow import DATA, result, tapes, values  # noqa: E402


class DenseTape(tf.GradientTape):  # type: ignore[misc]
    """TensorFlow's tape, its sparse gradients made dense."""

    def gradient(self, *args: Any, **kwargs: Any) -> Any:
        found = super().gradient(*args, **kwargs)
        sparse = isinstance(found, tf.IndexedSlices)
        return tf.convert_to_tensor(found) if sparse else found


def answer(program: str, library: Any) -> Any:
    """What a program gives: its result, or its error's class and message."""
    try:
        return {"result": result(program, library)}
    except Exception as error:
        text = re.sub(r"\{\{[^}]*\}\} ?|<traceback.*|\n.*", "", str(error), flags=re.DOTALL)
        text = re.sub(r" name: \w*$| name:\s*$|/tmp\S*|/home\S*", "", text).replace("tf.", "ad.")
        text = text.split(" is not in the list of allowed")[0]
        return {"raises": type(error).__name__, "message": text.rstrip(" .\n")[:160]}


def main() -> None:
    """Write tests/data/tapes.json."""
    library = SimpleNamespace(**{**vars(tf), "GradientTape": DenseTape})
    programs = {**tapes(), **values()}
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(answer(program, library), separators=(',', ':'))}"
        for name, program in programs.items()
    )
    about = json.dumps(f"TensorFlow {tf.__version__} on a CPU")
    (DATA / "tapes.json").write_text(
        f'{{"recorded with": {about},\n"answers": {{\n{lines}\n}}}}\n', encoding="utf-8"
    )


if __name__ == "__main__":
    main()
