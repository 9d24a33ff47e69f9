"""Who comes from PyTorch, JAX or NumPy types their names, and learns the kit's from the error."""

from __future__ import annotations

import copy
import re
import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.foreign import FOREIGN
from autodiff_kit.habits import HINTS
from autodiff_kit.keras.refused import ATTRIBUTES
from autodiff_kit.lazy import nested
from autodiff_kit.numpys import NUMPYS
from repository.test_lazy import fresh

EACH = [(space, name, FOREIGN[space][names]) for space in FOREIGN for names in FOREIGN[space]
        for name in names.split()]  # fmt: skip
TEXTS = sorted({*(hint for _, _, hint in EACH), *HINTS.values(), *ATTRIBUTES.values()})


@pytest.mark.parametrize("space, name, hint", EACH)
def test_a_name_from_elsewhere_says_what_takes_its_place(space: str, name: str, hint: str) -> None:
    module = import_module(space)
    assert name not in dir(module) and not nested(space, name), "the kit has it: take it out"
    with pytest.raises(AttributeError) as error:
        getattr(module, name)
    assert str(error.value).endswith(
        f"has no attribute '{name}'. The kit has TensorFlow's names. {hint}"
    )
    assert error.value.obj is None, "no 'Did you mean' after it"


@pytest.mark.parametrize("text", TEXTS)
def test_what_a_text_names_is_there(text: str) -> None:
    for path in re.findall(r"\bad\.(\w+(?:\.\w+)*)", text):
        found: Any = ad
        for part in path.split("."):
            found = getattr(found, part)


def test_the_table_is_loaded_only_for_a_name_that_is_not_there() -> None:
    program = """
import sys
import autodiff_kit as ad
print("autodiff_kit.foreign" in sys.modules, hasattr(ad, "no_grad"))
print("autodiff_kit.foreign" in sys.modules)
"""
    assert fresh(program).split() == ["False", "False", "True"]


X = ad.constant([[1.0, 2.0], [3.0, 4.0]])
CODE = [
    ("mT", [[1.0, 3.0], [2.0, 4.0]]), ("dim", 2), ("numel", 4), ("double", X),
    ("flatten", [1, 2, 3, 4]),
    ("prod", 24.0), ("mm", [[7.0, 10.0], [15.0, 22.0]]), ("clone", X), ("std", 1.118034),
]  # fmt: skip


@pytest.mark.parametrize("name, expected", CODE)
def test_the_code_of_a_hint_does_it(name: str, expected: Any) -> None:
    code = HINTS[name].split("; ")[0].split(": ")[0]
    found = eval(code, {"ad": ad, "x": X, "y": X})
    assert ad.reduce_all(ad.abs(ad.cast(found, ad.float32) - expected) < 1e-6)


# Those whose code has no name in it but x and y, and whose result has NumPy's form.
OF_NUMPYS = [
    (name, text[4:-1]) for names, text in NUMPYS.items() for name in names.split()
    if set(re.findall(r"(?<![.\w])[a-z]+\b(?!=)", text)) <= {"ad", "x", "y"}
    and name not in ("nonzero", "empty_like")
]  # fmt: skip


@pytest.mark.parametrize("name, code", OF_NUMPYS)
def test_the_code_in_the_place_of_numpys_function_gives_the_same(name: str, code: str) -> None:
    x, y = np.array([0.75, 0.25, 0.5]), np.array([0.5, 2.0, 0.25])
    if name in ("flipud", "fliplr", "tril", "triu"):
        x = np.stack([x, 2.0 * x, y])
    if name in ("arccosh", "nan_to_num"):
        x = x + 1.0 if name == "arccosh" else np.array([1.0, np.nan, 2.0])
    given = (x, y) if re.search(r"\by\b", code) else (x,)
    f = getattr(np, name)
    expected = f(given) if name == "column_stack" else f(*given)
    found = eval(code, {"ad": ad, "x": ad.constant(x), "y": ad.constant(y)})
    np.testing.assert_allclose(np.array(found), expected, rtol=1e-12)


def test_the_texts_with_code_of_their_own_are_most() -> None:
    assert len(OF_NUMPYS) > 35


def test_an_attribute_that_is_written_to_says_the_same() -> None:
    x = ad.Variable([1.0, 2.0])
    for one in (x, x * 1.0):
        with pytest.raises(AttributeError, match="gradients are returned, not stored"):
            one.grad = None
        with pytest.raises(
            AttributeError, match=r"Use tape\.watch\(x\).*to freeze a variable, leave it"
        ):
            one.requires_grad = False
        with pytest.raises(AttributeError, match=r"x\.assign\(value\)"):
            one.data = X
    with pytest.raises(AttributeError, match=r"trainable=False\)\. To freeze one later"):
        x.trainable = False


def test_a_variable_of_ones_own_may_have_such_an_attribute() -> None:
    class Parameter(ad.Variable):
        pass

    p = Parameter(1.0)
    assert not hasattr(p, "grad")
    p.grad = 3.0
    assert p.grad == copy.deepcopy(p).grad == 3.0


@pytest.mark.parametrize("one", [ad.Variable([1.0, 2.0]), ad.constant([1.0, 2.0])])
def test_a_part_cannot_be_assigned_and_the_code_says_how(one: Any) -> None:
    kind = type(one).__name__
    with pytest.raises(
        TypeError, match=f"'{kind}' object does not support item assignment"
    ) as error:
        one[0] = 5.0
    (code,) = re.findall(r"ad\.tensor_scatter_nd_update\(.*?\)", str(error.value))
    assert eval(code, {"ad": ad, "x": one}).numpy().tolist() == [5.0, 2.0]
    assert "ad.stack" in str(error.value)
    with pytest.raises(TypeError, match="support item deletion"):
        del one[0]


class Net(ad.keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.out = ad.keras.layers.Dense(1)

    def call(self, x: Any) -> Any:
        return self.out(x)


@pytest.mark.parametrize("name, hint", ATTRIBUTES.items())
def test_a_layer_and_a_model_say_what_takes_the_place(name: str, hint: str) -> None:
    for one in (Net(), ad.keras.layers.Dense(1), ad.keras.Sequential([])):
        with pytest.raises(AttributeError) as error:
            getattr(one, name)
        assert str(error.value).endswith(f"has no attribute '{name}'. Use {hint}."), one
        assert not hasattr(one, name)


def test_a_layer_of_ones_own_may_have_such_an_attribute() -> None:
    class Masked(ad.keras.layers.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.weight = self.add_weight((2,), "ones")

        def call(self, x: Any) -> Any:
            return x * self.weight

    assert Masked()([1.0, 2.0]).shape == (2,)


def test_a_forward_is_to_be_a_call() -> None:
    class Torch(ad.keras.Model):
        def forward(self, x: Any) -> Any:
            return x

    with pytest.raises(NotImplementedError, match="It has a `forward`.*rename that to `call`"):
        Torch()(X)
    with pytest.raises(NotImplementedError, match=r"`call\(\)` method\.$"):
        ad.keras.layers.Layer()(X)


def test_an_optimizer_gets_no_variables_when_it_is_made() -> None:
    words = r"`learning_rate` should be float.* opt\.apply_gradients\(zip\(gradients, variables\)\)"
    for kind in (ad.keras.optimizers.SGD, ad.keras.optimizers.Adam):
        with pytest.raises(ValueError, match=words):
            kind([ad.Variable(1.0)])
    for name in ("zero_grad", "step", "param_groups", "state_dict"):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'. Use "):
            getattr(ad.keras.optimizers.SGD(), name)


def test_a_tape_has_neither_backward_nor_grad() -> None:
    for name in ("backward", "grad"):
        with pytest.raises(AttributeError, match=r"Use tape\.gradient\(target, sources\)"):
            getattr(ad.GradientTape(), name)


def test_the_file_of_tensors_is_not_pytorchs_function() -> None:
    with pytest.raises(TypeError, match=r"ad\.constant\(value\).*ad\.Variable\(value\).*ad\.stack"):
        sys.modules["autodiff_kit"].tensor([1.0], requires_grad=True)  # type: ignore[operator]
    assert ad.tensor.Tensor is ad.Tensor


def test_a_model_is_no_source_and_is_not_watched() -> None:
    net = Net()
    with ad.GradientTape(persistent=True) as tape:
        with pytest.raises(ValueError, match="its trainable_variables are watched by themselves"):
            tape.watch(net)
        loss = ad.reduce_sum(net(X))
    for ask in (tape.gradient, lambda y, x: ad.explain(tape, y, x)):
        with pytest.raises(TypeError, match=r"holds variables.*Ask for its trainable_variables\."):
            ask(loss, net)
    assert len(tape.gradient(loss, net.trainable_variables)) == 2


@pytest.mark.parametrize("make", [ad.constant, ad.Variable, ad.keras.Variable])
def test_what_requires_a_gradient_is_a_variable(make: Any) -> None:
    if make is not ad.keras.Variable:
        with pytest.raises(
            TypeError, match=r"argument 'requires_grad': ad\.Variable\(value\) is watched"
        ):
            make([1.0], requires_grad=True)
        with pytest.raises(TypeError, match="argument 'device': the kit computes on the processor"):
            make([1.0], device="cpu")
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        make([1.0], nonsense=True)
