"""Layer 3: the operations, by family; each family is a file, and each operation stands beside its rules.

One idea: importing this package fills in what the layers below only name: the operators of tensors.
"""

from autodiff_kit.ops import (
    activation,
    arithmetic,
    casting,
    comparison,
    elementwise,
    exponential,
    gathering,
    identity,
    indexing,
    matmul,
    operators,
    reduction,
    roots,
    rounding,
    select,
    shape,
)

FAMILIES = (
    activation,
    arithmetic,
    casting,
    comparison,
    elementwise,
    exponential,
    gathering,
    identity,
    indexing,
    matmul,
    reduction,
    roots,
    rounding,
    select,
    shape,
)

operators.install()
