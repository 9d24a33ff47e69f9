"""Forward mode, Hessians and moved gradients: TensorFlow's results and every recorded case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from recorded_training import CASES, close, family

Forward = ad.autodiff.ForwardAccumulator
H = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 2.0]])


def quadratic(x: Any) -> Any:
    kind = x.dtype.as_numpy_dtype
    return ad.reduce_sum(x * ad.reduce_sum(H.astype(kind) * x, axis=1)) / 2.0


def nonquadratic(x: Any) -> Any:
    powers = ad.reduce_sum(x**4) / 4.0
    return powers + ad.sin(x[0]) + ad.exp(x[2] / 2.0) + x[0] * x[1] * x[2]


FUNCTIONS = {"quadratic": quadratic, "nonquadratic": nonquadratic}
EPS = ("0.1", "0.01", "0.001", "0.0001", "1e-05", "1e-06")
SIGMAS = ("1", "0.01", "0.001")


def gradient(f: Any, x: Any) -> Any:
    x = ad.constant(x)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x).numpy()


def moved_gradients(f: Any, x: Any, eps: float) -> Any:
    """The Hessian, column by column, from the gradients at two moved points."""
    steps = np.eye(3, dtype=x.dtype) * x.dtype.type(eps)
    columns = [(gradient(f, x + s) - gradient(f, x - s)) / x.dtype.type(2 * eps) for s in steps]
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_exact_hessian(name: str) -> None:
    f, case = FUNCTIONS[name], CASES[f"hessian.{name}.exact"]["value"]
    close(f(ad.constant(case["x"])), case["y"], 1e-14)
    close(gradient(f, case["x"]), case["grad"], 1e-14)
    found = ad.hessian(f, case["x"]).numpy()
    close(found, case["H"], 1e-14, 1e-14)
    assert np.linalg.norm(found) == pytest.approx(case["frobenius"], rel=1e-12)
    assert np.linalg.norm(found, 2) == pytest.approx(case["spectral"], rel=1e-12)
    assert np.trace(found) == pytest.approx(case["trace"], rel=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_exact_hessian_in_float32(name: str) -> None:
    f, case = FUNCTIONS[name], CASES[f"hessian.{name}.exact_float32"]["value"]
    x = CASES[f"hessian.{name}.exact"]["value"]["x"].astype(np.float32)
    close(ad.hessian(f, x), case["H"], 2e-6)
    close(ad.hvp(f, x, [1.0, 2.0, -1.0]), case["hvp_d=[1,2,-1]"], 2e-6)


@pytest.mark.parametrize("eps", EPS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_moved_gradients(name: str, dtype: str, eps: str) -> None:
    case = CASES[f"hessian.{name}.central.{dtype}.eps{eps}"]["value"]
    exact = CASES[f"hessian.{name}.exact"]["value"]
    found = moved_gradients(FUNCTIONS[name], exact["x"].astype(dtype), float(eps))
    error = np.abs(found - exact["H"]).max()
    # How a difference is rounded is a matter of luck; how large its error is, is not.
    rounding = 60 * np.finfo(dtype).eps / float(eps)
    assert abs(error - case["max_abs_err"]) < 0.02 * case["max_abs_err"] + rounding
    if "H" in case:
        np.testing.assert_allclose(found, case["H"], 1e-6, 2 * rounding)


@pytest.mark.parametrize("sigma", SIGMAS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_norm_of_the_hessian_by_random_directions(name: str, sigma: str) -> None:
    """E|Hd|^2 is the squared Frobenius norm; dividing by d element by element has no mean."""
    f, case = FUNCTIONS[name], CASES[f"hessian.{name}.stochastic.sigma{sigma}.M2000"]["value"]
    x, rng = CASES[f"hessian.{name}.exact"]["value"]["x"], np.random.default_rng(0)
    moves = rng.normal(size=(2000, 3)) * float(sigma)
    changes = [gradient(f, x + d) - gradient(f, x - d) for d in moves]
    found = np.array(changes) / (2 * float(sigma))
    estimate = np.sqrt(np.mean(np.sum(found**2, axis=1)))
    assert estimate == pytest.approx(case["sqrt"], rel=0.1)
    diagonal = np.diag(CASES[f"hessian.{name}.exact"]["value"]["H"])
    np.testing.assert_allclose(case["diag_H"], diagonal, 1e-12)


def test_the_formula_without_its_brackets() -> None:
    case = CASES["hessian.document_formula_as_written_precedence"]["value"]
    assert not np.allclose(case["as_written"], case["Hd/d"])
    np.testing.assert_allclose(case["bracketed"], case["Hd/d"])
    d = np.array([1.0, 2.0, 3.0])
    x = np.zeros(3)
    change = gradient(quadratic, x + d) - gradient(quadratic, x - d)
    np.testing.assert_allclose(change / (2 * d), H @ d / d)


def test_a_gradient_at_a_moved_point_needs_a_new_computation() -> None:
    case = CASES["gradients.a_plus_delta"]["value"]
    eager = CASES["gradients.a_plus_delta.eager"]["value"]
    a, delta = ad.Variable([1.0, 2.0]), ad.constant([0.1, 0.1])
    with ad.GradientTape(persistent=True) as tape:
        moved = a + delta
        b = a**3
        b2 = moved**3
    close(tape.gradient(b, a), case["grad_b_a"])
    assert tape.gradient(b, moved) is case["grad_b_a_plus_delta"][0] is None
    assert tape.gradient(b, a + delta) is eager["b_wrt_new_a+delta"] is None
    close(tape.gradient(b2, moved), case["rebuilt_grad_b2_a2"])
    close(tape.gradient(b2, a), case["rebuilt_grad_b2_a"])
    a.assign_add(delta)
    with ad.GradientTape() as again:
        b = a**3
    close(again.gradient(b, a), case["moved_a_then_eval"])


@pytest.mark.parametrize("name", ["tf", "tf2"])
def test_gradients_is_an_error(name: str) -> None:
    case, x = CASES[f"gradients.eager_{name}.gradients"], ad.Variable(1.0)
    assert case["raises"] == "RuntimeError"
    with pytest.raises(RuntimeError) as error:
        ad.gradients(x * x, x)
    assert str(error.value).startswith(case["message"])


def test_every_recorded_case_is_met() -> None:
    met = {"hessian.document_formula_as_written_precedence"}
    for name in FUNCTIONS:
        met |= {f"hessian.{name}.exact", f"hessian.{name}.exact_float32"}
        met |= {f"hessian.{name}.central.{d}.eps{e}" for d in ("float64", "float32") for e in EPS}
        met |= {f"hessian.{name}.stochastic.sigma{s}.M2000" for s in SIGMAS}
    assert family("hessian.") == met
    assert family("gradients.") == {
        "gradients.a_plus_delta", "gradients.a_plus_delta.eager", "gradients.eager_tf.gradients",
        "gradients.eager_tf2.gradients",
    }  # fmt: skip


# Forward mode. The expected numbers are TensorFlow's.


def test_nested_accumulators() -> None:
    x, one = ad.constant(1.1), ad.constant(1.0)
    with Forward(x, one) as outer, Forward(x, one) as inner:
        y = x ** ad.constant(3.5)
    first = inner.jvp(y)
    close(first, np.float32(4.441705703735352))
    close(outer.jvp(first), np.float32(10.094785690307617))
    assert inner.jvp(outer.jvp(y)) is None


def test_third_derivative() -> None:
    x, one = ad.constant(3.0), ad.constant(1.0)
    with Forward(x, one) as a:
        with Forward(x, one) as b:
            with Forward(x, one) as c:
                y = x**4.0
                first = c.jvp(y)
            second = b.jvp(first)
        third = a.jvp(second)
    assert [float(v) for v in (first, second, third)] == [108.0, 108.0, 72.0]


def test_forward_over_backward() -> None:
    v = ad.Variable([1.0, 2.0])
    with Forward(v, ad.constant([1.0, 0.0])) as acc:
        with ad.GradientTape() as tape:
            y = ad.reduce_sum(v**3.0)
        back = tape.gradient(y, v)
    assert back.numpy().tolist() == [3.0, 12.0]
    assert acc.jvp(back).numpy().tolist() == [6.0, 0.0]


@pytest.mark.parametrize("inside", [True, False])
def test_backward_over_forward(inside: bool) -> None:
    x = ad.constant([1.0, 2.0])
    with ad.GradientTape() as tape:
        tape.watch(x)
        with Forward(x, ad.constant([1.0, 1.0])) as acc:
            y = ad.sin(x) * x
        product = acc.jvp(y) if inside else None
    product = acc.jvp(y) if product is None else product
    close(tape.gradient(product, x), np.array([0.2391336, -2.6508884], np.float32), 1e-6)


def test_a_tape_inside_ignores_the_products() -> None:
    x = ad.constant(3.0)
    with Forward(x, ad.constant(1.0)) as acc, ad.GradientTape() as tape:
        tape.watch(x)
        product = acc.jvp(x * x)
    assert tape.gradient(product, x) is None


def test_what_is_connected() -> None:
    x, z = ad.constant(2.0), ad.constant(3.0)
    with Forward(x, ad.constant(1.0)) as acc:
        y, w = z * 2.0, x * z
    late = x * x
    found = acc.jvp([y, w, late, x, z])
    assert [None if p is None else float(p) for p in found] == [None, 3.0, None, 1.0, None]
    assert float(acc.jvp(y, unconnected_gradients="zero")) == 0.0
    assert acc.jvp(ad.constant(1)) is None
    with pytest.raises(ValueError, match="unconnected_gradients"):
        acc.jvp(y, unconnected_gradients="nothing")


def test_shapes_and_operations() -> None:
    x = ad.Variable(2.0)
    with Forward(x, ad.constant(1.0)) as acc:
        results = [
            ad.stop_gradient(x) * x,
            ad.floor(x),
            ad.reshape(x, [1, 1]),
            ad.cast(x, ad.float64),
            x,
        ]
    found = acc.jvp(results)
    assert [None if p is None else p.numpy().tolist() for p in found] == [
        2.0,
        None,
        [[1.0]],
        1.0,
        1.0,
    ]
    assert found[3].dtype == ad.float64


def test_a_branch_not_chosen_does_not_poison_forward_mode() -> None:
    x = ad.constant([-1.0, 0.0, 4.0])
    with Forward(x, ad.ones([3])) as acc:
        y, s = ad.where(x > 0, ad.math.log(x), 0.0 * x), ad.sqrt(x)
    assert acc.jvp(y).numpy().tolist() == [0.0, 0.0, 0.25]
    assert np.array_equal(acc.jvp(s).numpy(), [np.nan, np.inf, 0.25], equal_nan=True)


def test_where_there_is_no_slope_and_where_it_is_infinite() -> None:
    """As docs/coming-from-tensorflow.md says: what reverse mode gives, times the tangent."""
    x = ad.constant([-2.0, np.inf, 3.0])
    with Forward(x, ad.constant([1.0, 1.0, -1.0])) as acc, ad.GradientTape() as tape:
        tape.watch(x)
        s, y, z = ad.sign(x), x**2.0, ad.abs(x)
    assert acc.jvp(s).numpy().tolist() == [0.0, 0.0, 0.0]
    assert acc.jvp(y).numpy().tolist() == [-4.0, np.inf, -6.0]
    slopes = tape.gradient(z, x)
    assert slopes.numpy().tolist() == [-1.0, 1.0, 1.0]


def test_the_largest_of_no_elements_does_not_move() -> None:
    x = ad.zeros([0, 2])
    with Forward(x, x) as acc:
        results = [ad.reduce_max(x, axis=0), ad.reduce_min(x, keepdims=True)]
    assert [p.numpy().tolist() for p in acc.jvp(results)] == [[0.0, 0.0], [[0.0]]]


def test_going_on_in_a_second_block() -> None:
    x = ad.constant(2.0)
    acc = Forward(x, ad.constant(1.0))
    with acc:
        y = x * x
    with acc:
        z = y * x
    assert [float(p) for p in acc.jvp([y, z])] == [4.0, 12.0]
    with acc, pytest.raises(ValueError, match="Accumulator is already recording"):
        acc.__enter__()


def test_asking_inside_the_block_does_not_end_it() -> None:
    x = ad.constant(2.0)
    with Forward(x, ad.constant(1.0)) as acc:
        y = x * x
        assert float(acc.jvp(y)) == 4.0
        z = y * x
    assert float(acc.jvp(z)) == 12.0


def test_a_jacobian_column_by_column() -> None:
    rng = np.random.default_rng(0)
    a, x = rng.normal(size=(4, 3)), ad.constant(rng.normal(size=3))
    columns = []
    for unit in np.eye(3):
        with Forward(x, ad.constant(unit)) as acc:
            y = ad.tanh(ad.reduce_sum(a * x, axis=1))
        columns.append(acc.jvp(y).numpy())
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = ad.tanh(ad.reduce_sum(a * x, axis=1))
    close(np.stack(columns, axis=1), tape.jacobian(y, x), 1e-12)


def test_structures_of_primals() -> None:
    primals = {"a": ad.Variable(2.0), "b": [ad.constant(3.0)]}
    tangents = {"a": ad.constant(1.0), "b": [ad.constant(10.0)]}
    with Forward(primals, tangents) as acc:
        y = primals["a"] * primals["b"][0]
    assert float(acc.jvp(y)) == 23.0


def test_forward_errors() -> None:
    x = ad.constant(1.0)
    with pytest.raises(ValueError, match="was specified as a primal multiple times"):
        Forward([x, x], [x, x])
    with pytest.raises(ValueError, match="shape"):
        Forward(x, ad.constant([1.0]))
    with pytest.raises(ValueError, match="requested dtype float32"):
        Forward(x, ad.constant(1.0, ad.float64))
    with pytest.raises(ValueError, match="same nested structure"):
        Forward([x], x)
    with pytest.raises(TypeError, match="primal must be a Tensor"):
        Forward(1.0, 1.0)
    with pytest.raises(TypeError, match="jvp takes"):
        Forward(x, x).jvp(3.0)
    with pytest.warns(ad.GradientWarning, match="watched primal must be floating"):
        assert Forward(ad.constant(1), ad.constant(1)).jvp(x) is None


def test_nothing_records_after_an_exception() -> None:
    from autodiff_kit.tensor import RECORDING

    x = ad.constant(1.0)
    with pytest.raises(KeyError), Forward(x, x):
        raise KeyError
    assert RECORDING.get() == ()


def test_hvp_of_several_arguments_and_of_a_variable() -> None:
    x, y = ad.Variable([1.0, 2.0]), ad.constant(3.0)

    def f(x: Any, y: Any) -> Any:
        return ad.reduce_sum(x * x) * y

    found = ad.hvp(f, [x, y], [[1.0, 0.0], 1.0])
    assert [p.numpy().tolist() for p in found] == [[8.0, 4.0], 2.0]
    assert ad.hvp(lambda x: ad.reduce_sum(x), x, [1.0, 1.0]).numpy().tolist() == [0.0, 0.0]
    assert ad.hessian(lambda x: ad.reduce_sum(2.0 * x), x).numpy().tolist() == [[0.0, 0.0]] * 2


def test_hessian_errors() -> None:
    with pytest.raises(ValueError, match=r"one number.*\(2,\)"):
        ad.hessian(ad.sin, [1.0, 2.0])
    with pytest.raises(ValueError, match="int32"):
        ad.hessian(ad.square, 1)
    with pytest.raises(ValueError, match="shape"):
        ad.hvp(lambda x: ad.reduce_sum(x * x), [1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="parts"):
        ad.hvp(lambda x: x * x, [ad.constant(1.0)], [1.0, 2.0])
