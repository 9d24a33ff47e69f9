"""What a learner writes with TensorFlow's keywords can be written here with the same ones.

One idea: an argument that TensorFlow has and the kit has under another name, or at another place,
is a mistake, unless it stands in this table with the reason.
"""

from __future__ import annotations

import json
from inspect import signature
from typing import Any

import pytest

import autodiff_kit as ad
from notebook_pytest import ROOT
from public_names import every, parameters

RECORD = json.loads((ROOT / "tests" / "data" / "names.json").read_text("utf-8"))["arguments"]
OURS = dict(every())

KERAS = "TensorFlow says **kwargs there and takes these names; the others are not offered"
LEFT = {
    "DType": "made by the kit alone, never by a learner",
    "Variable": "TensorFlow says *args, **kwargs, and takes these names",
    "gradients": "refuses everything and says what to write instead",
    "meshgrid": "TensorFlow says **kwargs, and takes these names",
    "keras.Sequential": KERAS,
    "keras.layers.Layer": KERAS,
    "keras.optimizers.Optimizer": KERAS,
    "random.Generator": "one of its class methods makes it, in TensorFlow's programs too",
    "compat.v1.train.Optimizer": "a base class: the optimizers have TensorFlow's arguments",
}


def other_names(name: str) -> list[str]:
    """What the kit's function takes and TensorFlow's does not, if that has what the kit's has not."""
    theirs, ours = RECORD[name], parameters(OURS[name]) or []
    return [p for p in ours if p not in theirs] if set(theirs) - set(ours) else []


def other_order(name: str) -> bool:
    """Whether arguments that both take come in another order."""
    theirs, ours = RECORD[name], parameters(OURS[name]) or []
    return [p for p in ours if p in theirs] != [p for p in theirs if p in ours]


def test_tensorflow_was_asked_about_every_name() -> None:
    missing = sorted(set(OURS) - set(RECORD))
    assert not missing, (
        f"{missing}: run tools/record_names.py in an environment that has TensorFlow, or leave that to "
        "whoever has one"
    )


@pytest.mark.parametrize("name", sorted(n for n in OURS if RECORD.get(n)))
def test_the_same_keywords_in_the_same_order(name: str) -> None:
    differs = other_names(name) or other_order(name)
    if name not in LEFT:
        assert not differs, f"TensorFlow's {RECORD[name]}, not {parameters(OURS[name])}"


# TensorFlow has an argument that the kit has not before this one.
LATER = {"matmul", "linalg.matmul", "math.top_k", "scatter_nd", "strided_slice"}
LATER |= {"tensor_scatter_nd_add", "tensor_scatter_nd_sub"}  # in all of them `name` comes too early


@pytest.mark.parametrize("name", sorted(n for n in OURS if RECORD.get(n)))
def test_an_argument_without_its_name_is_the_one_that_it_is_in_tensorflow(name: str) -> None:
    found = signature(OURS[name]).parameters.values() if parameters(OURS[name]) else ()
    ours = [p.name for p in found if p.kind is p.POSITIONAL_OR_KEYWORD]
    if name in LATER:
        assert ours.pop() == "name"
    if name not in LEFT:
        assert ours == RECORD[name][: len(ours)]


def test_what_is_left_is_still_different() -> None:
    assert all(other_names(name) for name in LEFT)


@pytest.mark.parametrize(
    "one, other",
    [
        (lambda: ad.atan2(y=1.0, x=2.0), lambda: ad.atan2(1.0, 2.0)),
        (lambda: ad.math.atan2(x=2.0, y=1.0), lambda: ad.atan2(1.0, 2.0)),
        (lambda: ad.nn.softplus(features=3.0), lambda: ad.math.softplus(3.0)),
        (lambda: ad.nest.is_nested(seq=[1]), lambda: True),
    ],
)
def test_a_keyword_means_what_it_means_in_tensorflow(one: Any, other: Any) -> None:
    assert float(one()) == float(other())
