"""Layer 0: what counts as a structure, and whether two structures are built alike.

One idea: a container is looked through, whatever class it has; everything else is a leaf.
"""

from __future__ import annotations

from collections.abc import Mapping, MappingView, Sequence
from typing import Any

from autodiff_kit.operators import CLASSES
from autodiff_kit.shapes import TensorShape

_NESTED = (Sequence, Mapping, MappingView)
_LEAVES = (str, bytes, bytearray, TensorShape)  # sequences, but a single thing to whoever uses them


def is_nested(seq: Any) -> bool:
    """Whether ``seq`` holds leaves and is none: a list, tuple or other sequence, a mapping, or what
    a mapping's ``values()`` gives. Strings and shapes are leaves.

    Source: https://www.tensorflow.org/api_docs/python/tf/nest/is_nested

    >>> from autodiff_kit import nest
    >>> nest.is_nested([1]), nest.is_nested(1)
    (True, False)
    """
    kind = type(seq)
    if kind in CLASSES:
        return False
    if kind is list or kind is tuple or kind is dict:
        return True
    return isinstance(seq, _NESTED) and not isinstance(seq, _LEAVES)


def parts_of(structure: Any) -> list[Any]:
    """What a structure holds, leaves or further structures; a mapping's in the order of its keys."""
    if isinstance(structure, Mapping):
        return [structure[key] for key in sorted_keys(structure)]
    return list(structure)


def sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    """The keys in the one order in which leaves are counted."""
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError(
            f"The keys of a nested dict must be sortable, got {list(mapping)!r}"
        ) from None


def refuse_other(one: Any, other: Any, advice: str = "") -> None:
    """Raise unless two structures have their leaves at the same places, in containers of one kind.

    Args:
      one, other: the structures.
      advice: what to do next, as the end of the message.

    Raises:
      TypeError: for a list where the other structure has a tuple, and the like.
      ValueError: for other lengths or keys, or a leaf where the other structure has none.
    """
    difference = _difference(one, other)
    if difference:
        kind, found = difference
        raise kind(
            f"The two structures don't have the same nested structure: {found}. First structure: "
            f"{one!r}. Second structure: {other!r}{advice}"
        )


def _difference(one: Any, other: Any) -> tuple[type[Exception], str] | None:
    """The kind of error and what is different, or None."""
    kinds = f"where the first has a {_kind(one)}, the second has a {_kind(other)}"
    if not is_nested(one) or not is_nested(other):
        return None if is_nested(one) == is_nested(other) else (ValueError, kinds)
    if not _of_one_kind(one, other):
        return TypeError, kinds
    if isinstance(one, Mapping) and set(one) != set(other):
        return ValueError, f"the first has the keys {list(one)}, the second {list(other)}"
    if len(one) != len(other):
        return ValueError, f"where the first has {len(one)} parts, the second has {len(other)}"
    pairs = zip(parts_of(one), parts_of(other), strict=True)
    return next(filter(None, (_difference(*pair) for pair in pairs)), None)


def _of_one_kind(one: Any, other: Any) -> bool:
    """Whether two containers are of the same type; all mappings are alike, all lists, and tuples whose
    names and fields are the same, as those that a function makes anew in each call.
    """
    alike = (isinstance(one, kind) and isinstance(other, kind) for kind in (Mapping, list))
    named = hasattr(one, "_fields") and _named(one) == _named(other)
    return type(one) is type(other) or any(alike) or named


def _named(part: Any) -> tuple[str, Any]:
    return type(part).__name__, getattr(part, "_fields", None)


def _kind(part: Any) -> str:
    return type(part).__name__ if is_nested(part) else f"single {type(part).__name__}"
