"""Write down which of the kit's public names TensorFlow has, and with which arguments.

Run it in an environment that has TensorFlow:  python tools/record_names.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import tensorflow as tf

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from public_names import every, parameters  # noqa: E402
from recorded import keep  # noqa: E402


def in_tensorflow(name: str) -> Any:
    """TensorFlow's thing of this name, or None."""
    found: Any = tf
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def main() -> None:
    """Write tests/data/names.json."""
    names = {}
    for name, _ in every():
        theirs = in_tensorflow(name)
        names[name] = None if theirs is None else parameters(theirs) or []
    keep("names", f"TensorFlow {tf.__version__}", arguments=names)


if __name__ == "__main__":
    main()
