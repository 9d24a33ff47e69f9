"""Layer 0: names that PyTorch, JAX or NumPy has, and TensorFlow has not.

One idea: as `absent.py`, for those who learned elsewhere. It is loaded when such a name is asked for.
"""

from __future__ import annotations

from autodiff_kit.numpys import NUMPYS

_TAPE = (
    "Use with ad.GradientTape() as tape: y = f(x), and then tape.gradient(y, x); an ad.Variable is "
    "watched by itself, other tensors by tape.watch(x)."
)
_NO_GRAD = (
    "Leave it out: only what runs in the block of an ad.GradientTape is recorded. Inside a block, with "
    "tape.stop_recording() pauses it, and ad.stop_gradient(x) takes one value for a constant."
)
_MODULE = (
    "Derive from ad.keras.Model, or from ad.keras.layers.Layer: super().__init__() first, the forward "
    "pass in call."
)
_PARAMETER = (
    "Use ad.Variable(value); in a layer self.add_weight(shape) or ad.keras.Variable(value), which the "
    "layer counts among its trainable_variables."
)
_OPTIM = (
    "Use ad.keras.optimizers, as in opt = ad.keras.optimizers.SGD(0.1), which gets the variables with "
    "each step: opt.apply_gradients(zip(gradients, variables))."
)
_MAKE = "Use ad.constant(value), or ad.Variable(value) for what is to be learned."
_STACKED = "Use ad.concat(values, axis)."
_CAST = "Use ad.cast(x, dtype), with ad.float32 or ad.int64 for example."
_LAYERS = "Use ad.keras.layers, Dense for example, or a function of ad.nn."
_LAST = "; the channels are the last axis, and their number it sees at its first call."
_LOSS = "Use a class of ad.keras.losses."
_SEED = "Use ad.random.set_seed(1)."
_RULE = (
    "Use @ad.custom_gradient: the function returns its result and a function of dy, which returns the "
    "gradients."
)

FOREIGN: dict[str, dict[str, str]] = {
    "autodiff_kit": {
        "grad value_and_grad vjp autograd gradient value_and_gradient": _TAPE,
        "no_grad enable_grad set_grad_enabled inference_mode": _NO_GRAD,
        "detach lax": "Use ad.stop_gradient(x).",
        "Parameter": _PARAMETER,
        "optim optax": _OPTIM,
        "from_numpy as_tensor array asarray FloatTensor DoubleTensor LongTensor IntTensor": _MAKE,
        "randn": "Use ad.random.normal(shape).",
        "rand": "Use ad.random.uniform(shape).",
        "manual_seed": _SEED,
        "arange": "Use ad.range.",
        "full": "Use ad.fill(shape, value).",
        "sum": "Use ad.reduce_sum(x, axis).",
        "mean": "Use ad.reduce_mean(x, axis).",
        "max amax": "Use ad.reduce_max(x, axis), or ad.maximum(x, y) for two tensors.",
        "min amin": "Use ad.reduce_min(x, axis), or ad.minimum(x, y) for two tensors.",
        "prod": "Use ad.reduce_prod(x, axis).",
        "std": "Use ad.math.reduce_std(x, axis).",
        "var": "Use ad.math.reduce_variance(x, axis).",
        "any": "Use ad.reduce_any(x, axis).",
        "all": "Use ad.reduce_all(x, axis).",
        "dot inner": "Use ad.tensordot(x, y, 1).",
        "mm bmm": "Use ad.matmul(x, y), or x @ y.",
        "mv": "Use ad.linalg.matvec(matrix, x).",
        "cat concatenate hstack vstack": _STACKED,
        "clamp clip": "Use ad.clip_by_value(x, low, high).",
        "power": "Use ad.pow(x, y), or x ** y.",
        "absolute": "Use ad.abs(x).",
        "heaviside": "Use ad.cast(x > 0, ad.float32), which has no gradient, or ad.sigmoid(10.0 * x).",
        "view flatten ravel": "Use ad.reshape(x, shape).",
        "unsqueeze": "Use ad.expand_dims(x, axis).",
        "permute": "Use ad.transpose(x, perm).",
        "masked_select": "Use ad.boolean_mask(x, mask).",
        "float long int": _CAST,
        "jit": "Leave it out: the kit runs each line at once, as Python does.",
        "vmap": "Use a Python loop and ad.stack: ad.stack([f(x) for x in xs]).",
        "jacrev jacfwd": "Use tape.jacobian(y, x), on an ad.GradientTape.",
        "tree_map tree_util tree": "Use ad.nest.map_structure(f, xs).",
        "numpy": "Use the kit's own functions: NumPy's give arrays, which no tape follows.",
        "checkpoint": "Use ad.recompute_grad(f).",
        "custom_vjp custom_jvp": _RULE,
        **NUMPYS,
    },
    "autodiff_kit.nn": {
        "Module ModuleList ModuleDict": _MODULE,
        "Parameter ParameterList": _PARAMETER,
        "functional": "Use ad.nn itself: ad.nn.relu(x), ad.nn.softmax(x).",
        "Linear Dense Dropout Flatten ReLU Tanh Sigmoid Softmax LeakyReLU ELU GELU Conv1d Conv2d "
        "MaxPool1d MaxPool2d AvgPool1d AvgPool2d BatchNorm1d BatchNorm2d LayerNorm Embedding RNN LSTM "
        "GRU": _LAYERS,
        "Sequential": "Use ad.keras.Sequential([layer, layer]).",
        "MSELoss L1Loss BCELoss BCEWithLogitsLoss CrossEntropyLoss NLLLoss HuberLoss": _LOSS,
        "mse_loss cross_entropy binary_cross_entropy": _LOSS,
        "one_hot": "Use ad.one_hot(indices, depth).",
    },
    "autodiff_kit.random": {
        "randn": "Use ad.random.normal(shape).",
        "rand": "Use ad.random.uniform(shape).",
        "randint": "Use ad.random.uniform(shape, 0, 10, dtype=ad.int32).",
        "permutation": "Use ad.random.shuffle(ad.range(n)).",
        "standard_normal": "Use ad.random.normal(shape).",
        "default_rng RandomState": "Use ad.random.Generator.from_seed(1).",
        "choice": "Use ad.random.uniform(shape, 0, n, dtype=ad.int32), and ad.gather(x, indices).",
        "PRNGKey key": _SEED,
        "seed manual_seed": _SEED,
    },
    "autodiff_kit.linalg": {
        "multi_dot": "Use x @ y @ z.",
        "vector_norm matrix_norm": "Use ad.norm(x).",
    },
    "autodiff_kit.keras": {
        "Module": _MODULE,
        "Parameter": _PARAMETER,
    },
    "autodiff_kit.keras.layers": {
        "Linear": "Use ad.keras.layers.Dense(units): how many inputs it has it sees at its first call.",
        "Module": _MODULE,
        "Conv1d": f"Use ad.keras.layers.Conv1D(filters, kernel_size){_LAST}",
        "Conv2d": f"Use ad.keras.layers.Conv2D(filters, kernel_size){_LAST}",
        "MaxPool1d": f"Use ad.keras.layers.MaxPooling1D(pool_size){_LAST}",
        "MaxPool2d": f"Use ad.keras.layers.MaxPooling2D(pool_size){_LAST}",
        "AvgPool1d": f"Use ad.keras.layers.AveragePooling1D(pool_size){_LAST}",
        "AvgPool2d": f"Use ad.keras.layers.AveragePooling2D(pool_size){_LAST}",
        "BatchNorm1d BatchNorm2d": "Use ad.keras.layers.BatchNormalization(), with training=True in "
        "training; its momentum is what stays, 1 minus PyTorch's.",
        "LayerNorm": "Use ad.keras.layers.LayerNormalization().",
    },
    "autodiff_kit.keras.losses": {
        "MSELoss": "Use ad.keras.losses.MeanSquaredError().",
        "L1Loss": "Use ad.keras.losses.MeanAbsoluteError().",
        "CrossEntropyLoss": (
            "Use ad.keras.losses.SparseCategoricalCrossentropy(from_logits=True); labels come first."
        ),
        "BCEWithLogitsLoss": "Use ad.keras.losses.BinaryCrossentropy(from_logits=True).",
        "BCELoss": "Use ad.keras.losses.BinaryCrossentropy().",
    },
}


def told(namespace: str, name: str) -> str:
    """What to use in the place of a name from elsewhere; "" for a name that is from nowhere."""
    for names, instead in FOREIGN.get(namespace, {}).items():
        if name in names.split():
            return f"The kit has TensorFlow's names. {instead}"
    return ""
