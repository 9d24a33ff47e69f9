"""Layer 5: the learner's files as statements, and the ways of values from name to name.

One idea: a name belongs to a function. What is passed goes on in the function that is called, and what
is returned goes on where it was called.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from autodiff_kit.readers.program.built import Given, given_to_objects
from autodiff_kit.readers.program.lines import tree_of
from autodiff_kit.readers.program.reach import CALLED, bound_in
from autodiff_kit.readers.program.spots import called
from autodiff_kit.readers.program.statement import code_of, nodes_read, read_by, receivers_of
from autodiff_kit.readers.program.words import root_of, word

Named = tuple[Any, str]  # a name and the function whose local it is; None for what is everybody's


def text_in(files: set[str]) -> Text:
    """The text of some of the learner's files, as far as it is to be had."""
    return _text_of(tuple([tree for tree in map(tree_of, sorted(files)) if tree]))


@lru_cache(maxsize=8)
def _text_of(trees: tuple[ast.Module, ...]) -> Text:
    return Text(trees)


class Text:
    """The learner's files by statement: what each reads, and in which functions it stands."""

    def __init__(self, trees: tuple[ast.Module, ...]) -> None:
        self.read: dict[ast.stmt, str] = {}
        self.calls: dict[ast.stmt, list[tuple[list[Any], list[str]]]] = {}  # filled when asked for
        self.got: dict[ast.stmt, list[str]] = {}  # as well
        self.inside: dict[ast.stmt, list[Any]] = {}  # the functions around it, the outermost first
        self.within: dict[ast.stmt, list[Any]] = {}  # these, and the loops and branches around it
        self.functions: list[Any] = []
        self.classes: list[ast.ClassDef] = []
        for tree in trees:
            self._enter(tree, [], [])
        self.instances = self._instances()
        self.objects = self._objects()
        self.bound = {function: bound_in(function) for function in self.functions}
        self.built: dict[ast.stmt, list[Given]] = {}
        for statement, given in given_to_objects(self.classes, self._calls(), self.within):
            self.built.setdefault(statement, []).append(given)

    def _enter(self, node: ast.AST, around: list[Any], blocks: list[Any]) -> None:
        if isinstance(node, ast.stmt):
            self.within[node] = blocks
            self.read[node] = " ; ".join(code_of(part) for part in read_by(node))
            self.inside[node] = around
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.functions.append(node)
            around = [*around, node]
        if isinstance(node, ast.ClassDef):
            self.classes.append(node)
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.With, ast.AsyncWith)):
            blocks = [*blocks, node] if hasattr(node, "body") else blocks
        for child in ast.iter_child_nodes(node):
            self._enter(child, around, blocks)

    def without(self, statements: list[ast.stmt]) -> Text:
        """The same text without some statements and what stands in them: they have not run yet."""
        left_out = {one for statement in statements for one in ast.walk(statement)}
        if not left_out:
            return self
        rest = copy.copy(self)
        rest.read = {one: words for one, words in self.read.items() if one not in left_out}
        return rest

    def made_of(
        self,
        names: set[Named],
        but: frozenset[Named] = frozenset(),
        passed: frozenset[Named] = frozenset(),
    ) -> set[Named]:
        """The names, and all those that get what is computed from them, as far as the text tells.

        What comes into a function by a parameter goes out to that caller only, whose own statement
        mentions it; so it does not make everything of what the function returns. No way leads through
        the names in ``but``; those in ``passed`` are parameters that got such a value.
        """
        found = set(names)
        given: set[Named] = set(passed)  # known only to come from a parameter
        size = -1
        while size != len(found) + len(given):
            size = len(found) + len(given)
            for statement in self.read:
                if self.mentions(statement, found):
                    found.update(set(self.receivers(statement)) - but)
                elif self.mentions(statement, given):
                    got = set(self.receivers(statement)) - but
                    found.update(n for n in got if n[0] is None and not n[1].endswith("("))
                    given.update(n for n in got if n[0] is not None)
                else:
                    continue
                given.update(self.parameters(statement, found | given))
            given -= found
        return found | given

    def made_by(self, statement: ast.stmt) -> set[Named]:
        """The names that get what a statement computes, and all that get what is computed from them."""
        return self.made_of(set(self.receivers(statement)))

    def owner(self, statement: ast.stmt, name: str) -> Any:
        """The function whose local a name is; objects are everybody's."""
        root = root_of(name)
        for function in reversed(self.inside.get(statement, [])):
            if root in self.bound[function] and root != "self":
                return function
        return None

    def mentions(self, statement: ast.stmt, names: set[Named], text: str | None = None) -> bool:
        """Whether a statement, or a piece of it, reads one of the names."""
        text = self.read[statement] if text is None else text
        for owner, name in names:
            if name.endswith("("):
                if re.search(rf"(?<!\w){re.escape(name)}", text):
                    return True
            elif _word(name).search(text) and self.owner(statement, name) is owner:
                return True
        return False

    def is_called_unseen(self, name: str) -> bool:
        """Whether a function returned something, and what calls it cannot be seen in the text: it is
        a layer's ``call``, or it is handed on to be called under another name.
        """
        if not name.endswith("("):
            return False
        bare = re.compile(rf"(?<![\w.]){re.escape(name[:-1])}(?![\w(])")
        called = any(self.mentions(statement, {(None, name)}) for statement in self.read)
        return not called or any(map(bare.search, self.read.values()))

    def receivers(self, statement: ast.stmt) -> Iterator[Named]:
        """The names that get what a statement computes."""
        if statement not in self.got:
            self.got[statement] = list(receivers_of(statement))
        for name in self.got[statement]:
            yield self.owner(statement, name), name
            if name.startswith("self."):
                yield from self._outside(statement, name)
        value = getattr(statement, "value", None)
        around = self.inside.get(statement, [])
        if around and (isinstance(statement, ast.Return) or isinstance(value, ast.Yield)):
            yield None, around[-1].name + "("
            if is_property(around[-1]):
                yield None, f"self.{around[-1].name}"
                yield from self._outside(statement, f"self.{around[-1].name}")
            if around[-1].name in CALLED:  # it is called by the names of its objects
                called = [n for n, functions in self.objects.items() if around[-1] in functions]
                yield from ((None, name + "(") for name in called)

    def binders(self, named: Named) -> list[ast.stmt]:
        """The statements that give a name a value, or change what it leads to."""
        return [statement for statement in self.read if named in self.receivers(statement)]

    def _outside(self, statement: ast.stmt, name: str) -> Iterator[Named]:
        """What ``self.x`` of a method is called outside of it: ``batch.x``."""
        methods = self.inside.get(statement, [])
        for kind in (kind for kind in self.classes if any(m in kind.body for m in methods)):
            for maker, object_name in self.instances.get(kind, []):
                yield self.owner(maker, object_name), object_name + name.removeprefix("self")

    def parameters(self, statement: ast.stmt, names: set[Named]) -> Iterator[Named]:
        """The parameters of the functions to which one of the names is passed."""
        for functions, given in self.calls_in(statement):
            if any(self.mentions(statement, names, one) for one in given):
                for function in functions:
                    yield from ((function, a.arg) for a in function.args.args if a.arg != "self")
        for one in self.built.get(statement, ()):
            if self.mentions(statement, names, code_of(one.value)):
                yield one.function, one.parameter

    def _calls(self) -> list[tuple[ast.stmt, ast.Call]]:
        """The calls that may make objects of the learner's classes, with their statements."""
        kinds = [f"{kind.name}(" for kind in self.classes]
        some = [s for s, words in self.read.items() if any(kind in words for kind in kinds)]
        return [(s, node) for s in some for node in nodes_read(s) if isinstance(node, ast.Call)]

    def calls_in(self, statement: ast.stmt) -> list[tuple[list[Any], list[str]]]:
        """The calls in a statement: which functions, and the text of what is passed."""
        if statement not in self.calls:
            self.calls[statement] = [
                (self.called_by(n), [code_of(a) for a in (*n.args, *(k.value for k in n.keywords))])
                for n in nodes_read(statement) if isinstance(n, ast.Call)
            ]  # fmt: skip
        return self.calls[statement]

    def called_by(self, call: ast.Call) -> list[Any]:
        """The functions of that name; if there is none, what an object does when it is called."""
        named = [function for function in self.functions if function.name == called(call)]
        return named or self.objects.get(code_of(call.func), [])

    def _instances(self) -> dict[ast.ClassDef, list[tuple[ast.stmt, str]]]:
        """The names that get an object of each of the learner's classes, and where they do."""
        found: dict[ast.ClassDef, list[tuple[ast.stmt, str]]] = {}
        for statement, words in self.read.items():
            for kind in self.classes:
                if f"{kind.name}(" in words and re.search(rf"(?<![\w.]){kind.name}\(", words):
                    found.setdefault(kind, []).extend(
                        (statement, n) for n in receivers_of(statement)
                    )
        return found

    def _objects(self) -> dict[str, list[Any]]:
        """What each name of an object of the learner's classes calls when it is called."""
        found: dict[str, list[Any]] = {}
        for kind, made in self.instances.items():
            functions = [f for f in self.functions if f in kind.body and f.name in CALLED]
            for _, name in made:
                found.setdefault(name, []).extend(functions)
        return found


def is_property(function: Any) -> bool:
    """Whether a method runs where it is read as an attribute: ``@property``, ``@cached_property``."""
    words = [ast.unparse(one).rpartition(".")[2] for one in function.decorator_list]
    return any(one in ("property", "cached_property") for one in words)


@lru_cache(maxsize=1024)
def _word(name: str) -> re.Pattern[str]:
    """A name in a text; ``parts[*]`` is ``parts`` as a whole, not one part that is named by a key."""
    if name.endswith("[*]"):
        return re.compile(rf"(?<![\w.]){re.escape(name[:-3])}(?!\w|\[['\"\d-])")
    return word(name)
