"""Layer 5: what is said of an operation that is flat where it is asked, by its type.

One idea: a sentence says where its slope is zero, another what to do, and code stands beside it where
some is right in general.
"""

from __future__ import annotations

EVENLY = "all probabilities get the same gradient, and their sum is always 1: it cannot move"
SOME_EVENLY = "all probabilities that are not 0 get the same gradient, and their sum is always 1"
ZERO = {
    "Relu": "every input is at or below zero, where relu is flat: the unit is dead",
    "Relu6": "every input lies where relu6 is flat",
    "Sigmoid": "the sigmoid is saturated: its slope y * (1 - y) is 0 to the last digit",
    "Tanh": "tanh is saturated: its slope 1 - y * y is 0 to the last digit",
    "Softmax": "softmax is saturated: one probability is 1 to the last digit",
    "LogSoftmax": "the softmax is already what is asked for, to the last digit, as at the minimum of a "
    "cross entropy",
    "SelectV2": "where chose the other branch at every place that a gradient arrived at",
    "Mul": "what comes in times the other factor is 0",
    "Sign": "sign is flat: its gradient is 0 everywhere",
    "Square": "the value is 0, where a square is flat: this is its minimum",
    "Abs": "the value is 0, and the gradient of abs is taken to be 0 there",
    "Exp": "what goes in is so far below 0 that the result, and with it the slope, is 0",
    "Maximum": "the other argument of maximum was the larger one",
    "Minimum": "the other argument of minimum was the smaller one",
    "ClipByValue": "every value was clipped, and a clipped value does not move",
    "Max": "another element was the largest",
    "Min": "another element was the smallest",
    "CustomGradient": "the gradient function that was given to it returns zeros here",
    "SoftmaxCrossEntropyWithLogits": "the softmax of the logits is what the labels ask for, to the "
    "last digit",
}
ZERO["SigmoidCrossEntropyWithLogits"] = (
    "the sigmoid of the logits is what the labels ask for, to the last digit"
)
ZERO["SparseSoftmaxCrossEntropyWithLogits"] = ZERO["SoftmaxCrossEntropyWithLogits"]
REPLAY = "ad.replay(tape, target, sources)"
LOOK = ("Look at the values at this line.", REPLAY)
EVEN_SUM = (
    "The sum (or the mean) of all probabilities is the same for all weights: weigh them, pick one, or "
    "compare them with labels in a loss."
)
CLIPPED = (
    "Begin inside the bounds; or take a soft bound, such as ad.tanh; or add to the loss how far the "
    "values lie outside.",
    REPLAY,
)
ZERO_FIX = {
    "Relu": (
        "Let some slope through with ad.nn.leaky_relu, or start the bias higher and learn more slowly.",
        "",
    ),
    "Sigmoid": (
        "Scale the inputs down. If a cross entropy follows, give it the logits instead of the sigmoid: "
        "ad.nn.sigmoid_cross_entropy_with_logits does both in one.",
        "",
    ),
    "Tanh": ("Scale the inputs down.", "ad.tanh({k} * {x})    # instead of {whole}"),
    "Minimum": ("If a clip did this: keep the values inside its bounds, or clip less.", REPLAY),
    "SelectV2": (
        "Check the condition, or ask for the gradient of the branch that was chosen.",
        "ad.reduce_any({x})    # is it ever true?",
    ),
    "Sign": (
        "Put a soft sign in its place, steeper for a larger factor.",
        "ad.tanh({k} * {x})    # instead of {whole}",
    ),
    "Abs": (
        "If the loss was to become 0, it has, and nothing is left to learn. If this is only where you "
        "begin, begin somewhere else.",
        "",
    ),
    "Exp": ("Look at why the argument is so far below 0.", ""),
    "CustomGradient": ("Look at the gradient function: it must return what dy is to become.", ""),
    "LogSoftmax": ("Look at the labels: if they are met, nothing is left to learn.", ""),
    "SoftmaxCrossEntropyWithLogits": ("The loss is at its minimum: nothing is left to learn.", ""),
}
ZERO_FIX["SigmoidCrossEntropyWithLogits"] = ZERO_FIX["SoftmaxCrossEntropyWithLogits"]
ZERO_FIX["SparseSoftmaxCrossEntropyWithLogits"] = ZERO_FIX["SoftmaxCrossEntropyWithLogits"]
SMOOTH_ABS = (
    "Where the second derivative matters, take a smooth function in its place: a square, or "
    "ad.sqrt(x * x + c) with a small number c.",
    "",
)
