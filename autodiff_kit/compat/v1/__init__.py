"""Layer 6: `ad.compat.v1`, TensorFlow 1's names, for tapes instead of graphs and sessions.

Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1
"""

from autodiff_kit import lazy
from autodiff_kit.compat.v1 import test, train
from autodiff_kit.overrides import Graph, get_default_graph

__all__ = ["Graph", "get_default_graph", "test", "train"]
__dir__ = lazy.shown(globals())
