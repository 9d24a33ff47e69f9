"""The programs behind the recorded cases about the tape, the five tensor_x cases and assignment.

Each function does what the case's name says, and returns it in the structure that was recorded.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import autodiff_kit as ad

PROGRAMS: dict[str, Callable[[], Any]] = {}


def case(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def enter(program: Callable[[], Any]) -> Callable[[], Any]:
        assert name not in PROGRAMS
        PROGRAMS[name] = program
        return program

    return enter


def cases(prefix: str, program: Callable[[], dict[str, Any]], *names: str) -> None:
    """Several cases that one run answers."""
    for name in names:
        case(f"{prefix}.{name}")(lambda name=name: program()[name])


# --- a plain and a persistent tape ------------------------------------------------------------------


@case("doc2.tape.dy1_dx")
def plain_tape() -> Any:
    x = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y1, _y2 = x**2, x**3
    return tape.gradient(y1, x)


@case("doc2.tape.second_gradient")
def second_gradient() -> Any:
    x = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y1, y2 = x**2, x**3
    tape.gradient(y1, x)
    return tape.gradient(y2, x)


def persistent_tape() -> dict[str, Any]:
    x = ad.Variable(2.0)
    with ad.GradientTape(persistent=True) as tape:
        y1, y2, y3 = x**2, x**3, 4 * x + 1
    return {f"dy{k}_dx": tape.gradient(y, x) for k, y in enumerate((y1, y2, y3), 1)}


cases("doc2.persistent", persistent_tape, "dy1_dx", "dy2_dx", "dy3_dx")


# --- the five tensor_x cases ------------------------------------------------------------------------


@case("doc2.w")
def uniform_w() -> Any:
    ad.random.set_seed(1)
    return ad.random.uniform((4, 3), -20, 20, ad.float32)


@case("doc2.w_int32_reseeded")
def uniform_int_w() -> Any:
    ad.random.set_seed(1)
    return ad.random.uniform((4, 3), -20, 20, ad.int32)


case("doc2.w_cast_to_int32")(lambda: ad.cast(uniform_w(), ad.int32))


def int_y(w: Any) -> Any:
    return ad.constant([[1, 2, 3, 4]]) @ w + ad.ones(3, ad.int32)


case("doc2.y_int32_from_reseeded")(lambda: int_y(uniform_int_w()))
case("doc2.y_int32_from_cast")(lambda: int_y(ad.cast(uniform_w(), ad.int32)))

ONE_TO_FOUR = [[1, 2, 3, 4]]
TENSOR_X: dict[int, Callable[[], Any]] = {
    1: lambda: ad.Variable(ONE_TO_FOUR, dtype=ad.float32, name="x"),
    2: lambda: ad.Variable(ONE_TO_FOUR, dtype=ad.int32, name="x"),
    3: lambda: ad.Variable(ONE_TO_FOUR, dtype=ad.float32, trainable=False),
    4: lambda: ad.constant(ONE_TO_FOUR, dtype=ad.float32),
    5: lambda: ad.Variable(ONE_TO_FOUR, dtype=ad.float32) + 1.0,
}


def names(variables: Any) -> str:
    return str([variable.name for variable in variables])


@cache
def run_of(number: int, watch: bool) -> dict[str, Any]:
    """One of the ten runs."""
    dtype = ad.int32 if number == 2 else ad.float32
    w = ad.Variable(uniform_int_w() if number == 2 else uniform_w(), name="w")
    b = ad.Variable(ad.ones(3, dtype), name="b")
    x = TENSOR_X[number]()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with ad.GradientTape(persistent=True) as tape:
            if watch:
                tape.watch(x)
            y = x @ w + b
            loss = ad.reduce_mean(y**2)
    assert [one.category for one in said] == [ad.GradientWarning] * (number == 2 and watch)
    return {
        "forward": {"y": y, "loss": loss},
        "y": y,
        "loss": loss,
        "dy_dx": tape.gradient(y, x),
        "dloss_dy": tape.gradient(loss, y),
        "dloss_dx": tape.gradient(loss, x),
        "watched_variables": names(tape.watched_variables()),
        "list": tape.gradient(loss, [w, b]),
        "dict": tape.gradient(loss, {"tensor_w": w, "tensor_b": b}),
        "dict_targets": tape.gradient({"y": y, "loss": loss}, x),
        "list_targets": tape.gradient([y, loss], x),
        "list_targets_reversed": tape.gradient([loss, y], x),
        "pairs": lambda: [
            (x, tape.gradient(y, x)),
            (y, tape.gradient(loss, y)),
            *[(v, tape.gradient(loss, v)) for v in (w, b)],
        ],
    }


for number in TENSOR_X:
    for watch in (False, True):
        prefix = f"doc2.case{number}.{'watch' if watch else 'nowatch'}"
        for part in ("forward", "y", "loss", "dy_dx", "dloss_dy", "dloss_dx", "watched_variables"):
            case(f"{prefix}.{part}")(lambda n=number, w=watch, p=part: run_of(n, w)[p])

case("doc2.list.dloss_dw")(lambda: run_of(1, False)["list"][0])
case("doc2.list.dloss_db")(lambda: run_of(1, False)["list"][1])
case("doc2.dict.dloss_dw")(lambda: run_of(1, False)["dict"]["tensor_w"])
case("doc2.dict.dloss_db")(lambda: run_of(1, False)["dict"]["tensor_b"])
case("doc2.dict.key_order_in_result")(lambda: str(list(run_of(1, False)["dict"])))
for part in ("dict_targets", "list_targets", "list_targets_reversed"):
    case(f"doc2.{part}.dx")(lambda p=part: run_of(1, False)[p])
case("doc2.shapes")(
    lambda: str([tuple(t.shape) for pair in run_of(1, False)["pairs"]() for t in pair])
)
case("doc2.repr.constant")(lambda: repr(TENSOR_X[4]()))
case("doc2.repr.variable_case1")(lambda: repr(TENSOR_X[1]()))
case("doc2.str.variable_case1")(lambda: str(TENSOR_X[1]()))


@case("doc2.case5.original_variable")
def original_variable() -> Any:
    v = ad.Variable([[1.0, 2.0]])
    x = v + 1.0
    with ad.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    found = {"wrt_x": tape.gradient(y, x), "wrt_original_variable": tape.gradient(y, v)}
    return {**found, "watched": str(tape.watched_variables())}


@case("doc2.isinstance")
def kinds_of_variable() -> Any:
    v = ad.Variable(1.0)
    return {"Variable is Tensor": isinstance(v, ad.Tensor), "is_tensor(Variable)": ad.is_tensor(v)}


# --- control flow -----------------------------------------------------------------------------------


def branches(flag: Any = 2.0, watch: bool = True) -> dict[str, Any]:
    x1, x2 = ad.Variable(3.0), ad.Variable(3.0)
    flag = ad.constant(flag)
    with ad.GradientTape(persistent=True) as tape, warnings.catch_warnings():
        warnings.simplefilter("ignore", ad.GradientWarning)
        if watch:
            tape.watch(flag)
        res1 = 4 * x1**2 + 3 if flag % 2 == 0 else x2**3
    with ad.GradientTape(persistent=True) as tape2:
        res2 = 4 * x1**2 + 3 if res1 % 2 == 0 else x2**3
    return {
        "res1": res1,
        "dres1_dx1": tape.gradient(res1, x1),
        "dres1_dx2": tape.gradient(res1, x2),
        "dres1_dflag": tape.gradient(res1, flag),
        "dres2_dx1": tape2.gradient(res2, x1),
        "dres2_dx2": tape2.gradient(res2, x2),
        "tape_not_tape2.dx1": tape.gradient(res2, x1),
        "tape_not_tape2.dx2": tape.gradient(res2, x2),
        "if": tape.gradient(res1, [x1, x2], unconnected_gradients=ad.UnconnectedGradients.ZERO),
        "string": tape.gradient(res1, [x1, x2], unconnected_gradients="zero"),
        "res2_on_tape": tape.gradient(res2, [x1, x2], unconnected_gradients="zero"),
        "bad": lambda: tape.gradient(res1, x1, unconnected_gradients="bogus"),
    }


cases("doc2.if", branches, "dres1_dx1", "dres1_dx2", "res1", "dres1_dflag")
cases("doc2.if2", branches, "dres2_dx1", "dres2_dx2", "tape_not_tape2.dx1", "tape_not_tape2.dx2")
cases("doc2.unconnected_zero", branches, "if", "string", "res2_on_tape")
case("doc2.unconnected_bad_value")(lambda: branches()["bad"]())
case("doc2.if.int_flag")(lambda: ad.constant(2) % 2 == 0)
case("doc2.if.int_flag_watched")(lambda: branches(2)["dres1_dx1"])


# --- a function and its gradient, plotted -----------------------------------------------------------

LINE = (-15.0, 15.0, 151)
case("doc2.linspace")(lambda: ad.linspace(*LINE))


@case("doc2.linspace.equals_np_float64_then_cast")
def points_that_differ() -> Any:
    return int(np.sum(ad.linspace(*LINE).numpy() != np.linspace(*LINE).astype(np.float32)))


@case("doc2.linspace.equals_f32_start_plus_i_times_step")
def points_that_differ_by_steps() -> Any:
    start, stop, step = np.float32(-15), np.float32(15), np.float32(30) / np.float32(150)
    points = start + np.arange(151, dtype=np.float32) * step
    points[-1] = stop
    return int(np.sum(ad.linspace(*LINE).numpy() != points))


@cache
def plots() -> dict[str, Any]:
    x1, x2 = ad.Variable(ad.linspace(*LINE)), ad.Variable(ad.linspace(*LINE))
    with ad.GradientTape(persistent=True) as tape:
        res1, res2 = 4 * x1**2 + 3, x2**3
    return {
        "res1": res1,
        "dres1_dx1": tape.gradient(res1, x1),
        "dres1_dx2": tape.gradient(res1, x2),
        "res2": res2,
        "dres2_dx1": tape.gradient(res2, x1),
        "dres2_dx2": tape.gradient(res2, x2),
    }


cases("doc2.plot", plots, *("res1", "dres1_dx1", "dres1_dx2", "res2", "dres2_dx1", "dres2_dx2"))


# --- order of watched variables, unconnected gradients ----------------------------------------------


def watched(order: str) -> str:
    a1, a2, a3 = (ad.Variable(1.0, name=name) for name in ("first", "second", "third"))
    with ad.GradientTape() as tape:
        if order == "watch":
            tape.watch(a2)
            _ = a3 * a1
        else:
            _ = a3 * a1 * a2
    return names(tape.watched_variables())


case("watched.order_by_access_a3_a1_a2")(lambda: watched("access"))
case("watched.order_watch_a2_then_a3_a1")(lambda: watched("watch"))


def unconnected(how: str) -> Any:
    x, z = ad.Variable(3.0), ad.Variable(4.0)
    with ad.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, [x, z], unconnected_gradients=how)


def unconnected_floor(how: str) -> Any:
    x = ad.Variable(3.7)
    with ad.GradientTape() as tape:
        y = ad.floor(x)
    return tape.gradient(y, [x], unconnected_gradients=how)


for how in ("none", "zero"):
    case(f"unconnected.graph.{how}")(lambda how=how: unconnected(how))
    case(f"unconnected.graph.floor.{how}")(lambda how=how: unconnected_floor(how))


# --- gradients that assignment destroys -------------------------------------------------------------

PROD = [[3, 4, 5], [4, 5, 6], [1, 3, 3]]
BOX = [[4, 5], [5, 6], [5, 7]]


def rewritten(prod: Any, box: Any) -> Any:
    """1 - volume of each product / volume of each box, for all pairs."""
    volumes = ad.expand_dims(ad.reduce_prod(prod, axis=1), 1)
    return 1 - volumes / ad.expand_dims(ad.reduce_prod(box, axis=0), 0)


def stacked(prod: Any, box: Any) -> Any:
    rows = []
    for i in range(3):
        row = [
            1 - prod[i, 0] * prod[i, 1] * prod[i, 2] / (box[0, j] * box[1, j] * box[2, j])
            for j in range(2)
        ]
        rows.append(ad.stack(row))
    return ad.stack(rows)


def assigned(prod: Any, box: Any) -> Any:
    """Fills a variable element by element, as the document does."""
    loss = ad.Variable(ad.zeros((3, 2), box.dtype))
    for i in range(3):
        for j in range(2):
            free = 1 - prod[i, 0] * prod[i, 1] * prod[i, 2] / (box[0, j] * box[1, j] * box[2, j])
            loss.assign(ad.tensor_scatter_nd_update(loss, [[i, j]], [free]))
    return loss


def difference(f: Any, dtype: Any, summed: bool = False, **how: Any) -> dict[str, Any]:
    prod, box = ad.constant(PROD, dtype), ad.Variable(ad.constant(BOX, dtype))
    with ad.GradientTape(persistent=True) as tape:
        loss = f(prod, box)
        total = ad.reduce_sum(loss)
    grad = tape.gradient(total if summed else loss, box, **how)
    jacobian = None if f is assigned else tape.jacobian(loss, box)
    return {"loss": ad.convert_to_tensor(loss), "grad": grad, "jacobian": jacobian}


def without_jacobian(found: dict[str, Any]) -> dict[str, Any]:
    return {"loss": found["loss"], "grad": found["grad"]}


case("difference.assign.float16")(lambda: without_jacobian(difference(assigned, ad.float16)))
case("difference.assign.float16.unconnected_zero")(
    lambda: difference(assigned, ad.float16, unconnected_gradients="zero")["grad"]
)
case("difference.assign.then_reduce_sum")(
    lambda: difference(assigned, ad.float16, summed=True)["grad"]
)
for dtype in (ad.float16, ad.float32, ad.float64):
    case(f"difference.rewritten.{dtype.name}")(
        lambda dtype=dtype: without_jacobian(difference(rewritten, dtype))
    )
case("difference.rewritten.jacobian.float64")(lambda: difference(rewritten, ad.float64)["jacobian"])
case("difference.loop_with_stack.float32")(
    lambda: without_jacobian(difference(stacked, ad.float32))
)
