"""Layer 5: what becomes of a number that left the tensors.

One idea: follow it through the names of the learner's own text, each in the function that it belongs
to. A number that is only printed or kept in a history goes nowhere.
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

Named = tuple[Any, str]  # a name and the function whose local it is; None for what is everybody's


def carried(begin: ast.stmt | None, ends: list[ast.stmt | None], files: set[str]) -> bool:
    """Whether a value that one statement of the learner's computes may come to one of others."""
    if begin is None:
        return True  # there is no text to tell otherwise
    if begin in ends and not _goes_nowhere(begin):
        return True
    text = text_in(files)
    names = text.made_of(set(text.receivers(begin)))
    if any(text.is_called_unseen(name) for _, name in names):
        return True
    return any(text.mentions(end, names) for end in ends if end in text.read)


def text_in(files: set[str]) -> Text:
    """The text of some of the learner's files, as far as it is to be had."""
    return _text_of(tuple([tree for tree in map(tree_of, sorted(files)) if tree]))


@lru_cache(maxsize=8)
def _text_of(trees: tuple[ast.Module, ...]) -> Text:
    return Text(trees)


def _goes_nowhere(statement: ast.stmt) -> bool:
    """Whether a statement keeps nothing: ``print(float(loss))``."""
    call = getattr(statement, "value", None)
    plain = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    return isinstance(statement, ast.Expr) and plain


def read_by(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are computed; not the statements inside it."""
    for field, value in ast.iter_fields(statement):
        if field not in ("targets", "target", "body", "orelse", "finalbody", "handlers", "cases"):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield part


def nodes_read(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of what a statement computes."""
    for part in read_by(statement):
        yield from ast.walk(part)


def code_of(part: ast.AST) -> str:
    """A piece of a program without what its strings say; a key is a part of a name and stays."""
    nodes = ast.walk(part)
    if any(isinstance(node, ast.Constant) and isinstance(node.value, str) for node in nodes):
        part = ast.fix_missing_locations(_Silent().visit(copy.deepcopy(part)))
    return ast.unparse(part)


class _Silent(ast.NodeTransformer):
    """``Variable(2.0, name="w")`` does not read ``w``, and ``print("w is", v)`` does not either."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        node.value = self.visit(node.value)
        if not isinstance(node.slice, ast.Constant):
            node.slice = self.visit(node.slice)
        return node


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
        self.objects = self._objects()
        self.instances = self._instances()
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

    def owner(self, statement: ast.stmt, name: str) -> Any:
        """The function whose local a name is; objects are everybody's."""
        root = re.split(r"\W", name)[0]
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
            self.got[statement] = list(_receivers(statement))
        for name in self.got[statement]:
            yield self.owner(statement, name), name
            if name.startswith("self."):
                yield from self._outside(statement, name)
        value = getattr(statement, "value", None)
        around = self.inside.get(statement, [])
        if around and (isinstance(statement, ast.Return) or isinstance(value, ast.Yield)):
            yield None, around[-1].name + "("
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
                    found.setdefault(kind, []).extend((statement, n) for n in _receivers(statement))
        return found

    def _objects(self) -> dict[str, list[Any]]:
        """What each name of an object of the learner's classes calls when it is called."""
        calls = {kind: [f for f in self.functions if f in kind.body and f.name in CALLED]
                 for kind in self.classes}  # fmt: skip
        found: dict[str, list[Any]] = {}
        for statement, words in self.read.items():
            for kind, functions in calls.items():
                if functions and re.search(rf"(?<![\w.]){kind.name}\(", words):
                    for name in _receivers(statement):
                        found.setdefault(name, []).extend(functions)
        return found


@lru_cache(maxsize=1024)
def _word(name: str) -> re.Pattern[str]:
    """A name in a text; ``parts[*]`` is ``parts`` as a whole, not one part that is named by a key."""
    if name.endswith("[*]"):
        return re.compile(rf"(?<![\w.]){re.escape(name[:-3])}(?!\w|\[['\"\d-])")
    return re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")


def _receivers(statement: ast.stmt) -> Iterator[str]:
    for target in (*getattr(statement, "targets", ()), getattr(statement, "target", None)):
        if target is not None:
            yield from _roots(target)
    for node in nodes_read(statement):
        if isinstance(node, ast.NamedExpr):
            yield node.target.id
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Expr) and isinstance(value, ast.Call):
        if isinstance(value.func, ast.Attribute):  # parts.append(...)
            yield ast.unparse(value.func.value)


def _roots(target: Any) -> Iterator[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _roots(part)
    elif isinstance(target, (ast.Subscript, ast.Starred)):
        yield from _roots(target.value)
    elif isinstance(target, (ast.Name, ast.Attribute)):
        yield ast.unparse(target)
