"""Shapes, indexing and linear algebra give what TensorFlow gave: values, dtypes, gradients, errors."""

from __future__ import annotations

import pytest

import autodiff_kit as ad
from ops.answers import agree, answers
from ops.array_cases import CASES, described, namespace

ANSWERS = answers("arrays")

# Where the kit does something else on purpose.
OTHER_WORDS = {
    "tf.concat([], 0)": "TensorFlow's message is about its kernels",
    'tf.range("a")': "TensorFlow fails an assertion without a word",
    "tf.linspace(0., 1., 3.0)": "the same words for every number that must be an integer",
    "x[True, 0]": "TensorFlow's message speaks of the other index",
    "tf.scatter_nd([[0]], [1.], [0])": "one sentence for all that is written into nothing",
    "tf.gather_nd(x, [[0],[2]], batch_dims=tf.constant([0, 1]))": "TensorFlow's is NumPy's message",
    "tf.linalg.triangular_solve(tf.eye(2), tf.ones([3,1]))": "TensorFlow adds: 1 0",
    "tf.meshgrid([1,2], sparse=True)": "Python's own message",
    "tf.reverse(x, [2])": "TensorFlow forgets a bracket",
    "tf.map_fn(lambda a: (a, a*2), tf.constant([1.,2.]))": "the kit says what is different",
    "tf.tensordot(x, x, 3)": "TensorFlow prints the whole tensor",
    "tf.tensordot(x, x, [[2],[0]])": "TensorFlow says: list index out of range",
    "tf.gather(x, [[0,1],[1,2]], axis=0, batch_dims=1)": "its documentation forbids batch_dims > axis",
}
OTHER_RESULT = {
    "tf.gather(x, [0], batch_dims=1, axis=0)": "its documentation forbids batch_dims > axis",
    "tf.gather(x[None], [[0]], batch_dims=1, axis=0)": "its documentation forbids batch_dims > axis",
    "tf.linalg.cholesky([[1.,2.],[2.,1.]])": "TensorFlow leaves part of its memory unwritten",
    "tf.linalg.inv([[nan,1.],[1.,1.]])": "NaN, so that `explain` can say where it was born",
    "tf.linalg.solve([[nan,1.],[1.,1.]],[[1.],[1.]])": "the same",
    "tf.math.top_k(x, 2, sorted=False)": "any order is right",
    "tf.broadcast_static_shape((2,1),(3,))": "plain tuples are shapes too",
    "tf.einsum('ij,j->i', x, [1.,2.,3.])": "lists are tensors everywhere",
    "tf.einsum('ij,j->i', x, [1,2,3])": "lists are tensors everywhere",
    "tf.einsum('ij->i', [[1,2],[3,4]])": "lists are tensors everywhere",
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("case", [case for case in CASES if case not in OTHER_RESULT])
def test_as_tensorflow(case: str) -> None:
    expected = ANSWERS[case]
    if not isinstance(expected, dict) or "error" not in expected:
        agree(described(eval(case, namespace(ad))), expected)
        return
    with pytest.raises(Exception) as caught:
        eval(case, namespace(ad))
    if case in OTHER_WORDS:
        assert isinstance(caught.value, (ValueError, TypeError))
        return
    assert type(caught.value).__name__ == expected["error"]
    assert str(caught.value).startswith(expected["message"])


def test_nothing_is_recorded_that_is_not_asked() -> None:
    assert set(ANSWERS) == set(CASES)
    assert set(OTHER_WORDS) | set(OTHER_RESULT) <= set(CASES)


def test_every_deliberate_difference_is_one() -> None:
    for case in OTHER_RESULT:
        with pytest.raises((AssertionError, ValueError, KeyError)):
            agree(described(eval(case, namespace(ad))), ANSWERS[case])
