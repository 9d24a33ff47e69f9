"""Write autodiff_kit/index.py, which says where each name of the kit is defined.

    python tools/write_index.py

One idea: nobody keeps such a list by hand. The public names are what the namespaces import for type
checkers, ``if TYPE_CHECKING``, and the operations are those that the families define.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "autodiff_kit"
TARGET = PACKAGE / "index.py"
HEAD = '''"""Layer 0: where each name of the kit is defined. Written by tools/write_index.py.

One idea: who wants to load a name only when it is used has to know where it is without looking.
A name that is called something else there is ``name=there``; ``name=`` is the module as a whole.
"""

'''


def files() -> dict[str, Path]:
    """The kit's modules by their full names."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def tree(path: Path) -> ast.Module:
    """A file as Python reads it."""
    return ast.parse(path.read_text(encoding="utf-8"))


def is_lazy(module: ast.Module) -> bool:
    """Whether a module loads its names when they are used."""
    return any(
        isinstance(node, ast.Attribute) and node.attr == "names_of" for node in ast.walk(module)
    )


def listed(module: ast.Module) -> list[str]:
    """What a module has in its ``__all__``."""
    for node in module.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if ast.unparse(target) == "__all__":
                return list(ast.literal_eval(node.value))
    return []


def names(module: ast.Module, known: dict[str, Path]) -> dict[str, list[str]]:
    """The public names of a namespace, by the module that defines them."""
    found: dict[str, tuple[str, str]] = {}
    for home, alias in public_imports(module):
        name, below = alias.asname or alias.name, f"{home}.{alias.name}"
        if alias.name == "*":
            found.update({one: (home, one) for one in listed(tree(known[home]))})
        elif below in known:
            found[name] = (below, f"{name}=")
        else:
            found[name] = (home, name if name == alias.name else f"{name}={alias.name}")
    return by_module(found.values())


def public_imports(module: ast.Module) -> Iterator[tuple[str, ast.alias]]:
    """What a namespace imports for type checkers, and at once as ``x as x`` or ``*``."""
    for node in module.body:
        for one in node.body if isinstance(node, ast.If) else [node]:
            if isinstance(one, ast.ImportFrom) and str(one.module).startswith("autodiff_kit"):
                for alias in one.names:
                    shown = node is not one or alias.asname or alias.name == "*"
                    if shown and not str(alias.asname).startswith("_"):
                        yield str(one.module), alias


def by_module(entries: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Pairs of a module and an entry, gathered and sorted."""
    found: dict[str, list[str]] = {}
    for home, entry in sorted(set(entries)):
        found.setdefault(home, []).append(entry)
    return found


def operations(known: dict[str, Path]) -> dict[str, list[str]]:
    """What the families put into `xp`: the second word of each definition, or `xp.name = ...`."""
    entries = set()
    for name, path in known.items():
        for node in ast.walk(tree(path)) if may_define(name) else ():
            if isinstance(node, ast.Call) and is_definition(node):
                entries.add((name, ast.literal_eval(node.args[1])))
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("xp."):
                entries.add((name, ast.unparse(node.targets[0]).removeprefix("xp.")))
    return by_module(entries)


def may_define(name: str) -> bool:
    """Families are in `ops`; a few operations stand beside what uses them, outside of any package."""
    return name.startswith("autodiff_kit.ops.") or name.count(".") == 1


def is_definition(call: ast.Call) -> bool:
    """Whether this is `unary("Sin", "sin", ...)` or the like: a type, then a name."""
    words = [ast.literal_eval(a) for a in call.args[:2] if isinstance(a, ast.Constant)]
    if len(words) < 2 or not all(isinstance(word, str) and word.isidentifier() for word in words):
        return False
    return isinstance(call.func, ast.Name) and words[0][0].isupper() and words[1].islower()


def table(rows: dict[str, list[str]], indent: str) -> str:
    """One entry for each module, its names in as many lines as it takes."""
    lines = []
    for module, entries in rows.items():
        text = " ".join(entries)
        if len(one := f'{indent}"{module}": "{text}",') <= 100:
            lines.append(one)
            continue
        parts = textwrap.wrap(text, 99 - len(indent) - 8, break_on_hyphens=False)
        quoted = [f'{indent}    "{part} "' for part in parts]
        quoted[-1] = f'{indent}    "{parts[-1]}"'
        lines += [f'{indent}"{module}": (', *quoted, f"{indent}),"]
    return "\n".join(lines)


def text() -> str:
    """The whole file."""
    known = files()
    trees = {name: tree(path) for name, path in known.items()}
    spaces = {name: names(trees[name], known) for name in known if is_lazy(trees[name])}
    parts = [f'    "{name}": {{\n{table(rows, " " * 8)}\n    }},' for name, rows in spaces.items()]
    return (
        f"{HEAD}NAMES = {{\n" + "\n".join(parts) + "\n}\n\n"
        "# What a rule finds in `xp`, and which family defines it.\n"
        f"OPERATIONS = {{\n{table(operations(known), ' ' * 4)}\n}}\n"
    )


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
