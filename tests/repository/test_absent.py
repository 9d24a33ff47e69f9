"""Names that TensorFlow has and the kit has not: asked for, they say what to use instead."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.absent import ABSENT
from autodiff_kit.lazy import places
from repository.test_lazy import fresh

EACH = [(space, name, ABSENT[space][names]) for space in ABSENT for names in ABSENT[space]
        for name in names.split()]  # fmt: skip


@pytest.mark.parametrize("space, name, hint", EACH)
def test_a_name_of_tensorflow_is_not_there_and_says_what_is(
    space: str, name: str, hint: str
) -> None:
    module = import_module(space)
    now_there = f"the kit has {name} now: take it out of autodiff_kit/absent.py"
    assert name not in dir(module) and name not in module.__all__, now_there
    with pytest.raises(AttributeError) as error:
        getattr(module, name)
    says = f"module '{space}' has no attribute '{name}'. TensorFlow has it, and this kit has not. "
    assert str(error.value) == says + hint
    assert error.value.obj is None, "no 'Did you mean' after it"


@pytest.mark.parametrize("hint", sorted({hint for _, _, hint in EACH}))
def test_what_a_hint_names_is_there(hint: str) -> None:
    for path in re.findall(r"\bad\.(\w+(?:\.\w+)*)", hint):
        found: Any = ad
        for part in path.split("."):
            found = getattr(found, part)
    assert hint.endswith(".")


def code(space: str, name: str) -> str:
    """The longest call in a hint."""
    hint = next(h for s, n, h in EACH if (s, n) == (f"autodiff_kit{space}", name))
    found = [hint[m.start() : end] for m in re.finditer(r"-?ad\.[\w.]+\(", hint)
             for end in range(m.end(), len(hint) + 1) if is_code(hint[m.start() : end])]  # fmt: skip
    return max(found, key=len)


def is_code(text: str) -> bool:
    try:
        compile(text, "hint", "eval")
    except SyntaxError:
        return False
    return text.endswith(")")


Y, P = ad.constant([[0.2, 0.8]]), ad.constant([[0.5, 0.5]])
CODE = [
    # space, name, what the names in the hint are, and TensorFlow 2.21's answer
    ("", "vectorized_map", {"f": lambda x: x * 2.0, "xs": ad.constant([1.0])}, [2.0]),
    ("", "hessians", {"f": lambda x: x * x, "x": 3.0}, 2.0),
    (".math", "unsorted_segment_max",
     {"n": 2, "ids": ad.constant([1, 1, 0]), "data": ad.constant([[1.0], [2.0], [3.0]])},
     [[3.0], [2.0]]),
    (".math", "confusion_matrix", {"labels": [0, 1], "predictions": [1, 1], "n": 2},
     [[0.0, 1.0], [0.0, 1.0]]),
    (".math", "bincount", {"x": ad.constant([0, 2, 2]), "n": 3}, [1.0, 0.0, 2.0]),
    (".linalg", "lstsq", {"a": ad.constant([[1.0], [1.0]]), "b": ad.constant([[1.0], [3.0]])}, [[2.0]]),
    (".keras.losses", "KLDivergence", {"y_true": Y, "y_pred": P}, [0.19274475]),
    (".keras.losses", "CosineSimilarity", {"y_true": Y, "y_pred": P}, [-0.8574929]),
    (".keras.losses", "Hinge", {"y_true": Y, "y_pred": P}, [0.75]),
    (".keras.losses", "SquaredHinge", {"y_true": Y, "y_pred": P}, [0.585]),
    (".keras.losses", "LogCosh", {"d": P - Y}, [0.04434079]),
    (".keras.losses", "Poisson", {"y_true": Y, "y_pred": P}, [0.8465735]),
]  # fmt: skip


@pytest.mark.parametrize("space, name, names, expected", CODE)
def test_the_code_of_a_hint_gives_what_tensorflow_gives(
    space: str, name: str, names: dict[str, Any], expected: Any
) -> None:
    found = eval(code(space, name), {"ad": ad, **names})
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-6)


def test_the_schedule_of_the_hint() -> None:
    opt = eval(code(".keras.optimizers", "schedules"), {"ad": ad})
    w = ad.Variable(1.0)
    for _ in range(2):
        opt.apply_gradients([(ad.constant(1.0), w)])
    np.testing.assert_allclose(w.numpy(), 1.0 - 0.1 - 0.09, rtol=1e-6)


def test_the_table_is_loaded_only_for_a_name_that_is_not_there() -> None:
    program = """
import sys
import autodiff_kit as ad
ad.math.sin(ad.linalg.det(ad.eye(2)))
print("autodiff_kit.absent" in sys.modules, hasattr(ad, "function"))
print("autodiff_kit.absent" in sys.modules)
"""
    assert fresh(program).split() == ["False", "False", "True"]
    assert sys.modules["autodiff_kit"].__dict__.get("function") is None


DEEPER = sorted(
    {
        (name, space)
        for space in ("math", "nn", "linalg")
        for name in places(f"autodiff_kit.{space}")
    }
)


@pytest.mark.parametrize("name, space", DEEPER)
def test_a_name_of_math_nn_or_linalg_is_found_from_the_top(name: str, space: str) -> None:
    if hasattr(ad, name):
        return
    with pytest.raises(AttributeError) as error:
        getattr(ad, name)
    says, _, there = str(error.value).partition(". It is ")
    assert says == f"module 'autodiff_kit' has no attribute '{name}'"
    known = [f"ad.{one}.{name}." for one in ("math", "nn", "linalg") if (name, one) in DEEPER]
    assert there in known and error.value.name == name


def test_a_name_that_is_nowhere_is_said_to_be_nowhere() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'lgo'$"):
        ad.lgo  # noqa: B018
