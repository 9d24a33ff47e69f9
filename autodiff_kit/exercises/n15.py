"""Exercises of notebook 15: what stands inside the block, a training step, a soft accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.accuracy import soft_accuracy
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


POINTS = np.array([[1.0, 2.0], [3.0, -1.0]])
LABELS = np.array([[1.0], [0.0]])


class _Model(ad.keras.Sequential):
    """One layer whose kernel begins with zeros; it notes whether it is asked about other points."""

    def __init__(self) -> None:
        layer = ad.keras.layers.Dense(1, kernel_initializer="zeros", dtype=ad.float64)
        super().__init__([layer])
        self.strange = False

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        self.strange = self.strange or not same(inputs, POINTS)
        return super().__call__(inputs, *args, **kwargs)


def _moved_to(slope_per_logit: Any, share: float = 0.5) -> Any:
    """Where a kernel of zeros goes in one step of size 1, from the slopes of the two losses."""
    return -share * (POINTS.T @ np.reshape(slope_per_logit, (2, 1)))


def _one_step(answer: Any, labels: Any) -> tuple[Any, Any]:
    """The model after one step, and what the step returned."""
    model = _Model()
    points = ad.constant(POINTS)
    model(points)
    return model, answer(model, ad.keras.optimizers.SGD(1.0), points, ad.constant(labels))


def _step(answer: Any) -> str | None:
    wrong = a_function(answer)
    if wrong:
        return wrong
    try:
        model, loss = _one_step(answer, LABELS)
    except ValueError as error:
        if "No gradients" not in str(error):
            raise
        return "all gradients are None: is the model called inside the tape's block?"
    if model.strange:
        return "the model is asked about other points than those that step was given: use points."
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
    other, _ = _one_step(answer, 1.0 - LABELS)
    if not same(other.trainable_variables[0], _moved_to([0.5, -0.5])):
        return "right for these labels, but not for others: use the labels that step was given."
    return None if same(loss, np.log(2.0)) else _about_the_loss(model, loss)


def _about_the_loss(model: Any, loss: Any) -> str:
    """What is said of a right step that returns something else than the loss before it."""
    if loss is None:
        return "the step is right, but your function returns nothing. Is there a return?"
    logits = model(POINTS)
    after = ad.nn.sigmoid_cross_entropy_with_logits(labels=LABELS, logits=logits)
    if same(loss, ad.reduce_mean(after)):
        return (
            f"the step is right, but {quoted(loss)} is the loss after it. Return the one that the "
            "gradients are of, from before the variables changed."
        )
    return f"the step is right, but the loss should come back, and this is {quoted(loss)}."


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


def _loss_after(model: Any, optimizer: Any, points: Any, labels: Any) -> Any:
    _step_with()(model, optimizer, points, labels)
    losses = ad.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=model(points))
    return ad.reduce_mean(losses)


def _own_points(model: Any, optimizer: Any, points: Any, labels: Any) -> Any:
    return _step_with()(model, optimizer, ad.ones([2, 2], ad.float64), labels)


def _own_labels(model: Any, optimizer: Any, points: Any, labels: Any) -> Any:
    return _step_with()(model, optimizer, points, ad.constant(LABELS))


def _soft(logits: Any, labels: Any) -> Any:
    answers = ad.sigmoid(10.0 * logits)
    return ad.reduce_mean(labels * answers + (1.0 - labels) * (1.0 - answers))


def _hard(logits: Any, labels: Any) -> Any:
    return ad.reduce_mean(ad.cast(ad.cast(logits > 0, ad.float64) == labels, ad.float64))


def _equal(logits: Any, labels: Any) -> Any:
    return ad.reduce_mean(ad.cast(ad.sigmoid(10.0 * logits) == labels, ad.float64))


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
            (_step_with(result=lambda loss: None), "returns nothing"),
            (_step_with(result=lambda loss: 2.0 * loss), "the loss should come back"),
            (_loss_after, "is the loss after it"),
            (_own_points, "other points"),
            (_own_labels, "use the labels"),
            (_step_with(reduce=lambda losses: -ad.reduce_mean(losses)), "should not be"),
            (0.69, "a function"),
        ),
        "Record, ask, apply: the loop of every training run.",
    ),
    "15.3": Exercise(
        "A soft accuracy with a gradient, from logits and labels.",
        soft_accuracy,
        _soft,
        (
            (_hard, "stands for the comparison"),
            (lambda z, t: ad.reduce_mean(ad.sigmoid(10.0 * z)), "Where do the labels come in"),
            (lambda z, t: _soft(z, 1.0 - t), "share of wrong answers"),
            (
                lambda z, t: ad.reduce_mean(ad.abs(ad.sigmoid(10.0 * z) - t)),
                "share of wrong answers",
            ),
            (lambda z, t: ad.reduce_mean(ad.sigmoid(10.0 * z) * t), "logit of -3 with label 0"),
            (lambda z, t: ad.reduce_mean(ad.sigmoid(10.0 * (z - t))), "logit of -3 with label 0"),
            (_equal, "With =="),
            (lambda z, t: _soft(z - 0.5, t), "equally far on the right side of 0"),
            (lambda z, t: float(_soft(z, t)), "which is no tensor"),
            (lambda z, t: 4.0 * _soft(z, t), "counts the right answers"),
            (_each, "one number for each point"),
            (_entropy, "cross entropy"),
            (_silent, "returns nothing"),
            (0.75, "a function"),
        ),
        "It tells a weight which way is better, as accuracy cannot.",
    ),
}
