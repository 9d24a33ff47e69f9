"""What Tab shows: the names that a namespace or an object has for whoever uses it, and no others."""

from __future__ import annotations

from typing import Any

import pytest

import autodiff_kit as ad
from autodiff_kit.habits import HINTS
from autodiff_kit.keras.refused import ATTRIBUTES
from public_names import NAMESPACES, module
from repository.test_lazy import fresh
from test_habits import Net

SPACES = [*NAMESPACES, "compat", "keras.utils", "ops"]


def shown(one: Any) -> set[str]:
    """What Tab shows as long as no underscore was typed."""
    return {name for name in dir(one) if not name.startswith("_")}


@pytest.mark.parametrize("space", SPACES)
def test_a_namespace_shows_its_public_names_only(space: str) -> None:
    here = module(space)
    assert shown(here) == {name for name in here.__all__ if not name.startswith("_")}
    assert {"__name__", "__doc__", "__file__"} <= set(dir(here))


def test_using_a_namespace_does_not_change_what_it_shows() -> None:
    program = """
import autodiff_kit as ad
for space in (ad, ad.keras, ad.keras.layers, ad.compat.v1, ad.errors, ad.ops):
    before = dir(space)
    ad.explain, ad.keras.layers.Dense(1)([[1.0]]), ad.compat.v1.train.AdamOptimizer
    assert [name for name in dir(space) if name[:2] != "__"] == [n for n in before if n[:2] != "__"]
    assert dir(space) == sorted(set(dir(space)))
"""
    assert fresh(program) == ""


OPTIMIZERS = ("step", "zero_grad", "param_groups", "state_dict", "apply")
OBJECTS = [
    (Net(), ATTRIBUTES, {"out", "trainable_variables", "summary", "call"}),
    (ad.keras.Sequential(), ATTRIBUTES, {"layers", "add", "weights"}),
    (ad.keras.layers.Dense(1), ATTRIBUTES, {"units", "kernel", "build", "name"}),
    (ad.constant(1.0), HINTS, {"numpy", "shape", "dtype"}),
    (ad.keras.optimizers.Adam(), OPTIMIZERS, {"apply_gradients", "minimize", "learning_rate"}),
    (ad.compat.v1.train.AdamOptimizer(), OPTIMIZERS, {"apply_gradients", "get_slot"}),
    (ad.GradientTape(), ("backward", "grad"), {"gradient", "jacobian", "watch"}),
]


@pytest.mark.parametrize("one, refused, has", OBJECTS, ids=lambda one: type(one).__name__)
def test_an_object_shows_no_name_that_it_only_refuses(one: Any, refused: Any, has: Any) -> None:
    assert not shown(one) & set(refused) and has <= shown(one)
    for name in refused:
        with pytest.raises(AttributeError, match="Use "):
            getattr(one, name)
    assert all(hasattr(one, name) for name in shown(one))


def test_a_variable_shows_what_it_has_and_not_what_tensors_have() -> None:
    for one in (ad.Variable(1.0), ad.keras.Variable(1.0)):
        assert {"assign", "assign_add", "value", "numpy"} <= shown(one)
        assert not shown(one) & {"cuda", "backward", "grad", "detach"}


def test_a_name_that_a_learner_gives_is_shown() -> None:
    class Parameter(ad.Variable):
        pass

    class Trained(ad.keras.Model):
        def train(self) -> None: ...

    parameter = Parameter(1.0)
    parameter.grad = 3.0
    assert "grad" in dir(parameter) and "grad" not in dir(Parameter(1.0))
    assert "train" in dir(Trained()) and "eval" not in dir(Trained())


def test_a_layer_loads_its_own_file_and_not_those_of_others() -> None:
    program = """
import sys
import autodiff_kit as ad
ad.keras.layers.Dense(1)([[1.0]])
names = ("convolutional", "pooling", "lstm", "recurrent", "embedding", "normalization", "merging")
print(*[name for name in names if f"autodiff_kit.keras.{name}" in sys.modules])
ad.keras.layers.LSTM
print(*[name for name in names if f"autodiff_kit.keras.{name}" in sys.modules])
"""
    assert fresh(program) == "\nlstm recurrent\n"
