"""Layer 4: `ad.keras`, the part of Keras that the experiments use: layers, losses, optimizers.

Source: https://keras.io/api/
"""

from autodiff_kit.keras import optimizers

__all__ = ["optimizers"]
