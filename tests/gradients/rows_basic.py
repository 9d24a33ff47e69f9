"""Rows for the operations that the engine itself leans on."""

import autodiff_kit as ad
from autodiff_kit.variable import _read_value
from gradients.rows import Row

A = [[0.5, -1.5, 2.0], [3.0, 0.25, -0.75]]

ROWS = [
    Row("Reshape", lambda x: ad.square(ad.reshape(x, [3, 2])), (A,)),
    Row("Reshape", lambda x: ad.square(ad.reshape(x, [])), ([2.0],)),
    Row("Reshape", lambda x: ad.reshape(x, [0, 2]), ([[]],), name="empty"),
    Row("BroadcastTo", lambda x: ad.square(ad.broadcast_to(x, [2, 2, 3])), (A,)),
    Row("BroadcastTo", lambda x: ad.square(ad.broadcast_to(x, [2, 3])), ([[1.5], [-2.0]],)),
    Row("BroadcastTo", lambda x: ad.square(ad.broadcast_to(x, [2])), (1.5,)),
    Row("ReadVariableOp", lambda x: ad.square(_read_value(x)), (A,)),
]
