"""Branches, overrides and custom gradients against what real TensorFlow answered."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from oracle import programs_custom
from oracle.programs_control import PROGRAMS

CASES = json.loads(
    (Path(__file__).parents[1] / "data" / "control.json").read_text(encoding="utf-8")
)
assert programs_custom

# The kit answers otherwise, on purpose: what it says instead, and why.
OTHERWISE: dict[str, Any] = {
    "override.eager_tape_has_no_effect": ("value", 5.0, "the kit's tape honours the map"),
    "override.tape_in_graph_mode": ("value", 5.0, "the kit's tape honours the map"),
    "override.context_around_tf.gradients_only": ("value", 1.0, "the same"),
    "register.builtin_name": ("raises", "KeyError", "names its own operations, not a file"),
    "register.twice": ("raises", "KeyError", "names the function, not a file"),
    "register.wrong_number_of_grads": ("raises", "ValueError", "does not print a node of a graph"),
    "override.unregistered_target": ("raises", "LookupError", "said when the map is given"),
    "custom.grad_of_wrong_shape": ("raises", "ValueError", "TensorFlow does not look at the shape"),
    "custom.variables.missing_argument": ("raises", "TypeError", "ad and tf are spelled otherwise"),
    "custom.nested_gradient_of_gradient.d_only_variable": ("raises", "TypeError", "likewise"),
}
# What TensorFlow 1 alone has.
ABSENT = {
    "select.v1.where": "tf.compat.v1.where, which chooses rows",
    "where.v1.broadcast": "the same",
    "where.v1.vector_condition_selects_rows": "the same",
}
IGNORED_FIELDS = {
    "op_types",
    "grad_pred",
    "name",
    "inputs",
    "outputs",
    "grad",
}  # of a graph's nodes
# From about 87 on TensorFlow flushes 1 / (1 + e) to 0, or nearly so, because it is a denormal number.
FLUSHED = {"log1pexp.plain"}


def number(record: Any) -> Any:
    dtype = record["dtype"]
    return np.array([float(v) if isinstance(v, str) else v for v in record["v"]], dtype).reshape(
        record["shape"]
    )


def same(found: Any, wanted: Any, path: str, loose: bool = False) -> None:
    if isinstance(wanted, dict) and "dtype" in wanted:
        assert isinstance(found, ad.Tensor), f"{path}: {found!r}"
        value, record = found.numpy(), number(wanted)
        assert value.dtype == record.dtype and value.shape == record.shape, path
        chosen = np.abs(value - 1.0) > 1e-6 if loose else np.ones(record.shape, bool)
        np.testing.assert_allclose(
            value[chosen] if value.shape else value, record[chosen] if record.shape else record,
            rtol=2e-6, atol=1e-38, err_msg=path,
        )  # fmt: skip
    elif isinstance(wanted, dict):
        for key in wanted.keys() - IGNORED_FIELDS:
            same(found[key], wanted[key], f"{path}.{key}", loose)
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), path
        for index, (a, b) in enumerate(zip(found, wanted, strict=True)):
            same(a, b, f"{path}[{index}]", loose)
    elif isinstance(wanted, float):
        assert float(found) == wanted, path
    else:
        assert found == wanted, f"{path}: {found!r}"


def test_every_recorded_case_has_a_program() -> None:
    assert PROGRAMS.keys() | ABSENT.keys() == CASES.keys()


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_as_recorded(name: str) -> None:
    case = CASES[name]
    if name in OTHERWISE:
        kind, answer, _ = OTHERWISE[name]
        case = {kind: answer}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ad.GradientWarning)
        if "raises" not in case:
            same(PROGRAMS[name](), case["value"], name, name in FLUSHED)
            return
        with pytest.raises(Exception) as caught:
            PROGRAMS[name]()
    assert case["raises"] in [c.__name__ for c in type(caught.value).__mro__]
    assert str(case.get("message", "")).rstrip(".") in str(caught.value)
