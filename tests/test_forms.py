"""Forms: what a tensor says of its dtype and its shape without a look at NumPy must be true."""

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.forms import Form, form_of
from autodiff_kit.namespace import FAMILIES, xp
from autodiff_kit.tensor import Tensor, tensor_of

INPUTS = [
    np.float32([0.25, 0.5]), np.float32(0.5), np.float64([[0.25], [0.75]]), np.float16([0.5]),
    np.int32([1, 2]), np.int8(3), np.uint8([1]), np.array([True, False]),
    np.float32([[0.25, 0.5], [0.5, 0.75]]),
]  # fmt: skip


def true_of(tensor: Tensor) -> bool:
    form = tensor._form
    return form is None or (form.dtype, form.shape) == (tensor._value.dtype, tensor._value.shape)


@pytest.mark.parametrize("name", sorted(FAMILIES))
@pytest.mark.filterwarnings("ignore")
def test_outputs_have_the_form_that_they_claim(name: str) -> None:
    apply = getattr(xp, name)
    for inputs in [(a,) for a in INPUTS] + [(a, b) for a in INPUTS for b in INPUTS]:
        with ad.GradientTape() as tape:
            tensors = [tensor_of(value) for value in inputs]
            for tensor in tensors:
                if tensor.dtype.is_floating:
                    tape.watch(tensor)
            try:
                out = apply(*tensors)
            except Exception:  # not for these inputs, or not without attributes
                continue
        assert all(map(true_of, out if isinstance(out, tuple) else (out,))), [
            (v.dtype, v.shape) for v in inputs
        ]


def test_one_object_for_equal_forms() -> None:
    one, other = ad.constant([1.0, 2.0]), ad.constant([3.0, 4.0])
    assert form_of(one) is form_of(other)
    assert form_of(one) is not form_of(ad.constant([1.0]))
    assert form_of(one) is not form_of(ad.constant([1.0, 2.0], ad.float64))
    assert form_of(ad.constant(1.0)) is form_of(ad.constant(2.0))
    assert isinstance(one._form, Form)
