"""Layer 6: `ad.math`, TensorFlow's second name for the operations on numbers, and the only one of some.

One idea: nothing is defined here; the operations stand in their families.
"""

from typing import TYPE_CHECKING

from autodiff_kit import lazy

if TYPE_CHECKING:
    from autodiff_kit.ops.activation import softsign
    from autodiff_kit.ops.arithmetic import (
        add,
        divide,
        floordiv,
        floormod,
        multiply,
        negative,
        pow,
        square,
        subtract,
        truediv,
    )
    from autodiff_kit.ops.arithmetic import floormod as mod
    from autodiff_kit.ops.comparison import (
        equal,
        greater,
        greater_equal,
        less,
        less_equal,
        logical_and,
        logical_not,
        logical_or,
        logical_xor,
        not_equal,
    )
    from autodiff_kit.ops.cumulative import cumprod, cumsum, reduce_prod
    from autodiff_kit.ops.exponential import exp, expm1, log, log1p, log_sigmoid, sigmoid, softplus
    from autodiff_kit.ops.extremes import maximum, minimum
    from autodiff_kit.ops.gamma import digamma, lgamma, polygamma
    from autodiff_kit.ops.guarded import (
        divide_no_nan,
        multiply_no_nan,
        reciprocal_no_nan,
        xdivy,
        xlog1py,
        xlogy,
    )
    from autodiff_kit.ops.hyperbolic import acosh, asinh, atanh, cosh, sinh, tanh
    from autodiff_kit.ops.largest import reduce_logsumexp, reduce_max, reduce_min
    from autodiff_kit.ops.normalizing import l2_normalize
    from autodiff_kit.ops.positions import (
        argmax,
        argmin,
        count_nonzero,
        reduce_all,
        reduce_any,
        zero_fraction,
    )
    from autodiff_kit.ops.reduction import reduce_mean, reduce_sum
    from autodiff_kit.ops.roots import abs, reciprocal, rsqrt, sign, sqrt
    from autodiff_kit.ops.rounding import ceil, floor, is_finite, is_inf, is_nan, rint, round
    from autodiff_kit.ops.segments import (
        segment_max,
        segment_mean,
        segment_min,
        segment_sum,
        unsorted_segment_sum,
    )
    from autodiff_kit.ops.softmax import log_softmax, softmax
    from autodiff_kit.ops.sorting import top_k
    from autodiff_kit.ops.special import erf, erfc, erfinv
    from autodiff_kit.ops.spread import reduce_euclidean_norm, reduce_std, reduce_variance
    from autodiff_kit.ops.sums import accumulate_n, add_n, scalar_mul, squared_difference
    from autodiff_kit.ops.trigonometry import acos, asin, atan, atan2, cos, sin, tan

    __all__ = [
        "abs", "accumulate_n", "acos", "acosh", "add", "add_n", "argmax", "argmin", "asin", "asinh",
        "atan", "atan2", "atanh", "ceil", "cos", "cosh", "count_nonzero", "cumprod", "cumsum",
        "digamma", "divide", "divide_no_nan", "equal", "erf", "erfc", "erfinv", "exp", "expm1",
        "floor", "floordiv", "floormod", "greater", "greater_equal", "is_finite", "is_inf",
        "is_nan", "l2_normalize", "less", "less_equal", "lgamma", "log", "log1p", "log_sigmoid",
        "log_softmax", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum",
        "minimum", "mod", "multiply", "multiply_no_nan", "negative", "not_equal", "polygamma",
        "pow", "reciprocal", "reciprocal_no_nan", "reduce_all", "reduce_any",
        "reduce_euclidean_norm", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min",
        "reduce_prod", "reduce_std", "reduce_sum", "reduce_variance", "rint", "round", "rsqrt",
        "scalar_mul", "segment_max", "segment_mean", "segment_min", "segment_sum", "sigmoid",
        "sign", "sin", "sinh", "softmax", "softplus", "softsign", "sqrt", "square",
        "squared_difference", "subtract", "tan", "tanh", "top_k", "truediv", "unsorted_segment_sum",
        "xdivy", "xlog1py", "xlogy", "zero_fraction",
    ]  # fmt: skip
else:
    __all__, __getattr__, __dir__ = lazy.names_of(globals())
