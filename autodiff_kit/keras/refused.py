"""Layer 4: arguments and attributes that others' layers have, and what to do instead here.

One idea: who writes such a name has not mistyped it.
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

# What PyTorch's modules have. "Use ..." comes before it.
_FROZEN = "layer.trainable = False, which takes its variables out of trainable_variables"
_NOT_STORED = "nothing in its place: tape.gradient returns the gradients, and stores none"
_TRAINING = "layer(x, training=True), or training=False: whether it trains is said with each call"
ATTRIBUTES = {
    "parameters": "layer.trainable_variables, after the first call",
    "named_parameters": "layer.trainable_variables, each with its name",
    "state_dict": "layer.get_weights()",
    "load_state_dict": "layer.set_weights(values)",
    "requires_grad_": _FROZEN,
    "zero_grad": _NOT_STORED,
    "train": _TRAINING,
    "eval": _TRAINING,
    "forward": "layer(x), which makes the variables and calls its call",
    "modules": "model.layers",
    "children": "model.layers",
    "weight": "layer.kernel, or layer.weights for the list of all variables",
    "register_parameter": "layer.add_weight(shape, name=name)",
    "register_buffer": "layer.add_weight(shape, trainable=False, name=name)",
    "to": "nothing in its place: the kit computes on the processor",
    "cuda": "nothing in its place: the kit computes on the processor",
    "cpu": "nothing in its place: the kit computes on the processor",
}


def unknown(layer: str, argument: str) -> str:
    """What to say of an argument that a layer does not take."""
    says = f"{layer}.__init__() got an unexpected keyword argument '{argument}'"
    for names, instead in INSTEAD.items():
        if argument in names.split():
            return f"{says}. Keras has it, and this kit has not: {instead}"
    return says
