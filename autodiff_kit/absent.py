"""Layer 0: names that TensorFlow has and the kit has not, and what to use in their place.

One idea: who asks for such a name has not mistyped it. Importing the kit does not load this table; a
namespace that is asked for a name it has not does: see `lazy.py`.
"""

from __future__ import annotations

_EAGER = "Leave it out: the kit runs each line at once, as Python does."
_DENSE = "The kit's tensors are all dense."
_REAL = "The kit has real numbers only: compute with the real and the imaginary part."
_ASSERT = "Use Python's assert, with ad.reduce_all and ad.math.is_finite for example."
_NUMPY = "Without a gradient NumPy has it: compute it from x.numpy()."
_SCIPY = "Without a gradient SciPy has it: compute it from x.numpy()."
_EACH_SEGMENT = (
    "Use a Python loop and ad.stack: ad.stack([ad.reduce_max(ad.boolean_mask(data, ids == k), axis=0) "
    "for k in range(n)]), with reduce_mean, reduce_min or reduce_prod likewise."
)
_CONV = (
    "The kit has ad.keras.layers.Conv1D and Conv2D, and ad.nn.conv1d and ad.nn.conv2d for filters that "
    "you keep in an ad.Variable."
)
_POOL = (
    "The kit has these layers for sequences and pictures; ad.nn.max_pool and avg_pool take volumes."
)
_NORM = (
    "Use ad.keras.layers.BatchNormalization, or ad.nn.moments: mean, variance = ad.nn.moments(x, "
    "axes=[0]), then (x - mean) * ad.math.rsqrt(variance + 1e-3), times and plus a variable each."
)
_STEPS = "Write the cell as a function, and call it in a Python loop over the time steps."
_BOTH_WAYS = (
    "Call two layers, the second on ad.reverse(x, [1]), and put their outputs together with "
    "ad.concat([a, b], axis=-1); those of all steps turn round again first, ad.reverse(b, [1])."
)
_EACH_STEP = (
    "Dense takes all steps at once; any other layer call for each of ad.unstack(x, axis=1), and put "
    "the outputs together with ad.stack(outputs, axis=1)."
)
_JOIN = "Compute it as you go: +, *, ad.concat, ad.maximum, ad.minimum take the tensors themselves."
_CALL = "Call the function itself: a model can be a function of your own that calls the layers."
_MODEL = (
    "Use ad.keras.Sequential for layers in a row, and otherwise a class of your own that derives from "
    "ad.keras.Model; train with an ad.GradientTape and opt.apply_gradients."
)
_DATA = "Prepare the data with NumPy, before training."
_OPTIMIZERS = "The kit has SGD, Adagrad, Adam, AdamW and RMSprop."
_RATES = (
    "A learning rate may be a function of the step: "
    "ad.keras.optimizers.SGD(lambda step: 0.1 * 0.9 ** ad.cast(step, ad.float32))."
)
_ITSELF = "Use the class or the function itself instead of its name in a string."
_SAVING = (
    "The kit saves no models: keep the values, numpy.savez(file, *[v.numpy() for v in variables])."
)

ABSENT: dict[str, dict[str, str]] = {
    "autodiff_kit": {
        "function": "Drop the decorator: the kit always runs eagerly, and the function works as it is.",
        "print": "Use Python's print: it shows the values, since everything runs at once.",
        "Module": "Use a Python class of your own, or ad.keras.layers.Layer.",
        "vectorized_map": "Use ad.map_fn(f, xs), and say in fn_output_signature what f returns if that "
        "is of another dtype.",
        "scan foldl foldr": "Use a Python loop that keeps each state in a list, and ad.stack.",
        "TensorArray": "Use a Python list, and ad.stack at the end.",
        "numpy_function py_function": "Call the function. Through NumPy no gradient flows, unless "
        "@ad.custom_gradient gives it one.",
        "debugging Assert assert_equal assert_greater assert_less": _ASSERT,
        "assert_rank": "Use x.shape.assert_has_rank(rank).",
        "control_dependencies name_scope init_scope group no_op autograph": _EAGER,
        "executing_eagerly": "It would always say True.",
        "data io": "Take batches as slices of an array: x[i : i + size].",
        "IndexedSlices SparseTensor RaggedTensor sparse ragged": _DENSE,
        "complex complex64 complex128 signal": _REAL,
        "bfloat16": "Use ad.float16 or ad.float32.",
        "strings as_string string": "The kit's tensors hold numbers and booleans; Python has strings.",
        "device distribute tpu xla": "The kit computes on the processor: leave it out.",
        "config": "The kit computes on the processor, and there is nothing to set up: leave it out.",
        "version": "The kit's own is ad.__version__.",
        "raw_ops": "Use the function itself: ad.square for raw_ops.Square. For PreventGradient: an "
        "@ad.custom_gradient whose gradient function raises an error.",
        "bitwise": "Use &, |, ^ and ~ between integer tensors.",
        "saved_model train": _SAVING,
        "hessians": "Use ad.hessian(f, x).",
        "no_gradient": "Use ad.NotDifferentiable.",
        "optimizers": "Use ad.keras.optimizers.",
        "losses": "Use ad.keras.losses.",
        "initializers": "Use ad.keras.initializers.",
        "metrics": "Compute it in a line or two, for example "
        "ad.reduce_mean(ad.cast(ad.equal(labels, ad.argmax(logits, axis=1)), ad.float32)).",
        "zeros_initializer ones_initializer constant_initializer random_normal_initializer "
        "random_uniform_initializer": "Use ad.keras.initializers.Zeros, Ones, Constant and so on.",
        "realdiv": "Use ad.truediv.",
        "identity_n": "Use ad.identity for each of them.",
        "image audio lookup feature_column summary": _DATA,
        "searchsorted unravel_index": _NUMPY,
        "dynamic_partition": "Use ad.boolean_mask for each part.",
        "tensor_scatter_nd_max": "Where no place is named twice: "
        "ad.maximum(x, ad.tensor_scatter_nd_update(x, indices, updates)).",
        "tensor_scatter_nd_min": "Where no place is named twice: "
        "ad.minimum(x, ad.tensor_scatter_nd_update(x, indices, updates)).",
        "reverse_sequence": "Use a Python loop and ad.reverse for each row.",
        "get_static_value": "Use x.numpy(): every value is known at once.",
    },
    "autodiff_kit.math": {
        "segment_prod unsorted_segment_max unsorted_segment_mean unsorted_segment_min "
        "unsorted_segment_prod": _EACH_SEGMENT,
        "nextafter": _NUMPY,
        "invert_permutation": "Use ad.argsort(x).",
        "confusion_matrix": "Use ad.matmul(ad.one_hot(labels, n), ad.one_hot(predictions, n), "
        "transpose_a=True).",
        "bincount": "Use ad.reduce_sum(ad.one_hot(x, n), axis=0).",
        "polyval": "Use a Python loop: y = y * x + c for each coefficient c, the highest first.",
        "real imag conj angle": _REAL,
        "cumulative_logsumexp": "Shift by the maximum: m = ad.reduce_max(x), then "
        "m + ad.math.log(ad.cumsum(ad.exp(x - m))).",
        "bessel_i0": _NUMPY,
        "bessel_i1 betainc igamma igammac ndtri zeta": _SCIPY,
    },
    "autodiff_kit.nn": {
        "top_k": "Use ad.math.top_k.",
        "batch_normalization": _NORM,
        "conv3d conv2d_transpose depthwise_conv2d separable_conv2d convolution atrous_conv2d": _CONV,
        "max_pool3d": "Use ad.nn.max_pool, which takes volumes too.",
        "avg_pool3d": "Use ad.nn.avg_pool, which takes volumes too.",
        "zero_fraction": "Use ad.math.zero_fraction.",
    },
    "autodiff_kit.linalg": {
        "eig eigvals qr pinv matrix_rank": _NUMPY,
        "lu expm logm sqrtm": _SCIPY,
        "lstsq": "Use ad.linalg.solve(ad.matmul(a, a, transpose_a=True), ad.matmul(a, b, "
        "transpose_a=True)).",
        "adjoint": "Use ad.linalg.matrix_transpose.",
        "tensor_diag": "Use ad.linalg.diag.",
        "tensor_diag_part": "Use ad.linalg.diag_part.",
        "normalize": "Use ad.linalg.l2_normalize.",
        "cross": "Compute the three components, and ad.stack them.",
    },
    "autodiff_kit.random": {
        "gamma poisson stateless_gamma stateless_poisson stateless_binomial": "NumPy draws them: "
        "numpy.random.default_rng(seed). No gradient flows to their parameters.",
        "get_global_generator set_global_generator create_rng_state": "Use ad.random.Generator and "
        "ad.random.set_seed.",
        "split fold_in": "Give another seed each time: a seed is two whole numbers.",
    },
    "autodiff_kit.keras": {
        "Input models": _MODEL,
        "Layer": "Use ad.keras.layers.Layer.",
        "Loss": "Use ad.keras.losses.Loss.",
        "Optimizer": "Use ad.keras.optimizers.Optimizer.",
        "Initializer": "Use ad.keras.initializers.Initializer.",
        "backend ops": "Use ad's functions themselves: ad.reduce_mean for mean, ad.exp for exp.",
        "metrics Metric": "Compute it in a line or two, for example "
        "ad.reduce_mean(ad.cast(ad.equal(labels, ad.argmax(logits, axis=1)), ad.float32)).",
        "regularizers constraints": "Add the penalty to the loss: loss + 0.01 * ad.nn.l2_loss(w).",
        "callbacks": "Write what is to be done into the training loop.",
        "datasets applications preprocessing": _DATA,
        "random": "Use ad.random.",
    },
    "autodiff_kit.keras.utils": {
        "set_random_seed": "Use ad.random.set_seed.",
        "normalize": "Use ad.nn.l2_normalize.",
    },
    "autodiff_kit.keras.layers": {
        "Conv3D Conv1DTranspose Conv2DTranspose Conv3DTranspose DepthwiseConv1D DepthwiseConv2D "
        "SeparableConv1D SeparableConv2D": _CONV,
        "MaxPooling3D MaxPool3D AveragePooling3D AvgPool3D GlobalAveragePooling3D GlobalMaxPooling3D": (
            _POOL
        ),
        "GroupNormalization UnitNormalization RMSNormalization SpectralNormalization Normalization": (
            _NORM
        ),
        "RNN StackedRNNCells SimpleRNNCell LSTMCell GRUCell ConvLSTM2D": _STEPS,
        "Bidirectional": _BOTH_WAYS,
        "TimeDistributed": _EACH_STEP,
        "Masking": "Give the mask to the layer that is to use it: lstm(x, mask=mask).",
        "Attention MultiHeadAttention AdditiveAttention": "Use ad.nn.softmax(ad.matmul(q, k, "
        "transpose_b=True) / ad.sqrt(width)) @ v.",
        "Input InputLayer": "Leave it out: a layer makes its variables when it is first called.",
        "Dot add subtract multiply average maximum minimum concatenate dot": _JOIN,
        "Permute RepeatVector Cropping1D Cropping2D ZeroPadding1D ZeroPadding2D UpSampling2D": (
            "Use ad.reshape, ad.transpose, ad.repeat, ad.pad or a slice."
        ),
        "ELU": "Use ad.keras.layers.Activation('elu').",
        "PReLU": "Derive from ad.keras.layers.Layer, with a variable for the slope: "
        "ad.nn.relu(x) - self.slope * ad.nn.relu(-x).",
        "Lambda": _CALL,
        "GaussianNoise": "Use x + ad.random.normal(ad.shape(x), stddev=0.1) in training.",
        "GaussianDropout AlphaDropout SpatialDropout1D SpatialDropout2D": "Use Dropout.",
        "Rescaling Resizing RandomFlip RandomRotation RandomZoom TextVectorization StringLookup": _DATA,
    },
    "autodiff_kit.keras.losses": {
        "KLDivergence KLD kld kullback_leibler_divergence": "Use ad.reduce_sum(y_true * "
        "ad.math.log(y_true / y_pred), axis=-1), both kept away from 0 with ad.clip_by_value.",
        "CosineSimilarity cosine_similarity": "Use -ad.reduce_sum(ad.nn.l2_normalize(y_true, -1) * "
        "ad.nn.l2_normalize(y_pred, -1), axis=-1).",
        "Hinge hinge": "Use ad.reduce_mean(ad.maximum(1.0 - y_true * y_pred, 0.0), axis=-1).",
        "SquaredHinge squared_hinge": "Use ad.reduce_mean(ad.square(ad.maximum(1.0 - y_true * y_pred, "
        "0.0)), axis=-1).",
        "LogCosh logcosh": "With d = y_pred - y_true use ad.reduce_mean(d + ad.math.softplus(-2.0 * d)"
        " - 0.6931472, axis=-1).",
        "Poisson poisson": "Use ad.reduce_mean(y_pred - y_true * ad.math.log(y_pred + 1e-7), axis=-1).",
        "Reduction": 'Use the word itself: reduction="sum", for example.',
        "get": _ITSELF,
    },
    "autodiff_kit.keras.optimizers": {
        "Adadelta Adafactor Adamax Ftrl Lamb Lion Muon Nadam": _OPTIMIZERS,
        "schedules": _RATES,
        "get": _ITSELF,
    },
}


def hint(namespace: str, name: str) -> str:
    """What to use in the place of a name that TensorFlow has; "" for a name that it has not either."""
    for names, instead in ABSENT.get(namespace, {}).items():
        if name in names.split():
            return instead
    return ""
