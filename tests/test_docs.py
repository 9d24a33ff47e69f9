"""Every public name is explained: a sentence, an example that runs, and where TensorFlow has it.

Operations are made by factories, so pytest's own search for doctests does not find all of them.
"""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from _pytest.doctest import _get_checker, _get_number_flag

import autodiff_kit as ad
from autodiff_kit.opdef import all_operations
from public_names import members

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public(owner: Any, prefix: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """Every function and class that a learner can reach from `ad`, with the shortest name."""
    modules = []
    for name in sorted(getattr(owner, "__all__", None) or vars(owner)):
        if name.startswith("_"):
            continue
        thing = getattr(owner, name)
        if isinstance(thing, ModuleType):
            modules.append((name, thing))
        elif (
            (inspect.isclass(thing) or callable(thing)) and is_ours(thing) and id(thing) not in seen
        ):
            seen.add(id(thing))
            yield f"{prefix}.{name}", thing
    for name, module in modules:
        ours = module.__name__.startswith("autodiff_kit") and id(module) not in seen
        if ours and (prefix != "ad" or name in NAMESPACES):
            seen.add(id(module))
            yield from public(module, f"{prefix}.{name}", seen)


NAMESPACES = {
    "autodiff", "compat", "errors", "keras", "linalg", "math", "nest", "nn", "random", "relax", "test",
}  # fmt: skip


def is_ours(thing: Any) -> bool:
    module = getattr(thing, "__module__", None) or ""
    return module.startswith("autodiff_kit")


PUBLIC = dict(public(ad, "ad", set()))
CLASSES = {name: thing for name, thing in PUBLIC.items() if inspect.isclass(thing)}
FUNCTIONS = {name: thing for name, thing in PUBLIC.items() if not inspect.isclass(thing)}


def methods() -> dict[str, Any]:
    """The public methods and properties of a public class that no other public class has."""
    found = {}
    for class_name, one in CLASSES.items():
        for name, member in members(one).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                found[f"{class_name}.{name}"] = member
    return found


METHODS = methods()


def documentation(thing: Any) -> str:
    return inspect.getdoc(thing) or ""


def examples(name: str, thing: Any) -> doctest.DocTest:
    return doctest.DocTestParser().get_doctest(
        documentation(thing), {"__name__": "__main__"}, name, None, 0
    )


def run(name: str, thing: Any) -> None:
    """With pytest's checker, which compares numbers to the digits that are written."""
    test = examples(name, thing)
    said: list[str] = []
    runner = doctest.DocTestRunner(_get_checker(), False, OPTIONS | _get_number_flag())
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_the_search_finds_what_there_is() -> None:
    assert len(PUBLIC) > 200 and len(METHODS) > 40
    for name in ("ad.sin", "ad.GradientTape", "ad.nn.relu", "ad.keras.layers.Dense", "ad.explain"):
        assert name in PUBLIC
    assert "ad.GradientTape.watch" in METHODS


@pytest.fixture
def fresh_registry() -> Iterator[None]:
    """An example may have run before in this process, and a name can be registered only once."""
    registered = ad.NotDifferentiable.__globals__["GRADIENTS"]  # whichever import of it is in use
    before = dict(registered)
    for name in [name for name in registered if name not in all_operations()]:
        del registered[name]
    yield
    registered.clear()
    registered.update(before)


@pytest.mark.parametrize("name", PUBLIC)
def test_explained_with_an_example_that_runs(name: str, fresh_registry: None) -> None:
    thing = PUBLIC[name]
    text = documentation(thing)
    assert re.match(r"[-A-Z`'0-9\[].*?[.:]", text, re.DOTALL), f"{name}: begins with a sentence"
    assert examples(name, thing).examples, f"{name}: has an example"
    run(name, thing)


NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?:e[-+]?\d+)?")
ALL_DIGITS = 6  # from so many digits on the last ones, and the width of a column, differ by machine


@pytest.mark.parametrize("name", [*PUBLIC, *METHODS])
def test_an_example_prints_what_every_processor_computes(name: str) -> None:
    """What is exact in a few binary digits (0.1533203125) may be printed in full."""
    shown = "".join(one.want for one in examples(name, {**PUBLIC, **METHODS}[name]).examples)
    for number in NUMBER.findall(shown):
        digits = number.partition("e")[0].replace(".", "").strip("0")
        exact = (float(number) * 2**24).is_integer()
        assert len(digits) < ALL_DIGITS or exact, f"{name} prints {number}: show fewer digits"


@pytest.mark.parametrize("name", [name for name in METHODS if documentation(METHODS[name])])
def test_the_examples_of_methods_run(name: str) -> None:
    run(name, METHODS[name])


@pytest.mark.parametrize("name", METHODS)
def test_methods_say_what_they_do(name: str) -> None:
    assert len(documentation(METHODS[name])) > 10, name


# The kit's own, which TensorFlow has not.
OWN = {"ad.explain", "ad.draw", "ad.replay", "ad.GradientWarning", "ad.test.max_error"}
TENSORFLOWS = [name for name in PUBLIC if name not in OWN and not name.startswith("ad.relax.")]


@pytest.mark.parametrize("name", TENSORFLOWS)
def test_the_source_is_named(name: str) -> None:
    text = documentation(PUBLIC[name])
    assert "Source: " in text, f"{name}: add a line `Source: https://...`"
