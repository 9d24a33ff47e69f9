"""The programs behind the recorded cases about branches, overrides and custom gradients.

Each function does what the case's name says, and returns it in the structure that was recorded.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.switch_merge import graph_cond as graph_model

PROGRAMS: dict[str, Callable[[], Any]] = {}
names = itertools.count()  # a registered name can be used once


def case(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def enter(f: Callable[[], Any]) -> Callable[[], Any]:
        PROGRAMS[name] = f
        return f

    return enter


def grads(f: Any, *at: Any) -> Any:
    """The value of f and its gradients at tensors."""
    at = tuple(ad.constant(x) if not ad.is_tensor(x) else x for x in at)
    with ad.GradientTape() as tape:
        tape.watch(at)
        y = f(*at)
    return y, tape.gradient(y, list(at))


def overridden(f: Any, at: list[Any], mapping: dict[str, Any]) -> Any:
    def inside(*xs: Any) -> Any:
        with ad.get_default_graph().gradient_override_map(mapping):
            return f(*xs)

    y, found = grads(inside, *at)
    return {"y": y, "grads": found}


def registered(f: Any) -> str:
    name = f"Oracle{next(names)}"
    ad.RegisterGradient(name)(f)
    return name


def five(op: Any, grad: Any) -> Any:
    return 5.0 * grad


# --- select and where -------------------------------------------------------------------------------

C, T, F = [True, False, True], [1.0, 2.0, 3.0], [10.0, 20.0, 30.0]


@case("select.v2.where")
def _select() -> Any:
    c, t, f = ad.constant(C), ad.constant(T), ad.constant(F)
    with ad.GradientTape() as tape:
        tape.watch([t, f])
        y = ad.where(c, t, f)
    op_type = ad.where.__globals__["_where"].op.type
    found = tape.gradient(y, [c, t, f], output_gradients=ad.constant([7.0, 8.0, 9.0]))
    return {"op_type": op_type, "out": y, "grads_C_T_F": found}


@case("select.document_snippet_registered")
def _select_registered() -> Any:
    def select_grad(op: Any, grad: Any) -> Any:
        c, x = op.inputs[0], op.inputs[1]
        zeros = ad.zeros_like(x)
        return [None, ad.where(c, grad, zeros), ad.where(c, zeros, grad)]

    c, t, f = ad.constant(C), ad.constant(T), ad.constant(F)
    with ad.GradientTape() as tape:
        tape.watch([t, f])
        with ad.gradient_override_map({"SelectV2": registered(select_grad)}):
            y = ad.where(c, t, f)
    return tape.gradient(y, [c, t, f], output_gradients=ad.constant([7.0, 8.0, 9.0]))


def where_nan(name: str, f: Any, at: list[float]) -> None:
    @case(f"where.nan.{name}")
    def program() -> Any:
        y, (grad,) = grads(f, at)
        return {"y": y, "grad": grad}


where_nan("sqrt_unselected_neg", lambda x: ad.where(x > 0.0, ad.sqrt(x), 0.0), [-1.0, 0.0, 4.0])
where_nan("log_unselected_zero", lambda x: ad.where(x > 0.0, ad.math.log(x), 0.0), [-1.0, 0.0, 4.0])
where_nan("div_unselected_zero", lambda x: ad.where(x > 0.0, 1.0 / x, 0.0), [0.0, 2.0])
where_nan("sinc_unselected_zero", lambda x: ad.where(x > 0.0, ad.sin(x) / x, 1.0), [0.0, 2.0])
where_nan(
    "exp_overflow_unselected",
    lambda x: ad.where(x > 50.0, x, ad.math.log(1.0 + ad.exp(x))),
    [0.0, 100.0],
)
where_nan(
    "double_where_fix",
    lambda x: ad.where(x > 0.0, ad.sqrt(ad.where(x > 0.0, x, 1.0)), 0.0),
    [-1.0, 0.0, 4.0],
)
where_nan(
    "multiply_mask_instead",
    lambda x: ad.cast(x > 0.0, ad.float32) * ad.sqrt(x),
    [-1.0, 0.0, 4.0],
)


@case("where.broadcast_3way")
def _broadcast() -> Any:
    y, (ga, gb) = grads(lambda a, b: ad.where([[True], [False]], a, b), [1.0, 2.0, 3.0], 5.0)
    return {"y": y, "ga": ga, "gb": gb}


PROGRAMS["where.v2.vector_condition_on_2x3"] = lambda: ad.where(
    [True, False], np.ones((2, 3), np.float32), np.zeros((2, 3), np.float32)
)
PROGRAMS["where.one_arg"] = lambda: ad.where([[True, False], [False, True]])
PROGRAMS["where.only_x"] = lambda: ad.where([True], [1.0])
PROGRAMS["where.dtype_mismatch"] = lambda: ad.where([True], ad.constant([1.0]), ad.constant([1]))
PROGRAMS["where.int_condition"] = lambda: ad.where(ad.constant([1, 0]), 1.0, 0.0)
PROGRAMS["where.float_condition"] = lambda: ad.where(ad.constant([1.0, 0.0]), 1.0, 0.0)
PROGRAMS["where.grad_with_unwatched_other"] = lambda: grads(
    lambda x: ad.where([True, False], x, ad.constant([5.0, 5.0])), [1.0, 2.0]
)[1][0]
PROGRAMS["where.python_scalars"] = lambda: ad.where([True, False], 1.0, 0.0)
PROGRAMS["where.step_function_gradient"] = lambda: grads(
    lambda x: ad.where(x > 0.0, 1.0, 0.0), [-1.0, 1.0]
)[1][0]


# --- cond -------------------------------------------------------------------------------------------


def eager_cond(pred: bool) -> Any:
    x, y = ad.Variable(3.0), ad.Variable(4.0)
    called: list[str] = []

    def branch(name: str, f: Any) -> Any:
        def run() -> Any:
            called.append(name)
            return f()

        return run

    def once(unconnected: str) -> Any:
        called.clear()
        with ad.GradientTape() as tape:
            z = ad.cond(
                ad.constant(pred), branch("T", lambda: x * x), branch("F", lambda: y * 10.0)
            )
        watched = str([v.name for v in tape.watched_variables()])
        return z, tape.gradient(z, [x, y], unconnected_gradients=unconnected), watched

    zero = once("zero")[1]
    z, found, watched = once("none")
    return {
        "z": z, "grads": found, "zero": zero, "branches_called": called, "watched": watched
    }  # fmt: skip


def graph_cond(pred: bool) -> Any:
    outcome = graph_model(pred, lambda x: x * x, lambda y: y * 10.0, 3.0, 4.0)
    return {"z": outcome.value, "grads": outcome.gradients}


def graph_log() -> Any:
    def one(pred: bool) -> Any:
        x = 0.0
        outcome = graph_model(pred, ad.math.log, lambda y: y * 2.0, x, x)
        return [outcome.value, outcome.gradients[0] + outcome.gradients[1]]

    return {"True": one(True), "False": one(False)}


for word in (True, False):
    PROGRAMS[f"cond.eager.pred_{word}"] = lambda word=word: eager_cond(word)
    PROGRAMS[f"cond.tf_function.pred_{word}"] = lambda word=word: graph_cond(word)
    for version in (True, False):
        graph = f"cond.v1graph.control_flow_v2_{version}"
        PROGRAMS[f"{graph}.pred_{word}"] = lambda word=word: graph_cond(word)
        PROGRAMS[f"{graph}.log0_in_one_branch"] = graph_log
one, two = (lambda: ad.constant(1.0)), (lambda: ad.constant(2.0))
PROGRAMS["cond.eager.python_bool"] = lambda: ad.cond(True, one, two)
PROGRAMS["cond.eager.nonscalar_pred"] = lambda: ad.cond(ad.constant([True, False]), one, two)
PROGRAMS["cond.eager.float_pred"] = lambda: ad.cond(ad.constant(1.0), one, two)
PROGRAMS["cond.eager.noncallable"] = lambda: ad.cond(True, 1.0, two)
PROGRAMS["cond.eager.returns_list"] = lambda: ad.cond(
    True, lambda: [ad.constant(1.0), ad.constant(5.0)], lambda: [two(), two()]
)
PROGRAMS["cond.eager.returns_python_number"] = lambda: str(
    type(ad.cond(True, lambda: 1.0, lambda: 2.0))
)


# --- gradient_override_map --------------------------------------------------------------------------

PROGRAMS["override.identity_x5.named"] = lambda: overridden(
    lambda x: ad.identity(x, name="Identity"), [3.0], {"Identity": registered(five)}
)
PROGRAMS["override.identity_x5.unnamed"] = lambda: overridden(
    ad.identity, [3.0], {"Identity": registered(five)}
)


@case("override.only_ops_created_inside")
def _inside() -> Any:
    def f(x: Any) -> Any:
        outside = ad.identity(x)
        with ad.gradient_override_map({"Identity": registered(five)}):
            inside = ad.identity(x)
        return inside * outside

    y, found = grads(f, 3.0)
    return {"y": y, "grads": found}


@case("override.context_around_tf.gradients_only")
def _around() -> Any:
    x = ad.constant(3.0)
    with ad.GradientTape() as tape:
        tape.watch(x)
        y = ad.identity(x)
    with ad.gradient_override_map({"Identity": registered(five)}):
        return tape.gradient(y, x)


A, B = [1.5, 2.4], 2.0


def floored(a: Any, b: Any) -> Any:
    return ad.reduce_mean(ad.floor(a)) * b


PROGRAMS["override.floor_to_identity.no_floor_inside"] = lambda: overridden(
    lambda a, b: ad.reduce_mean(a) * b, [A, B], {"Floor": "Identity"}
)
PROGRAMS["override.floor_to_identity.with_floor"] = lambda: overridden(
    floored, [A, B], {"Floor": "Identity"}
)


@case("override.none.with_floor")
def _no_override() -> Any:
    y, found = grads(floored, A, B)
    return {"y": y, "grads": found}


PROGRAMS["override.customfloor"] = lambda: overridden(
    ad.floor, [4.3], {"Floor": registered(lambda op, grad: 1.5 * grad)}
)
PROGRAMS["override.unregistered_target"] = lambda: overridden(
    ad.identity, [3.0], {"Identity": "NobodyRegisteredThis"}
)
PROGRAMS["override.bad_key"] = lambda: overridden(ad.identity, [3.0], {1: "Identity"})


@case("override.nested_inner_wins_then_restored")
def _inner_wins() -> Any:
    x = ad.constant(3.0)
    with ad.GradientTape(persistent=True) as tape:
        tape.watch(x)
        with ad.gradient_override_map({"Identity": registered(five)}):
            with ad.gradient_override_map({"Identity": "Identity"}):
                inner = ad.identity(x)
            outer = ad.identity(x)
    return [tape.gradient(inner, x), tape.gradient(outer, x)]


@case("override.nested_maps_merge")
def _merged() -> Any:
    def f(x: Any) -> Any:
        with ad.gradient_override_map({"Identity": registered(five)}):
            with ad.gradient_override_map({"Floor": registered(five)}):
                return ad.floor(ad.identity(x))

    return grads(f, 3.0)[1][0]


def on_a_tape() -> Any:
    return overridden(ad.identity, [3.0], {"Identity": registered(five)})["grads"][0]


for name in ("eager_tape_has_no_effect", "tf_function_with_tape", "tape_in_graph_mode"):
    PROGRAMS[f"override.{name}"] = on_a_tape


# --- RegisterGradient -------------------------------------------------------------------------------


@case("register.twice")
def _twice() -> Any:
    name = registered(five)
    ad.RegisterGradient(name)(five)


PROGRAMS["register.non_string"] = lambda: ad.RegisterGradient(5)(five)
PROGRAMS["register.builtin_name"] = lambda: ad.RegisterGradient("Floor")(five)
PROGRAMS["register.wrong_number_of_grads"] = lambda: overridden(
    ad.identity, [3.0], {"Identity": registered(lambda op, grad: [grad, grad])}
)
PROGRAMS["register.wrong_shape"] = lambda: overridden(
    ad.identity, [[1.0, 2.0, 3.0]], {"Identity": registered(lambda op, grad: grad[:2])}
)


@case("register.op_object_seen")
def _op_seen() -> Any:
    seen: dict[str, Any] = {}

    def look(op: Any, grad: Any) -> Any:
        seen["type"] = op.type
        assert op.name and op.inputs[0].numpy() == np.float32(3.7)
        assert op.outputs[0].numpy() == 3.0 and isinstance(grad, ad.Tensor)
        return 3.0 * grad

    return {**overridden(ad.floor, [3.7], {"Floor": registered(look)}), **seen}
