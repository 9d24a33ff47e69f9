"""More programs for `true_programs.TRUTHS`: tapes inside tapes, and second derivatives.

Importing this adds them.
"""

from __future__ import annotations

from readers.true_programs import truth

SECOND = """
w = ad.Variable([0.5, 3.0], name="w")
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        loss = ad.reduce_sum({})
    grad = inner.gradient(loss, w)  # here
ad.explain(outer, grad, w)
"""
PENALTY = SECOND.replace(
    "ad.explain(outer, grad", "    loss = ad.reduce_sum(grad**2)\nad.explain(outer, loss"
)
for name, op, words, function in (
    ("maximum", "SelectV2", "straight lines|softplus", "ad.maximum(w, 1.0)"),
    ("minimum", "SelectV2", "straight lines|softplus", "ad.minimum(w, 1.0) * 2.0"),
    ("clip_by_value", "SelectV2", "straight lines|ad.tanh", "ad.clip_by_value(w, 0.0, 1.0)"),
    ("reduce_max", "Cast", "only picks|logsumexp", "ad.reduce_max(w)"),
    ("reduce_min", "Cast", "only picks|logsumexp", "ad.reduce_min(w)"),
    ("sort", "GatherGrad", "only picks|ad.nn.softmax", "ad.sort(w)[0]"),
    ("top_k", "GatherGrad", "only picks|ad.nn.softmax", "ad.math.top_k(w, 1)[0]"),
    ("where", "SelectV2", "which of the two is chosen", "ad.where(w > 1.0, w, 0.0)"),
):
    told = "none", "second derivative", op
    words = f"`inner` was asked for|this is the derivative of {name}:|{words}"
    zeros = '|outer.gradient(grad, w, unconnected_gradients="zero")    # if 0 is what is meant'
    truth(f"the second derivative of {name}", told, words + zeros, SECOND.format(function), False)
    truth(f"a loss of the derivative of {name}", told, words, PENALTY.format(function), False)
POOL = 'ad.nn.max_pool2d(ad.reshape(w, [1, 1, 2, 1]), [1, 2], 1, "VALID")'
for name, op, words, function in (
    ("elu", "EluGrad", "a straight line above 0|softplus", "ad.nn.elu(w)"),
    ("selu", "SeluGrad", "a straight line above 0|softplus", "ad.nn.selu(w)"),
    ("max_pool", "MaxPoolGrad", "only picks|avg_pool", POOL),
):
    told = "zero", "zero", op
    words = f"this is the derivative of {name},|{words}"
    truth(f"the second derivative of {name}", told, words, SECOND.format(function), False)
truth(
    "a derivative that was made with where in the learner's own hand",
    ("none", "condition", "SelectV2"),
    "only as its condition",
    """
w = ad.Variable([0.5, 3.0], name="w")
with ad.GradientTape() as outer:
    with ad.GradientTape() as inner:
        loss = ad.reduce_sum(ad.where(w > 1.0, 1.0, 2.0) * w)  # here
    grad = inner.gradient(loss, w)
ad.explain(outer, grad, w)
""",
    False,
)
