"""Make tests/data/oracle.json, a compact copy of the recorded cases that no other file holds.

    python tools/record_oracle.py path/to/cases.json

The cases are what TensorFlow 2.21 gave for the experiments of the five documents. Those about branches,
overrides and custom gradients are in control.json, those about training and checking gradients in
training.json; here are all the others, and the ids of all.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "tests" / "data"
FIELDS = ("value", "raises", "message", "doc_prints", "log")


def compact(value: Any) -> Any:
    """Floats as their bits alone."""
    if isinstance(value, dict):
        bits = "hex" in value
        return {key: compact(one) for key, one in value.items() if not (bits and key == "v")}
    return [compact(one) for one in value] if isinstance(value, list) else value


def main(path: str) -> None:
    """Write the file."""
    cases = json.loads(Path(path).read_text(encoding="utf-8"))
    del cases["_meta"]
    elsewhere: set[str] = set()
    for name in ("control.json", "training.json"):
        elsewhere |= json.loads((DATA / name).read_text(encoding="utf-8")).keys()
    own = {
        name: {field: compact(case[field]) for field in FIELDS if field in case}
        for name, case in cases.items()
        if name not in elsewhere
    }
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(case, separators=(',', ':'))}"
        for name, case in own.items()
    )
    ids = json.dumps(sorted(cases))
    (DATA / "oracle.json").write_text(
        f'{{"ids": {ids},\n"cases": {{\n{lines}\n}}}}\n', encoding="utf-8"
    )


if __name__ == "__main__":
    main(sys.argv[1])
