"""Each file of the kit imports only from layers below or beside it, and says which layer it is in.

| layer | files |
|---|---|
| 0 | values: tensors, dtypes, shapes, nesting, printing |
| 1 | operations, and how a family defines its own |
| 2 | tapes, variables, gradients of the learner's own |
| 3 | the operations by family, random numbers among them |
| 4 | what is built from operations: keras, testing, forward mode, relaxations |
| 5 | readers of a tape, and models for teaching |
| 6 | TensorFlow's other names for all that |
"""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import autodiff_kit
from autodiff_kit import index, tensor

PACKAGE = Path(autodiff_kit.__file__).parent
OUTSIDE = {"teaching", "exercises", "cli", "course", "instructor"}  # use the kit as a learner does
FILES = {
    ".".join(("autodiff_kit", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
LAYERED = [
    name
    for name in FILES
    if name != "autodiff_kit" and name.split(".")[1] not in OUTSIDE and "__main__" not in name
]


def tree(name: str) -> ast.Module:
    return ast.parse(FILES[name].read_text(encoding="utf-8"))


def layer(name: str) -> int:
    """The layer that the file says it is in."""
    found = re.match(r"Layer (\d)[:.]", ast.get_docstring(tree(name)) or "")
    assert found, f"{name}: the module's docstring begins with its layer"
    return int(found[1])


def for_typing_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def statements(node: ast.AST, at_import: bool) -> Iterator[ast.AST]:
    """The nodes of a tree; only those that run when the file is imported, if so wanted."""
    for child in ast.iter_child_nodes(node):
        if for_typing_only(child):
            continue
        if at_import and isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        yield child
        yield from statements(child, at_import)


def imports(name: str, at_import: bool = False) -> set[str]:
    """The kit's modules that a file imports, those too that it loads when a name is used."""
    found: set[str] = set() if at_import else {*index.NAMES.get(name, ())}
    if name == "autodiff_kit.ops" and not at_import:
        found |= {*index.OPERATIONS}  # for `xp`
    for node in statements(tree(name), at_import):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are absolute"
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                found.add(below if below in FILES else node.module or "")
    return {one for one in found if one.split(".")[0] == "autodiff_kit"}


@pytest.mark.parametrize("name", LAYERED)
def test_only_from_layers_below_or_beside(name: str) -> None:
    own = layer(name)
    for imported in imports(name):
        assert imported in FILES, f"{name} imports {imported}"
        if imported == "autodiff_kit":
            pytest.fail(f"{name} imports the whole package; say which module")
        assert layer(imported) <= own, f"{name} (layer {own}) imports {imported}, which is above it"


@pytest.mark.parametrize("name", [name for name in LAYERED if layer(name) <= 3])
def test_the_engine_knows_nothing_of_its_readers(name: str) -> None:
    for word in ("readers", "keras", "exercises", "teaching"):
        assert not any(word in one.split(".") for one in imports(name))


def readers_packages() -> list[str]:
    """The readers' packages, in the order of the table in their docstring."""
    return re.findall(
        r"^\| `(\w+)` \|", ast.get_docstring(tree("autodiff_kit.readers")) or "", re.M
    )


def test_the_readers_packages_build_on_one_another() -> None:
    order = readers_packages()
    folders = [
        path.name for path in (PACKAGE / "readers").iterdir() if (path / "__init__.py").exists()
    ]
    assert sorted(order) == sorted(folders)
    for name in FILES:
        package = name.split(".")[2:-1]
        if name.startswith("autodiff_kit.readers.") and package:
            allowed = order[: order.index(package[0]) + 1]
            for imported in imports(name):
                if imported.startswith("autodiff_kit.readers."):
                    assert imported.split(".")[2] in allowed, f"{name} imports {imported}"


def test_no_two_files_import_each_other() -> None:
    graph = {name: imports(name, at_import=True) - {name} for name in LAYERED}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way, name))
        if name not in done:
            for one in graph.get(name, ()):
                parent = name.rpartition(".")[0]
                if one != parent:
                    visit(one, (*way, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def test_modules_are_imported_by_name_only_where_their_layers_are_known() -> None:
    """`import_module` and the like could reach upwards unseen."""
    dynamic = {
        name
        for name in LAYERED
        if re.search(r"\b(import_module|__import__|exec_module)\(", FILES[name].read_text("utf-8"))
    }
    # The first two load what `index` says, which `imports` above looks at; the last sets the mark.
    assert dynamic == {"autodiff_kit.lazy", "autodiff_kit.namespace", "autodiff_kit.marks"}


def test_importing_the_kit_needs_numpy_alone() -> None:
    program = (
        "import sys, numpy; before = set(sys.modules)\n"
        "import autodiff_kit\n"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        cwd=PACKAGE.parent,
    ).stdout.split()  # fmt: skip
    allowed = {*sys.stdlib_module_names, "autodiff_kit", "numpy"}
    foreign = [name for name in shown if name not in allowed]
    assert not foreign


def test_the_table_above_is_complete() -> None:
    described = {
        int(n)
        for n in re.findall(r"^\| (\d) \|", inspect.getdoc(sys.modules[__name__]) or "", re.M)
    }
    assert {layer(name) for name in LAYERED} <= described


def defined_in(name: str) -> set[str]:
    """What a file itself defines, as other files may import it."""
    found: set[str] = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


READERS = [name for name in LAYERED if name.startswith("autodiff_kit.readers.")]


def test_the_readers_import_each_name_from_where_it_is_defined() -> None:
    for name in READERS:
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.ImportFrom) and node.module in READERS:
                others = {one.name for one in node.names} - defined_in(node.module)
                others = {one for one in others if f"{node.module}.{one}" not in FILES}
                assert not others, f"{name} imports {others} from {node.module}, not its home"


def test_no_reader_gives_another_meaning_to_a_name_of_the_engines_tensors() -> None:
    tensors = {
        n for n in defined_in("autodiff_kit.tensor") if inspect.isfunction(getattr(tensor, n, 0))
    }
    assert "tensor_of" in tensors
    for name in READERS:
        functions = {node.name for node in tree(name).body if isinstance(node, ast.FunctionDef)}
        assert not functions & tensors, name
