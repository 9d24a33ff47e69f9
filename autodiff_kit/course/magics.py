"""IPython's own lines in a returned cell: what only shows something, and what runs code of its own.

One idea: IPython makes calls of them before Python sees the cell, so that is where they are looked at:
``%time f()`` runs ``f()``, and a whole ``%config`` can be code, while ``%matplotlib inline`` is none.
"""

from __future__ import annotations

import ast
import keyword
import re

CALLS = {"run_line_magic": 2, "run_cell_magic": 3}  # with how many texts each is called
SHOW = frozenset({"pinfo", "pinfo2", "precision"})  # the first two are a question mark after a name
WORDS = re.compile(r"[\w\s-]*")
OPTIONS = re.compile(r"\s*(?:-[A-Za-z]+\s*\d*\s+)*")
FIRST = re.compile(r"\s*([^\W\d]\w*)\b\s*[^=,\s]")
# Lines without which a cell can be read as Python: %%time in front of an answer, `ad.constant?`.
SHOWN = re.compile(
    r"^[ \t]*(?:%%?(?:matplotlib|config|precision|time|timeit|capture)\b[^\n]*"
    r"|\?\??[ \t]*[\w.]+[ \t]*|[\w.]+\?\??[ \t]*)$",
    re.M,
)
PLOTS = re.compile(r"\s*InlineBackend\.\w+\s*=(.*)", re.DOTALL)


class Magics(ast.NodeTransformer):
    """Takes out the calls that are understood.

    inner: the code in them, as pairs: the magic's name and the text.
    """

    def __init__(self) -> None:
        self.inner: list[tuple[str, str]] = []

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave None in the place of a call that only shows, or whose code is in ``inner``."""
        found = _texts(node)
        code = _code(*found) if found else None
        if code is None:
            return self.generic_visit(node)
        self.inner += [(found[0], text) for text in code]
        return ast.copy_location(ast.Constant(None), node)


def parsed(source: str) -> tuple[ast.Module, list[tuple[str, str]]]:
    """A cell as Python without the lines that are understood, and the code that stood in these.

    >>> tree, inner = parsed("%timeit -n 10 f(x)\\ny = %time g(x)\\nx?")
    >>> inner
    [('timeit', 'f(x)'), ('time', 'g(x)')]

    Raises:
      SyntaxError: this is no Python; then no line of the cell would be run.
    """
    magics = Magics()
    tree: ast.Module = magics.visit(ast.parse(_transformed(source)))
    return tree, magics.inner


def may_be_a_magic(source: str) -> bool:
    """Is this no Python, and does IPython perhaps run it? It does so with a cell of one line.

    >>> [may_be_a_magic(text) for text in ("time f(x)", "ab = = 1", "def f(:", "time f(x)\\nx = 1")]
    [True, False, False, False]
    """
    text = _transformed(source)
    first = FIRST.match(text)
    return bool(first and len(text.splitlines()) == 1 and not keyword.iskeyword(first[1]))


def _transformed(source: str) -> str:
    from IPython.core.inputtransformer2 import TransformerManager

    text: str = TransformerManager().transform_cell(source)  # type: ignore[no-untyped-call]
    return text


def _texts(node: ast.Call) -> list[str]:
    """The name and the texts of a call that IPython has made of a line; nothing of other calls."""
    inside = node.func
    if not isinstance(inside, ast.Attribute) or len(node.args) != CALLS.get(inside.attr):
        return []
    if ast.unparse(inside.value) != "get_ipython()" or node.keywords:
        return []
    values = [one.value for one in node.args if isinstance(one, ast.Constant)]
    texts = [value for value in values if isinstance(value, str)]
    return texts if len(texts) == len(node.args) else []


def _code(name: str, line: str, *body: str) -> list[str] | None:
    """The code that a magic runs; None if that is not known.

    >>> _code("matplotlib", "inline"), _code("capture", "out", "f(x)"), _code("run", "x.py")
    ([], ['f(x)'], None)
    """
    if name in ("time", "timeit"):
        return [OPTIONS.sub("", line, count=1), *body]
    if name in SHOW or (name in ("matplotlib", "capture") and WORDS.fullmatch(line)):
        return [*body]
    if name == "config" and not body and (plots := PLOTS.fullmatch(line)):
        return [f"None, {plots[1]}"]
    return None
