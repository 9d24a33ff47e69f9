"""Variables: values that are replaced, never changed."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad


def test_a_tensor_read_before_an_assign_keeps_its_value() -> None:
    v = ad.Variable([1.0, 2.0])
    read = v.read_value()
    also = ad.convert_to_tensor(v)
    v.assign([5.0, 6.0])
    assert read.numpy().tolist() == also.numpy().tolist() == [1.0, 2.0]


def test_an_assign_does_not_change_what_was_recorded() -> None:
    v = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = v * v
    v.assign(100.0)
    assert tape.gradient(y, v).numpy() == 6.0


def test_a_variable_owns_its_value() -> None:
    array = np.array([1.0, 2.0], np.float32)
    v = ad.Variable(array)
    array[0] = 50.0
    assert v.numpy().tolist() == [1.0, 2.0]
    v.numpy()[0] = 60.0
    np.asarray(v)[1] = 70.0
    assert v.numpy().tolist() == [1.0, 2.0]
    v.assign(array)
    array[1] = 80.0
    assert v.numpy().tolist() == [50.0, 2.0]
    other = ad.Variable(v)
    v.assign_add([1.0, 1.0])
    assert other.numpy().tolist() == [50.0, 2.0]


@pytest.mark.parametrize(
    "refused",
    [
        lambda v: v.assign([1.0, 2.0, 3.0]),
        lambda v: v.assign(1.0),
        lambda v: v.assign(ad.constant([1, 2])),
        lambda v: v.assign(ad.constant([1.0, 2.0], ad.float64)),
        lambda v: v.assign("ab"),
        lambda v: v.assign(None),
        lambda v: v.assign([[1.0], [2.0, 3.0]]),
        lambda v: v.assign([1j, 2.0]),
        lambda v: v.assign_add(1.0),
        lambda v: v.assign_add([1.0, 2.0, 3.0]),
        lambda v: v.assign_sub(ad.constant([1, 2])),
        lambda v: v.assign_sub(None),
        lambda v: v.__iadd__(1.0),
        lambda v: v.__isub__(1.0),
        lambda v: v.__imul__(1.0),
        lambda v: v.__itruediv__(1.0),
        lambda v: v.__ipow__(2.0),
    ],
)
def test_a_refused_change_changes_nothing(refused: Any) -> None:
    v = ad.Variable([1.0, 2.0])
    with ad.GradientTape() as tape:
        y = v * v
        events = len(tape.events)
        with pytest.raises((TypeError, ValueError, RuntimeError)):
            refused(v)
        assert len(tape.events) == events
    assert v.numpy().tolist() == [1.0, 2.0]
    assert v.dtype == ad.float32 and v.shape == (2,)
    assert tape.gradient(y, v).numpy().tolist() == [2.0, 4.0]


def test_in_place_operators_say_what_to_write_instead() -> None:
    v = ad.Variable(1.0)
    with pytest.raises(
        RuntimeError, match=r"Use `variable.assign_add\(value\)`.*`out = variable \+"
    ):
        v += 1.0
    with pytest.raises(RuntimeError, match=r"`var \*= value`.*Use `var.assign\(var \* value\)`"):
        v *= 2.0


def test_int_variables_stay_ints() -> None:
    v = ad.Variable([1, 2])
    v.assign_add([1, 1])
    with pytest.raises(TypeError):
        v.assign([1.5, 2.0])
    assert v.numpy().tolist() == [2, 3] and v.dtype == ad.int32


def test_names_and_flags() -> None:
    assert ad.Variable(1.0).name == "Variable:0" and ad.Variable(1.0, name="w").name == "w:0"
    assert ad.Variable(1).trainable and not ad.Variable(1.0, trainable=False).trainable
    assert repr(ad.Variable([1.0], name="w")).startswith("<Variable 'w:0' shape=(1,) dtype=float32")


def test_every_read_is_a_use_of_its_own() -> None:
    """The gradient of a variable is the sum over all the values it had while it was used."""
    v = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        total = v * 1.0
        for k in range(2, 5):
            v.assign_add(1.0)
            total = total + v * float(k)
    assert tape.gradient(total, v).numpy() == 1 + 2 + 3 + 4


def test_a_variable_works_wherever_a_tensor_does() -> None:
    v, t = ad.Variable([[1.0, 2.0], [3.0, 4.0]]), ad.constant([[1.0, 2.0], [3.0, 4.0]])
    for f in (
        ad.reduce_sum, ad.transpose, ad.exp, abs, lambda x: -x, lambda x: x[0], lambda x: x @ x,
        lambda x: 2.0**x, lambda x: x > 2.0, lambda x: ad.stack([x, x]), lambda x: 1.0 - x,
        lambda x: ad.where(x > 2.0, x, 0.0), lambda x: np.float32(2.0) * x, ad.shape, ad.size,
    ):  # fmt: skip
        np.testing.assert_array_equal(f(v).numpy(), f(t).numpy())
    assert len(list(v)) == 2 and isinstance(v + 1.0, ad.Tensor)


def test_a_tensor_survives_copying_and_pickling() -> None:
    t = ad.constant([1.0, 2.0])
    assert copy.copy(t) is t and copy.deepcopy([t])[0] is t
    back = pickle.loads(pickle.dumps(t))
    assert back.numpy().tolist() == [1.0, 2.0]
    with ad.GradientTape() as tape:
        tape.watch(t)
        y = pickle.loads(pickle.dumps(t)) * 2.0
    assert tape.gradient(y, t) is None


def test_a_deep_copy_is_a_variable_of_its_own() -> None:
    v = ad.Variable(2.0, name="v", trainable=True)
    w = copy.deepcopy({"w": v})["w"]
    with ad.GradientTape() as tape:
        y = v * v + 10.0 * w
    assert [g.numpy() for g in tape.gradient(y, [v, w])] == [4.0, 10.0]
    assert [one is other for one, other in zip(tape.watched_variables(), (v, w), strict=True)] == [
        True,
        True,
    ]
    w.assign(5.0)
    assert (v.numpy(), w.numpy(), w.name) == (2.0, 5.0, "v:0")
    both = copy.deepcopy([v, v])
    assert both[0] is both[1] and copy.copy(v) is v


def test_a_copied_model_does_not_share_its_gradients() -> None:
    student = ad.keras.Sequential([ad.keras.layers.Dense(1, use_bias=False)])
    data = ad.constant([[1.0, 2.0]])
    student(data)
    teacher = copy.deepcopy(student)
    with ad.GradientTape() as tape:
        loss = ad.reduce_sum(student(data) - 10.0 * teacher(data))
    (gradient,) = tape.gradient(loss, student.trainable_variables)
    assert gradient.numpy().tolist() == [[1.0], [2.0]]
    (taught,), (own,) = teacher.trainable_variables, student.trainable_variables
    assert type(taught) is type(own) and taught is teacher.layers[0].kernel and taught is not own
    taught.trainable = False
    assert own.trainable and not teacher.trainable_variables


def test_a_cast_to_its_own_dtype_leaves_a_variable_watched() -> None:
    v = ad.Variable(3.0)
    c = ad.cast(v, ad.float32)
    with ad.GradientTape() as tape:
        tape.watch(c)
        y = v * c
    assert [g.numpy() for g in tape.gradient(y, [v, c])] == [6.0, 6.0]  # as TensorFlow
