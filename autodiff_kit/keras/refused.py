"""Layer 4: arguments and attributes that others' layers have, and what to do instead here.

One idea: who writes such a name has not mistyped it.
"""

from __future__ import annotations

_SHAPE = "leave it out: a layer makes its variables at its first call, or in build((None, 3))"
_BOUND = "assign to the variable after each step: w.assign(ad.maximum(w, 0.0))"
_OUTPUT = (
    "add the penalty to the loss, as in loss + 0.01 * ad.nn.l2_loss(y), with the layer's output y"
)
_BEFORE = "put an ad.keras.layers.Dropout(rate) before the layer"
_FOR_SPEED = "leave it out: it is about speed or memory, and the results are the same"
INSTEAD = {
    "input_shape batch_input_shape batch_shape input_dim input_length": _SHAPE,
    "activity_regularizer": _OUTPUT,
    "kernel_constraint bias_constraint recurrent_constraint embeddings_constraint gamma_constraint "
    "beta_constraint": _BOUND,
    "dropout": _BEFORE,
    "recurrent_dropout": "leave it out, or " + _BEFORE,
    "go_backwards": "turn the steps round before the layer: ad.reverse(x, [1])",
    "stateful": "hand the state on yourself: with return_state=True, layer(x, initial_state=state)",
    "unroll use_cudnn implementation": _FOR_SPEED,
    "alpha": "the slope is called negative_slope",
    "renorm renorm_clipping renorm_momentum synchronized": (
        "leave it out: the statistics are those of the batch"
    ),
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
    instead = next((text for names, text in INSTEAD.items() if argument in names.split()), "")
    variable, _, kind = argument.rpartition("_")
    if kind == "regularizer" and not instead:
        penalty = f"0.01 * ad.nn.l2_loss(layer.{_attribute(variable)})"
        instead = f"add the penalty to the loss, as in loss + {penalty}"
    return f"{says}. Keras has it, and this kit has not: {instead}" if instead else says


def _attribute(word: str) -> str:
    """The layer's attribute that an argument's first word stands for."""
    return "recurrent_kernel" if word == "recurrent" else word
