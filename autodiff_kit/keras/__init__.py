"""Layer 4: `ad.keras`, the part of Keras that the experiments use: layers, losses, optimizers.

Source: https://keras.io/api/
"""

from autodiff_kit.keras import activations, initializers, layers, losses, optimizers
from autodiff_kit.keras.sequential import Sequential

__all__ = ["Sequential", "activations", "initializers", "layers", "losses", "optimizers"]
