"""Bad input is refused in words that say what was given, what was expected, and what to do."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.operators import HINTS

X = ad.constant([1.0, 2.0])

REFUSED: list[tuple[Any, type[Exception], str]] = [
    # dtypes that do not go together
    (lambda: X + ad.constant([1, 2]), ad.errors.InvalidArgumentError,
     "cannot compute AddV2 as input #1(zero-based) was expected to be a float tensor but is a int32 "
     "tensor [Op:AddV2]"),
    (lambda: X * ad.constant([1.0, 2.0], ad.float64), ad.errors.InvalidArgumentError,
     "cannot compute Mul as input #1(zero-based) was expected to be a float tensor but is a double "
     "tensor [Op:Mul]"),
    (lambda: ad.Variable(1.0) - ad.Variable(1), ad.errors.InvalidArgumentError, "use ad.cast"),
    (lambda: ad.constant(1) + 1.5, ad.errors.InvalidArgumentError, "use ad.cast"),
    (lambda: ad.constant([[1]]) @ ad.constant([[1.0]]), ad.errors.InvalidArgumentError, "MatMul"),
    (lambda: ad.sin(ad.constant(1)), ad.errors.InvalidArgumentError,
     "Value for attr 'T' of int32 is not in the list of allowed values: "),
    (lambda: ad.constant(True) + ad.constant(True), ad.errors.InvalidArgumentError,
     "Value for attr 'T' of bool"),
    (lambda: ad.linspace(X, ad.constant([1.0, 2.0], ad.float64), 3), ad.errors.InvalidArgumentError,
     "expected to be a float tensor but is a double tensor [Op:LinSpace]"),
    (lambda: ad.linspace(ad.constant(0), 5.5, 3), ad.errors.InvalidArgumentError, "use ad.cast"),
    (lambda: ad.pad(ad.constant([1]), [[1, 1]], constant_values=2.5), ad.errors.InvalidArgumentError,
     "a int32 tensor but is a float tensor [Op:PadV2]; use ad.cast"),
    (lambda: ad.pad(X, [[1, 1]], constant_values=ad.constant(2)), ad.errors.InvalidArgumentError,
     "use ad.cast"),
    (lambda: ad.linalg.diag(X, padding_value=ad.constant(2)), ad.errors.InvalidArgumentError,
     "use ad.cast"),
    (lambda: ad.linalg.diag_part([[1.0]], padding_value=[0.0]), ad.errors.InvalidArgumentError,
     "padding_value must be a scalar. Found: [1]"),
    (lambda: ad.convert_to_tensor(X, ad.float64), ValueError,
     "Tensor conversion requested dtype float64 for Tensor with dtype float32"),
    # shapes that do not broadcast
    (lambda: X + ad.constant([1.0, 2.0, 3.0]), ad.errors.InvalidArgumentError,
     "Incompatible shapes: [2] vs. [3] [Op:AddV2]"),
    (lambda: X @ X, ad.errors.InvalidArgumentError, "[Op:"),
    (lambda: ad.constant([[1.0, 2.0]]) @ ad.constant([[1.0, 2.0]]),
     ad.errors.InvalidArgumentError, "Matrix size-incompatible: In[0]: [1,2], In[1]: [1,2]"),
    (lambda: ad.reshape(X, [3]), ad.errors.InvalidArgumentError,
     "Input to reshape is a tensor with 2 values, but the requested shape"),
    # as NumPy would take it
    (lambda: ad.constant([1.0, 2.0])[[0, 1]], ad.errors.InvalidArgumentError,
     "input has only 1 dims [Op:StridedSlice]; a list is one position for each axis, not a choice: for "
     "that use ad.gather(x, [0, 1])"),
    (lambda: X @ X, ad.errors.InvalidArgumentError, "for two vectors use ad.tensordot(x, y, 1)"),
    (lambda: ad.matmul(X, 2.0), ad.errors.InvalidArgumentError, "[Op:MatMul]; for a number use *"),
    (lambda: ad.zeros(2, 3), TypeError, "the shape is given in one list, as ad.zeros([2, 3])"),
    (lambda: ad.ones(2, 3), TypeError, "ad.ones([2, 3])"),
    (lambda: ad.tile([[1.0]], 2), ad.errors.InvalidArgumentError,
     "give one number for each axis, as [2, 2]"),
    (lambda: ad.pad([1.0], 1), ad.errors.InvalidArgumentError,
     "say for each axis how many places before and after, as [[1, 1]]"),
    (lambda: ad.transpose([[1.0]], 0, 1), ad.errors.InvalidArgumentError,
     "give the order of all axes in one list, perm=[1, 0] for example"),
    # ragged data, objects, strings, complex numbers, None
    (lambda: ad.constant([[1, 2], [3]]), ValueError,
     "Can't convert non-rectangular Python sequence to Tensor"),
    (lambda: ad.Variable([[1.0, 2.0], 3.0]), ValueError,
     "Can't convert non-rectangular Python sequence to Tensor"),
    (lambda: X + [[1.0, 2.0], [3.0]], ValueError, "non-rectangular"),
    (lambda: ad.constant(None), ValueError,
     "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor"),
    (lambda: X + None, ValueError, "Attempt to convert a value (None)"),
    (lambda: ad.constant(object()), ValueError, "with an unsupported type (<class 'object'>)"),
    (lambda: ad.constant(np.array([1, "a"], object)), ValueError, "unsupported"),
    (lambda: ad.constant(np.array([None, 2.0])), ValueError, "unsupported"),
    (lambda: ad.constant([1.0, None]), ValueError, "mixed types"),
    (lambda: ad.constant("abc"), ValueError, "the kit holds numbers and booleans"),
    (lambda: X * "abc", ValueError, "the kit holds numbers and booleans"),
    (lambda: ad.constant(np.array(["a"])), ValueError, "the kit holds numbers and booleans"),
    (lambda: ad.constant(np.array("2020-01-01", "M8[D]")), ValueError, "numbers and booleans"),
    (lambda: ad.constant(1j), TypeError, "the kit has no complex numbers"),
    (lambda: ad.constant(np.ones(2, np.complex64)), TypeError, "no complex numbers"),
    (lambda: X * 1j, TypeError, "no complex numbers"),
    (lambda: ad.cast(X, "complex64"), TypeError, "complex64"),
    *([(lambda: ad.constant(np.ones(2, np.longdouble)), (ValueError, TypeError), "longdouble|float128")]
      if np.dtype(np.longdouble) != np.float64 else []),  # on Windows it is a float64
    (lambda: ad.constant([True, 1]), ValueError, "mixed types"),
    (lambda: ad.constant({1: 2}), ValueError, "unsupported type (<class 'dict'>)"),
    (lambda: ad.constant({1.0, 2.0}), ValueError, "unsupported type (<class 'set'>)"),
    # numbers that do not fit
    (lambda: ad.constant(1.5, ad.int32), TypeError, "Cannot convert 1.5 to EagerTensor of dtype int32"),
    (lambda: ad.constant(300, ad.uint8), TypeError, "Cannot convert 300 to EagerTensor of dtype uint8"),
    (lambda: ad.constant(2**70), ValueError, ""),
    (lambda: ad.constant(1e39), ValueError, "out of range"),
    (lambda: ad.constant(1, ad.bool), TypeError, "Cannot convert 1 to EagerTensor of dtype bool"),
    (lambda: ad.constant(1.0, dtype="nonsense"), TypeError, "Cannot convert the argument"),
    (lambda: ad.constant([1.0, 2.0], shape=[3]), TypeError, "2 elements"),
    # what Python asks of a tensor
    (lambda: bool(X), ValueError, "is ambiguous. Use a.any() or a.all(). To choose for each element"),
    (lambda: bool(ad.Variable([1.0, 2.0])), ValueError, "ad.where(condition, a, b)"),
    (lambda: len(ad.Variable([1.0, 2.0])), TypeError,
     "object of type 'Variable' has no len(). Use x.shape[0]"),
    (lambda: range(len(ad.Variable(1.0))), TypeError,
     "object of type 'Variable' has no len(), and this one is a single number"),
    (lambda: float(X), TypeError, "only 0-dimensional arrays"),
    (lambda: len(ad.constant(1.0)), TypeError, "Scalar tensor has no `len()`"),
    (lambda: list(ad.constant(1.0)), TypeError, "Cannot iterate over a scalar tensor."),
    (lambda: [1, 2][ad.constant(1.0)], TypeError, "only an integer tensor can be an index"),
    (lambda: X[5], ad.errors.InvalidArgumentError, "slice index 5 of dimension 0 out of bounds"),
    (lambda: X[0, 0], (ValueError, IndexError), "Index out of range|too many indices"),
    (lambda: X["a"], TypeError, "Only integers, slices"),
    (lambda: X[0.5], TypeError, "Only integers, slices"),
    (lambda: X.reshape, AttributeError, "ad.reshape"),
    (lambda: X.backward, AttributeError, "tape.gradient"),
    # variables
    (lambda: ad.Variable(), ValueError, "`initial_value`"),
    (lambda: ad.Variable([1.0]).assign([1.0, 2.0]), ValueError,
     "(1,), and the assigned value shape (2,)"),
    (lambda: ad.Variable([1.0]).assign_add(1.0), ad.errors.InvalidArgumentError,
     "Cannot update variable with shape (1,) using a Tensor with shape (), shapes must be equal"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refused_in_words(number: int) -> None:
    program, kind, words = REFUSED[number]
    with pytest.raises(kind) as caught:
        program()
    message = str(caught.value)
    assert words in message or ("|" in words and re.search(words, message)), message
    assert type(caught.value).__module__ in ("builtins", "autodiff_kit.errors")


def operations(tape: ad.GradientTape) -> list[str]:
    """What is recorded; that a variable was read may well be."""
    return [record[0].type for record in tape.records if record[0].type != "Watch"]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refused_before_anything_changes(number: int) -> None:
    program = REFUSED[number][0]
    with ad.GradientTape() as tape:
        tape.watch(X)
        y = X * X
        records = operations(tape)
        with pytest.raises(Exception):  # noqa: B017
            program()
        assert operations(tape) == records
    assert tape.gradient(y, X).numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    "source", [3.0, 3, True, None, "x", np.ones(2), np.float32(1), [1.0], {"a": None}, object(), 1j]
)
def test_sources_that_are_no_tensors(source: Any) -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = x * x
    with pytest.raises(TypeError, match="`sources` should be .*Tensors or Variables"):
        tape.gradient(y, source)
    with pytest.raises(TypeError, match="`sources` should be"):
        tape.jacobian(y, [x, source])
    assert tape.gradient(y, x).numpy() == 6.0


@pytest.mark.parametrize("target", [None, 3.0, np.ones(2), "y", object()])
def test_targets_that_are_no_tensors(target: Any) -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = x * x
    for wrong in (target, [y, target], {"a": y, "b": target}):
        with pytest.raises(TypeError, match="`target` should be a list or nested structure"):
            tape.gradient(wrong, x)
    assert tape.gradient(y, x).numpy() == 6.0


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (None, "is there a return"),
        (None, "where no gradient flows: if it came from there, ad.explain on that tape"),
        (3.0, "without float() or .numpy()"),
        (np.float32(3.0), "ad's functions in place of NumPy's"),
        (np.ones(2), "was not recorded"),
        ("y", "Hand over one that was computed"),
    ],
)
def test_what_to_do_about_a_target_that_is_no_tensor(target: Any, words: str) -> None:
    x = ad.Variable(3.0)
    with ad.GradientTape(persistent=True) as tape:
        x * x
    with pytest.raises(TypeError, match="whose gradient is asked for") as caught:
        tape.gradient(target, x)
    assert words in str(caught.value)


def test_an_if_about_many_elements_is_told_of_where() -> None:
    for program in (lambda: 1.0 if X >= 0 else 2.0, lambda: -1 < X < 1):
        with pytest.raises(ValueError, match="ambiguous") as caught:
            program()
        assert "ad.where(condition, a, b)" in str(caught.value)
        assert "ad.logical_and(x > a, x < b)" in str(caught.value)


def test_a_variable_without_a_length_is_still_a_sequence_of_its_elements() -> None:
    x = ad.Variable([1.0, 2.0])
    assert [float(part) for part in x] == [1.0, 2.0]
    assert len(list(x)) == len(tuple(x)) == 2
    assert np.array(x).tolist() == np.asarray([x, x])[0].tolist() == [1.0, 2.0]
    assert ad.stack([x, x]).shape == (2, 2) and ad.constant(x).shape == (2,)


@pytest.mark.parametrize("watched", [3.0, None, "x", np.ones(2), [ad.constant(1.0), 2.0]])
def test_what_cannot_be_watched(watched: Any) -> None:
    with ad.GradientTape() as tape:
        with pytest.raises(ValueError, match="Passed in object .* of type .*, not ad.Tensor"):
            tape.watch(watched)
        assert not tape.records


@pytest.mark.parametrize("name, hint", HINTS.items())
def test_what_comes_from_elsewhere_is_told_of_tensors_and_variables(name: str, hint: str) -> None:
    x = ad.Variable([1.0, 2.0])
    for one, what in ((x, "Variable"), (x * 1.0, "Tensor")):
        if name in vars(type(one)):
            continue  # a variable can be assigned
        with pytest.raises(AttributeError, match=f"^{what} object has no attribute '{name}'") as e:
            getattr(one, name)
        assert hint in str(e.value) and not hasattr(one, name)


@pytest.mark.parametrize(
    "name, after", [("assign", 5.0), ("assign_add", 6.0), ("assign_sub", -4.0)]
)
def test_a_part_of_a_variable_is_assigned_as_the_hint_says(name: str, after: float) -> None:
    x = ad.Variable([1.0, 2.0])
    with pytest.raises(AttributeError, match="only to the whole") as error:
        getattr(x[0], name)(5.0)
    (code,) = re.findall(r"x\.assign\(ad\.tensor\w+\(.*?\)\)", str(error.value))
    assert eval(code).numpy().tolist() == [after, 2.0]


def test_an_optimizer_says_what_stands_for_keras_apply() -> None:
    for opt in (ad.keras.optimizers.Adam(), ad.compat.v1.train.AdamOptimizer()):
        with pytest.raises(AttributeError, match=r"Use opt\.apply_gradients\(zip\(") as error:
            opt.apply([], [])
        assert error.value.obj is None, "no 'Did you mean: _apply' after it"


FOUR = np.array([[1.0, 2.0], [3.0, 4.0]])
ALONE: list[tuple[str, Any]] = [  # the first is converted by itself; TensorFlow 2.21 was asked
    ("add", ad.add),
    ("matmul", ad.matmul),
    ("tensordot", lambda a, b: ad.tensordot(a, b, 1)),
    ("labels=", lambda a, b: ad.nn.sigmoid_cross_entropy_with_logits(labels=a, logits=b)),
    ("weighted", lambda a, b: ad.nn.weighted_cross_entropy_with_logits(a, b, 2.0)),
    ("matvec", lambda a, b: ad.linalg.matvec(a, b[0])),
    ("truediv", ad.truediv),
]
SECOND = {"tensordot", "labels=", "weighted", "matvec"}  # and so is the second
FOLLOWING: list[Any] = [
    lambda a, b: a + b, lambda a, b: a @ b, lambda a, b: a / b, ad.divide, ad.subtract, ad.multiply,
    ad.maximum, ad.math.squared_difference,
]  # fmt: skip


@pytest.mark.parametrize("variable", [ad.Variable, ad.constant])
@pytest.mark.parametrize("name, function", ALONE)
def test_an_array_of_another_dtype_is_refused_where_tensorflow_refuses_it(
    name: str, function: Any, variable: Any
) -> None:
    x = variable(FOUR.astype("float32"))
    words = "(was expected to be a .* tensor but is a .* tensor|must have the same dtype).* ad.cast"
    for first in (FOUR, FOUR.astype(int), [[1, 2], [3, 4]]):
        with pytest.raises((ad.errors.InvalidArgumentError, TypeError), match=words):
            function(first, x)
    if name in ("add", "truediv"):
        assert function(1, x).dtype == function(True, x).dtype == ad.float32  # a number follows
    for first in (FOUR.astype("float32"), FOUR.tolist(), ad.cast(FOUR, ad.float32)):
        assert function(first, x).dtype == ad.float32
    if name in SECOND:
        with pytest.raises(ad.errors.InvalidArgumentError, match=words):
            function(x, FOUR)
    else:
        assert function(x, FOUR).dtype == ad.float32


@pytest.mark.parametrize("function", FOLLOWING)
def test_an_array_follows_the_dtype_of_a_tensor_where_it_does_in_tensorflow(function: Any) -> None:
    x = ad.Variable(FOUR.astype("float32"))
    with ad.GradientTape() as tape:
        y = function(FOUR, x)
    assert function(x, FOUR).dtype == y.dtype == tape.gradient(y, x).dtype == ad.float32


def test_bounds_and_a_bias_follow_as_in_tensorflow() -> None:
    x = ad.constant(FOUR.astype("float32"))
    assert ad.clip_by_value(x, np.float64(0.5), np.array([1, 2])).dtype == ad.float32
    assert ad.nn.bias_add(FOUR, ad.Variable([1.0, 2.0])).dtype == ad.float32


def test_an_error_has_its_message() -> None:
    with pytest.raises(ad.errors.InvalidArgumentError) as caught:
        X + ad.constant([1.0, 2.0, 3.0])
    assert caught.value.message == str(caught.value)
    assert caught.value.message.startswith("Incompatible shapes: [2] vs. [3]")
