"""Layer 6: `ad.linalg`, the operations on matrices, under TensorFlow's names.

One idea: nothing is defined here; the operations stand in their families.
"""

from typing import TYPE_CHECKING

from autodiff_kit import lazy

if TYPE_CHECKING:
    from autodiff_kit.ops.bands import band_part as band_part
    from autodiff_kit.ops.bands import trace as trace
    from autodiff_kit.ops.clipping import global_norm as global_norm
    from autodiff_kit.ops.contraction import einsum as einsum
    from autodiff_kit.ops.determinants import det as det
    from autodiff_kit.ops.determinants import logdet as logdet
    from autodiff_kit.ops.determinants import slogdet as slogdet
    from autodiff_kit.ops.diagonals import diag as diag
    from autodiff_kit.ops.diagonals import diag_part as diag_part
    from autodiff_kit.ops.diagonals import set_diag as set_diag
    from autodiff_kit.ops.eigen import eigh as eigh
    from autodiff_kit.ops.eigen import eigvalsh as eigvalsh
    from autodiff_kit.ops.grids import eye as eye
    from autodiff_kit.ops.matmul import matmul as matmul
    from autodiff_kit.ops.normalizing import l2_normalize as l2_normalize
    from autodiff_kit.ops.products import matrix_transpose as matrix_transpose
    from autodiff_kit.ops.products import matvec as matvec
    from autodiff_kit.ops.products import tensordot as tensordot
    from autodiff_kit.ops.singular import svd as svd
    from autodiff_kit.ops.solving import cholesky as cholesky
    from autodiff_kit.ops.solving import inv as inv
    from autodiff_kit.ops.solving import solve as solve
    from autodiff_kit.ops.spread import norm as norm
    from autodiff_kit.ops.triangular import cholesky_solve as cholesky_solve
    from autodiff_kit.ops.triangular import triangular_solve as triangular_solve
else:
    __all__, __getattr__, __dir__ = lazy.names_of(globals())
