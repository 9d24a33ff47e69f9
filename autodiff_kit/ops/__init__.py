"""Layer 3: the operations, by family; each family is a file, and each operation stands beside its rules.

One idea: importing this package fills in what the layers below only name: the operators of tensors.
"""

from autodiff_kit.ops import (
    activation,
    arithmetic,
    axes,
    casting,
    comparison,
    creation,
    exponential,
    extremes,
    gathering,
    guarded,
    hyperbolic,
    identity,
    indexing,
    joining,
    matmul,
    operators,
    reduction,
    roots,
    rounding,
    select,
    shape,
    spacing,
    special,
    sums,
    trigonometry,
)

FAMILIES = (
    activation,
    arithmetic,
    axes,
    casting,
    comparison,
    creation,
    exponential,
    extremes,
    gathering,
    guarded,
    hyperbolic,
    identity,
    indexing,
    joining,
    matmul,
    reduction,
    roots,
    rounding,
    select,
    shape,
    spacing,
    special,
    sums,
    trigonometry,
)

operators.install()
