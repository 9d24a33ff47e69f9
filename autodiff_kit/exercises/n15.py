"""Exercises of notebook 15: what stands inside the block, a training step, a soft accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.hints import a_function
from autodiff_kit.teaching.values import plain, quoted, same

LOGITS, LOSS, ASK, APPLY = LINES = (
    "logits = model(points)",
    "loss = loss_function(labels, logits)",
    "gradients = tape.gradient(loss, variables)",
    "optimizer.apply_gradients(zip(gradients, variables))",
)
INSIDE = dict(zip(LINES, (True, True, False, False), strict=True))


def _inside(answer: Any) -> str | None:
    if not isinstance(plain(answer), dict) or set(answer) != set(LINES):
        return "a dict with these four lines is asked for, as it stands above."
    if not all(isinstance(word, (bool, np.bool_)) for word in answer.values()):
        return "write True or False for each of the four lines."
    if not answer[LOSS]:
        return "outside the block nobody writes down how the loss was made. What would explain say?"
    if not answer[LOGITS]:
        return "the variables are used in the model: outside the block, the tape never sees them."
    if answer[APPLY]:
        return "the optimizer only needs the gradients: the tape has nothing to record any more."
    if answer[ASK]:
        return "gradient reads the record. Does the tape have to write while it is read?"
    return None


def _model() -> Any:
    return ad.keras.Sequential([ad.keras.layers.Dense(1, kernel_initializer="zeros")])


def _moved_to(slope_per_logit: Any, share: float = 0.5) -> Any:
    """Where a kernel of zeros goes in one step of size 1, from the slopes of the two losses."""
    points = np.array([[1.0, 2.0], [3.0, -1.0]])
    return -share * (points.T @ np.reshape(slope_per_logit, (2, 1)))


def _step(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    model = _model()
    points, labels = ad.constant([[1.0, 2.0], [3.0, -1.0]]), ad.constant([[1.0], [0.0]])
    model(points)
    try:
        loss = answer(model, ad.keras.optimizers.SGD(1.0), points, labels)
    except ValueError as error:
        if "No gradients" not in str(error):
            raise
        return "all gradients are None: is the model called inside the tape's block?"
    kernel = model.trainable_variables[0]
    mistakes = [
        (kernel * 0.0, "the variables did not move: hand the gradients to the optimizer."),
        (
            _moved_to([-0.5, 0.5], 1.0),
            "this is the step for the sum of the losses: take their mean.",
        ),
        (
            _moved_to([-0.25 * 0.37754067, 0.25 * 0.62245933]),
            "the function takes logits and applies the sigmoid itself: hand over what the model gives.",
        ),
        (_moved_to([-1.0, 0.0]), "labels and logits have changed places."),
    ]
    if not same(kernel, _moved_to([-0.5, 0.5])):
        hints = [hint for place, hint in mistakes if same(kernel, place)]
        return hints[0] if hints else f"after one step, the kernel should not be {quoted(kernel)}."
    if same(loss, np.log(2.0)):
        return None
    return f"the step is right, but the loss should come back, and this is {quoted(loss)}."


def _soft_accuracy(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    labels = ad.constant([[1.0], [0.0], [1.0], [1.0]])
    result = answer(ad.constant([[3.0], [-2.0], [-1.0], [2.0]]), labels)
    if result is not None and np.size(result) != 1:
        return "this is one number for each point: take their mean."
    if not same(result, 0.75, 0.15):
        return _far_from(result)
    logits = ad.constant([[0.1], [-0.1], [-0.1], [0.1]])
    with ad.GradientTape() as tape:
        tape.watch(logits)
        soft = answer(logits, labels)
    slopes = tape.gradient(soft, logits) if ad.is_tensor(soft) else None
    if slopes is None:
        return "the value is right, but its gradient is None: what stands for the comparison?"
    if not np.all(np.sign(slopes.numpy()) == [[1.0], [-1.0], [1.0], [1.0]]):
        return "a logit should pull up where the label is 1, and down where it is 0."
    return None


def _far_from(result: Any) -> str:
    rounded = None if result is None else np.round(float(result), 2)
    mistakes = {
        0.5: "this is the share of points that are called 1. Where do the labels come in?",
        0.25: "this is the share of wrong answers: labels 0 and 1 have changed places.",
        3.0: "this counts the right answers: take their mean.",
        0.4: "this is the cross entropy. Asked for is a share of right answers.",
    }
    near = f"for four points, three of them right, it should be near 0.75, and is {quoted(result)}."
    return next((hint for known, hint in mistakes.items() if same(rounded, known)), near)


def _step_with(
    reduce: Any = ad.reduce_mean,
    outside: bool = False,
    exchanged: bool = False,
    squash: Any = ad.identity,
    apply: bool = True,
    result: Any = lambda loss: loss,
) -> Any:
    """The training step with one thing done in another way."""

    def step(model: Any, optimizer: Any, points: Any, labels: Any) -> Any:
        logits = model(points)
        with ad.GradientTape() as tape:
            if not outside:
                logits = squash(model(points))
            pair = (logits, labels) if exchanged else (labels, logits)
            losses = ad.nn.sigmoid_cross_entropy_with_logits(labels=pair[0], logits=pair[1])
            loss = reduce(losses)
        gradients = tape.gradient(loss, model.trainable_variables)
        if apply:
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return result(loss)

    return step


def _soft(logits: Any, labels: Any) -> Any:
    answers = ad.sigmoid(10.0 * logits)
    return ad.reduce_mean(labels * answers + (1.0 - labels) * (1.0 - answers))


def _hard(logits: Any, labels: Any) -> Any:
    return ad.reduce_mean(ad.cast(ad.cast(logits > 0, ad.float32) == labels, ad.float32))


def _each(logits: Any, labels: Any) -> Any:
    return 1.0 - ad.abs(labels - ad.sigmoid(10.0 * logits))


def _silent(logits: Any, labels: Any) -> None:
    _soft(logits, labels)


def _entropy(logits: Any, labels: Any) -> Any:
    return ad.reduce_mean(ad.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))


EXERCISES = {
    "15.1": Exercise(
        "Which lines of a training step must stand inside the tape's block.",
        _inside,
        INSIDE,
        (
            ({**INSIDE, LOSS: False}, "how the loss was made"),
            ({**INSIDE, LOGITS: False}, "never sees them"),
            ({**INSIDE, ASK: True}, "while it is read"),
            ({**INSIDE, APPLY: True}, "nothing to record"),
            ({**INSIDE, APPLY: "no"}, "True or False"),
            ([True, True, False, False], "a dict"),
        ),
        "The whole way from the variables to the loss, and no more.",
        dict.fromkeys(LINES, ...),
    ),
    "15.2": Exercise(
        "A training step: one change of the variables, and the loss.",
        _step,
        _step_with(),
        (
            (_step_with(outside=True), "inside the tape's block"),
            (_step_with(apply=False), "did not move"),
            (_step_with(reduce=ad.reduce_sum), "take their mean"),
            (_step_with(squash=ad.sigmoid), "applies the sigmoid itself"),
            (_step_with(exchanged=True), "changed places"),
            (_step_with(result=lambda loss: None), "the loss should come back"),
            (_step_with(reduce=lambda losses: -ad.reduce_mean(losses)), "should not be"),
            (0.69, "a function"),
        ),
        "Record, ask, apply: the loop of every training run.",
    ),
    "15.3": Exercise(
        "A soft accuracy with a gradient, from logits and labels.",
        _soft_accuracy,
        _soft,
        (
            (_hard, "stands for the comparison"),
            (lambda z, t: ad.reduce_mean(ad.sigmoid(10.0 * z)), "Where do the labels come in"),
            (lambda z, t: _soft(z, 1.0 - t), "labels 0 and 1"),
            (lambda z, t: 4.0 * _soft(z, t), "counts the right answers"),
            (_each, "one number for each point"),
            (_entropy, "cross entropy"),
            (_silent, "near 0.75"),
            (0.75, "a function"),
        ),
        "It tells a weight which way is better, as accuracy cannot.",
    ),
}
