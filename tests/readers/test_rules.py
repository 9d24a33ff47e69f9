"""The rules that `replay` shows are the rules that run: each formula is computed and compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.namespace import xp
from autodiff_kit.opdef import all_operations
from autodiff_kit.readers.facts.account import Account, value_of
from autodiff_kit.readers.facts.values import values_of
from autodiff_kit.readers.shown.rules import UNKNOWN, letters_of, rule_text, symbols
from autodiff_kit.readers.shown.written import WRITTEN
from gradients.rows import Row
from gradients.test_gradients import ROWS, outputs

OPERATIONS = all_operations()


def kept(shape: tuple[int, ...], axis: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 if a in axis else n for a, n in enumerate(shape))


class Formulas(dict[str, Any]):
    """The names that a formula may use."""

    def __init__(self, attrs: dict[str, Any], letters: dict[str, Any]) -> None:
        super().__init__(letters, **{k: v for k, v in attrs.items() if k not in letters})
        self.attrs = attrs

    def __missing__(self, name: str) -> Any:
        own = {
            "sum_to": sum_to,
            "spread": self.spread,
            "transpose": transpose,
            "cast": cast,
            "where": np.where,
        }
        if name in own:
            return own[name]
        found = getattr(xp, name, None) or getattr(np, name, None)
        if found is None:
            raise KeyError(name)
        return found

    def spread(self, dy: Any, shape: Any) -> Any:
        return np.broadcast_to(np.reshape(dy, kept(shape, self.attrs["axis"])), shape)


def sum_to(dy: Any, shape: tuple[int, ...]) -> Any:
    lead = dy.ndim - len(shape)
    axes = [a for a in range(dy.ndim) if a < lead or shape[a - lead] != dy.shape[a]]
    return np.sum(dy, axis=tuple(axes)).reshape(shape)


def transpose(x: Any, perm: Any = None) -> Any:
    return np.swapaxes(x, -1, -2) if perm is None else np.transpose(x, perm)


def cast(x: Any, dtype: str) -> Any:
    return x.astype(dtype)


def compare(account: Account, known: dict[int, Any]) -> dict[str, int]:
    """Compute every formula of a way back; return how often each type was compared."""
    compared: dict[str, int] = {}
    for step in account.steps:
        operation = step.operation
        op = operation.definition
        if op.pull is not None or op.type in ("Output", "Watch"):
            continue
        values = [
            known.get(place, value_of(kept_value))
            for place, kept_value in zip(operation.places, operation.inputs, strict=True)
        ]
        letters = dict(zip(letters_of(op.arity), values, strict=True))
        letters |= {"y": known.get(operation.place), "dy": value_of(step.dy)}
        for index, (place, dx) in enumerate(step.pairs):
            formula = symbols(op, index, operation.attrs) if place >= 0 else ""
            if dx is None or place < 0 or formula.startswith('"') or "**" in formula:
                assert place < 0 or dx is None or formula, op.type
                continue
            names = {n for n in letters if letters[n] is not None}
            code = compile(formula, op.type, "eval")
            if set(code.co_names) & set(letters) - names:
                continue
            try:
                found = eval(code, {}, Formulas(operation.attrs, letters))
            except (KeyError, NameError, TypeError):  # a helper of the engine's, only named here
                continue
            np.testing.assert_allclose(found, value_of(dx), rtol=1e-7, atol=1e-12, err_msg=formula)
            compared[op.type] = compared.get(op.type, 0) + 1
    return compared


def compared_in(row: Any) -> dict[str, int]:
    tensors = [ad.constant(x) for x in row.at]
    with ad.GradientTape(persistent=True) as tape:
        tape.watch(tensors)
        ys = outputs(row.f(*tensors))
        z = [ad.sin(y) * y for y in ys if y.dtype.is_floating]
    with np.errstate(all="ignore"):
        return compare(Account(tape, z, tensors), values_of(tape, [*tensors, *ys, *z]))


SMOOTH = [row for row in ROWS if row.expect is None]
SMOOTH.append(Row("Cast", lambda x: ad.cast(ad.cast(x, ad.float32), ad.float64), ([1.5, -2.0],)))


def test_the_formulas_are_what_the_rules_compute() -> None:
    compared: dict[str, int] = {}
    for row in SMOOTH:
        for type_, times in compared_in(row).items():
            compared[type_] = compared.get(type_, 0) + times
    formulas = {
        type_
        for type_, rules in WRITTEN.items()
        if type_ in OPERATIONS and any(callable(r) or r and r[0] != '"' for r in rules)
    }
    elsewhere = {
        "AddN", "GatherNd", "GatherV2", "MatrixSolve", "MatrixTriangularSolve", "Output", "StridedSlice"
    }  # fmt: skip
    assert formulas - elsewhere - set(compared) == set()
    assert {"Mul", "Sin", "Exp", "Log", "Pow", "Maximum"} <= set(compared)


def test_a_wrong_formula_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WRITTEN, "Tanh", ("dy * (1.0 + y * y)",))
    with pytest.raises(AssertionError):
        for row in SMOOTH:
            if "Tanh" in row.types:
                compared_in(row)


# Their gradient functions only say that there is none, or that nobody registered one.
WITHOUT = {"SoftsignGrad", "Unique", "UniqueWithCounts"}


@pytest.mark.parametrize("type_", sorted(set(OPERATIONS) - WITHOUT))
def test_every_operation_has_a_rule_in_symbols_or_in_words(type_: str) -> None:
    seen: list[str] = []
    for row in ROWS:
        if type_ in row.types.split():
            tensors = [ad.constant(x) for x in row.at]
            with ad.GradientTape(persistent=True) as tape:
                tape.watch(tensors)
                ys = outputs(row.f(*tensors))
            for step in Account(tape, [y for y in ys if y.dtype.is_floating], tensors).steps:
                op = step.operation
                if op.type == type_ or (op.type == "Broadcast" and not seen):
                    inputs = [f"in{k}" for k in range(len(op.places))]
                    seen += [
                        rule_text(op.definition, k, op.attrs, inputs, "out", "dout")
                        for k in range(len(op.places))
                    ]
            break
    for rule in seen:
        assert UNKNOWN not in rule, f"add {type_} to WRITTEN, or give its rule a docstring"
        assert "lambda" not in rule and "xp." not in rule


def test_names_are_put_into_a_formula_and_negative_numbers_get_parentheses() -> None:
    multiply = OPERATIONS["Mul"]
    assert rule_text(multiply, 0, {}, ["w", "-2.0"], "z", "dz") == "dz * (-2.0)"
    assert rule_text(OPERATIONS["Exp"], 0, {}, ["m['a']"], "h", "dh") == "dh * h"
    assert rule_text(OPERATIONS["Floor"], 0, {}, ["x"], "y", "dy") == ""


def test_the_learners_own_rule_is_read_too() -> None:
    @ad.custom_gradient
    def clipped(x: Any) -> Any:
        def grad(dy: Any) -> Any:
            return dy * 0.5

        return x * 1.0, grad

    x = ad.Variable(3.0)
    with ad.GradientTape() as tape:
        y = clipped(x)
    (flow,) = ad.replay(tape, y, x).steps[0].flows
    assert flow.rule == "dy * 0.5"
    assert flow.gradient == 0.5


def test_a_learners_rules_are_told_apart_argument_by_argument() -> None:
    w, v = ad.Variable(3.0), ad.Variable(2.0)

    @ad.custom_gradient
    def nested(mode: str, parts: Any, k: Any) -> Any:
        return parts[0] * parts[1] + k * v, lambda dy, variables: (
            (None, [dy * 11.0, dy * 22.0], dy * 33.0),
            [dy * 44.0],
        )

    @ad.custom_gradient
    def unclear(a: Any, b: Any) -> Any:
        both = [1.0, 2.0]
        return a * b, lambda dy: (*(dy * factor for factor in both),)

    with ad.GradientTape() as tape:
        a, b = w * 2.0, w * 3.0
        y = nested("sum", [w, a], b)
    rules = [flow.rule for flow in ad.replay(tape, y, w).steps[0].flows]
    assert rules == ["dy * 11.0", "dy * 22.0", "dy * 33.0", "dy * 44.0"]
    with ad.GradientTape() as tape:
        y = unclear(w, v)
    rules = [flow.rule for flow in ad.replay(tape, y, [w, v]).steps[0].flows]
    assert rules == ["unclear: its grad_fn(dy)"] * 2
