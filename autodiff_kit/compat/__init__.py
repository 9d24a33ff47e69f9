"""Layer 6: the spelling of TensorFlow's first version, as far as the experiments use it."""

from autodiff_kit.compat import v1

__all__ = ["v1"]
