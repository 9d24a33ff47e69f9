"""Layer 4: `ad.nn`, the names of TensorFlow's module for neural networks.

One idea: nothing is defined here; the operations stand in their families.
"""

from autodiff_kit.ops.activation import relu

__all__ = ["relu"]
