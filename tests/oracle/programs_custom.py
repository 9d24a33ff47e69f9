"""The programs behind the recorded cases about custom gradients and log(1 + exp(x))."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from oracle.programs_control import PROGRAMS, case, grads


def taped(f: Any, sources: Any, **how: Any) -> Any:
    """The gradient of f() with respect to variables."""
    with ad.GradientTape() as tape:
        y = f()
    return tape.gradient(y, sources, **how)


def twice(f: Any, at: float) -> Any:
    """First and second derivative at a tensor."""
    x = ad.constant(at)
    with ad.GradientTape() as outer:
        outer.watch(x)
        with ad.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        d1 = inner.gradient(y, x)
    return {"d1": d1, "d2": outer.gradient(d1, x)}


# --- log(1 + exp(x)) --------------------------------------------------------------------------------


def plain(x: Any) -> Any:
    return ad.math.log(1.0 + ad.exp(x))


@ad.custom_gradient
def custom(x: Any) -> Any:
    e = ad.exp(x)

    def grad(dy: Any) -> Any:
        return dy * (1 - 1 / (1 + e))

    return ad.math.log(1 + e), grad


POINTS = [
    -100.0, -90.0, -50.0, -20.0, -17.0, -16.64, -16.63, -10.0, -1.0, 0.0, 1.0, 10.0, 16.0, 17.0,
    50.0, 87.0, 87.33, 87.34, 88.0, 88.7, 88.72283, 88.72284, 88.8, 89.0, 100.0, 1000.0,
]  # fmt: skip
FUNCTIONS = {
    "plain": plain, "custom": custom, "softplus": ad.math.softplus, "sigmoid_exact": ad.math.sigmoid
}  # fmt: skip


def at(f: Any, x: Any) -> Any:
    y, (dy,) = grads(f, x)
    return {"y": y, "dy": dy}


for name, f in FUNCTIONS.items():
    PROGRAMS[f"log1pexp.{name}"] = lambda f=f: {"x": ad.constant(POINTS), **at(f, POINTS)}
for x in (100, -100):
    PROGRAMS[f"log1pexp.x{x}"] = lambda x=x: {
        name: at(FUNCTIONS[name], float(x)) for name in ("plain", "custom", "softplus")
    }
for name in ("plain", "custom"):
    for x in (0.0, 100.0):
        PROGRAMS[f"doc4.graph.log1pexp.{name}.x{x}"] = lambda name=name, x=x: at(FUNCTIONS[name], x)
    for x in (0.0, 1.0, 100.0, -100.0):
        PROGRAMS[f"log1pexp.second_order.{name}.x{x}"] = lambda name=name, x=x: twice(
            FUNCTIONS[name], x
        )


@case("log1pexp.exp_overflow_threshold")
def _threshold() -> Any:
    x = ad.constant(88.72283)
    above = ad.constant(np.nextafter(x.numpy(), np.float32(np.inf)))
    return {"largest_x_finite": x, "exp": ad.exp(x), "next": ad.exp(above), "next_x": above}


# --- custom_gradient --------------------------------------------------------------------------------


@case("custom.multi_output")
def _multi_output() -> Any:
    @ad.custom_gradient
    def f(x: Any) -> Any:
        return (x * 1.0, x * 2.0), lambda da, db: 10.0 * da + 100.0 * db

    x = ad.Variable(3.0)
    with ad.GradientTape(persistent=True) as tape:
        both = f(x)
        a, b = both
        c = a + b
    found = {k: tape.gradient(t, x) for k, t in {"a": a, "b": b, "c": c, "[a,b]": [a, b]}.items()}
    return {"type": type(both).__name__, **found}


@case("custom.multi_input")
def _multi_input() -> Any:
    f = ad.custom_gradient(lambda a, b: (a * b, lambda dy: (7.0 * dy, 8.0 * dy)))
    return grads(f, 2.0, 3.0)[1]


@case("custom.multi_output.unused_gets_zeros")
def _unused() -> Any:
    seen = {}

    @ad.custom_gradient
    def f(x: Any) -> Any:
        def grad(da: Any, db: Any) -> Any:
            seen.update(da=da, db=db)
            return da + db

        return (x * 1.0, x * 2.0), grad

    (g,) = grads(lambda x: f(x)[1], [1.0, 2.0])[1]
    return {"g": g, **seen}


def returning(*found: Any) -> Any:
    """A gradient that gives back whatever it is told to."""
    f = ad.custom_gradient(
        lambda *x: (x[0] * 1.0, lambda dy: found if len(found) > 1 else found[0])
    )
    return lambda *x: f(*x)


PROGRAMS["custom.wrong_number_of_grads"] = lambda: grads(returning(1.0), 1.0, 2.0)
PROGRAMS["custom.grad_returns_None_for_one"] = lambda: grads(returning(1.0, None), 1.0, 2.0)[1]
PROGRAMS["custom.forgot_to_return_grad_fn"] = lambda: ad.custom_gradient(lambda x: x * 2.0)(
    ad.constant(1.0)
)
PROGRAMS["custom.grad_of_wrong_shape"] = lambda: grads(returning([1.0, 2.0, 3.0]), 1.0)[1][0]
PROGRAMS["custom.grad_returns_numpy"] = lambda: grads(returning(np.float32(3.0)), 1.0)[1][0]
PROGRAMS["custom.grad_returns_python_float"] = lambda: grads(returning(3.0), 1.0)[1][0]


@case("custom.no_tape")
def _no_tape() -> Any:
    calls: list[str] = []
    f = ad.custom_gradient(lambda x: (x * x, lambda dy: calls.append("bwd")))
    numbers = (ad.constant(2.0), 2.0, np.float32(2.0))
    y, y_py, y_np = (ad.convert_to_tensor(f(x)) for x in numbers)
    return {"y": y, "y_py": y_py, "y_np": y_np, "calls": calls}


@case("custom.kwargs_eager")
def _kwargs() -> Any:
    @ad.custom_gradient
    def f(x: Any, scale: float = 1.0) -> Any:
        return x * 1.0, lambda dy: dy * scale

    z, (g,) = grads(lambda x: f(x, scale=30.0), 3.0)
    return {"z": z, "g": g}


@case("custom.variable_passed_as_kwarg")
def _variable_kwarg() -> Any:
    x, w = ad.Variable(2.0), ad.Variable(3.0, name="W")
    f = ad.custom_gradient(lambda x, w=None: (x * w, lambda dy: dy * w))
    return taped(lambda: f(x, w=w), [x, w])


def with_variable(grad: Any) -> Any:
    x, w = ad.Variable(2.0), ad.Variable(3.0, name="W")
    return taped(lambda: ad.custom_gradient(lambda a: (a * w, grad(w)))(x), [x, w])


PROGRAMS["custom.variables.missing_argument"] = lambda: with_variable(lambda w: lambda dy: dy)


@case("custom.variables.protocol")
def _protocol() -> Any:
    seen = []

    def grad(w: Any) -> Any:
        def back(dy: Any, variables: Any = None) -> Any:
            seen.append([v.name for v in variables])
            return dy * 10.0 * w, [dy * 200.0]

        return back

    return {"grads": with_variable(grad), "variables_seen": seen}


@case("custom.variables.passed_as_argument")
def _variable_argument() -> Any:
    x, w = ad.Variable(2.0), ad.Variable(3.0, name="W")
    f = ad.custom_gradient(lambda a, b: (a * b, lambda dy: (dy * 3.0, dy * 2.0)))
    return taped(lambda: f(x, w), [x, w])


PROGRAMS["custom.variables.wrong_number"] = lambda: with_variable(
    lambda w: lambda dy, variables=None: (dy, [])
)


@case("custom.variables.accepted_but_none_used")
def _none_used() -> Any:
    def grad(dy: Any, variables: Any = None) -> Any:
        assert variables is None
        return dy * 5.0

    return grads(ad.custom_gradient(lambda x: (x * 2.0, grad)), 1.0)[1][0]


PROGRAMS["custom.variables.via_kwargs"] = lambda: with_variable(
    lambda w: lambda dy, **kwargs: (dy * w, [dy * 2.0 for _ in kwargs["variables"]])
)


def nested(declared: str) -> Any:
    """The rule of f is a function with a rule of its own: 20 here, 777 there."""

    @ad.custom_gradient
    def f(x: Any) -> Any:
        def first(dy: Any) -> Any:
            if declared == "x_and_d":
                return inner(x, dy)
            return inner_of_d(dy)

        @ad.custom_gradient
        def inner(a: Any, d: Any) -> Any:
            return d * 10.0 * a, lambda ddy: (ddy * 777.0, ddy * 0.0)

        @ad.custom_gradient
        def inner_of_d(d: Any) -> Any:
            return d * 10.0 * x, lambda ddy: ddy * 777.0

        return x * x, first

    return f


@case("custom.nested_gradient_of_gradient.d_only_variable")
def _nested_variable() -> Any:
    x = ad.Variable(2.0)
    return taped(lambda: nested("d_only")(x), x)


for declared, name in (("d_only", "d_only_tensor"), ("x_and_d", "x_and_d")):
    PROGRAMS[f"custom.nested_gradient_of_gradient.{name}"] = lambda declared=declared: {
        "y": nested(declared)(ad.constant(2.0)),
        **twice(nested(declared), 2.0),
    }


def captured(watched: bool) -> Any:
    x, c = ad.constant(2.0), ad.constant(3.0)
    f = ad.custom_gradient(lambda c: (x * x * c, lambda dy: dy * 1000.0))
    with ad.GradientTape() as tape:
        tape.watch([x, c] if watched else x)
        y = f(c)
    return tape.gradient(y, [x, c])


PROGRAMS["custom.captured_tensor.declared_input_unwatched"] = lambda: captured(False)
PROGRAMS["custom.captured_tensor.declared_input_watched"] = lambda: captured(True)


@case("custom.calls_with_persistent_tape")
def _calls() -> Any:
    calls: list[str] = []

    @ad.custom_gradient
    def f(x: Any) -> Any:
        calls.append("fwd")

        def grad(dy: Any) -> Any:
            calls.append("bwd")
            return dy

        return x * 1.0, grad

    x = ad.Variable(1.0)
    with ad.GradientTape(persistent=True) as tape:
        y = f(x)
    tape.gradient(y, x)
    tape.gradient(y, x)
    return calls


PROGRAMS["custom.second_order_through_grad_fn"] = lambda: twice(
    ad.custom_gradient(lambda x: (x * x, lambda dy: dy * 10.0 * x * x)), 2.0
)
PROGRAMS["custom.second_order_constant_captured"] = lambda: twice(
    ad.custom_gradient(lambda x: (x * x, lambda dy: dy * 20.0)), 2.0
)


@case("custom.inner_ops_not_recorded_outside")
def _inside() -> Any:
    inner = []

    @ad.custom_gradient
    def f(x: Any) -> Any:
        inner.append(ad.exp(x))
        return inner[0] * 2.0, lambda dy: dy * 5.0

    x = ad.Variable(1.0)
    with ad.GradientTape(persistent=True) as tape:
        y = f(x)
    return {
        "dy": tape.gradient(y, x),
        "d_inner": tape.gradient(inner[0], x),
        "dy_dinner": tape.gradient(y, inner[0]),
    }


@case("custom.returns_its_input")
def _returns_input() -> Any:
    x = ad.constant(1.0)
    f = ad.custom_gradient(lambda x: (x, lambda dy: dy * 9.0))
    y, (g,) = grads(f, x)
    return {"g": g, "same_object": y is x}


@case("custom.straight_through_floor")
def _straight() -> Any:
    y, (g,) = grads(ad.custom_gradient(lambda x: (ad.floor(x), lambda dy: dy)), [1.5, -1.5, 3.0])
    return {"y": y, "g": g}


@case("custom.on_method")
def _method() -> Any:
    class Layer:
        @ad.custom_gradient
        def call(self, x: Any) -> Any:
            return x * 1.0, lambda dy: dy * 2.0

    return grads(Layer().call, 1.0)[1][0]


PROGRAMS["custom.integer_output"] = lambda: grads(
    ad.custom_gradient(lambda x: (ad.cast(x, ad.int32), lambda dy: ad.constant(1.0))), 1.5
)[1][0]


@case("custom.dict_output")
def _dict_output() -> Any:
    @ad.custom_gradient
    def f(x: Any) -> Any:
        return {"a": x * 1.0, "b": x * 2.0}, lambda da, db: 2.0 * da + 10.0 * db

    def total(x: Any) -> Any:
        out = f(x)
        return out["a"] + out["b"]

    return grads(total, 1.0)[1][0]


@case("custom.guide_clip_gradients")
def _clip() -> Any:
    clip = ad.custom_gradient(lambda y: (y, lambda dy: ad.clip_by_norm(dy, 0.5)))
    return grads(lambda v: clip(v * v), 2.0)[1][0]
