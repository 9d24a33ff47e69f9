"""Layer 4: which variables belong to a layer.

One idea: a layer owns what its attributes hold: variables, and layers with variables of their own,
alone or in lists, tuples, sets and dicts. Nothing is written down when an attribute is set; whoever
asks gets what is there now.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from autodiff_kit.dtypes import DType
from autodiff_kit.keras.weight import Variable

if TYPE_CHECKING:
    from autodiff_kit.keras.layer import Layer

# Classes whose instances hold no variable, as those of most attributes. It grows with what is met.
PLAIN: set[type] = {bool, float, int, str, type(None), DType, FunctionType}


def own_variables(layer: Layer) -> list[Variable]:
    """The variables of the layer itself, those that can be trained first, as Keras has them."""
    return _held(layer)[0]


def sublayers(layer: Layer) -> list[Layer]:
    """The layers in a layer's attributes, each once, in the order in which these were set."""
    return _held(layer)[1]


def layers_within(layer: Layer) -> list[Layer]:
    """A layer and all layers inside it, each once, the outer before the inner."""
    return [one for one, _ in _layers_with_variables(layer)]


def all_variables(layer: Layer) -> list[Variable]:
    """The layer's own variables, and then those of the layers inside it; a shared one comes once."""
    found = [v for _, own in _layers_with_variables(layer) for v in own]
    return list({id(variable): variable for variable in found}.values())


def _layers_with_variables(layer: Layer) -> list[tuple[Layer, list[Variable]]]:
    found: dict[int, tuple[Layer, list[Variable]]] = {}
    waiting = [layer]
    while waiting:
        one = waiting.pop()
        if id(one) not in found:
            own, inside = _held(one)
            found[id(one)] = one, own
            waiting += reversed(inside)
    return list(found.values())


def _held(layer: Layer) -> tuple[list[Variable], list[Layer]]:
    """The variables and the layers in a layer's attributes, each once."""
    variables: dict[int, Any] = {}
    layers: dict[int, Any] = {}
    _collect(vars(layer).values(), variables, layers)
    trainable = [v for v in variables.values() if v._trainable]
    return trainable + [v for v in variables.values() if not v._trainable], list(layers.values())


def _collect(values: Iterable[Any], variables: dict[int, Any], layers: dict[int, Any]) -> None:
    for value in values:
        kind = type(value)
        if kind in PLAIN:
            continue
        if kind is Variable or isinstance(value, Variable):
            variables[id(value)] = value
        elif isinstance(value, (list, tuple, set, frozenset)):
            _collect(value, variables, layers)
        elif isinstance(value, dict):
            _collect(value.values(), variables, layers)
        elif hasattr(kind, "trainable_variables"):
            layers[id(value)] = value
        else:
            PLAIN.add(kind)
