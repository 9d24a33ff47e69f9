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


def test_what_is_kept_of_the_parts_of_a_form_is_bounded_and_refuses_nothing_less() -> None:
    x = ad.constant(np.arange(3000, dtype=np.float32))
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = ad.add_n([x[i] for i in range(-3000, 3000)] + [x[5], x[5]])
    dx = tape.gradient(y, x)
    assert dx.numpy()[5] == 4 and (np.delete(dx.numpy(), 5) == 2).all()
    assert len(form_of(x).parts) <= 1000
    for key in (3000, -3001):
        with pytest.raises(ad.errors.InvalidArgumentError, match="out of bounds"):
            x[key]
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        x[True]  # for Python the same key as 1


@pytest.mark.parametrize("shape", [(4,), (4, 3), (4, 3, 2)])
def test_a_part_that_is_read_again_has_the_form_that_it_claims(shape: tuple[int, ...]) -> None:
    x = ad.constant(np.ones(shape, np.float64))
    with ad.GradientTape() as tape:
        keys = [1, -1] if len(shape) == 1 else [1, -1, (1, 2), (-1, 0)]
        for key in keys * 2:
            part = x[key]
            assert true_of(part) and (part.numpy() == x.numpy()[key]).all()
            tape.watch(part)
            assert true_of(x[key])


def test_a_kept_pair_of_positions_is_not_taken_for_a_bool() -> None:
    x = ad.constant([[1.0, 2.0], [3.0, 4.0]])
    for _ in range(2):
        assert x[1, 1].numpy() == 4
        with pytest.raises(ad.errors.InvalidArgumentError, match="to choose by bools"):
            x[1, True]
        with pytest.raises(ad.errors.InvalidArgumentError, match="out of bounds"):
            x[1, 2]
