"""What is asked of TensorFlow and of the kit alike, about `nn`, `where` and control flow.

The names are those of `math_cases`; `n` is the module `nn`, `x` a matrix, `im` an image, `k` filters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ops import math_cases

V = "[-3., -1., -.25, -0., 0., .25, 1., 5., 6., 7., 30.]"
HOW = ['1, "SAME"', '2, "SAME"', '[1, 2], "VALID"', "1, [[0, 0], [1, 2], [0, 1], [0, 0]]"]
LOOK = '1, "SAME", "NHWC", [2, 1]'

CASES = [
    *(
        template.format(f)
        for f in ("relu", "relu6", "leaky_relu", "elu", "selu", "gelu", "silu", "softplus", "tanh")
        for template in (
            f"n.{{}}(c({V}))", f"g(n.{{}}, {V}, second=True)", "n.{}(c([1., -2.], tf.float64))",
        )
    ),
    *(f"n.{f}(c([7, -2]))" for f in ("relu", "relu6", "leaky_relu", "elu", "selu", "silu", "tanh")),
    f"n.softsign(c({V}))",
    f"g(n.softsign, {V})",
    "n.relu(c([nan, inf, -inf]))",
    "n.relu(c([True]))",
    "n.leaky_relu(c([True]))",
    "n.leaky_relu(c([3, 0], tf.uint8))",
    "n.leaky_relu(c([1., -2.]), alpha=1.5)",
    "n.leaky_relu(c([inf, -inf, 2., nan]), alpha=0.)",
    "n.leaky_relu(c([inf, -inf, 2., -2.]), alpha=-.5)",
    "g(lambda x: n.gelu(x, approximate=True), [-1., 0., 2.], second=True)",
    "n.silu(c([-1., 2.]), 2.)",
    *(
        template.format(f)
        for f in ("softmax", "log_softmax")
        for template in (
            "n.{}(x)", "n.{}(x, axis=0)", "n.{}(x, axis=5)", "n.{}(c([1, 2]))",
            "n.{}(c([[]]))", "n.{}(c([1000., 0., -1000.]))",
            "g(lambda a: n.{}(a) ** 2., [1., 2., 4.], second=True)",
        )
    ),
    "n.softmax_cross_entropy_with_logits(c([[0., 1., 0.], [.5, .25, .25]]), x)",
    "n.softmax_cross_entropy_with_logits(tf.ones([2, 3]), x, axis=0)",
    "n.softmax_cross_entropy_with_logits(tf.ones([3]), x)",
    "n.softmax_cross_entropy_with_logits(tf.ones([2, 4]), x)",
    "n.softmax_cross_entropy_with_logits(c([0, 0, 1]), c([1., 2., 3.]))",
    "n.softmax_cross_entropy_with_logits([0., 0., 1.], [1., 2., 1000.])",
    "g(n.softmax_cross_entropy_with_logits, [0., .5, .5], [1., 2., 4.])",
    "g(lambda a: n.softmax_cross_entropy_with_logits([0., .5, .5], a) ** 2., [1., 2., 4.],"
    " second=True)",
    "n.sparse_softmax_cross_entropy_with_logits([0, 2], x)",
    "n.sparse_softmax_cross_entropy_with_logits(1, c([1., 2.]))",
    "n.sparse_softmax_cross_entropy_with_logits([0, 3], x)",
    "n.sparse_softmax_cross_entropy_with_logits([0], x)",
    "n.sparse_softmax_cross_entropy_with_logits([[0], [1]], x)",
    "n.sparse_softmax_cross_entropy_with_logits(c([0., 1.]), x)",
    "g(lambda a: n.sparse_softmax_cross_entropy_with_logits(2, a) ** 2., [1., 2., 4.], second=True)",
    "n.sigmoid_cross_entropy_with_logits(c([0., 1., 0., .5]), c([1., 2., 500., -500.]))",
    "n.sigmoid_cross_entropy_with_logits([0., 1.], x)",
    "g(n.sigmoid_cross_entropy_with_logits, [0., 1., .5], [1., 0., -4.], second=True)",
    "n.weighted_cross_entropy_with_logits(c([0., 1., 0.]), c([1., 2., -500.]), 2.)",
    "n.l2_loss(c([1., 2.]))",
    "n.l2_loss(c([1, 2]))",
    "n.l2_normalize(x, axis=1)",
    "n.l2_normalize(x)",
    "g(n.l2_normalize, [0., 0.])",
    "list(n.moments(x, [0]))",
    "list(n.moments(x, [0, 1], keepdims=True))",
    "g(lambda a: n.moments(a, [0])[1], [1., 2., 4.])",
    "n.bias_add(x, c([1., 2., 3.]))",
    "n.bias_add(x, c([1., 2.]))",
    "n.bias_add(x, c([[1., 2., 3.]]))",
    "n.bias_add(c([1., 2.]), c([1., 2.]))",
    'n.bias_add(tf.ones([1, 2, 2]), c([1., 2.]), "NCHW")',
    'n.bias_add(tf.ones([1, 2, 2]), c([1., 2.]), "XX")',
    *(f"n.conv2d(im, k, {how})" for how in (*HOW, LOOK)),
    *(f"g(lambda a, b: n.conv2d(a, b, {how}), im.numpy(), k.numpy())" for how in HOW),
    'n.conv2d(im, tf.ones([2, 2, 3, 1]), 1, "SAME")',
    'n.conv2d(im, tf.ones([9, 2, 2, 1]), 1, "VALID")',
    'n.conv2d(im, k, 1, "same")',
    'n.conv2d(im, k, [2, 1, 1], "SAME")',
    'n.conv2d(im, tf.cast(k, tf.float64), 1, "SAME")',
    'n.conv1d(im[0], k[0], 1, "SAME")',
    'n.conv1d(im[0], k[0], 2, "VALID")',
    'n.conv1d(im[0], k[0], 1, "VALID", "NWC", 2)',
    *(
        f"n.{f}(im, {how})"
        for f in ("max_pool2d", "avg_pool2d", "max_pool", "avg_pool")
        for how in ('2, 2, "VALID"', '2, 1, "SAME"', '[3, 2], [2, 3], "SAME"', '9, 1, "VALID"')
    ),
    *(
        f'g(lambda a: n.{f}(a, {how}, "SAME"), im.numpy())'
        for f in ("max_pool2d", "avg_pool2d") for how in ("2, 2", "3, 1")
    ),
    "n.max_pool2d(im, 2, 2, [[0, 0], [1, 1], [1, 1], [0, 0]])",
    'n.max_pool1d(im[0], 2, 2, "SAME")',
    'n.avg_pool1d(im[0], 2, 2, "SAME")',
    'g(lambda a: n.max_pool2d(a, 2, 1, "SAME"), np.ones((1, 2, 2, 1)), second=True)',
    # What arrives is not finite: those that did not win get 0 of it, not nan.
    *(
        f'g(lambda a: tf.sqrt(n.max_pool2d(a, 2, {step}, "SAME")), '
        f"[[[[{top}], [-2.]], [[-1.], [-1.]]]])"
        for step in (1, 2) for top in (0, -0.5)
    ),
    'g(lambda a: n.max_pool1d(a, 2, 1, "SAME") * [[[inf], [nan], [2.]]], [[[1.], [5.], [3.]]])',
    "seeded(lambda: n.dropout(x, .4))",
    "seeded(lambda: n.dropout(x, .4, seed=7))",
    "seeded(lambda: n.dropout(x, .4, noise_shape=[2, 1]))",
    "seeded(lambda: [n.dropout(x, 0), n.dropout(x, c(.5)), n.dropout(x, .5)])",
    "seeded(lambda: n.dropout(tf.cast(x, tf.float64), .4))",
    "n.dropout(x, 1.)",
    "n.dropout(x, 1.5)",
    "n.dropout(c([1, 2]), .5)",
    "n.embedding_lookup(x, [1, 0])",
    "n.embedding_lookup(x, [1, 0], max_norm=1.)",
    "n.embedding_lookup(x, [1, 5])",
    "tf.where([True, False], 1., [[2., 3.], [4., 5.]])",
    "tf.where(c([True, False]), c([1, 2]), c([3, 4]))",
    "tf.where([True, False], c([1., 2.]), np.array([3., 4.]))",
    "tf.where([1., 0.], c(1.), c(2.))",
    "tf.where(np.array([1., 0.]), 1., 2.)",
    "tf.where([True, False], tf.ones(3), tf.ones(3))",
    "tf.where([True], c(1.), c(2))",
    "tf.where([True], None, 1.)",
    "tf.where(c(1.))",
    "tf.where(x > 1.)",
    "tf.where(c([0, 2]))",
    "g(lambda a: tf.where([True, False], a, 0.), [inf, nan], second=True)",
    "g(lambda a: tf.where([True, False], a * a, a), [2., 3.], second=True)",
    "tf.identity([x, x])",
    "g(lambda a: tf.grad_pass_through(tf.floor)(a), [1.5, 2.5])",
    "tf.cond(c([True]), lambda: 1, lambda: 2)",
    "tf.cond(True, lambda: 1)",
    "tf.cond(None, lambda: 1, lambda: 2)",
    "tf.cond(True, lambda: 1, 2)",
    "tf.case([(c(False), lambda: 1), (c(True), lambda: 2)], default=lambda: 3)",
    "tf.case([(c(True), lambda: 1), (c(True), lambda: 2)])",
    "tf.case([(c(False), lambda: 1)], default=lambda: 3)",
    "tf.case([(False, lambda: 1)])",
    "tf.case(5)",
    "tf.switch_case(c(1), [lambda: 1, lambda: 2])",
    "tf.switch_case(c(7), [lambda: 1, lambda: 2])",
    "tf.switch_case(c(-1), [lambda: 1, lambda: 2], default=lambda: 9)",
    "tf.switch_case(c(3), {0: lambda: 1, 3: lambda: 2})",
    "tf.switch_case(c(1.), [lambda: 1])",
    "tf.switch_case(c(1), [])",
    "list(tf.while_loop(lambda i, j: i < 3, lambda i, j: (i + 1, j * 2), (0, 1.)))",
    "tf.while_loop(lambda i: i < 30, lambda i: [i + 1], [0], maximum_iterations=4)[0]",
    "tf.while_loop(lambda i: i < 3, 3, [c(0)])",
    "tf.while_loop(lambda: False, lambda: (), [])",
]  # fmt: skip


def namespace(tf: Any) -> dict[str, Any]:
    """The names that the cases use."""
    names = math_cases.namespace(tf)

    def seeded(f: Any) -> Any:
        tf.random.set_seed(1)
        return f()

    image = np.sin(np.arange(1 * 5 * 4 * 2, dtype=np.float32) * 1.7).reshape(1, 5, 4, 2)
    filters = np.cos(np.arange(3 * 2 * 2 * 3, dtype=np.float32) * 0.9).reshape(3, 2, 2, 3)
    return {
        **names, "n": tf.nn, "x": tf.constant([[1.0, 2.0, 3.0], [0.0, -1.0, 5.0]]),
        "im": tf.constant(image), "k": tf.constant(filters), "seeded": seeded,
    }  # fmt: skip
