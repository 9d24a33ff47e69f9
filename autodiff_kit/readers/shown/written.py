"""Layer 5: rules as a textbook has them, where the source says the same in the engine's words.

One idea: these formulas are for reading, but they are formulas: a test computes with each of them and
compares it with what the rule itself returns. Those that are words begin with a quotation mark.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def _matmul(first: bool) -> Callable[..., str]:
    def rule(transpose_a: bool = False, transpose_b: bool = False, shapes: Any = None) -> str:
        if first:
            other = "b" if transpose_b else "transpose(b)"
            product = f"dy @ {other}"
            turned = transpose_a
        else:
            other = "a" if transpose_a else "transpose(a)"
            product = f"{other} @ dy"
            turned = transpose_b
        product = f"transpose({product})" if turned else product
        stacks = shapes and shapes[0][:-2] != shapes[1][:-2]
        return f"sum_to({product}, {shapes[0 if first else 1]})" if stacks else product

    return rule


def _spread(divided: bool) -> Callable[..., str]:
    def rule(axis: Any, keepdims: bool, shapes: Any) -> str:
        n = math.prod([shapes[0][a] for a in axis])
        share = f"dy / {float(n or 1)}" if divided else "dy"
        return f"spread({share}, {shapes[0]})" if axis else "dy"

    return rule


def _transpose(perm: Any) -> str:
    return f"transpose(dy, perm={tuple(np.argsort(perm).tolist())})"


def _added_at(what: str) -> Callable[..., str]:
    def rule(shapes: Any, **_attrs: Any) -> str:
        return f'"zeros {shapes[0]} with dy added at {what}'

    return rule


def _sliced(key: Any, shapes: Any) -> str:
    items = key if type(key) is tuple else (key,)
    return f'"zeros {shapes[0]} with dy at [{", ".join(map(_item, items))}]'


def _item(item: Any) -> str:
    if item is Ellipsis:
        return "..."
    if not isinstance(item, slice):
        return str(getattr(item, "_value", item))
    ends = [("" if end is None else str(end)) for end in (item.start, item.stop, item.step)]
    return ":".join(ends if ends[2] else ends[:2])


# For each input a formula in dy, a, b (or x) and y, or a function of the attributes that returns one;
# None where no gradient flows. The last one holds for all further inputs.
WRITTEN: dict[str, tuple[Any, ...]] = {
    "AddN": ("dy",),
    "BatchMatMulV2": (_matmul(True), _matmul(False)),
    "Broadcast": (lambda shape, to: f"sum_to(dy, {shape})",),
    "BroadcastTo": (lambda shape, shapes: f"sum_to(dy, {shapes[0]})",),
    "Cast": (lambda dtype, source: f"cast(dy, {source})" if dtype[0] == source[0] == "f" else "",),
    "ConcatV2": ('"the part of dy that came from here',),
    "Einsum": ('"the same sum of products, with dy in place of this input',),
    "GatherNd": (_added_at("the indices"), None),
    "GatherV2": (_added_at("the indices"), None),
    "LeakyRelu": (lambda alpha: f"where(x > 0, dy, {alpha} * dy)",),
    "LogMatrixDeterminant": ('"dy * transpose(inverse(x))',),
    "MatMul": (_matmul(True), _matmul(False)),
    "MatrixDeterminant": ('"dy * y * transpose(inverse(x))',),
    "MatrixInverse": (
        lambda adjoint=False: (
            "-(y @ transpose(dy) @ y)" if adjoint else "-(transpose(y) @ dy @ transpose(y))"
        ),
    ),
    "MatrixSolve": (
        lambda adjoint=False: (
            '"-y @ transpose(solve(a, dy))'
            if adjoint
            else '"-solve(transpose(a), dy) @ transpose(y)'
        ),
        lambda adjoint=False: '"solve(a, dy)' if adjoint else '"solve(transpose(a), dy)',
    ),
    "MatrixTriangularSolve": (
        lambda lower=True, adjoint=False: (
            f'"{"lower" if lower else "upper"} half of '
            + (
                "-y @ transpose(solve(a, dy))"
                if adjoint
                else "-solve(transpose(a), dy) @ transpose(y)"
            )
        ),
        lambda lower=True, adjoint=False: (
            '"solve(a, dy)' if adjoint else '"solve(transpose(a), dy)'
        ),
    ),
    "EnsureShape": ("dy",),
    "Max": ('"dy for the largest elements, in equal shares',),
    "Mean": (_spread(True),),
    "Min": ('"dy for the smallest elements, in equal shares',),
    "Output": ("dy",),
    "Pow": (
        "dy * b * pow(a, b - 1)",
        "dy * y * where(a > 0, log(where(a > 0, a, ones_like(a))), zeros_like(a))",
    ),
    "Prod": ('"dy times the product of the other elements',),
    "Pack": ('"the layer of dy that came from here',),
    "Pad": ('"dy without the border',),
    "PadV2": ('"dy without the border', None, '"the sum of the border of dy'),
    "RealDiv": ("dy / b", "-dy * a / (b * b)"),
    "Reciprocal": ("-dy * y * y",),
    "Relu": ("where(x > 0, dy, 0.0)",),
    "Rsqrt": ("-0.5 * dy * y * y * y",),
    "SegmentMax": ('"dy for the largest elements of each id, in equal shares', None),
    "SegmentMean": ('"the row of dy that the id names, divided by how often it is named', None),
    "SegmentMin": ('"dy for the smallest elements of each id, in equal shares', None),
    "SegmentSum": ("gather(dy, b)", None),
    "SelectV2": (None, "where(a, dy, 0.0)", "where(a, 0.0, dy)"),
    "Sigmoid": ("dy * y * (1.0 - y)",),
    "Softsign": ("dy / square(1.0 + abs(x))",),
    "SparseSoftmaxCrossEntropyWithLogits": ('"dy * (softmax(a) - one_hot(b))', None),
    "Split": ('"the gradients of the parts, joined',),
    "SplitV": ('"the gradients of the parts, joined',),
    "Sqrt": ("dy / (2.0 * y)",),
    "Square": ("2.0 * x * dy",),
    "StridedSlice": (_sliced,),
    "SelfAdjointEigV2": (
        '"lower half of v @ (diag(dw) + what turns v, by 1 / (w[j] - w[i])) @ transpose(v)',
    ),
    "Sum": (_spread(False),),
    "Svd": ('"u @ (diag(ds) + what turns u and v, by 1 / (s[j]**2 - s[i]**2)) @ transpose(v)',),
    "Tanh": ("dy * (1.0 - y * y)",),
    "TopKV2": ('"zeros with dy at the positions of the largest',),
    "Transpose": (_transpose,),
    "UnsortedSegmentSum": ('"the row of dy that the id names', None),
    "Unpack": ('"the gradients of the layers, stacked',),
}
