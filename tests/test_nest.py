"""Structures: what is looked through, what is packed again, and which are alike, as in TensorFlow."""

from __future__ import annotations

import collections
import types
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import autodiff_kit as ad
from autodiff_kit import nest

Pair = collections.namedtuple("Pair", "a b")
Riap = collections.namedtuple("Riap", "b a")


class Triple(tuple[Any, ...]):
    """A tuple that is not made of one list."""

    def __new__(cls, a: Any, b: Any, c: Any) -> Triple:
        return super().__new__(cls, (a, b, c))


class Frozen(Mapping[str, Any]):
    """A mapping that cannot be made of a dict."""

    def __init__(self, **parts: Any) -> None:
        self._parts = parts

    def __getitem__(self, key: str) -> Any:
        return self._parts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


class Named(dict[str, Any]):
    """A dict whose first argument is something else."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class Attributes(dict[str, Any]):
    """A dict whose keys are attributes too."""

    def __init__(self, parts: dict[str, Any]) -> None:
        super().__init__(parts)
        self.__dict__ = self


DEFAULT: Any = collections.defaultdict(list)
DEFAULT.update(b=1, a=2)
NAMED = Named("weights")
NAMED.update(b=1, a=2)

# What TensorFlow 2.21 says: the leaves, and what 0, 10, 20, ... are packed into.
AS_TENSORFLOW = {
    "defaultdict": (DEFAULT, [2, 1], collections.defaultdict(list, b=10, a=0)),
    "values": ({"b": 1, "a": 2}.values(), [1, 2], [0, 10]),
    "keys": ({"b": 1, "a": 2}.keys(), ["b", "a"], [0, 10]),
    "items": ({"b": 1, "a": 2}.items(), ["b", 1, "a", 2], [(0, 10), (20, 30)]),
    "Counter": (collections.Counter(a=1, b=2), [1, 2], collections.Counter(a=0, b=10)),
    "deque": (collections.deque([1, 2]), [1, 2], collections.deque([0, 10])),
    "ChainMap": (
        collections.ChainMap({"a": 1}, {"b": 2}), [1, 2], collections.ChainMap({"b": 10, "a": 0}),
    ),
    "range": (range(3), [0, 1, 2], [0, 10, 20]),
    "UserDict": (collections.UserDict(a=1), [1], collections.UserDict(a=0)),
    "UserList": (collections.UserList([1, 2]), [1, 2], collections.UserList([0, 10])),
    "namedtuple": (Pair(1, 2), [1, 2], Pair(0, 10)),
    "OrderedDict": (
        collections.OrderedDict(b=1, a=2), [2, 1], collections.OrderedDict(b=10, a=0),
    ),
    "set": ({1, 2}, [{1, 2}], 0),
    "str": ("ab", ["ab"], 0),
    "bytes": (b"ab", [b"ab"], 0),
    "shape": (ad.TensorShape([1, 2]), [ad.TensorShape([1, 2])], 0),
    "None": (None, [None], 0),
}  # fmt: skip


@pytest.mark.parametrize("name", AS_TENSORFLOW)
def test_structures_of_other_classes(name: str) -> None:
    structure, leaves, packed = AS_TENSORFLOW[name]
    assert nest.flatten(structure) == leaves
    found = nest.pack_sequence_as(structure, [10 * i for i in range(len(leaves))])
    assert found == packed and type(found) is type(packed)
    assert nest.is_nested(structure) == (leaves != [structure])
    if isinstance(packed, dict):
        assert list(found) == list(packed), "the caller's order of keys"


@pytest.mark.parametrize(
    ("structure", "packed"),
    [
        (types.MappingProxyType({"b": 1, "a": 2}), types.MappingProxyType({"b": 10, "a": 0})),
        (Frozen(b=1, a=2), {"b": 10, "a": 0}),
        (NAMED, {"b": 10, "a": 0}),
        (Attributes({"b": 1, "a": 2}), {"b": 10, "a": 0}),
        (Triple(1, 2, 3), (0, 10, 20)),
    ],
)
def test_whatever_has_leaves_can_be_packed(structure: Any, packed: Any) -> None:
    found = nest.pack_sequence_as(structure, [10 * i for i in range(len(structure))])
    assert found == packed
    if not isinstance(structure, Frozen):
        assert type(found) is type(structure)
    assert getattr(found, "name", "weights") == "weights"
    assert found.a == 0 if isinstance(structure, Attributes) else True
    assert sorted(nest.flatten(structure)) == [1, 2, 3][: len(structure)], "it stays as it was"


@pytest.mark.parametrize("empty", [collections.defaultdict(list), Named("weights"), {}])
def test_the_gradients_of_a_plain_tape_arrive_in_any_dict(empty: Any) -> None:
    x = ad.Variable(3.0)
    empty.update(a=x, b=[x])
    with ad.GradientTape() as tape:
        y = x * x
    found = tape.gradient(y, empty)
    assert [float(found["a"]), float(found["b"][0])] == [6.0, 6.0]
    assert type(found) is type(empty) and empty["a"] is x, "the sources are left alone"


def test_values_of_a_dict_are_sources() -> None:
    weights = {"w": ad.Variable(3.0), "b": ad.Variable(1.0)}
    with ad.GradientTape(persistent=True) as tape:
        y = weights["w"] * weights["w"] + weights["b"]
    for found in (
        tape.gradient(y, weights.values()),
        tape.jacobian(y, weights.values()),
        ad.replay(tape, y, weights.values()).gradients,
    ):
        assert [float(g) for g in found] == [6.0, 1.0]
    told = str(ad.explain(tape, y, weights.values()))
    assert told.count("a gradient flows") == 2 and "weights['b']" in told
    with ad.GradientTape(watch_accessed_variables=False) as other:
        other.watch(weights.values())
        y = weights["w"] * 2.0
    assert float(other.gradient(y, weights["w"])) == 2.0


UNLIKE = [
    ([1, 2], (3, 4), TypeError), ([1, 2], {"a": 3, "b": 4}, TypeError),
    (Pair(1, 2), (3, 4), TypeError), (Pair(1, 2), Riap(3, 4), TypeError),
    ({"a": 1}.values(), [3], TypeError), ([1, [2]], [3, (4,)], TypeError),
    ([1, 2], [3], ValueError), ([1], 3, ValueError), (1, [3], ValueError),
    ({"a": 1}, {"b": 3}, ValueError), ([1, [2]], [[3], 4], ValueError),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "error"), UNLIKE)
def test_structures_that_are_not_alike(one: Any, other: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="don't have the same nested structure"):
        nest.map_structure(lambda a, b: a + b, one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"b": 1, "a": 2}, collections.OrderedDict(a=20, b=10)),
        (DEFAULT, {"a": 20, "b": 10}),
        ([1, 2], Attributes({"x": [10, 20]})["x"]),
        (Pair(1, 2), Pair(10, 20)),
    ],
)
def test_structures_that_are_alike(one: Any, other: Any) -> None:
    assert sorted(nest.flatten(nest.map_structure(lambda a, b: a + b, one, other))) == [11, 22]


def test_no_structure_at_all() -> None:
    with pytest.raises(ValueError, match="at least one structure"):
        nest.map_structure(lambda: 1)


@pytest.mark.parametrize(
    ("primals", "tangents", "error"),
    [
        ("list", "dict", TypeError), ("list", "tuple", TypeError), ("tuple", "list", TypeError),
        ("list", "short", ValueError), ("tuple", "single", ValueError), ("dict", "keys", ValueError),
    ],
)  # fmt: skip
def test_tangents_in_another_structure(primals: str, tangents: str, error: type[Exception]) -> None:
    x, w = ad.Variable(1.0), ad.Variable(2.0)
    one, zero = ad.constant(1.0), ad.constant(0.0)
    given = {"list": [x, w], "tuple": (x, w), "dict": {"x": x, "w": w}}
    along = {
        "list": [one, zero], "tuple": (one, zero), "dict": {"w": zero, "x": one}, "short": [one],
        "single": one, "keys": {"x": one, "y": zero},
    }  # fmt: skip
    with pytest.raises(error, match="Give one tangent for each primal"):
        ad.autodiff.ForwardAccumulator(given[primals], along[tangents])
    with ad.autodiff.ForwardAccumulator(given[primals], along[primals]) as acc:
        y = 10.0 * x + 100.0 * w
    assert float(acc.jvp(y)) == 10.0


def test_a_list_is_no_single_tangent() -> None:
    x = ad.Variable([1.0, 2.0])
    with pytest.raises(ValueError, match="one tangent with ad.constant"):
        ad.autodiff.ForwardAccumulator(x, [1.0, 0.0])


def test_hvp_of_a_namedtuple() -> None:
    point = Pair(ad.Variable([1.0, 2.0]), ad.constant(3.0))

    def f(a: Any, b: Any) -> Any:
        return ad.reduce_sum(a * a) * b

    found = ad.hvp(f, point, Pair([1.0, 0.0], 1.0))
    assert type(found) is Pair
    assert found.a.numpy().tolist() == [8.0, 4.0] and float(found.b) == 2.0
    for wrong, words in ((Riap(1.0, [1.0, 0.0]), "has the fields"), ({"a": 1}, "v is a dict")):
        with pytest.raises(TypeError, match=words):
            ad.hvp(f, point, wrong)
