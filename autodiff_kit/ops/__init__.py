"""Layer 3: the operations, by family; a family is a file, an operation stands beside its rules.

One idea: importing this package fills in what the layers below only name: the operators of tensors,
lists that hold tensors, and where `xp` finds an operation. A family is loaded when it is needed.
"""

from typing import TYPE_CHECKING

import numpy as np

from autodiff_kit import index, lazy
from autodiff_kit.namespace import FAMILIES
from autodiff_kit.ops import joining, operators

if TYPE_CHECKING:
    from autodiff_kit.ops import (
        activation,
        arithmetic,
        axes,
        bands,
        casting,
        clipping,
        comparison,
        contraction,
        convolution,
        creation,
        cross_entropy,
        cumulative,
        determinants,
        diagonals,
        distinct,
        dropout,
        exponential,
        extremes,
        gamma,
        gathering,
        grids,
        guarded,
        hyperbolic,
        identity,
        indexing,
        largest,
        matmul,
        moving,
        normalizing,
        padding,
        parting,
        pooling,
        positions,
        products,
        reduction,
        roots,
        rounding,
        scattering,
        select,
        shape,
        sigmoid_entropy,
        slicing,
        smooth,
        softmax,
        solving,
        sorting,
        spacing,
        special,
        spread,
        sums,
        trigonometry,
        updating,
    )
else:
    __all__, __getattr__, __dir__ = lazy.names_of(globals())

operators.install()
for _module, _names in index.OPERATIONS.items():
    FAMILIES.update(dict.fromkeys(_names.split(), _module))

# As long as nobody has given back a large block, glibc hands whatever is freed to the system, page by
# page, and fetches it again for the next array: with arrays of a megabyte three quarters of the time.
# This block, never written to, is the largest that it learns from; it then keeps 64 MB at hand.
np.empty(32 * 1024 * 1024 - 8192, np.uint8)
