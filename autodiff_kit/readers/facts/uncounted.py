"""Layer 5: variables that a layer holds and does not count.

One idea: a layer counts the variables that Keras made for it. A plain variable in an attribute is used,
and gets its gradient; but who trains `model.trainable_variables` leaves it as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import NO_SOURCE
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.holders import inside, theirs
from autodiff_kit.tensor import Tensor

_COUNTS = (
    "a layer counts what self.add_weight or ad.keras.Variable made, in its attributes, in lists and "
    "dicts there, and in the layers that these hold; an ad.Variable is not counted"
)
_LISTS = ("trainable_variables", "trainable_weights", "variables", "weights")


def uncounted_words(case: Case) -> list[str]:
    """A sentence for a source that a layer of the learner's holds, and does not count."""
    if type(case.source) is Tensor or not case.source.trainable:
        return []
    for name, layer in _layers(theirs(case.names.known)):
        if any(variable is case.source for _, variable in held_only(name, layer)):
            return [
                f"`{case.source_name}` is not among `{name}.trainable_variables`: {_COUNTS}. An "
                f"optimizer that gets that list leaves `{case.source_name}` as it is."
            ]
    return []


def nothing_asked(written: str, frame: Any) -> str:
    """What to say of an empty list of sources, from the way it was written."""
    holder, _, listed = written.strip().rpartition(".")
    if listed in _LISTS and is_reference(holder):
        for name, layer in _layers({holder: led_to(holder, frame)}):
            found = [f"`{way}`" for way, _ in held_only(name, layer)]
            if found and not layer.variables:
                return (
                    f"There is no source to explain: `{written.strip()}` is empty, though `{name}` "
                    f"holds {', '.join(found[:5])}: {_COUNTS}. Make them so, or ask for them by name."
                )
    return NO_SOURCE


def held_only(name: str, layer: Any) -> list[tuple[str, Any]]:
    """The variables in what a layer holds that are not its own, each with the way there."""
    own = {id(variable) for variable in layer.variables}
    return [
        (way, part)
        for way, part in inside({name: layer})
        if type(part) is not Tensor and part.trainable and id(part) not in own
    ]


def _layers(known: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Those of the learner's names that lead to a layer."""
    keras = sys.modules.get("autodiff_kit.keras.layer")  # where no layer is used it is not loaded
    for name, value in known.items():
        if keras is not None and isinstance(value, keras.Layer):
            yield name, value
