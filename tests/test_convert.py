"""A tensor owns its value, which never changes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.errors import InvalidArgumentError


@pytest.mark.parametrize(
    "make",
    [
        ad.constant,
        ad.convert_to_tensor,
        lambda a: ad.constant(a, ad.float32),
        lambda a: ad.constant(a, shape=(2, 2)),
        lambda a: ad.constant([a[0], a[1]]),
        lambda a: ad.identity(a),
        lambda a: ad.reshape(a, (2, 2)),
        lambda a: ad.transpose(a),
        lambda a: ad.stop_gradient(a),
        lambda a: ad.constant(a.T),
        lambda a: ad.constant(a[::1]),
        lambda a: ad.Variable(a).read_value(),
        lambda a: ad.constant(0.0) + a,
        lambda a: ad.cast(a, ad.float32),
        lambda a: ad.broadcast_to(a, (2, 2)),
        lambda a: ad.where(True, a, a),
        lambda a: ad.squeeze(ad.expand_dims(a, 0)),
    ],
)
def test_what_happens_to_the_array_afterwards_does_not_matter(make: Any) -> None:
    array = np.arange(4.0, dtype=np.float32).reshape(2, 2)
    tensor = make(array)
    before = tensor.numpy()
    array[...] = -1.0
    np.testing.assert_array_equal(tensor.numpy(), before)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ad.constant([[1.0, 2.0], [3.0, 4.0]]),
        lambda: ad.Variable([[1.0, 2.0], [3.0, 4.0]]).read_value(),
        lambda: ad.transpose(ad.constant([[1.0, 3.0], [2.0, 4.0]])),
        lambda: ad.constant([[[1.0, 2.0], [3.0, 4.0]]])[0],
        lambda: ad.constant([[1.0, 2.0], [3.0, 4.0]])[...],
        lambda: ad.broadcast_to(ad.constant([1.0, 2.0]), (2, 2)),
        lambda: ad.identity(ad.constant([[1.0, 2.0], [3.0, 4.0]])),
    ],
)
@pytest.mark.parametrize("out", [lambda t: t.numpy(), np.asarray, np.array, lambda t: t[:].numpy()])
def test_what_comes_out_is_a_copy(make: Any, out: Any) -> None:
    tensor = make()
    before = tensor.numpy().tolist()
    array = out(tensor)
    array[...] = -1.0
    assert tensor.numpy().tolist() == before


def test_a_tensor_used_on_a_tape_cannot_be_changed_from_outside() -> None:
    array = np.array([3.0], np.float32)
    x = ad.constant(array)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        array[0] = 50.0
        x.numpy()[0] = 60.0
        np.asarray(x)[0] = 70.0
    assert tape.gradient(y, x).numpy().tolist() == [6.0]


def test_a_gradient_is_no_window_either() -> None:
    x = ad.Variable([1.0, 2.0])
    with ad.GradientTape(persistent=True) as tape:
        y = x + 1.0
    seed = ad.constant([5.0, 6.0])
    g = tape.gradient(y, x, output_gradients=seed)
    g.numpy()[...] = 0.0
    assert seed.numpy().tolist() == [5.0, 6.0]
    assert tape.gradient(y, x, output_gradients=seed).numpy().tolist() == [5.0, 6.0]


def test_items_cannot_be_set() -> None:
    for x in (ad.constant([1.0]), ad.Variable([1.0])):
        with pytest.raises(TypeError):
            x[0] = 2.0


def test_no_array_without_a_copy() -> None:
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        with pytest.raises(ValueError, match="copy"):
            np.array(ad.constant([1.0]), copy=False)


def test_arrays_of_another_byte_order_become_native() -> None:
    x = ad.constant(np.array([1.0, 2.0], ">f4"))
    assert x.dtype is ad.float32 and x.numpy().dtype.isnative
    assert (x * 2.0).numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    "another",
    [
        lambda a: a.astype(a.dtype.newbyteorder()),
        lambda a: pickle.loads(pickle.dumps(a)),
        lambda a: a.astype(np.dtype(a.dtype, metadata={"unit": "m"})),
        lambda a: pickle.loads(pickle.dumps(ad.constant(a))),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_arrays_whose_dtype_is_another_object_of_numpys(another: Any, dtype: Any) -> None:
    x = np.array([0.5, 0.25, -1.0], dtype)
    y = another(x)
    for f in (
        lambda a, b: ad.nn.sigmoid_cross_entropy_with_logits(labels=a, logits=b),
        ad.add, ad.maximum, lambda a, b: ad.matmul(a[None], b[:, None]),
        lambda a, b: ad.concat([a, b], 0), lambda a, b: ad.Variable(a).assign_add(b),
    ):  # fmt: skip
        expected = f(ad.constant(x), ad.constant(x)).numpy().tolist()
        for pair in ((x, y), (y, x), (y, y)):
            found = f(*map(ad.constant, pair))
            assert found.numpy().tolist() == expected and found.dtype == dtype


def test_lists_of_tensors_stay_differentiable() -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = ad.reduce_sum(ad.convert_to_tensor([[x, 1.0], [x * x, 2]]) ** 2)
    assert tape.gradient(y, x).numpy() == 6.0 + 4 * 27.0


@pytest.mark.parametrize("make", [
    lambda x: [x, x], lambda x: [x, 1.0], lambda x: [1.0, x], lambda x: (x, x), lambda x: [[x]],
    lambda x: [[1.0, 2.0], [3.0, x]], lambda x: [np.float32(1.0), x], lambda x: [[1.0], [x]],
])  # fmt: skip
@pytest.mark.parametrize("dtype", [None, ad.float32, ad.float64])
def test_a_constant_is_not_made_of_tensors(make: Any, dtype: Any) -> None:
    """As in TensorFlow 2.21, where a variable or `convert_to_tensor` takes such a list."""
    for x in (ad.Variable(3.0), ad.constant(3.0)):
        with pytest.raises(ValueError, match=r"Can't convert Python sequence.* ad\.stack"):
            ad.constant(make(x), dtype)
        assert ad.convert_to_tensor(make(x), dtype).dtype == (dtype or ad.float32)
        assert ad.Variable(make(x), dtype=dtype).dtype == (dtype or ad.float32)
        assert ad.stack(make(x)).numpy().tolist() == ad.Variable(make(x)).numpy().tolist()


def test_a_list_of_tensors_is_cast_as_tensorflow_casts_it() -> None:
    x, i = ad.Variable(3.0), ad.constant(1)
    with ad.GradientTape() as tape:
        y = ad.reduce_sum(ad.convert_to_tensor([[x, 1.0], [x * x, 2]], ad.float64) ** 2)
    assert (y.dtype, tape.gradient(y, x).numpy()) == (ad.float64, 6.0 + 4 * 27.0)
    with pytest.raises(InvalidArgumentError, match="cannot compute Pack as input #1"):
        ad.convert_to_tensor([x, i], ad.float32)  # the first has the dtype, so nothing is cast
    assert ad.Variable([0.0, 0.0]).assign([i, i]).numpy().tolist() == [1.0, 1.0]


def test_a_constant_of_a_variable_is_a_copy() -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape(persistent=True) as tape:
        y, z = ad.constant(x) * 2.0, ad.constant(x * 1.0) * 2.0
    assert tape.gradient(y, x) is None and tape.gradient(z, x).numpy() == 2.0
    assert ad.constant(x, ad.float64).dtype == ad.float64


def test_no_dtype_is_equal_to_none() -> None:
    for dtype in (ad.float16, ad.float32, ad.float64, ad.int32, ad.int64, ad.bool):
        assert dtype != None and not dtype == None  # noqa: E711
    with pytest.raises(TypeError):
        ad.as_dtype(None)
    with pytest.raises(ValueError, match="requested dtype float64"):
        ad.convert_to_tensor(ad.constant(1.0), ad.float64)


def test_subclasses_and_array_likes() -> None:
    class Money(float):
        pass

    class Arrays:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([1.0, 2.0], np.float32 if dtype is None else dtype)

    assert ad.constant(Money(2.5)).numpy() == 2.5 and ad.constant(Money(2.5)).dtype == ad.float32
    assert ad.constant(np.ma.array([1.0, 2.0])).numpy().tolist() == [1.0, 2.0]
    assert (ad.constant(1.0) + Arrays()).numpy().tolist() == [2.0, 3.0]


def test_integers_beyond_64_bits_become_floats_where_floats_are_asked_for() -> None:
    assert ad.constant(10**30, dtype=ad.float32).numpy() == np.float32(1e30)
    assert ad.constant([1.5, 10**30]).numpy().tolist() == [1.5, np.float32(1e30)]
    assert ad.constant([1, 2**70], dtype=ad.float64).numpy().tolist() == [1.0, 2.0**70]
    assert (ad.constant(1.0) * 10**30).numpy() == np.float32(1e30)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ad.constant(10**30),
        lambda: ad.constant(2**63),
        lambda: ad.constant([0, 2**63]),
        lambda: ad.constant(10**400, dtype=ad.float64),
        lambda: ad.constant(1.0) * 10**400,
        lambda: ad.constant(1) * 10**30,
    ],
)
def test_integers_beyond_64_bits_are_refused_elsewhere(make: Any) -> None:
    with pytest.raises(ValueError, match="out-of-range integer"):
        make()


@pytest.mark.parametrize("stop", [1.0, ad.constant(1.0)])
def test_a_whole_number_at_the_start_of_linspace_follows_the_end(stop: Any) -> None:
    found = ad.linspace(0, stop, 3)
    assert found.dtype == ad.float32 and found.numpy().tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("word", ["float", "int", "bool"])
def test_the_name_of_a_python_type_means_that_type(word: str) -> None:
    assert ad.as_dtype(word) is ad.as_dtype({"float": float, "int": int, "bool": bool}[word])


def test_rows_of_numbers_follow_the_tensors_of_other_rows() -> None:
    x = ad.Variable(2.0, dtype=ad.float64)
    with ad.GradientTape() as tape:
        matrix = ad.stack([[1.0, 0.0], [0, x], (x, 3)])
    assert matrix.dtype == ad.float64 and tape.gradient(matrix, x).numpy() == 2.0
