"""Layer 5: what operations do to the numbers that they are given, whatever these are.

One idea: a property is the set of the types that have it, and a reader that follows a value through the
tape puts together from these what it goes through. A test asks the kernels whether all of this is so,
and whether a function of each element by itself is missing here.
"""

from __future__ import annotations


def _types(names: str) -> frozenset[str]:
    return frozenset(names.split())


# -- What only moves numbers ------------------------------------------------------------------
RESHAPES = _types("ExpandDims Reshape Squeeze")
# The numbers of the input in their order, in another shape; some of them more than once.
SAME_NUMBERS = RESHAPES | _types("Broadcast BroadcastTo EnsureShape Identity")
# Every number of the input comes out, and no other.
MOVES_ALL = SAME_NUMBERS | _types("ReverseV2 Roll Tile Transpose")
# Some numbers of the first input come out, and no other.
CUTS = _types("GatherNd GatherV2 StridedSlice")
MOVES = MOVES_ALL | CUTS
PARTS = _types("Split SplitV Unpack")  # a cut with several outputs
JOINS = _types("ConcatV2 Pack")  # of several inputs all numbers
PADS = _types("MirrorPad Pad PadV2")  # the input, with a rim around it

# -- Sums and products ------------------------------------------------------------------------
ADDITIONS = _types("AddV2 Sub")
DIFFERENCES = _types("SquaredDifference Sub")
TOTALS = _types("Mean Sum")
REDUCTIONS = TOTALS | _types("Max Min Prod")  # each has the attributes axis and keepdims
SCALINGS = _types("Mul RealDiv")
CONTRACTIONS = _types("BatchMatMulV2 Conv2D Einsum MatMul")  # products that are summed up
PRODUCTS = CONTRACTIONS | _types("Mul MulNoNan")  # 0 where all of one factor is 0

# -- What chooses -----------------------------------------------------------------------------
BOUNDS = _types("Maximum Minimum")
SOFTMAXES = _types("LogSoftmax Softmax")
ROUNDING = _types("Ceil Floor Rint Round")
COMPARISONS = _types("Equal Greater GreaterEqual Less LessEqual NotEqual")
ANSWERS = COMPARISONS | _types("All Any IsFinite IsInf IsNan LogicalAnd LogicalNot LogicalOr")
# Draws among classes: whole numbers, and those of one chance cannot move by a little.
CATEGORICAL = _types("Multinomial StatelessMultinomial")
# What they take has no slope to lose.
SHAPE_ONLY = _types("OnesLike Rank Shape Size ZerosLike")
NEVER_FLOATING = ANSWERS | CATEGORICAL | _types("ArgMax ArgMin ArgSort Rank Shape Size Where")
NO_SLOPE = NEVER_FLOATING | SHAPE_ONLY

# -- Functions of each element by itself ------------------------------------------------------
ZERO_AT_ZERO = ROUNDING | _types(
    "Abs Asin Asinh Atan Atanh Elu Erf Erfinv Expm1 Identity LeakyRelu Log1p Neg Relu Relu6 Selu "
    "Sign Sin Sinh Softsign Sqrt Square StopGradient Tan Tanh"
)
# Of several inputs it is the first whose zeros come out as zeros.
ZERO_OF_ZEROS = (
    MOVES | PARTS | ZERO_AT_ZERO
    | _types(
        "AvgPool Cast Cumsum DivNoNan EuclideanNorm LeakyReluGrad Max MaxPool Mean Min MirrorPad Pad "
        "Prod RealDiv Relu6Grad ReluGrad Sum Xlogy"
    )
)  # fmt: skip
ONE_AT_ZERO = _types("Cos Cosh Erfc Exp")
# Above 0 for every argument but -inf, and so near to 0 somewhere that it is rounded to it.
ABOVE_ZERO = _types("Erfc Exp Sigmoid Softmax Softplus")
# Their slope goes to 0 on one side, or on both.
FLATTENING = _types("Elu Erf Selu Sigmoid Softmax Softplus Softsign Tanh")

# -- What is not finite -----------------------------------------------------------------------
# Neither NaN nor an infinity can get lost here. What chooses, cuts out or compares is not among them.
KEEP_INFINITE = (
    MOVES_ALL | JOINS | ADDITIONS | DIFFERENCES | TOTALS | SCALINGS | ROUNDING
    | _types(
        "Abs Acos Acosh AddN Asin Asinh Atanh BatchMatMulV2 BiasAdd Cos Cosh Digamma Erfinv Lgamma Log "
        "Log1p MatMul Neg Sin Sinh Softsign Sqrt Square StopGradient Tan"
    )
)  # fmt: skip
# Here NaN cannot, but an infinity can: exp(-inf) is 0.
KEEP_NAN = KEEP_INFINITE | _types(
    "Atan Elu Erf Erfc Exp Expm1 LeakyRelu LogSoftmax LogSumExp Max Min Prod Reciprocal Relu Relu6 "
    "Rsqrt Selu Sigmoid Sign Softmax Softplus Tanh"
)
# Of numbers that are 0 or above they make numbers that are 0 or above.
NEVER_BELOW_ZERO = (
    MOVES | JOINS | CONTRACTIONS | REDUCTIONS | SCALINGS | BOUNDS
    | _types("AddV2 Cumprod Cumsum Pow Sqrt Square StopGradient")
)  # fmt: skip
