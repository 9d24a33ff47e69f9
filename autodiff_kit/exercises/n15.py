"""Exercises of notebook 15: what stands inside the block, a training step, a soft accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises import Exercise
from autodiff_kit.exercises.accuracy import soft_accuracy
from autodiff_kit.exercises.stepping import CASES, step_with, training_step
from autodiff_kit.teaching.values import plain

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
        return "write True or False for each of the four lines, without quotation marks."
    if not answer[LOSS]:
        return "outside the block nobody writes down how the loss was made. What would explain say?"
    if not answer[LOGITS]:
        return "the variables are used in the model: outside the block, the tape never sees them."
    if answer[APPLY]:
        return "the optimizer only needs the gradients: the tape has nothing to record any more."
    if answer[ASK]:
        return "gradient reads the record. Does the tape have to write while it is read?"
    return None


def _loss_after(model: Any, optimizer: Any, points: Any, labels: Any) -> Any:
    step_with()(model, optimizer, points, labels)
    losses = ad.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=model(points))
    return ad.reduce_mean(losses)


def _own_points(model: Any, optimizer: Any, points: Any, labels: Any) -> Any:
    return step_with()(model, optimizer, ad.ones([3, 2], ad.float64), labels)


def _own_labels(model: Any, optimizer: Any, points: Any, labels: Any) -> Any:
    return step_with()(model, optimizer, points, ad.constant(CASES[0].labels[: len(points)]))


def _own_optimizer(rate: float) -> Any:
    def step(model: Any, optimizer: Any, points: Any, labels: Any) -> Any:
        return step_with()(model, ad.keras.optimizers.SGD(rate), points, labels)

    return step


def _third_of_the_sum(losses: Any) -> Any:
    return ad.reduce_sum(losses) / 3.0


def _soft(logits: Any, labels: Any) -> Any:
    answers = ad.sigmoid(10.0 * logits)
    return ad.reduce_mean(labels * answers + (1.0 - labels) * (1.0 - answers))


def _hard(logits: Any, labels: Any) -> Any:
    return ad.reduce_mean(ad.cast(ad.cast(logits > 0, ad.float64) == labels, ad.float64))


def _equal(logits: Any, labels: Any) -> Any:
    return ad.reduce_mean(ad.cast(ad.sigmoid(10.0 * logits) == labels, ad.float64))


def _each(logits: Any, labels: Any) -> Any:
    return 1.0 - ad.abs(labels - ad.sigmoid(10.0 * logits))


def _geometric(logits: Any, labels: Any) -> Any:
    return ad.exp(-_entropy(10.0 * logits, labels))


def _table(logits: Any, labels: Any) -> Any:
    return 1.0 - ad.abs(ad.squeeze(labels, 1) - ad.sigmoid(10.0 * logits))


def _hard_within(logits: Any, labels: Any) -> Any:
    answers = ad.relax.straight_through(ad.sigmoid(logits) + 0.5)
    return 1.0 - ad.reduce_mean(ad.abs(labels - answers))


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
        training_step,
        step_with(),
        (
            (step_with(outside=True), "inside the tape's block"),
            (step_with(apply=0), "did not move"),
            (step_with(apply=2), "as far as in two steps"),
            (step_with(sign=-1.0), "uphill"),
            (step_with(reduce=lambda losses: 2.0 * ad.reduce_mean(losses)), "another loss"),
            (step_with(some=slice(1)), "the bias was not"),
            (step_with(some=slice(1, 2)), "the kernel was not"),
            (_own_optimizer(1.0), "or is it another optimizer"),
            (_own_optimizer(0.5), "the optimizer that step was given"),
            (_own_optimizer(0.1), "the optimizer that step was given"),
            (step_with(reduce=_third_of_the_sum), "the mean over all points"),
            (step_with(result=lambda loss: [loss]), "the loss should come back"),
            (step_with(reduce=ad.reduce_sum), "take their mean"),
            (step_with(squash=ad.sigmoid), "applies the sigmoid itself"),
            (step_with(exchanged=True), "changed places"),
            (step_with(result=lambda loss: None), "returns nothing"),
            (step_with(result=lambda loss: 2.0 * loss), "the loss should come back"),
            (_loss_after, "is the loss after it"),
            (_own_points, "other points"),
            (_own_labels, "use the labels"),
            (step_with(reduce=lambda losses: 3.0 * ad.reduce_max(losses)), "should not be"),
            (0.69, "a function"),
        ),
        "Record, ask, apply: the loop of every training run. Only the recording needs the block.",
    ),
    "15.3": Exercise(
        "A soft accuracy with a gradient, from logits and labels.",
        soft_accuracy,
        _soft,
        (
            (_hard, "ad.sigmoid of a multiple of the logits"),
            (_geometric, "Take the probability of each point first"),
            (lambda z, t: ad.exp(-_entropy(z, t)), "Take the probability of each point first"),
            (lambda z, t: 1.0 - _entropy(10.0 * z, t), "is wrong and should count nearly 0"),
            (lambda z, t: ad.reduce_mean(ad.sigmoid(10.0 * z)), "Where do the labels come in"),
            (lambda z, t: _soft(z, 1.0 - t), "share of wrong answers"),
            (
                lambda z, t: ad.reduce_mean(ad.abs(ad.sigmoid(10.0 * z) - t)),
                "share of wrong answers",
            ),
            (lambda z, t: ad.reduce_mean(ad.sigmoid(10.0 * z) * t), "logit of -3 with label 0"),
            (
                lambda z, t: 1.0 - ad.reduce_mean(ad.sigmoid(10.0 * z) - t),
                "-3 with label 1 is wrong and should count nearly 0; yours counts 2.0",
            ),
            (lambda z, t: ad.reduce_mean(ad.sigmoid(10.0 * (z - t))), "logit of -3 with label 0"),
            (lambda z, t: ad.reduce_mean(_table(z, t)), "column minus row is a table"),
            (
                lambda z, t: ad.reduce_mean(_soft(ad.squeeze(z, 1), t)),
                "column minus row is a table",
            ),
            (_table, "column minus row is a table"),
            (_hard_within, "from points that are right already no slope comes back"),
            (_equal, "With =="),
            (lambda z, t: _soft(z - 0.5, t), "equally far on the right side of 0"),
            (lambda z, t: float(_soft(z, t)), "Compute it from logits with"),
            (lambda z, t: 4.0 * _soft(z, t), "counts the right answers"),
            (_each, "one number for each point"),
            (_entropy, "cross entropy"),
            (_silent, "returns nothing"),
            (lambda z, t: ad.reduce_sum(_each(z, t)) / 4.0, "the mean over all"),
            (lambda z, t: _soft(z, ad.constant([[1.0], [0.0], [1.0], [1.0]], t.dtype)), "stopped"),
            (lambda z, t: _soft(1000.0 * z, t), "so steep a step"),
            (lambda z, t: 0.9 * _soft(z, t), "for five points far from 0"),
            (lambda z, t: _soft(z, t) + 0.001 * ad.reduce_mean(z), "for five points far from 0"),
            (lambda z, t: 0.75 + 0.0 * ad.reduce_mean(z), "or a factor of 0"),
            (lambda z, t: [_soft(z, t)], "a tensor is asked for"),
            (0.75, "a function"),
        ),
        "It tells a weight which way is better, as accuracy cannot.",
    ),
}
