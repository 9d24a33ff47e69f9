"""Layer 0: attributes that PyTorch's, JAX's and NumPy's arrays have, and what takes their place here.

One idea: who types such a name has not mistyped it, and learns the kit's name for it from the error.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

_PART = (
    "an ad.Variable: a Tensor never changes, and `x[0]` of a variable is a Tensor too. TensorFlow "
    "assigns to a part of a variable, the kit only to the whole: "
    "x.assign(ad.tensor_scatter_nd_update(x, [[0]], [5.0])), or x.assign(ad.where(mask, new, x))"
)
_PLACE = "nothing in its place: the kit computes on the processor"
_LEAF = "tape.gradient(loss, x): any tensor that was computed in the block, or is watched, has one"
_WATCHED = (
    "tape.watch(x), or ad.Variable(..., trainable=True); to freeze a variable, leave it out of those "
    "that you give to the optimizer"
)
_IN_PLACE = "x.assign({}): only an ad.Variable changes, and no gradient flows through an assignment"

HINTS: dict[str, str] = {
    "T": "ad.transpose(x)",
    "mT": "ad.linalg.matrix_transpose(x)",
    "astype": "ad.cast(x, dtype)",
    "reshape": "ad.reshape(x, shape)",
    "item": "x.numpy()",
    "tolist": "x.numpy().tolist()",
    "size": "ad.size(x)",
    "numel": "ad.size(x)",
    "dim": "x.ndim",
    "detach": "ad.stop_gradient(x)",
    "data": "ad.stop_gradient(x) to go on without a gradient, and x.assign(value) to change a variable",
    "backward": "tape.gradient(x, sources) on the GradientTape that recorded x",
    "grad": "tape.gradient(target, x): gradients are returned, not stored",
    "requires_grad": _WATCHED,
    "requires_grad_": _WATCHED,
    "retain_grad": _LEAF,
    "is_leaf": _LEAF,
    "grad_fn": "ad.explain(tape, x, sources), or ad.draw, to see what x was computed from",
    "register_hook": "an @ad.custom_gradient function that looks at dy, or ad.replay(tape, x, sources)",
    "clone": "ad.identity(x); a variable of its own is ad.Variable(x)",
    "copy": "ad.identity(x); a variable of its own is ad.Variable(x)",
    "assign": _PART,
    "assign_add": _PART.replace("nd_update", "nd_add"),
    "assign_sub": _PART.replace("nd_update", "nd_sub"),
    "at": "ad.tensor_scatter_nd_update(x, [[0]], [5.0]): it returns a new tensor, as x.at[0].set(5.0)",
    "scatter_nd_update": "x.assign(ad.tensor_scatter_nd_update(x, indices, updates))",
    "scatter_nd_add": "x.assign(ad.tensor_scatter_nd_add(x, indices, updates))",
    "scatter_nd_sub": "x.assign(ad.tensor_scatter_nd_sub(x, indices, updates))",
    "add_": _IN_PLACE.format("x + value"),
    "sub_": _IN_PLACE.format("x - value"),
    "mul_": _IN_PLACE.format("x * value"),
    "div_": _IN_PLACE.format("x / value"),
    "zero_": _IN_PLACE.format("ad.zeros_like(x)"),
    "fill": _IN_PLACE.format("ad.fill(x.shape, value)"),
    "fill_": _IN_PLACE.format("ad.fill(x.shape, value)"),
    "copy_": _IN_PLACE.format("value"),
    "clamp_": _IN_PLACE.format("ad.clip_by_value(x, low, high)"),
    "float": "ad.cast(x, ad.float32)",
    "double": "ad.cast(x, ad.float64)",
    "int": "ad.cast(x, ad.int32)",
    "long": "ad.cast(x, ad.int64)",
    "bool": "ad.cast(x, ad.bool)",
    "type": "ad.cast(x, dtype), or x.dtype to look at it",
    "to": "ad.cast(x, dtype) for a dtype; a device there is none to choose",
    "cpu": _PLACE,
    "cuda": _PLACE,
    "gpu": _PLACE,
    "device": _PLACE,
    "set_shape": "ad.ensure_shape(x, shape)",
    "eval": "x.numpy()",
    "view": "ad.reshape(x, shape)",
    "flatten": "ad.reshape(x, [-1])",
    "ravel": "ad.reshape(x, [-1])",
    "squeeze": "ad.squeeze(x)",
    "unsqueeze": "ad.expand_dims(x, axis)",
    "permute": "ad.transpose(x, perm)",
    "transpose": "ad.transpose(x, perm)",
    "t": "ad.transpose(x)",
    "expand": "ad.broadcast_to(x, shape)",
    "repeat": "ad.tile(x, multiples), as PyTorch's does, or ad.repeat(x, repeats), as NumPy's does",
    "sum": "ad.reduce_sum(x)",
    "mean": "ad.reduce_mean(x)",
    "max": "ad.reduce_max(x)",
    "min": "ad.reduce_min(x)",
    "prod": "ad.reduce_prod(x)",
    "std": "ad.math.reduce_std(x)",
    "var": "ad.math.reduce_variance(x)",
    "any": "ad.reduce_any(x)",
    "all": "ad.reduce_all(x)",
    "argmax": "ad.argmax(x)",
    "argmin": "ad.argmin(x)",
    "cumsum": "ad.cumsum(x)",
    "cumprod": "ad.math.cumprod(x)",
    "sort": "ad.sort(x)",
    "argsort": "ad.argsort(x)",
    "nonzero": "ad.where(x != 0)",
    "take": "ad.gather(x, indices)",
    "swapaxes": "ad.transpose(x, perm)",
    "trace": "ad.linalg.trace(x)",
    "diagonal": "ad.linalg.diag_part(x)",
    "norm": "ad.norm(x)",
    "dot": "ad.tensordot(x, y, 1)",
    "mm": "x @ y",
    "matmul": "x @ y",
    "clamp": "ad.clip_by_value(x, low, high)",
    "clip": "ad.clip_by_value(x, low, high)",
    "round": "ad.round(x)",
    "abs": "ad.abs(x)",
    "pow": "x ** y",
    "exp": "ad.exp(x)",
    "log": "ad.math.log(x)",
    "sqrt": "ad.sqrt(x)",
    "sin": "ad.sin(x)",
    "cos": "ad.cos(x)",
    "tanh": "ad.tanh(x)",
    "sigmoid": "ad.sigmoid(x)",
    "relu": "ad.nn.relu(x)",
    "softmax": "ad.nn.softmax(x, axis)",
    "log_softmax": "ad.nn.log_softmax(x, axis)",
    "masked_fill": "ad.where(mask, value, x)",
    "gather": "ad.gather(x, indices, axis=0)",
}

# What to do where a program gives a part of a tensor another value: `x[0] = 5.0`.
NO_PART = (
    "a Tensor never changes, and an ad.Variable only as a whole. ad.tensor_scatter_nd_update(x, [[0]], "
    "[5.0]) returns a new tensor with another value at [0] (give it to x.assign if x is a variable); "
    "ad.where(mask, new, x) replaces the elements that a mask names; and what a loop would fill in one "
    "by one, collect in a list and ad.stack"
)


class NoFunction(ModuleType):
    """The file `tensor.py`, which answers to `ad.tensor(1.0)` as PyTorch's users write it."""

    def __call__(self, *_values: Any, **_options: Any) -> Any:
        raise TypeError(
            "ad.tensor is a file of the kit: ad.constant(value) makes a tensor of a value, "
            "ad.Variable(value) a variable, which is watched and can be learned, and ad.stack(tensors) "
            "one tensor of several, through which gradients flow"
        )
