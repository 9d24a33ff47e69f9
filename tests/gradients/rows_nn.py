"""Rows for what neural networks are made of."""

import numpy as np

import autodiff_kit as ad
from gradients.rows import Row

nn = ad.nn
A = [[0.5, -1.5, 2.0], [3.0, 0.25, -0.75]]
LOGITS = [[0.5, -1.5, 2.0], [3.0, 0.25, 1000.0]]
SHARES = [[0.25, 0.5, 0.25], [0.0, 0.75, 0.25]]
RNG = np.random.default_rng(0)


def some(*shape):
    """Numbers far enough apart that a small step changes no order."""
    size = int(np.prod(shape))
    return (RNG.permutation(size) - size / 2.0).reshape(shape) / 4.0 + 0.1


def squared(f, *args, **how):
    """The square, so that there is a second order to be seen."""
    return lambda *x: ad.square(f(*x, *args, **how))


IMAGE, FILTERS = some(2, 5, 4, 2), some(3, 2, 2, 3)
SERIES, TAPS = some(2, 6, 2), some(3, 2, 2)
EXPLICIT = [[0, 0], [1, 2], [0, 1], [0, 0]]
WIDE_MARGIN = [[0, 0], [3, 0], [0, 2], [0, 0]]
CONVOLUTION = "Conv2D Conv2DBackpropInput Conv2DBackpropFilter"
MAXIMUM = "MaxPool MaxPoolGrad MaxPoolGradGrad"

ROWS = [
    *(
        Row(types, squared(f), (x,))
        for types, f in (
            ("Relu6 Relu6Grad", nn.relu6), ("LeakyRelu LeakyReluGrad", nn.leaky_relu),
            ("Elu EluGrad", nn.elu), ("Selu SeluGrad", nn.selu),
        )
        for x in ([[0.5, -1.5, 2.0], [7.0, 0.25, -0.75]], 0.5)
    ),
    Row("Elu EluGrad", nn.elu, ([-1.5, -0.25],), name="plain"),
    Row("Selu SeluGrad", nn.selu, ([-1.5, -0.25],), name="plain"),
    Row("LeakyRelu LeakyReluGrad", squared(nn.leaky_relu, alpha=1.5), (A,), name="steep"),
    Row("Relu6", nn.relu6, ([0.0, 6.0, 7.0],), expect=([0.0, 0.0, 0.0],)),
    Row("LeakyRelu", nn.leaky_relu, ([0.0, -1.0],), expect=([float(np.float32(0.2))] * 2,)),
    Row("Elu", nn.elu, ([0.0],), expect=([1.0],)),
    Row("Selu", nn.selu, ([0.0],), expect=([1.0507009873554805],)),
    Row("Softsign SoftsignGrad", nn.softsign, (A,), order=1),
    Row("Mul Sigmoid", nn.silu, (A,)),
    Row("Mul Sigmoid", lambda x: nn.silu(x, 2.0), (A,), name="beta"),
    Row("Mul Erfc", nn.gelu, (A,)),
    Row("Mul Tanh", lambda x: nn.gelu(x, approximate=True), (A,), name="approximate"),
    *(Row("Softmax", lambda x, a=a: nn.softmax(x, axis=a), (A,), name=str(a)) for a in (-1, 0)),
    Row("Softmax", nn.softmax, ([[]],), name="empty"),
    *(
        Row("LogSoftmax", lambda x, a=a: nn.log_softmax(x, axis=a), (A,), name=str(a))
        for a in (None, 0)
    ),
    Row("LogSoftmax", nn.log_softmax, (LOGITS,), name="far"),
    Row("SoftmaxCrossEntropyWithLogits",
        lambda x: nn.softmax_cross_entropy_with_logits(np.array(SHARES), x), (A,)),
    Row("SoftmaxCrossEntropyWithLogits", lambda x: nn.softmax_cross_entropy_with_logits(
        np.array([[0.5, 0.25], [0.25, 0.5], [0.25, 0.25]]), x, axis=0), (np.transpose(A),),
        name="axis0"),
    Row("SoftmaxCrossEntropyWithLogits",
        lambda labels: nn.softmax_cross_entropy_with_logits(labels, np.array(A)), (SHARES,),
        name="labels", order=1),
    Row("SparseSoftmaxCrossEntropyWithLogits",
        lambda x: nn.sparse_softmax_cross_entropy_with_logits([0, 2], x), (A,)),
    Row("SparseSoftmaxCrossEntropyWithLogits",
        lambda x: nn.sparse_softmax_cross_entropy_with_logits(1, x), (A[0],)),
    Row("Sub Mul Log1p", lambda z, x: nn.sigmoid_cross_entropy_with_logits(z, x), (SHARES, A),
        name="sigmoid"),
    Row("SigmoidCrossEntropyWithLogits", lambda z, x: nn.sigmoid_cross_entropy_with_logits(z, x),
        (SHARES, A)),
    Row("SigmoidCrossEntropyWithLogits", lambda x: nn.sigmoid_cross_entropy_with_logits(
        np.array([0.0, 1.0, 1.0, 1.0]), x), ([0.0, -0.0, 40.0, np.inf],), name="special",
        expect=([0.5, -0.5, -4.248354255291589e-18, 0.0],)),
    Row("Mul Log1p", lambda z, x: nn.weighted_cross_entropy_with_logits(z, x, 2.0), (SHARES, A),
        name="weighted"),
    Row("Huber", lambda x: ad.keras.losses.huber(np.zeros((2, 3)), x, 1.25), (A,)),
    Row("Huber", lambda x, d: ad.keras.losses.huber(np.zeros((2, 3)), x, d), (A, 1.25), name="delta"),
    Row("Huber", lambda x: ad.keras.losses.huber(np.zeros(5), x),
        ([1.0, -1.0, 0.0, -1e6, np.inf],), name="edges", expect=([0.2, -0.2, 0.0, -0.2, np.nan],)),
    Row("BiasAdd", squared(nn.bias_add), (A, [1.0, 2.0, 3.0])),
    Row("BiasAdd", squared(nn.bias_add, data_format="NCHW"), (some(2, 3, 2, 2), [1.0, 2.0, 3.0])),
    Row("L2Loss", nn.l2_loss, (A,)),
    Row("L2Loss", nn.l2_loss, (2.0,)),
    Row("Mul Rsqrt", lambda x: nn.l2_normalize(x, axis=1), (A,), name="l2_normalize"),
    Row("Mean SquaredDifference", lambda x: nn.moments(x, [0]), (A,), name="moments", order=1),
    *(
        Row(CONVOLUTION, squared(nn.conv2d, *how), (IMAGE, FILTERS), name=str(number))
        for number, how in enumerate((
            (1, "VALID"), (1, "SAME"), (2, "SAME"), ([2, 1], "VALID"), (1, EXPLICIT),
            (1, "SAME", "NHWC", 2), (2, EXPLICIT, "NHWC", [1, 2]), ([1, 3, 2, 1], "SAME"),
        ))
    ),
    *(
        Row(CONVOLUTION, squared(nn.conv1d, *how), (SERIES, TAPS), name=str(number))
        for number, how in enumerate(((1, "SAME"), (2, "VALID"), (1, "VALID", "NWC", 2)))
    ),
    Row(CONVOLUTION, squared(nn.conv1d, 1, "SAME"), (some(2, 1, 6, 2), TAPS), name="batches"),
    Row(CONVOLUTION, squared(nn.conv2d, 1, WIDE_MARGIN), (IMAGE, FILTERS), name="wide margin"),
    Row(CONVOLUTION, squared(nn.conv1d, 1, "SAME"), (some(1, 3, 1), some(2, 1, 5)), name="many"),
    *(
        Row(types, squared(f, *how), (IMAGE,), name=str(number))
        for types, f in ((MAXIMUM, nn.max_pool2d), ("AvgPool AvgPoolGrad", nn.avg_pool2d))
        for number, how in enumerate(
            ((2, 2, "VALID"), (2, 1, "SAME"), ([3, 2], [2, 3], "SAME"))
        )
    ),
    Row(MAXIMUM, squared(nn.max_pool2d, 3, 2, EXPLICIT), (IMAGE,), name="explicit"),
    Row(MAXIMUM, squared(nn.max_pool1d, 2, 1, "SAME"), (SERIES,)),
    Row("AvgPool AvgPoolGrad", squared(nn.avg_pool1d, 2, 1, "SAME"), (SERIES,)),
    Row("MaxPool", lambda x: nn.max_pool(x, 2, 2, "SAME"), (np.ones((1, 2, 2, 1)),),
        expect=([[[[1.0], [0.0]], [[0.0], [0.0]]]],)),
    Row("GatherV2", lambda x: ad.square(nn.embedding_lookup(x, [1, 0, 1])), (A,), name="embedding"),
    Row("GatherV2", lambda x: nn.embedding_lookup(x, [1, 0], max_norm=1.0), (A,), name="max_norm"),
]  # fmt: skip
