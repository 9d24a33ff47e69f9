"""Layer 5: where no gradient can pass, and why, in the few words that fit on an edge.

One idea: the record says it: the rule is missing, or a dtype in it is no float.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.opdef import OpDef, no_gradient


def stops(op: OpDef, index: int, attrs: dict[str, Any]) -> bool:
    """Whether no gradient can pass from an operation to one of its inputs, whatever arrives."""
    if op.type == "Cast":
        return {np.dtype(attrs[key]).kind for key in ("dtype", "source")} != {"f"}
    return op.pull is None and op.vjps[index] is no_gradient


def cause(op: OpDef, index: int, attrs: dict[str, Any]) -> str:
    """Why no gradient passes from an operation to one of its inputs, in a few words."""
    if op.rule_name:
        return f"{op.rule_name} returned None"
    if op.type == "StopGradient":
        return "stop_gradient"
    if op.type == "Cast":
        kinds = [np.dtype(attrs[key]).name for key in ("dtype", "source")]
        return f"{next(k for k in kinds if 'float' not in k)}: no gradient"
    if op.type == "SelectV2" and index == 0:
        return "condition: no gradient"
    return f"{op.type}: no gradient"
