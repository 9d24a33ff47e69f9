"""Layer 6: `ad.math`, TensorFlow's second name for the operations on numbers, and the only one of some.

One idea: nothing is defined here; the operations stand in their families.
"""

from autodiff_kit.ops import arithmetic as _arithmetic
from autodiff_kit.ops.arithmetic import *
from autodiff_kit.ops.comparison import *
from autodiff_kit.ops.comparison import logical_xor as logical_xor
from autodiff_kit.ops.cumulative import *
from autodiff_kit.ops.cumulative import cumprod as cumprod
from autodiff_kit.ops.exponential import *
from autodiff_kit.ops.exponential import expm1 as expm1
from autodiff_kit.ops.exponential import log as log
from autodiff_kit.ops.exponential import log1p as log1p
from autodiff_kit.ops.exponential import log_sigmoid as log_sigmoid
from autodiff_kit.ops.exponential import softplus as softplus
from autodiff_kit.ops.extremes import maximum as maximum
from autodiff_kit.ops.extremes import minimum as minimum
from autodiff_kit.ops.gamma import digamma as digamma
from autodiff_kit.ops.gamma import lgamma as lgamma
from autodiff_kit.ops.gamma import polygamma as polygamma
from autodiff_kit.ops.guarded import divide_no_nan as divide_no_nan
from autodiff_kit.ops.guarded import multiply_no_nan as multiply_no_nan
from autodiff_kit.ops.guarded import reciprocal_no_nan as reciprocal_no_nan
from autodiff_kit.ops.guarded import xdivy as xdivy
from autodiff_kit.ops.guarded import xlog1py as xlog1py
from autodiff_kit.ops.guarded import xlogy as xlogy
from autodiff_kit.ops.hyperbolic import *
from autodiff_kit.ops.largest import *
from autodiff_kit.ops.positions import *
from autodiff_kit.ops.positions import count_nonzero as count_nonzero
from autodiff_kit.ops.positions import zero_fraction as zero_fraction
from autodiff_kit.ops.reduction import *
from autodiff_kit.ops.roots import *
from autodiff_kit.ops.roots import reciprocal as reciprocal
from autodiff_kit.ops.roots import rsqrt as rsqrt
from autodiff_kit.ops.rounding import *
from autodiff_kit.ops.rounding import ceil as ceil
from autodiff_kit.ops.rounding import is_finite as is_finite
from autodiff_kit.ops.rounding import is_inf as is_inf
from autodiff_kit.ops.rounding import is_nan as is_nan
from autodiff_kit.ops.rounding import rint as rint
from autodiff_kit.ops.special import erf as erf
from autodiff_kit.ops.special import erfc as erfc
from autodiff_kit.ops.special import erfinv as erfinv
from autodiff_kit.ops.spread import reduce_euclidean_norm as reduce_euclidean_norm
from autodiff_kit.ops.spread import reduce_std as reduce_std
from autodiff_kit.ops.spread import reduce_variance as reduce_variance
from autodiff_kit.ops.sums import *
from autodiff_kit.ops.sums import accumulate_n as accumulate_n
from autodiff_kit.ops.sums import squared_difference as squared_difference
from autodiff_kit.ops.trigonometry import *

mod = _arithmetic.floormod
