"""A small tape engine in Python and NumPy, with TensorFlow 2's names, made for teaching.

It is imported as ``ad`` and answers one question above all: why is my gradient None, or zero, or NaN?

What every program needs is loaded here. The rest is loaded when its name is first used: see `lazy.py`.
"""

from typing import TYPE_CHECKING

from autodiff_kit import marks as _marks  # first: whatever it imports from here on is marked

__version__ = "0.1.0"
__autodiff_kit__ = True

# `x as x` and `*` tell type checkers that the names are public.
from autodiff_kit import errors as errors
from autodiff_kit import habits as _habits
from autodiff_kit import lazy as _lazy
from autodiff_kit import nest as nest
from autodiff_kit import ops as ops
from autodiff_kit.convert import constant as constant
from autodiff_kit.convert import convert_to_tensor as convert_to_tensor
from autodiff_kit.convert import is_tensor as is_tensor
from autodiff_kit.dtypes import *
from autodiff_kit.loud import GradientWarning as GradientWarning
from autodiff_kit.ops.arithmetic import *
from autodiff_kit.shapes import TensorShape as TensorShape
from autodiff_kit.tape import GradientTape as GradientTape
from autodiff_kit.tape import UnconnectedGradients as UnconnectedGradients
from autodiff_kit.tensor import Tensor as Tensor
from autodiff_kit.variable import Variable as Variable

if TYPE_CHECKING:
    from autodiff_kit import autodiff as autodiff
    from autodiff_kit import compat as compat
    from autodiff_kit import keras as keras
    from autodiff_kit import linalg as linalg
    from autodiff_kit import math as math
    from autodiff_kit import nn as nn
    from autodiff_kit import random as random
    from autodiff_kit import relax as relax
    from autodiff_kit import testing as test
    from autodiff_kit.control import *
    from autodiff_kit.custom import custom_gradient as custom_gradient
    from autodiff_kit.loops import *
    from autodiff_kit.ops.axes import *
    from autodiff_kit.ops.bands import *
    from autodiff_kit.ops.casting import *
    from autodiff_kit.ops.clipping import *
    from autodiff_kit.ops.comparison import *
    from autodiff_kit.ops.contraction import *
    from autodiff_kit.ops.creation import *
    from autodiff_kit.ops.cumulative import *
    from autodiff_kit.ops.determinants import *
    from autodiff_kit.ops.diagonals import *
    from autodiff_kit.ops.distinct import *
    from autodiff_kit.ops.exponential import *
    from autodiff_kit.ops.extremes import *
    from autodiff_kit.ops.gamma import *
    from autodiff_kit.ops.gathering import *
    from autodiff_kit.ops.grids import *
    from autodiff_kit.ops.guarded import *
    from autodiff_kit.ops.hyperbolic import *
    from autodiff_kit.ops.identity import *
    from autodiff_kit.ops.indexing import *
    from autodiff_kit.ops.joining import *
    from autodiff_kit.ops.largest import *
    from autodiff_kit.ops.masks import *
    from autodiff_kit.ops.matmul import *
    from autodiff_kit.ops.moving import *
    from autodiff_kit.ops.padding import *
    from autodiff_kit.ops.parting import *
    from autodiff_kit.ops.positions import *
    from autodiff_kit.ops.products import *
    from autodiff_kit.ops.reduction import *
    from autodiff_kit.ops.roots import *
    from autodiff_kit.ops.rounding import *
    from autodiff_kit.ops.scattering import *
    from autodiff_kit.ops.select import *
    from autodiff_kit.ops.shape import *
    from autodiff_kit.ops.slicing import *
    from autodiff_kit.ops.solving import *
    from autodiff_kit.ops.sorting import *
    from autodiff_kit.ops.spacing import *
    from autodiff_kit.ops.special import *
    from autodiff_kit.ops.spread import *
    from autodiff_kit.ops.sums import *
    from autodiff_kit.ops.trigonometry import *
    from autodiff_kit.ops.updating import *
    from autodiff_kit.overrides import *
    from autodiff_kit.readers.draw import draw as draw
    from autodiff_kit.readers.explain import explain as explain
    from autodiff_kit.readers.replay import replay as replay
    from autodiff_kit.recompute import *
    from autodiff_kit.registry import *
    from autodiff_kit.second_order import gradients as gradients
    from autodiff_kit.second_order import hessian as hessian
    from autodiff_kit.second_order import hvp as hvp
else:
    __all__, __getattr__, __dir__ = _lazy.names_of(globals())
    globals()["tensor"].__class__ = _habits.NoFunction  # PyTorch's users call it
