"""Layer 6: `ad.compat.v1`, for programs that ask the default graph for its `gradient_override_map`."""

from autodiff_kit.overrides import Graph, get_default_graph

__all__ = ["Graph", "get_default_graph"]
