"""Rows for numbers moved, repeated, surrounded, taken apart, sorted and scattered."""

import numpy as np

import autodiff_kit as ad
from autodiff_kit.ops.sorting import top_k
from gradients.rows import Row

rng = np.random.default_rng(8)
A, SIDE, CUBE = rng.normal(size=(2, 3)), rng.normal(size=4), rng.normal(size=(2, 3, 4))
UPDATES = rng.normal(size=(2, 2))


def with_(f: object, *args: object, **options: object) -> object:
    return lambda *xs: f(*xs, *args, **options)


def used(parts: object, *which: int) -> object:
    """Some of the parts, so that others get no gradient."""
    return lambda x: [parts(x)[k] for k in which]


def updated(op: object) -> object:
    return lambda x, u: op(x, [[0, 1], [1, 2]], u)


def padded(paddings: object, mode: str) -> object:
    return lambda x: ad.pad(x, paddings, mode)


ROWS = [
    Row("Tile", with_(ad.tile, [2, 3]), (A,)),
    Row("Tile", with_(ad.tile, [1, 1]), (A,), name="once"),
    Row("Tile", with_(ad.tile, [0, 2]), (A,), expect=(np.zeros((2, 3)),), name="none"),
    Row("Tile", with_(ad.tile, []), (2.0,)),
    *(Row("ReverseV2", with_(ad.reverse, a), (CUBE,), name=str(a)) for a in ([0], [-1, 1], [])),
    *(
        Row("Roll", with_(ad.roll, s, a), (CUBE,), name=f"{s}-{a}")
        for s, a in ((1, 0), (-6, 2), ([1, 2], [0, -1]), ([1, 1], [1, 1]))
    ),
    *(
        Row("GatherV2", with_(ad.repeat, n, a), (A,), name=f"repeat-{n}-{a}")
        for n, a in ((2, None), ([1, 2], 0), ([0, 3, 1], -1))
    ),
    Row("Pad", padded([[1, 0], [0, 2]], "CONSTANT"), (A,)),
    Row("Pad", padded([[0, 0], [0, 0]], "CONSTANT"), (A,), name="no border"),
    Row("PadV2", lambda x: ad.pad(x, [[1, 1], [2, 0]], constant_values=7.0), (A,)),
    *(
        Row("MirrorPad MirrorPadGrad", padded(border, mode), (A,), name=f"{mode}-{border}")
        for mode in ("REFLECT", "SYMMETRIC")
        for border in ([[1, 1], [2, 1]], [[0, 1], [0, 0]])
    ),
    Row("MirrorPad", padded([[2, 2], [3, 1]], "SYMMETRIC"), (A,), name="all"),
    Row("Split", lambda x: ad.split(x, 3, axis=1), (A,)),
    Row("Split", used(with_(ad.split, 2), 1), (A,), name="second"),
    Row("SplitV", used(with_(ad.split, [1, 0, -1], axis=-1), 0, 2), (A,)),
    Row("Unpack", ad.unstack, (A,)),
    Row("Unpack", used(with_(ad.unstack, axis=-1), 2, 0), (CUBE,)),
    Row("Unpack", used(ad.unstack, 1), (SIDE,)),
    Row("TopKV2", lambda x: top_k(x, 2).values, (CUBE,)),
    Row("TopKV2", lambda x: top_k(x, 3).values, (SIDE,)),
    Row("TopKV2", ad.sort, (CUBE,), name="sort"),
    Row("TopKV2", with_(ad.sort, 0, "DESCENDING"), (CUBE,), name="sort down"),
    Row(
        "TopKV2",
        lambda x: ad.sort(x) * [1.0, 2.0, 3.0],
        ([1.0, 1.0, 2.0],),
        expect=([1.0, 2.0, 3.0],),
    ),
    Row("GatherNd", lambda x: ad.gather_nd(x, [[0, 1], [1, 2], [0, 1]]), (A,)),
    Row("GatherNd", lambda x: ad.gather_nd(x, [[1], [1]]), (CUBE,)),
    Row("GatherNd", lambda x: ad.gather_nd(x, [1, 2]), (A,)),
    Row("EnsureShape", with_(ad.ensure_shape, [None]), (SIDE,)),
    *(
        Row(type_, with_(op, ids), (SIDE,))
        for ids in ([0, 0, 2, 2], [0, 1, 1, 1])
        for type_, op in (
            ("SegmentSum", ad.math.segment_sum), ("SegmentMean", ad.math.segment_mean),
            ("SegmentMax", ad.math.segment_max), ("SegmentMin", ad.math.segment_min),
        )
    ),
    Row("SegmentMax", with_(ad.math.segment_max, [0, 0, 1]), ([2.0, 2.0, 1.0],),
        expect=([0.5, 0.5, 1.0],), name="tie"),
    Row("SegmentMin", with_(ad.math.segment_min, [0, 0, 1]), ([2.0, 2.0, 1.0],),
        expect=([0.5, 0.5, 1.0],), name="tie"),
    Row("UnsortedSegmentSum", with_(ad.math.unsorted_segment_sum, [2, 0, 2, 1], 3), (SIDE,)),
    Row("UnsortedSegmentSum", with_(ad.math.unsorted_segment_sum, [1, -1, 1, 0], 2), (SIDE,),
        name="left out"),
    Row("UnsortedSegmentSum", with_(ad.math.unsorted_segment_sum, -1, 3), (2.0,), expect=(0.0,),
        name="a scalar, left out"),
    Row("Relu", ad.nn.crelu, (SIDE,), name="crelu"),
    Row("Mul", lambda x: ad.map_fn(lambda one: one * one * one, x), (SIDE,), name="map_fn"),
    Row("GatherNd ScatterNd", with_(ad.gather_nd, np.zeros((2, 0), np.int32)), (A,), name="all"),
    Row("GatherNd", with_(ad.gather_nd, [[[0, 1]], [[2, 0]]], batch_dims=1), (CUBE,), name="batch"),
    Row("ScatterNd", lambda u: ad.scatter_nd([[0], [2], [0], [1]], u, [5]), (SIDE,)),
    Row("ScatterNd", lambda u: ad.scatter_nd([[1], [1]], u, [3, 2]), (UPDATES,)),
    *(
        Row(type_, updated(op), (A, [0.5, -2.0]))
        for type_, op in (
            ("TensorScatterUpdate", ad.tensor_scatter_nd_update),
            ("TensorScatterAdd", ad.tensor_scatter_nd_add),
            ("TensorScatterSub", ad.tensor_scatter_nd_sub),
        )
    ),
    Row(
        "TensorScatterAdd",
        lambda x, u: ad.tensor_scatter_nd_add(x, [[2], [2]], u),
        (SIDE, [1.0, 2.0]),
    ),
    Row(
        "TensorScatterUpdate",
        lambda x, u: ad.tensor_scatter_nd_update(x, [[0], [0]], u),
        (SIDE, [7.0, 8.0]),
        expect=([0.0, 1.0, 1.0, 1.0], [1.0, 1.0]),
        name="twice",
    ),
    *(
        Row(
            type_, lambda x, op=op: x * ad.cast(op(x).idx, ad.float64), ([3.0, 1.0, 3.0],),
            expect=([0.0, 1.0, 0.0],), name="positions",
        )
        for type_, op in (("Unique", ad.unique), ("UniqueWithCounts", ad.unique_with_counts))
    ),
    Row("Mul", lambda x, y: ad.meshgrid(x * x, y), (SIDE, [1.0, 2.0]), name="meshgrid"),
    Row("Mul", lambda x, y: ad.meshgrid(x * x, y, indexing="ij"), (SIDE, [1.0, 2.0]), name="ij"),
]  # fmt: skip
