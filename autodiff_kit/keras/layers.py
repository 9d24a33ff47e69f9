"""Layer 4: `ad.keras.layers`.

One idea: nothing is defined here; each kind of layer has a file of its own.

Source: https://keras.io/api/layers/
"""

from typing import TYPE_CHECKING

from autodiff_kit import lazy

if TYPE_CHECKING:
    from autodiff_kit.keras.activation_layers import LeakyReLU, ReLU, Softmax
    from autodiff_kit.keras.concatenate import Concatenate
    from autodiff_kit.keras.convolutional import Conv1D, Conv2D
    from autodiff_kit.keras.core import Activation, Dropout, Flatten
    from autodiff_kit.keras.dense import Dense
    from autodiff_kit.keras.embedding import Embedding
    from autodiff_kit.keras.global_pooling import (
        GlobalAveragePooling1D,
        GlobalAveragePooling2D,
        GlobalAvgPool1D,
        GlobalAvgPool2D,
        GlobalMaxPool1D,
        GlobalMaxPool2D,
        GlobalMaxPooling1D,
        GlobalMaxPooling2D,
    )
    from autodiff_kit.keras.gru import GRU
    from autodiff_kit.keras.layer import Layer
    from autodiff_kit.keras.layer_normalization import LayerNormalization
    from autodiff_kit.keras.lstm import LSTM
    from autodiff_kit.keras.merging import Add, Average, Maximum, Minimum, Multiply, Subtract
    from autodiff_kit.keras.normalization import BatchNormalization
    from autodiff_kit.keras.pooling import (
        AveragePooling1D,
        AveragePooling2D,
        AvgPool1D,
        AvgPool2D,
        MaxPool1D,
        MaxPool2D,
        MaxPooling1D,
        MaxPooling2D,
    )
    from autodiff_kit.keras.reshaping import Reshape
    from autodiff_kit.keras.simple_rnn import SimpleRNN

    __all__ = [
        "GRU", "LSTM", "Activation", "Add", "Average", "AveragePooling1D", "AveragePooling2D",
        "AvgPool1D", "AvgPool2D", "BatchNormalization", "Concatenate", "Conv1D", "Conv2D", "Dense",
        "Dropout", "Embedding", "Flatten", "GlobalAveragePooling1D", "GlobalAveragePooling2D",
        "GlobalAvgPool1D", "GlobalAvgPool2D", "GlobalMaxPool1D", "GlobalMaxPool2D",
        "GlobalMaxPooling1D", "GlobalMaxPooling2D", "Layer", "LayerNormalization", "LeakyReLU",
        "MaxPool1D", "MaxPool2D", "MaxPooling1D", "MaxPooling2D", "Maximum", "Minimum", "Multiply",
        "ReLU", "Reshape", "SimpleRNN", "Softmax", "Subtract",
    ]  # fmt: skip
else:
    __all__, __getattr__, __dir__ = lazy.names_of(globals())
