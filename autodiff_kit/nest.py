"""Layer 0: nested lists, tuples and dicts, taken apart and put together again.

One idea: a structure is its leaves in a fixed order plus a shape that can be filled with others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from autodiff_kit.operators import CLASSES

__all__ = ["flatten", "is_nested", "map_structure", "pack_sequence_as"]


def is_nested(seq: Any) -> bool:
    """Whether ``seq`` is a list, a tuple or a mapping rather than a leaf.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/is_nested

    >>> from autodiff_kit import nest
    >>> nest.is_nested([1]), nest.is_nested(1)
    (True, False)
    """
    if isinstance(seq, (list, tuple, dict)):
        return True
    # To ask an abstract class takes long, so what has no keys is not asked.
    return hasattr(seq, "keys") and isinstance(seq, Mapping)


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
    # A list of tensors and variables, as nearly always; the rest is for the others.
    if type(structure) is list and CLASSES.issuperset(map(type, structure)):
        return structure.copy()
    if not is_nested(structure):
        return [structure]
    leaves: list[Any] = []
    for part in structure if type(structure) is list else _parts(structure):
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
      A structure of the same kind that holds the new leaves.

    Raises:
      ValueError: if the number of leaves differs.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/pack_sequence_as

    >>> from autodiff_kit import nest
    >>> nest.pack_sequence_as({"b": [1, (2,)], "a": 3}, [10, 20, 30])
    {'b': [20, (30,)], 'a': 10}
    """
    if type(structure) in CLASSES and len(flat_sequence) == 1:
        return flat_sequence[0]
    if type(structure) is list and CLASSES.issuperset(map(type, structure)):
        if len(structure) == len(flat_sequence):
            return list(flat_sequence)
    expected = len(flatten(structure))
    if expected != len(flat_sequence):
        raise ValueError(
            f"The structure has {expected} leaves, but flat_sequence has {len(flat_sequence)}."
        )
    return _pack(structure, iter(flat_sequence))


def map_structure(func: Callable[..., Any], *structure: Any) -> Any:
    """Apply ``func`` to the leaves of one or more structures of the same shape.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/map_structure

    >>> from autodiff_kit import nest
    >>> nest.map_structure(lambda a, b: a + b, [1, (2,)], [10, (20,)])
    [11, (22,)]
    """
    for other in structure[1:]:
        if not _alike(structure[0], other):
            raise ValueError(
                "The two structures don't have the same nested structure: "
                f"{structure[0]!r} and {other!r}"
            )
    leaves = [flatten(one) for one in structure]
    return pack_sequence_as(structure[0], [func(*each) for each in zip(*leaves, strict=True)])


def _alike(one: Any, other: Any) -> bool:
    """Whether two structures have their leaves at the same places."""
    if not is_nested(one) or not is_nested(other):
        return is_nested(one) == is_nested(other)
    if isinstance(one, Mapping) != isinstance(other, Mapping) or len(one) != len(other):
        return False
    if isinstance(one, Mapping) and set(one) != set(other):
        return False
    return all(map(_alike, _parts(one), _parts(other)))


def _parts(structure: Any) -> list[Any]:
    if isinstance(structure, Mapping):
        return [structure[key] for key in _sorted(structure)]
    return list(structure)


def _sorted(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError(
            f"The keys of a nested dict must be sortable, got {list(mapping)!r}"
        ) from None


def _pack(structure: Any, leaves: Iterator[Any]) -> Any:
    if not is_nested(structure):
        return next(leaves)
    if isinstance(structure, Mapping):
        packed = {key: _pack(structure[key], leaves) for key in _sorted(structure)}
        ordered = {key: packed[key] for key in structure}
        return ordered if type(structure) is dict else type(structure)(ordered)  # type: ignore[call-arg]
    parts = [_pack(part, leaves) for part in structure]
    if hasattr(structure, "_fields"):  # a namedtuple takes its fields one by one
        return type(structure)(*parts)
    return type(structure)(parts)
