"""Layer 6: `ad.math`, TensorFlow's second name for the operations on numbers, and the only one of some."""

from autodiff_kit.ops.exponential import log as log
