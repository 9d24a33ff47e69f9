"""Layer 4: arguments that Keras' layers take and the kit's do not, and what to do instead.

One idea: who writes such an argument has not mistyped it.
"""

from __future__ import annotations

_SHAPE = "leave it out: a layer makes its variables at its first call, or in build((None, 3))"
_PENALTY = "add the penalty to the loss, as in loss + 0.01 * ad.nn.l2_loss(layer.kernel)"
_BOUND = "assign to the variable after each step: w.assign(ad.maximum(w, 0.0))"
INSTEAD = {
    "input_shape batch_input_shape batch_shape input_dim": _SHAPE,
    "kernel_regularizer bias_regularizer activity_regularizer": _PENALTY,
    "kernel_constraint bias_constraint": _BOUND,
}


def unknown(layer: str, argument: str) -> str:
    """What to say of an argument that a layer does not take."""
    says = f"{layer}.__init__() got an unexpected keyword argument '{argument}'"
    for names, instead in INSTEAD.items():
        if argument in names.split():
            return f"{says}. Keras has it, and this kit has not: {instead}"
    return says
