"""Layer 4: `ad.nn`, the names of TensorFlow's module for neural networks.

One idea: nothing is defined here; the operations stand in their families.
"""

from typing import TYPE_CHECKING

from autodiff_kit import lazy

if TYPE_CHECKING:
    from autodiff_kit.ops.activation import crelu, elu, leaky_relu, relu, relu6, selu, softsign
    from autodiff_kit.ops.convolution import conv1d, conv2d
    from autodiff_kit.ops.cross_entropy import (
        softmax_cross_entropy_with_logits,
        sparse_softmax_cross_entropy_with_logits,
    )
    from autodiff_kit.ops.dropout import dropout, embedding_lookup
    from autodiff_kit.ops.exponential import sigmoid, softplus
    from autodiff_kit.ops.hyperbolic import tanh
    from autodiff_kit.ops.normalizing import bias_add, l2_loss, l2_normalize, moments
    from autodiff_kit.ops.pooling import (
        avg_pool,
        avg_pool1d,
        avg_pool2d,
        max_pool,
        max_pool1d,
        max_pool2d,
    )
    from autodiff_kit.ops.sigmoid_entropy import (
        sigmoid_cross_entropy_with_logits,
        weighted_cross_entropy_with_logits,
    )
    from autodiff_kit.ops.smooth import gelu, silu, swish
    from autodiff_kit.ops.softmax import log_softmax, softmax

    __all__ = [
        "avg_pool", "avg_pool1d", "avg_pool2d", "bias_add", "conv1d", "conv2d", "crelu", "dropout",
        "elu", "embedding_lookup", "gelu", "l2_loss", "l2_normalize", "leaky_relu", "log_softmax",
        "max_pool", "max_pool1d", "max_pool2d", "moments", "relu", "relu6", "selu", "sigmoid",
        "sigmoid_cross_entropy_with_logits", "silu", "softmax", "softmax_cross_entropy_with_logits",
        "softplus", "softsign", "sparse_softmax_cross_entropy_with_logits", "swish", "tanh",
        "weighted_cross_entropy_with_logits",
    ]  # fmt: skip
else:
    __all__, __getattr__, __dir__ = lazy.names_of(globals())
