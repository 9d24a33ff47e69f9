"""Layer 4: `ad.keras`, the part of Keras that the experiments use: layers, losses, optimizers.

Source: https://keras.io/api/
"""

from typing import TYPE_CHECKING

from autodiff_kit import lazy

if TYPE_CHECKING:
    from autodiff_kit.keras import activations as activations
    from autodiff_kit.keras import initializers as initializers
    from autodiff_kit.keras import layers as layers
    from autodiff_kit.keras import losses as losses
    from autodiff_kit.keras import optimizers as optimizers
    from autodiff_kit.keras import utils as utils
    from autodiff_kit.keras.model import Model as Model
    from autodiff_kit.keras.sequential import Sequential as Sequential
    from autodiff_kit.keras.weight import Variable as Variable
else:
    __all__, __getattr__, __dir__ = lazy.names_of(globals())
