"""Layer 6: `ad.autodiff`, TensorFlow's namespace for forward mode.

Source: https://www.tensorflow.org/api_docs/python/tf/autodiff
"""

from autodiff_kit.forward import ForwardAccumulator
from autodiff_kit.tape import GradientTape

__all__ = ["ForwardAccumulator", "GradientTape"]
