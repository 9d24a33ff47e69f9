"""Is it a soft accuracy? The check of exercise 15.3.

One idea: a wrong one is told what it makes of a single point, which is easier to see than a mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import autodiff_kit as ad
from autodiff_kit.exercises.hints import a_function, a_tensor
from autodiff_kit.teaching.values import quoted, same

RECIPE = (
    "ad.sigmoid of a multiple of the logits (10 times them, say) is nearly 0 well below 0, nearly 1 "
    "well above, and has a slope between. How far does that agree with the label, 0 or 1?"
)
TABLE = (
    "every logit is compared with every label: column minus row is a table. Print the shape of what "
    "you take the mean of; it should have one number for each point."
)
LOGITS = (3.0, -2.0, -1.0, 2.0)
LABELS = np.array([[1.0], [0.0], [1.0], [1.0]])


def soft_accuracy(answer: Any) -> str | None:
    """A hint unless the answer is a soft accuracy, near the true one and with a gradient."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    result = _asked(answer, LOGITS, LABELS)
    wrong = a_tensor(result, "logits")
    if wrong:
        return wrong
    if np.size(result) == 1 and np.shape(result) != ():
        return f"one number is asked for, and yours has the shape {np.shape(result)}."
    if np.shape(result) == (len(LOGITS), len(LOGITS)):
        return TABLE
    if np.size(result) != 1:
        return "this is one number for each point: take their mean."
    if not same(result, 0.75, 0.15):
        return _far_from(answer, result)
    logits = ad.constant([[0.1], [-0.1], [-0.1], [0.1]], ad.float64)
    with ad.GradientTape() as tape:
        tape.watch(logits)
        soft = answer(logits, ad.constant(LABELS))
    slopes = tape.gradient(soft, logits)
    if slopes is None:
        return f"the value is right, but its gradient is None: a comparison has none. {RECIPE}"
    if not np.all(slopes.numpy() * [[1.0], [-1.0], [1.0], [1.0]] >= 0.0):
        return "a logit should pull up where the label is 1, and down where it is 0."
    return _flat(slopes.numpy()[:, 0]) or _other_points(answer) or _boundary(answer)


def _flat(slopes: Any) -> str | None:
    """A hint about slopes that are 0 or nearly so, at points which all lie equally near to 0."""
    teaches = np.abs(slopes) > 1e-3
    if np.all(teaches):
        return None
    near = f"at logits of 0.1 and -0.1 the slopes are {quoted(slopes)}: "
    if not np.any(slopes):
        return f"{near}no point tells which way is better. Is it so steep a step, or a factor of 0?"
    if np.array_equal(teaches, [False, False, True, False]) and not np.any(slopes[~teaches]):
        return (
            f"{near}from points that are right already no slope comes back, though they are as near to "
            "0 as the one that is wrong. Is the answer rounded or cut off there? Let it stay soft "
            "until it is compared with the label."
        )
    return (
        f"{near}so steep a step teaches only points that lie even nearer to the border. Take a "
        "smaller multiple."
    )


def _other_points(answer: Any) -> str | None:
    result = _asked(answer, [-40.0, 50.0, 40.0, -60.0, 80.0], [1.0, 0.0, 1.0, 1.0, 0.0])
    if same(result, 0.2, 0.02):
        return None
    return (
        "for four points it is near enough, but for five points far from 0, one of them right, it "
        f"should be 0.2, and is {quoted(result)}."
        + (
            _mean_of_logarithms(answer)
            or " Use the labels that are given, and take the mean over all."
        )
    )


def _asked(answer: Any, logits: Any, labels: Any) -> Any:
    """An answer for columns of float64, as they are in the notebook."""
    columns = [ad.constant(np.reshape(column, (-1, 1)), ad.float64) for column in (logits, labels)]
    return answer(*columns)


def _boundary(answer: Any) -> str | None:
    """Logits of 0.3 for label 1 and of -0.3 for label 0 lie equally far on their right sides."""
    one, zero = _asked(answer, [0.3], [1.0]), _asked(answer, [-0.3], [0.0])
    if same(float(one) + 1.0, float(zero) + 1.0, 0.02):
        return None
    return (
        f"a logit of 0.3 with label 1 counts {quoted(one)}, and one of -0.3 with label 0 counts "
        f"{quoted(zero)}. Both lie equally far on the right side of 0: that is where your step belongs."
    )


def _far_from(answer: Any, result: Any) -> str:
    if same(result, 0.25, 0.02):
        return (
            "this is the share of wrong answers. Asked for is that of the right ones: 1 minus it."
        )
    if same(result, 3.0, 0.02):
        return "this counts the right answers: take their mean."
    if same(result, _entropy()):
        return "this is the cross entropy. Asked for is a share of right answers."
    near = f"for four points, three of them right, it should be near 0.75, and is {quoted(result)}."
    some = [_asked(answer, [0.2, -0.1], labels) for labels in ([1.0, 0.0], [0.0, 1.0], [0.0, 0.0])]
    if same(some[0], some[1]) and same(some[1], some[2]) and not same(result, 0.0):
        return f"{near} It is the same for all labels. Where do the labels come in?"
    return near + (_a_point(answer) or _a_table(answer) or _mean_of_logarithms(answer) or "")


def _a_table(answer: Any) -> str | None:
    """A hint if the mean over all pairs of a logit and a label comes out, not that over the points."""
    labels = LABELS[:, 0]
    pairs = np.array([[float(_asked(answer, [z], [t])) for t in labels] for z in LOGITS])
    together = _asked(answer, LOGITS, labels)
    if same(pairs.mean(), together) and not same(np.diag(pairs).mean(), together):
        return " " + TABLE[0].upper() + TABLE[1:]
    return None


def _a_point(answer: Any) -> str | None:
    """A hint about a point that counts what it should not, right or wrong."""
    for logit, label, goal in (
        (3.0, 1.0, 1.0),
        (-3.0, 0.0, 1.0),
        (3.0, 0.0, 0.0),
        (-3.0, 1.0, 0.0),
    ):
        counts = _asked(answer, [logit], [label])
        if same(counts, goal, 0.1) or (goal == 0.0 and np.all(np.abs(counts) < 0.1)):
            continue
        verdict = "right and should count nearly 1" if goal else "wrong and should count nearly 0"
        point = f" A logit of {logit:g} with label {label:g}"
        says = f"{point} is {verdict}; yours counts {quoted(counts)}."
        soft = f" With ==, a soft answer equals no label: it is never quite 0 or 1. {RECIPE}"
        return says + soft * (label == 1.0 and same(counts, 0.0))
    return None


def _mean_of_logarithms(answer: Any) -> str | None:
    """A hint if the logarithms of what the points count are averaged, and not what they count."""
    each = [_asked(answer, [z], [t]) for z, t in zip(LOGITS, LABELS[:, 0], strict=True)]
    counts = np.array([float(count) for count in each])
    together = _asked(answer, LOGITS, LABELS)
    if np.any(counts <= 0.0) or not same(together, np.exp(np.mean(np.log(counts)))):
        return None
    return (
        " Take the probability of each point first, then their mean: the exponential of a mean of "
        "logarithms is another number."
    )


def _entropy() -> Any:
    logits, labels = ad.constant(LOGITS, ad.float64), ad.constant(LABELS[:, 0], ad.float64)
    return ad.reduce_mean(ad.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
