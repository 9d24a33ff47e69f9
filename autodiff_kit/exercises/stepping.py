"""Is it a training step? The check of exercise 15.2.

One idea: the same model is changed by the right step and by known wrong ones, and where it ends tells
them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises.hints import a_function
from autodiff_kit.teaching.values import quoted, same


def step_with(
    reduce: Any = ad.reduce_mean,
    outside: bool = False,
    exchanged: bool = False,
    squash: Any = ad.identity,
    apply: int = 1,
    result: Any = lambda loss: loss,
    sign: float = 1.0,
    some: slice = slice(None),
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
            target = sign * loss
        variables = model.trainable_variables[some]
        gradients = tape.gradient(target, variables)
        for _ in range(apply):
            optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return result(loss)

    return step


class _Model(ad.keras.Sequential):
    """One layer with given weights, which notes whether it is asked about other points."""

    def __init__(self, points: Any) -> None:
        super().__init__([ad.keras.layers.Dense(1, dtype=ad.float64)])
        self.points, self.strange = points, False
        self(points)
        for variable in self.trainable_variables:
            variable.assign(np.linspace(0.2, 0.5, variable.shape[0]).reshape(variable.shape))

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        self.strange = self.strange or not same(inputs, self.points)
        return super().__call__(inputs, *args, **kwargs)


class _Case(NamedTuple):
    """What a step is given."""

    optimizer: Callable[[], Any]
    points: Any
    labels: Any

    def after(self, step: Callable[..., Any]) -> tuple[Any, Any]:
        """The model after one step, and what the step returned."""
        points, labels = ad.constant(self.points), ad.constant(self.labels)
        model = _Model(points)
        return model, step(model, self.optimizer(), points, labels)


CASES = (
    _Case(
        lambda: ad.keras.optimizers.SGD(0.5),
        np.array([[1.0, 2.0], [3.0, -1.0], [-0.5, 0.5]]),
        np.array([[1.0], [0.0], [1.0]]),
    ),
    _Case(
        lambda: ad.keras.optimizers.Adam(0.1),
        np.array([[0.3, -1.0], [-2.0, 0.7]]),
        np.array([[0.0], [0.0]]),
    ),
)


def _same_weights(one: Any, other: Any) -> bool:
    return same(one.trainable_variables, other.trainable_variables)


def training_step(answer: Any) -> str | None:
    """A hint unless the answer changes a model once, as it should, and returns the loss."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    try:
        model, loss = CASES[0].after(answer)
    except ValueError as error:
        if "No gradients" not in str(error):
            raise
        return (
            "all gradients are None: is the model called inside the tape's block, and is the loss made "
            "of the logits themselves, not of a yes or no?"
        )
    if model.strange:
        return "the model is asked about other points than those that step was given: use points."
    goal, loss_before = CASES[0].after(step_with())
    if not _same_weights(model, goal):
        return _about_the_weights(model)
    return _about_the_loss(CASES[0], model, loss, loss_before) or _another_case(answer)


def _about_the_weights(model: Any) -> str:
    """What is said of a step to another place than the right one."""
    mistakes = (
        (step_with(apply=0), "the variables did not move: hand the gradients to the optimizer."),
        (
            step_with(apply=2),
            "the variables moved as far as in two steps. Is one of them too many, or is it another "
            "optimizer, or another loss?",
        ),
        (
            step_with(reduce=ad.reduce_sum),
            "this is the step for the sum of the losses: take their mean.",
        ),
        (
            step_with(squash=ad.sigmoid),
            "the function takes logits and applies the sigmoid itself: hand over what the model gives.",
        ),
        (step_with(exchanged=True), "labels and logits have changed places."),
        (step_with(sign=-1.0), "the step went uphill: the loss grows by it."),
        (step_with(some=slice(1)), "the kernel was changed, and the bias was not."),
        (step_with(some=slice(1, 2)), "the bias was changed, and the kernel was not."),
    )
    for mistake, hint in mistakes:
        if _same_weights(model, CASES[0].after(mistake)[0]):
            return hint
    kernel, bias = model.trainable_variables
    return (
        f"after one step, the kernel should not be {quoted(kernel)} and the bias {quoted(bias)}. Is it "
        "the mean cross entropy, and the optimizer that step was given?"
    )


def _about_the_loss(case: _Case, model: Any, loss: Any, before: Any) -> str | None:
    """What is said of a right step that returns something else than the loss before it."""
    if same(loss, before):
        return None
    if loss is None:
        return "the step is right, but your function returns nothing. Is there a return?"
    logits = model(case.points)
    after = ad.nn.sigmoid_cross_entropy_with_logits(labels=case.labels, logits=logits)
    if same(loss, ad.reduce_mean(after)):
        return (
            f"the step is right, but {quoted(loss)} is the loss after it. Return the one that the "
            "gradients are of, from before the variables changed."
        )
    return f"the step is right, but the loss should come back, and this is {quoted(loss)}."


def _another_case(answer: Any) -> str | None:
    model, loss = CASES[1].after(answer)
    goal, loss_before = CASES[1].after(step_with())
    if _same_weights(model, goal) and same(loss, loss_before):
        return None
    return (
        "right for the first points, but not for other points, labels and another optimizer: use the "
        "labels and the optimizer that step was given, and the mean over all points."
    )
