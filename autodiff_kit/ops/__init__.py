"""Layer 3: the operations, by family; each family is a file, and each operation stands beside its rules.

One idea: importing this package fills in what the layers below only name: the operators of tensors.
"""

from autodiff_kit.ops import arithmetic, elementwise, operators, reduction, shape

FAMILIES = (arithmetic, elementwise, reduction, shape)

operators.install()
