"""Rows for sums, means, products, extremes, running sums and norms."""

from functools import partial

import numpy as np

import autodiff_kit as ad
from autodiff_kit.namespace import xp
from gradients.rows import Row

m = ad.math
A = np.array([[0.5, -1.5, 2.0], [3.0, 0.25, -1.75]])
CUBE = np.linspace(0.5, 2.0, 12).reshape(2, 3, 2) * (-1.0) ** np.arange(12).reshape(2, 3, 2)
nan = np.nan

REDUCTIONS = (
    ("Sum", ad.reduce_sum), ("Mean", ad.reduce_mean), ("Prod ProductOfOthers", ad.reduce_prod),
    ("EuclideanNorm", m.reduce_euclidean_norm), ("Mean", m.reduce_variance), ("Sqrt", m.reduce_std),
    ("LogSumExp", ad.reduce_logsumexp), ("Max", ad.reduce_max), ("Min", ad.reduce_min),
    ("Sum", ad.norm),
)  # fmt: skip
FORMS = (
    (A, {}), (A, {"axis": 0}), (A, {"axis": -1, "keepdims": True}), (A[0], {"axis": 0}),
)  # fmt: skip
SEVERAL = ({"axis": (0, 2)}, {"axis": [1, -1], "keepdims": True}, {"axis": [2, 1, 0]}, {"axis": []})
LISTS = [(t, f) for t, f in REDUCTIONS if f is not ad.norm]
EMPTY = [(t, f) for t, f in LISTS if f in (ad.reduce_sum, ad.reduce_prod)]
NORMS = (
    {"ord": 1}, {"ord": np.inf}, {"ord": 3}, {"ord": 1, "axis": 1}, {"ord": 2.5, "axis": 0},
    {"ord": "fro", "axis": (0, 1)}, {"ord": 1, "axis": [0, 1]}, {"ord": np.inf, "axis": (-2, -1)},
)  # fmt: skip

ROWS = [
    *(Row(t, partial(f, **how), (at,), name=str(how)) for t, f in REDUCTIONS for at, how in FORMS),
    *(Row(t, partial(f, **how), (CUBE,), name=str(how)) for t, f in LISTS for how in SEVERAL
      if how["axis"] or f not in (m.reduce_std, m.reduce_variance)),
    *(Row(t, f, (np.zeros((0, 2)),), name="empty") for t, f in EMPTY),
    *(Row(t, f, (1.5,)) for t, f in LISTS if f not in (m.reduce_std, m.reduce_variance)),
    *(Row("Sum", partial(ad.norm, **how), (A,), name=str(how)) for how in NORMS
      if how["ord"] not in (np.inf,) or "axis" in how),
    *(
        Row(t, partial(f, axis=axis, exclusive=exclusive, reverse=reverse), (A,),
            name=f"{axis}-{exclusive}-{reverse}")
        for t, f in (("Cumsum", ad.cumsum), ("Cumprod", m.cumprod))
        for axis in (0, -1) for exclusive in (False, True) for reverse in (False, True)
    ),
    Row("Cumsum", ad.cumsum, (np.zeros((0, 2)),), name="empty"),
    Row("ProductOfOthers", lambda x: xp.product_of_others(
        x, ad.reduce_prod(ad.stop_gradient(x), 1, keepdims=True), axis=1), (A,)),
    # Zeros, ties and other special points: what TensorFlow gives there.
    Row("Prod", ad.reduce_prod, ([2.0, 0.0, 3.0],), order=1, name="one-zero"),
    Row("Prod", ad.reduce_prod, ([2.0, 0.0, 0.0],), order=1, expect=([0, 0, 0],), name="two-zeros"),
    Row("Prod", partial(ad.reduce_prod, axis=1), ([[2.0, 0.0], [3.0, 4.0]],), order=1,
        name="zero-in-a-row"),
    Row("Cumprod", m.cumprod, ([2.0, 0.0, 3.0],), expect=([1, 0, 0],), name="zero"),
    Row("Max", ad.reduce_max, ([2.0, 3.0, 3.0],), expect=([0, 0.5, 0.5],), name="tie"),
    Row("Min", ad.reduce_min, ([2.0, 2.0, 2.0, 3.0],), expect=([1 / 3, 1 / 3, 1 / 3, 0],), name="tie"),
    Row("Max", ad.reduce_max, ([2.0, nan],), expect=([nan, nan],), name="nan"),
    Row("EuclideanNorm", m.reduce_euclidean_norm, ([0.0, 0.0],), expect=([nan, nan],), name="zero"),
    Row("Sum", ad.norm, ([0.0, 0.0],), expect=([nan, nan],), name="norm-zero"),
    Row("Sqrt", m.reduce_std, ([1.0, 1.0],), expect=([nan, nan],), name="std-equal"),
    Row("LogSumExp", ad.reduce_logsumexp, ([1000.0, 1000.0],), expect=([0.5, 0.5],), name="large"),
]  # fmt: skip
