"""Layer 0: where each name of the kit is defined. Written by tools/write_index.py.

One idea: who wants to load a name only when it is used has to know where it is without looking.
A name that is called something else there is ``name=there``; ``name=`` is the module as a whole.
"""

NAMES = {
    "autodiff_kit": {
        "autodiff_kit.autodiff": "autodiff=",
        "autodiff_kit.compat": "compat=",
        "autodiff_kit.control": "case cond switch_case",
        "autodiff_kit.convert": "constant convert_to_tensor is_tensor",
        "autodiff_kit.custom": "custom_gradient",
        "autodiff_kit.dtypes": (
            "DType as_dtype bool double float16 float32 float64 half int16 int32 int64 int8 "
            "uint16 uint32 uint64 uint8"
        ),
        "autodiff_kit.errors": "errors=",
        "autodiff_kit.keras": "keras=",
        "autodiff_kit.linalg": "linalg=",
        "autodiff_kit.loops": "map_fn while_loop",
        "autodiff_kit.loud": "GradientWarning",
        "autodiff_kit.math": "math=",
        "autodiff_kit.nest": "nest=",
        "autodiff_kit.nn": "nn=",
        "autodiff_kit.ops": "ops=",
        "autodiff_kit.ops.arithmetic": (
            "add divide floordiv floormod multiply negative pow square subtract truediv"
        ),
        "autodiff_kit.ops.axes": "expand_dims squeeze",
        "autodiff_kit.ops.casting": "cast ones_like saturate_cast zeros_like",
        "autodiff_kit.ops.clipping": "clip_by_global_norm clip_by_norm",
        "autodiff_kit.ops.comparison": (
            "equal greater greater_equal less less_equal logical_and logical_not logical_or "
            "not_equal"
        ),
        "autodiff_kit.ops.contraction": "einsum",
        "autodiff_kit.ops.creation": "fill ones range rank shape size zeros",
        "autodiff_kit.ops.cumulative": "cumsum reduce_prod",
        "autodiff_kit.ops.distinct": "unique unique_with_counts",
        "autodiff_kit.ops.exponential": "exp sigmoid",
        "autodiff_kit.ops.extremes": "clip_by_value maximum minimum",
        "autodiff_kit.ops.gathering": "boolean_mask gather",
        "autodiff_kit.ops.grids": (
            "broadcast_dynamic_shape broadcast_static_shape eye meshgrid one_hot"
        ),
        "autodiff_kit.ops.hyperbolic": "acosh asinh atanh cosh sinh tanh",
        "autodiff_kit.ops.identity": "identity stop_gradient",
        "autodiff_kit.ops.indexing": "newaxis",
        "autodiff_kit.ops.joining": "concat stack",
        "autodiff_kit.ops.largest": "reduce_logsumexp reduce_max reduce_min",
        "autodiff_kit.ops.masks": "ensure_shape sequence_mask",
        "autodiff_kit.ops.matmul": "matmul",
        "autodiff_kit.ops.moving": "repeat reverse roll tile",
        "autodiff_kit.ops.padding": "pad",
        "autodiff_kit.ops.parting": "split unstack",
        "autodiff_kit.ops.positions": "argmax argmin reduce_all reduce_any",
        "autodiff_kit.ops.products": "tensordot",
        "autodiff_kit.ops.reduction": "reduce_mean reduce_sum",
        "autodiff_kit.ops.roots": "abs sign sqrt",
        "autodiff_kit.ops.rounding": "floor round",
        "autodiff_kit.ops.scattering": "gather_nd scatter_nd",
        "autodiff_kit.ops.select": "where",
        "autodiff_kit.ops.shape": "broadcast_to reshape transpose",
        "autodiff_kit.ops.slicing": "slice strided_slice",
        "autodiff_kit.ops.sorting": "argsort sort",
        "autodiff_kit.ops.spacing": "linspace",
        "autodiff_kit.ops.spread": "norm",
        "autodiff_kit.ops.sums": "add_n scalar_mul",
        "autodiff_kit.ops.trigonometry": "acos asin atan atan2 cos sin tan",
        "autodiff_kit.ops.updating": (
            "tensor_scatter_nd_add tensor_scatter_nd_sub tensor_scatter_nd_update"
        ),
        "autodiff_kit.overrides": "Graph get_default_graph gradient_override_map",
        "autodiff_kit.random": "random=",
        "autodiff_kit.readers.draw": "draw",
        "autodiff_kit.readers.explain": "explain",
        "autodiff_kit.readers.replay": "replay",
        "autodiff_kit.recompute": "grad_pass_through recompute_grad",
        "autodiff_kit.registry": "NoGradient NotDifferentiable RegisterGradient",
        "autodiff_kit.relax": "relax=",
        "autodiff_kit.second_order": "gradients hessian hvp",
        "autodiff_kit.shapes": "TensorShape",
        "autodiff_kit.tape": "GradientTape UnconnectedGradients",
        "autodiff_kit.tensor": "Tensor",
        "autodiff_kit.testing": "test=",
        "autodiff_kit.variable": "Variable",
    },
    "autodiff_kit.keras": {
        "autodiff_kit.keras.activations": "activations=",
        "autodiff_kit.keras.initializers": "initializers=",
        "autodiff_kit.keras.layers": "layers=",
        "autodiff_kit.keras.losses": "losses=",
        "autodiff_kit.keras.model": "Model",
        "autodiff_kit.keras.optimizers": "optimizers=",
        "autodiff_kit.keras.sequential": "Sequential",
        "autodiff_kit.keras.utils": "utils=",
        "autodiff_kit.keras.weight": "Variable",
    },
    "autodiff_kit.keras.layers": {
        "autodiff_kit.keras.activation_layers": "LeakyReLU ReLU Softmax",
        "autodiff_kit.keras.concatenate": "Concatenate",
        "autodiff_kit.keras.convolutional": "Conv1D Conv2D",
        "autodiff_kit.keras.core": "Activation Dropout Flatten",
        "autodiff_kit.keras.dense": "Dense",
        "autodiff_kit.keras.embedding": "Embedding",
        "autodiff_kit.keras.global_pooling": (
            "GlobalAveragePooling1D GlobalAveragePooling2D GlobalAvgPool1D GlobalAvgPool2D "
            "GlobalMaxPool1D GlobalMaxPool2D GlobalMaxPooling1D GlobalMaxPooling2D"
        ),
        "autodiff_kit.keras.gru": "GRU",
        "autodiff_kit.keras.layer": "Layer",
        "autodiff_kit.keras.layer_normalization": "LayerNormalization",
        "autodiff_kit.keras.lstm": "LSTM",
        "autodiff_kit.keras.merging": "Add Average Maximum Minimum Multiply Subtract",
        "autodiff_kit.keras.normalization": "BatchNormalization",
        "autodiff_kit.keras.pooling": (
            "AveragePooling1D AveragePooling2D AvgPool1D AvgPool2D MaxPool1D MaxPool2D "
            "MaxPooling1D MaxPooling2D"
        ),
        "autodiff_kit.keras.reshaping": "Reshape",
        "autodiff_kit.keras.simple_rnn": "SimpleRNN",
    },
    "autodiff_kit.linalg": {
        "autodiff_kit.ops.bands": "band_part trace",
        "autodiff_kit.ops.clipping": "global_norm",
        "autodiff_kit.ops.contraction": "einsum",
        "autodiff_kit.ops.determinants": "det logdet slogdet",
        "autodiff_kit.ops.diagonals": "diag diag_part set_diag",
        "autodiff_kit.ops.eigen": "eigh eigvalsh",
        "autodiff_kit.ops.grids": "eye",
        "autodiff_kit.ops.matmul": "matmul",
        "autodiff_kit.ops.normalizing": "l2_normalize",
        "autodiff_kit.ops.products": "matrix_transpose matvec tensordot",
        "autodiff_kit.ops.singular": "svd",
        "autodiff_kit.ops.solving": "cholesky inv solve",
        "autodiff_kit.ops.spread": "norm",
        "autodiff_kit.ops.triangular": "cholesky_solve triangular_solve",
    },
    "autodiff_kit.math": {
        "autodiff_kit.ops.activation": "softsign",
        "autodiff_kit.ops.arithmetic": (
            "add divide floordiv floormod mod=floormod multiply negative pow square subtract "
            "truediv"
        ),
        "autodiff_kit.ops.comparison": (
            "equal greater greater_equal less less_equal logical_and logical_not logical_or "
            "logical_xor not_equal"
        ),
        "autodiff_kit.ops.cumulative": "cumprod cumsum reduce_prod",
        "autodiff_kit.ops.exponential": "exp expm1 log log1p log_sigmoid sigmoid softplus",
        "autodiff_kit.ops.extremes": "maximum minimum",
        "autodiff_kit.ops.gamma": "digamma lgamma polygamma",
        "autodiff_kit.ops.guarded": (
            "divide_no_nan multiply_no_nan reciprocal_no_nan xdivy xlog1py xlogy"
        ),
        "autodiff_kit.ops.hyperbolic": "acosh asinh atanh cosh sinh tanh",
        "autodiff_kit.ops.largest": "reduce_logsumexp reduce_max reduce_min",
        "autodiff_kit.ops.normalizing": "l2_normalize",
        "autodiff_kit.ops.positions": (
            "argmax argmin count_nonzero reduce_all reduce_any zero_fraction"
        ),
        "autodiff_kit.ops.reduction": "reduce_mean reduce_sum",
        "autodiff_kit.ops.roots": "abs reciprocal rsqrt sign sqrt",
        "autodiff_kit.ops.rounding": "ceil floor is_finite is_inf is_nan rint round",
        "autodiff_kit.ops.segments": (
            "segment_max segment_mean segment_min segment_sum unsorted_segment_sum"
        ),
        "autodiff_kit.ops.softmax": "log_softmax softmax",
        "autodiff_kit.ops.sorting": "top_k",
        "autodiff_kit.ops.special": "erf erfc erfinv",
        "autodiff_kit.ops.spread": "reduce_euclidean_norm reduce_std reduce_variance",
        "autodiff_kit.ops.sums": "accumulate_n add_n scalar_mul squared_difference",
        "autodiff_kit.ops.trigonometry": "acos asin atan atan2 cos sin tan",
    },
    "autodiff_kit.nn": {
        "autodiff_kit.ops.activation": "crelu elu leaky_relu relu relu6 selu softsign",
        "autodiff_kit.ops.convolution": "conv1d conv2d",
        "autodiff_kit.ops.cross_entropy": (
            "softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits"
        ),
        "autodiff_kit.ops.dropout": "dropout embedding_lookup",
        "autodiff_kit.ops.exponential": "sigmoid softplus",
        "autodiff_kit.ops.hyperbolic": "tanh",
        "autodiff_kit.ops.normalizing": "bias_add l2_loss l2_normalize moments",
        "autodiff_kit.ops.pooling": "avg_pool avg_pool1d avg_pool2d max_pool max_pool1d max_pool2d",
        "autodiff_kit.ops.sigmoid_entropy": (
            "sigmoid_cross_entropy_with_logits weighted_cross_entropy_with_logits"
        ),
        "autodiff_kit.ops.smooth": "gelu silu swish",
        "autodiff_kit.ops.softmax": "log_softmax softmax",
    },
    "autodiff_kit.ops": {
        "autodiff_kit.ops.activation": "activation=",
        "autodiff_kit.ops.arithmetic": "arithmetic=",
        "autodiff_kit.ops.axes": "axes=",
        "autodiff_kit.ops.bands": "bands=",
        "autodiff_kit.ops.casting": "casting=",
        "autodiff_kit.ops.clipping": "clipping=",
        "autodiff_kit.ops.comparison": "comparison=",
        "autodiff_kit.ops.contraction": "contraction=",
        "autodiff_kit.ops.convolution": "convolution=",
        "autodiff_kit.ops.creation": "creation=",
        "autodiff_kit.ops.cross_entropy": "cross_entropy=",
        "autodiff_kit.ops.cumulative": "cumulative=",
        "autodiff_kit.ops.determinants": "determinants=",
        "autodiff_kit.ops.diagonals": "diagonals=",
        "autodiff_kit.ops.distinct": "distinct=",
        "autodiff_kit.ops.dropout": "dropout=",
        "autodiff_kit.ops.exponential": "exponential=",
        "autodiff_kit.ops.extremes": "extremes=",
        "autodiff_kit.ops.gamma": "gamma=",
        "autodiff_kit.ops.gathering": "gathering=",
        "autodiff_kit.ops.grids": "grids=",
        "autodiff_kit.ops.guarded": "guarded=",
        "autodiff_kit.ops.hyperbolic": "hyperbolic=",
        "autodiff_kit.ops.identity": "identity=",
        "autodiff_kit.ops.indexing": "indexing=",
        "autodiff_kit.ops.largest": "largest=",
        "autodiff_kit.ops.matmul": "matmul=",
        "autodiff_kit.ops.moving": "moving=",
        "autodiff_kit.ops.normalizing": "normalizing=",
        "autodiff_kit.ops.padding": "padding=",
        "autodiff_kit.ops.parting": "parting=",
        "autodiff_kit.ops.pooling": "pooling=",
        "autodiff_kit.ops.positions": "positions=",
        "autodiff_kit.ops.products": "products=",
        "autodiff_kit.ops.reduction": "reduction=",
        "autodiff_kit.ops.roots": "roots=",
        "autodiff_kit.ops.rounding": "rounding=",
        "autodiff_kit.ops.scattering": "scattering=",
        "autodiff_kit.ops.select": "select=",
        "autodiff_kit.ops.shape": "shape=",
        "autodiff_kit.ops.sigmoid_entropy": "sigmoid_entropy=",
        "autodiff_kit.ops.slicing": "slicing=",
        "autodiff_kit.ops.smooth": "smooth=",
        "autodiff_kit.ops.softmax": "softmax=",
        "autodiff_kit.ops.solving": "solving=",
        "autodiff_kit.ops.sorting": "sorting=",
        "autodiff_kit.ops.spacing": "spacing=",
        "autodiff_kit.ops.special": "special=",
        "autodiff_kit.ops.spread": "spread=",
        "autodiff_kit.ops.sums": "sums=",
        "autodiff_kit.ops.trigonometry": "trigonometry=",
        "autodiff_kit.ops.updating": "updating=",
    },
}

# What a rule finds in `xp`, and which family defines it.
OPERATIONS = {
    "autodiff_kit.choices": "multinomial stateless_multinomial",
    "autodiff_kit.ops.activation": (
        "elu elu_grad leaky_relu leaky_relu_grad relu relu6 relu6_grad relu_grad selu selu_grad "
        "softsign softsign_grad"
    ),
    "autodiff_kit.ops.arithmetic": (
        "add floordiv floormod multiply negative pow real_div square subtract"
    ),
    "autodiff_kit.ops.axes": "expand_dims squeeze",
    "autodiff_kit.ops.bands": "band_part",
    "autodiff_kit.ops.boxes": "avg_pool avg_pool_grad max_pool max_pool_grad max_pool_pick",
    "autodiff_kit.ops.casting": "cast ones_like zeros_like",
    "autodiff_kit.ops.comparison": (
        "bitwise_and bitwise_or bitwise_xor equal greater greater_equal invert less less_equal "
        "logical_and logical_not logical_or not_equal"
    ),
    "autodiff_kit.ops.contraction": "einsum",
    "autodiff_kit.ops.convolution": "conv2d conv2d_filter conv2d_input",
    "autodiff_kit.ops.creation": "fill range rank shape size",
    "autodiff_kit.ops.cross_entropy": "softmax_cross_entropy sparse_softmax_cross_entropy",
    "autodiff_kit.ops.cumulative": "cumprod cumsum product_of_others reduce_prod",
    "autodiff_kit.ops.determinants": "det slogdet",
    "autodiff_kit.ops.diagonals": "diag diag_part set_diag",
    "autodiff_kit.ops.distinct": "unique unique_with_counts",
    "autodiff_kit.ops.eigen": "self_adjoint_eig",
    "autodiff_kit.ops.exponential": "exp expm1 log log1p sigmoid sigmoid_grad softplus",
    "autodiff_kit.ops.extremes": "huber maximum minimum",
    "autodiff_kit.ops.gamma": "digamma lgamma polygamma",
    "autodiff_kit.ops.gathering": "gather gather_grad",
    "autodiff_kit.ops.grids": "one_hot",
    "autodiff_kit.ops.guarded": "divide_no_nan multiply_no_nan xdivy xlog1py xlogy",
    "autodiff_kit.ops.hyperbolic": "acosh asinh atanh cosh sinh tanh tanh_grad",
    "autodiff_kit.ops.identity": "identity stop_gradient",
    "autodiff_kit.ops.indexing": "strided_slice strided_slice_grad",
    "autodiff_kit.ops.joining": "concat concat_sized stack",
    "autodiff_kit.ops.largest": "count_true logsumexp reduce_max reduce_min",
    "autodiff_kit.ops.masks": "ensure_shape",
    "autodiff_kit.ops.matmul": "batch_matmul matmul",
    "autodiff_kit.ops.moving": "reverse roll tile",
    "autodiff_kit.ops.normalizing": "bias_add l2_loss",
    "autodiff_kit.ops.padding": "mirror_pad mirror_pad_grad pad pad_v2",
    "autodiff_kit.ops.parting": "split split_v unstack",
    "autodiff_kit.ops.positions": "argmax argmin reduce_all reduce_any",
    "autodiff_kit.ops.reduction": "reduce_mean reduce_sum",
    "autodiff_kit.ops.roots": "abs reciprocal reciprocal_grad rsqrt rsqrt_grad sign sqrt sqrt_grad",
    "autodiff_kit.ops.rounding": "ceil floor is_finite is_inf is_nan rint round",
    "autodiff_kit.ops.scattering": "gather_nd scatter_nd",
    "autodiff_kit.ops.segments": (
        "segment_max segment_mean segment_min segment_sum unsorted_segment_sum"
    ),
    "autodiff_kit.ops.select": "where where_indices",
    "autodiff_kit.ops.shape": "broadcast_to reshape transpose",
    "autodiff_kit.ops.sigmoid_entropy": "sigmoid_cross_entropy",
    "autodiff_kit.ops.singular": "svd",
    "autodiff_kit.ops.softmax": "log_softmax softmax",
    "autodiff_kit.ops.solving": "cholesky inv solve",
    "autodiff_kit.ops.sorting": "argsort top_k",
    "autodiff_kit.ops.spacing": "linspace",
    "autodiff_kit.ops.special": "erf erfc erfinv",
    "autodiff_kit.ops.spread": "reduce_euclidean_norm",
    "autodiff_kit.ops.sums": "add_n squared_difference",
    "autodiff_kit.ops.triangular": "triangular_solve",
    "autodiff_kit.ops.trigonometry": "acos asin atan atan2 cos sin tan",
    "autodiff_kit.ops.updating": "tensor_scatter_add tensor_scatter_sub tensor_scatter_update",
    "autodiff_kit.random": "random_shuffle",
    "autodiff_kit.variable": "read_variable",
}
