"""Keep what TensorFlow answered in a file of tests/data/, an answer a line.

One idea: so the difference of two versions of the file shows which answers are others.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "tests" / "data"


def keep(name: str, about: str, **tables: dict[str, Any]) -> None:
    """Write a file with some tables, each from a question to its answer.

    Args:
      name: the file's, without ``.json``.
      about: what was asked: ``TensorFlow 2.21.0``.
    """
    parts = [f'"recorded with": {json.dumps(about)}']
    for title, answers in tables.items():
        lines = (f"{json.dumps(asked)}: {json.dumps(found)}" for asked, found in answers.items())
        parts.append(f'"{title}": {{\n' + ",\n".join(lines) + "\n}")
    (DATA / f"{name}.json").write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")
