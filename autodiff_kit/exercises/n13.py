"""Exercises of notebook 13: momentum coasts too, and a step that leaves the frozen alone."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function, a_number, among

COPY = (
    "Keep copies: old = w is only a second name for w, old = ad.identity(w) is a copy. And put them "
    "back with w.assign(...): w = ... gives the name to something else, and the variable stays."
)
FREE = np.array([True, False, True, False])
OTHER_FREE = np.array([False, False, True, True])


def _coasting(answer: Any) -> str | None:
    return a_number(answer) or among(
        answer,
        -0.18,
        {
            0.0: "its gradient is zero, but s is not: s remembers 0.9 of the 2.",
            0.18: "the size is right. A weight moves against s.",
            -0.2: "that is step 1. In step 2 only 0.9 of s is left.",
            0.2: "that is step 1, and with the wrong sign.",
            -0.38: "that is both steps together. Asked for is the second.",
            1.8: "that is s in step 2. The weight moves by minus the rate times s.",
            -1.8: "that is minus s. Times the rate?",
            -0.018: "the new gradient enters s with the factor 1 here, so s was 2 after step 1.",
        },
        "what is s after step 1, and after step 2? The weight moves by -0.1 * s.",
    )


def _prepared(rate: float) -> tuple[Any, Any]:
    """A weight after one ordinary step, and its Adam."""
    w = ad.Variable([1.0, 2.0, 3.0, 4.0], name="w")
    opt = ad.keras.optimizers.Adam(rate)
    opt.apply_gradients([(ad.constant([1.0, -2.0, 0.5, 3.0]), w)])
    return opt, w


def _state(opt: Any, w: Any) -> list[Any]:
    return [w.numpy(), opt.get_slot(w, "m").numpy(), opt.get_slot(w, "v").numpy()]


def _careful(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    hint = _compared(FREE, *_one_step(answer, 0.1, [0.5, 1.0, -2.0, 7.0], FREE))
    if hint:
        return hint
    again = _compared(OTHER_FREE, *_one_step(answer, 0.02, [-3.0, 0.2, 1.0, 0.4], OTHER_FREE))
    return again and (
        "right for one step, but not for another gradient, free and rate: use what is given. There, "
        f"{again}"
    )


def _one_step(answer: Any, rate: float, gradient: Any, free: Any) -> tuple[list[Any], ...]:
    """Weights, m and v before, after the learner's step, and after an ordinary one instead."""
    ordinary = _prepared(rate)
    ordinary[0].apply_gradients([(ad.constant(gradient), ordinary[1])])
    opt, w = _prepared(rate)
    before = _state(opt, w)
    answer(opt, w, ad.constant(gradient), ad.constant(free))
    return before, _state(opt, w), _state(*ordinary)


def _compared(free: Any, before: list[Any], after: list[Any], ordinary: list[Any]) -> str | None:
    """The hint for what should have stayed and did not, or should have moved and did not."""
    if np.array_equal(before[0], after[0]):
        return "no weight moved at all. Is there an apply_gradients?"
    if np.allclose(ordinary[0], after[0], rtol=1e-6):
        return f"all weights are where an ordinary step takes them: nothing was put back. {COPY}"
    if np.array_equal(before[0][free], after[0][free]):
        return "it is the free weights that were put back: ad.where(free, new, old), in this order."
    if not np.array_equal(before[0][~free], after[0][~free]):
        return "a frozen weight moved. A zero gradient does not hold it: what does?"
    if not np.allclose(ordinary[0][free], after[0][free], rtol=1e-6):
        return "a weight that is free is not where an ordinary step takes it."
    for name, old, new, goal in zip("mv", before[1:], after[1:], ordinary[1:], strict=True):
        if not np.array_equal(old[~free], new[~free]):
            return (
                f"the weights are right, but the {name} of a frozen weight changed. "
                "Put back a copy (ad.identity)."
            )
        if not np.allclose(goal[free], new[free], rtol=1e-6):
            return f"the weights are right, but the {name} of a free weight is not as after a step."
    return None


def _put_back(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    kept = [w, opt.get_slot(w, "m"), opt.get_slot(w, "v")]
    before = [ad.identity(variable) for variable in kept]
    opt.apply_gradients([(gradient, w)])
    for variable, old in zip(kept, before, strict=True):
        variable.assign(ad.where(free, variable, old))


def _zero_gradient(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    opt.apply_gradients([(ad.where(free, gradient, 0.0), w)])


def _only_weights(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    old = ad.identity(w)
    opt.apply_gradients([(gradient, w)])
    w.assign(ad.where(free, w, old))


def _without_v(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    kept = [w, opt.get_slot(w, "m")]
    before = [ad.identity(variable) for variable in kept]
    opt.apply_gradients([(gradient, w)])
    for variable, old in zip(kept, before, strict=True):
        variable.assign(ad.where(free, variable, old))


def _all_slots_back(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    slots = [opt.get_slot(w, "m"), opt.get_slot(w, "v")]
    before = [ad.identity(slot) for slot in slots]
    _only_weights(opt, w, gradient, free)
    for slot, old in zip(slots, before, strict=True):
        slot.assign(old)


def _no_step(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    w.assign(w * 1.0)


def _second_name(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    old = w
    opt.apply_gradients([(gradient, w)])
    w.assign(ad.where(free, w, old))


def _name_given_away(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    old = ad.identity(w)
    opt.apply_gradients([(gradient, w)])
    w = ad.where(free, w, old)


def _second_names_of_slots(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    _only_weights(opt, w, gradient, free)
    for old in (opt.get_slot(w, "m"), opt.get_slot(w, "v")):
        old.assign(ad.where(free, old, old))


def _other_way_round(opt: Any, w: Any, gradient: Any, free: Any) -> None:
    _put_back(opt, w, gradient, ad.logical_not(free))


EXERCISES = {
    "13.1": Exercise(
        "How a weight under momentum changes in the step after its gradient became zero.",
        _coasting,
        -0.18,
        (
            (0, "s remembers"),
            (0.18, "against s"),
            (-0.2, "that is step 1"),
            (-0.38, "both steps"),
            (1.8, "that is s"),
            (-0.5, "after step 1, and after step 2"),
        ),
        "Whatever remembers gradients can move a weight that has none.",
    ),
    "13.2": Exercise(
        "A step of Adam that leaves frozen weights and their moments as they were; ad.identity copies.",
        _careful,
        _put_back,
        (
            (_zero_gradient, "a frozen weight moved"),
            (_other_way_round, "in this order"),
            (_second_name, "second name"),
            (_name_given_away, "put them back with w.assign"),
            (_second_names_of_slots, "ad.identity"),
            (_only_weights, "the m of a frozen weight"),
            (_without_v, "the v of a frozen weight"),
            (_all_slots_back, "the m of a free weight"),
            (_no_step, "no weight moved"),
            (
                lambda opt, w, gradient, free: _put_back(opt, w, gradient, ad.constant(FREE)),
                "use what is given",
            ),
            (
                lambda opt, w, gradient, free: _put_back(
                    opt, w, ad.constant([0.5, 1.0, -2.0, 7.0]), free
                ),
                "use what is given",
            ),
        ),
        "Frozen means: the weight, its m and its v.",
    ),
}
