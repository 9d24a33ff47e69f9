"""Layer 6: `ad.compat.v1.test`, TensorFlow 1's gradient checker.

Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/test
"""

from autodiff_kit.testing import compute_gradient_error
from autodiff_kit.testing import compute_gradient_v1 as compute_gradient

__all__ = ["compute_gradient", "compute_gradient_error"]
