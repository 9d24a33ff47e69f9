"""Layer 0: nested lists, tuples and dicts, taken apart and put together again.

One idea: a structure is its leaves in a fixed order plus a shape that can be filled with others.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from autodiff_kit import lazy
from autodiff_kit.operators import CLASSES
from autodiff_kit.structures import is_nested, parts_of, refuse_other, sorted_keys

__all__ = ["flatten", "is_nested", "map_structure", "pack_sequence_as"]
__dir__ = lazy.shown(globals())


def flatten(structure: Any) -> list[Any]:
    """The leaves of a nested structure; those of a dict in the order of its sorted keys.

    Args:
      structure: nested lists, tuples and dicts, or a single leaf.

    Returns:
      The list of leaves.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/flatten

    >>> from autodiff_kit import nest
    >>> nest.flatten({"b": [1, (2,)], "a": 3})
    [3, 1, 2]
    """
    if type(structure) in CLASSES:
        return [structure]
    # Nearly always it is a list of tensors and variables, and the rest is for the others.
    if type(structure) is list and CLASSES.issuperset(map(type, structure)):
        return structure.copy()
    if not is_nested(structure):
        return [structure]
    leaves: list[Any] = []
    for part in structure if type(structure) is list else parts_of(structure):
        if is_nested(part):
            leaves += flatten(part)
        else:
            leaves.append(part)
    return leaves


def pack_sequence_as(structure: Any, flat_sequence: list[Any]) -> Any:
    """Put leaves into the shape of ``structure``; a dict keeps the caller's order of keys.

    Args:
      structure: the nested structure to imitate.
      flat_sequence: as many leaves as ``flatten(structure)`` has.

    Returns:
      A structure of the same kind that holds the new leaves; where none can be made, as for
      ``dict.values()``, a list or a dict.

    Raises:
      ValueError: if the number of leaves differs.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/pack_sequence_as

    >>> from autodiff_kit import nest
    >>> nest.pack_sequence_as({"b": [1, (2,)], "a": 3}, [10, 20, 30])
    {'b': [20, (30,)], 'a': 10}
    """
    if type(structure) in CLASSES and len(flat_sequence) == 1:
        return flat_sequence[0]
    flat = type(structure) is list and CLASSES.issuperset(map(type, structure))
    expected = len(structure) if flat else len(flatten(structure))
    if expected != len(flat_sequence):
        raise ValueError(
            f"The structure has {expected} leaves, but flat_sequence has {len(flat_sequence)}."
        )
    return list(flat_sequence) if flat else _pack(structure, iter(flat_sequence))


def map_structure(func: Callable[..., Any], *structure: Any) -> Any:
    """Apply ``func`` to the leaves of one or more structures of the same shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/map_structure

    >>> from autodiff_kit import nest
    >>> nest.map_structure(lambda a, b: a + b, [1, (2,)], [10, (20,)])
    [11, (22,)]
    """
    if not structure:
        raise ValueError(
            "map_structure needs at least one structure: map_structure(func, structure)"
        )
    for other in structure[1:]:
        refuse_other(structure[0], other)
    leaves = [flatten(one) for one in structure]
    return pack_sequence_as(structure[0], [func(*each) for each in zip(*leaves, strict=True)])


def _pack(structure: Any, leaves: Iterator[Any]) -> Any:
    if not is_nested(structure):
        return next(leaves)
    if isinstance(structure, Mapping):
        packed = {key: _pack(structure[key], leaves) for key in sorted_keys(structure)}
        return _mapping_like(structure, {key: packed[key] for key in structure})
    return with_parts(structure, [_pack(part, leaves) for part in structure])


def with_parts(structure: Any, parts: list[Any]) -> Any:
    """A list, a tuple or another sequence of the same class as ``structure``, with these parts."""
    kind = type(structure)
    if kind is list or kind is tuple:
        return parts if kind is list else tuple(parts)
    # Not by a tuple's own __new__: that of a namedtuple takes its fields one by one.
    return _made(partial(tuple.__new__, kind) if issubclass(kind, tuple) else kind, parts)


def _mapping_like(structure: Mapping[Any, Any], packed: dict[Any, Any]) -> Any:
    if type(structure) is dict:
        return packed
    again = _made(type(structure), packed)
    if again is not packed and set(again) == set(packed):
        return again
    # A defaultdict is made of its default, other classes of whatever their authors liked.
    return _made(partial(_with, structure), packed) if isinstance(structure, dict) else packed


def _with(structure: dict[Any, Any], packed: dict[Any, Any]) -> Any:
    again = copy.copy(structure)
    dict.update(again, packed)
    return again


def _made(make: Callable[[Any], Any], parts: Any) -> Any:
    """A container of the learner's; the plain one if it cannot be made of that.

    When gradients are packed, the tape has been used: nothing may go wrong any more.
    """
    try:
        return make(parts)
    except Exception:
        return parts
