"""What in a cell could deceive a check: Python that reaches behind the names it was given.

One idea: code that runs in one process with its check can deceive it, but not without a few things
that no answer needs. Where one of them is seen, the notebook is graded once more without that cell.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Iterator
from typing import Any

import numpy as np

from autodiff_kit.course import magics

MODULES = frozenset(
    "autodiff_kit numpy matplotlib math cmath random statistics fractions decimal itertools "
    "functools collections dataclasses typing types enum copy time warnings weakref abc numbers "
    "string re pprint textwrap contextlib IPython.display __future__".split()
)
NAMES = frozenset(
    "eval exec compile globals locals vars open getattr setattr delattr get_ipython breakpoint".split()
)
ATTRIBUTES = NAMES | frozenset(
    "os sys inspect importlib ctypes ctypeslib gc subprocess builtins socket threading signal "
    "multiprocessing shutil pathlib tempfile runpy pickle marshal operator imp "
    "exercises EXERCISES verdict instructor course readers cli lazy "
    "import_module find_spec attrgetter methodcaller bltns ForwardRef evaluate_forward_ref "
    "sphinxext distutils "
    "tb_frame f_globals f_locals f_back f_builtins gi_frame cr_frame ag_frame gi_code "
    "update_wrapper wraps singledispatch singledispatchmethod get_type_hints global_enum Formatter "
    "as_strided memmap fromfile tofile loadtxt genfromtxt load savetxt runstring measure rundocs f2py "
    "InteractiveShell FunctionType LambdaType CodeType CellType".split()
) - {"compile"}  # re.compile
SPECIAL = frozenset(
    f"__{name}__"
    for name in "init call repr str name doc version add radd sub rsub mul rmul truediv rtruediv pow "
    "rpow neg pos abs matmul rmatmul getitem setitem len iter next contains enter exit "
    "post_init future lt le gt ge int float".split()
)
KEPT = frozenset({"trainable", "learning_rate"})  # what an attribute is honestly set to
DUNDER = re.compile(r"^__\w+__$")
INSTALLS = re.compile(r"^([ \t]*)(?:![^\n]*|%(?:pip|conda|system|sx)\b[^\n]*)$", re.M)


def runnable(source: str) -> str:
    """A cell without its shell commands: what they would install is there.

    >>> runnable("!pip install autodiff_kit\\nimport math")
    'pass\\nimport math'
    """
    return INSTALLS.sub(r"\1pass", source)


def doubts(source: str) -> list[str]:
    """What could deceive a check, as words for whoever looks at it; nothing in most cells.

    >>> doubts("y = x ** 2"), doubts("import numpy as np\\nnp.allclose = print")
    ([], ['np.allclose = …'])
    >>> doubts("f.__globals__"), doubts("from os import fork")
    (['f.__globals__'], ['os.fork'])
    """
    try:
        return sorted(_seen(source))
    except (RecursionError, MemoryError):
        return ["a cell too deep to be read"]
    except SyntaxError:  # nor can it run
        return ["a line for IPython"] if magics.may_be_a_magic(source) else []
    except ValueError:  # half a character: the kernel may be sent another one in its place
        return ["a cell that cannot be read"]


def _seen(source: str) -> set[str]:
    tree, inner = magics.parsed(source)
    table = symtable.symtable(ast.unparse(tree), "cell", "exec")
    builtin = NAMES & set(_from_outside(tree, table))
    found = {word for node in ast.walk(tree) for word in _words(node, builtin)}
    for name, text in inner:
        try:
            found |= _seen(text)
        except SyntaxError:  # the cell around it does run
            found.add(f"%{name}")
    return found


def _from_outside(tree: ast.Module, table: symtable.SymbolTable) -> Iterator[str]:
    """Names that a cell uses and has not given itself: ``vars = [v, w]`` makes ``vars`` its own."""
    own: set[str] = set()
    deleted = {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)
    }
    for statement in tree.body:
        names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
        yield from ({n.id for n in names if isinstance(n.ctx, ast.Load)} - own) & _free(table)
        if isinstance(statement, ast.Assign):
            own |= {t.id for t in statement.targets if isinstance(t, ast.Name)} - deleted


def _free(table: symtable.SymbolTable) -> set[str]:
    """Names that some scope looks for outside of its functions."""
    open_ended = table.get_type() in ("module", "class")  # there a name may be one or the other
    found = {s.get_name() for s in table.get_symbols() if s.is_global() or open_ended}
    return found.union(*map(_free, table.get_children()))


def _words(node: ast.AST, builtin: frozenset[str]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if not _known(alias.name))
    elif isinstance(node, ast.ImportFrom):
        module = node.module or ""
        for alias in node.names:
            if (module, alias.name) not in _CHECKS and not _harmless(module, alias.name):
                yield f"{module}.{alias.name}"
    elif isinstance(node, ast.Name):
        gone = isinstance(node.ctx, ast.Del) and node.id in NAMES
        if node.id in builtin or _hidden(node.id) or gone:
            yield node.id
    elif isinstance(node, ast.ExceptHandler) and node.name in NAMES:
        yield node.name
    elif isinstance(node, ast.Attribute):
        yield from _attribute(node)
    elif isinstance(node, ast.MatchClass):  # `case object(name=x)` reads an attribute, too
        for name in node.kwd_attrs:
            yield from _attribute(ast.Attribute(node.cls, name, ast.Load()))
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _hidden(node.name):
        yield f"def {node.name}"
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if _hidden(node.value):
            yield repr(node.value)


_CHECKS = {("autodiff_kit.exercises", "check"), ("autodiff_kit.exercises", "score")}


def _known(module: str) -> bool:
    parts = module.split(".")
    known = parts[0] in MODULES or ".".join(parts[:2]) in MODULES
    return known and not any(part in ATTRIBUTES or part[:1] == "_" for part in parts[1:])


def _harmless(module: str, name: str) -> bool:
    return (module == "__future__" or _known(module)) and name not in ATTRIBUTES and name[:1] != "_"


def _hidden(name: str) -> bool:
    return bool(DUNDER.match(name)) and name not in SPECIAL


def _attribute(node: ast.Attribute) -> Iterator[str]:
    name, owner = node.attr, getattr(node.value, "id", "(…)")
    inner = name.strip("_")
    private = name[0] == "_" and not DUNDER.match(name) and (owner != "self" or inner in ATTRIBUTES)
    if name in ATTRIBUTES or _hidden(name) or private:
        yield f"{owner}.{name}"
    elif isinstance(node.ctx, (ast.Store, ast.Del)) and name not in KEPT:
        if owner != "self" or _of_a_module(name):
            yield f"{owner}.{name} = …"


def _of_a_module(name: str) -> bool:
    import autodiff_kit

    modules: tuple[Any, ...] = (np, autodiff_kit, builtins)
    return any(hasattr(module, name) for module in modules)
