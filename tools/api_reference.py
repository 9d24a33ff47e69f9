"""Write docs/api/ from the docstrings, and the tables of docs/coming-from-tensorflow.md.

``python tools/api_reference.py`` writes, ``--check`` only says what is out of date. One idea: what
the docstrings say is said once; here it is only laid out as Markdown.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any

from autodiff_kit.operators import Elsewhere
from autodiff_kit.tape import GradientTape
from public_names import NAMESPACES, members, module, parameters, public

ROOT = Path(__file__).resolve().parents[1]
API = ROOT / "docs" / "api"
COMING = ROOT / "docs" / "coming-from-tensorflow.md"
NAMES = ROOT / "tests" / "data" / "names.json"
WRITTEN = "<!-- Written by tools/api_reference.py from the docstrings: change those. -->\n"
NO_METHODS = (bool, int, float, str, tuple, Elsewhere)
BEGIN, END = "<!-- begin: arguments -->\n", "<!-- end: arguments -->\n"


def signature(name: str, value: Any) -> str:
    """How it is called: the name with its arguments and their defaults."""
    if not callable(value):
        return name
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return f"{name}(...)"
    kept = [p.replace(annotation=p.empty) for p in found.parameters.values() if p.name != "self"]
    plain = inspect.Signature([p.replace(default=_Shown(p.default)) for p in kept])
    return f"{name}{plain}"


class _Shown:
    """A default as people write it: an object without address, a dtype by its name."""

    def __new__(cls, value: Any) -> Any:
        return value if value is inspect.Parameter.empty else super().__new__(cls)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        text = re.sub(r" at 0x[0-9a-f]+", "", repr(self.value))
        if inspect.isfunction(self.value) or inspect.isclass(self.value):
            return str(self.value.__name__)
        return text


def laid_out(docstring: str) -> str:
    """A docstring as Markdown: sections with lists, examples fenced."""
    lines, example, indented = [], False, False
    for line in inspect.cleandoc(docstring).splitlines():
        if line.startswith(">>> ") and not example:
            lines += ["```pycon"]
            example = True
        elif example and not line:
            lines += ["```"]
            example = False
        lines += [line if example else _line(line, indented)]
        indented = line.startswith(" ") or line.endswith(":")
    return "\n".join([*lines, "```"] if example else lines)


def _line(line: str, in_section: bool) -> str:
    if re.fullmatch(r"(Args|Arguments|Returns|Raises|Yields|Attributes):", line):
        return f"**{line}**\n"
    if found := re.fullmatch(r"  ([*\w, ]+|\*{1,2}\w+): (.*)", line):
        return f"- `{found[1]}`: {found[2]}"
    if in_section and re.match(r"  \S", line):
        return line[2:]
    return re.sub(r"^Source: (.*)", r"Source: <\1>", line) if " " not in line[8:] else line


def entry(name: str, value: Any) -> list[str]:
    """One name: heading, how it is called, what its docstring says, its methods."""
    lines = [f"## `{name}`", "", "```python", signature(name, value), "```", ""]
    lines += [laid_out(inspect.getdoc(value) or "") if callable(value) else f"`{value!r}`", ""]
    if inspect.isclass(value) and not issubclass(value, BaseException):
        for method, function in sorted(members(value).items()):
            if method.startswith("_") or isinstance(function, NO_METHODS):
                continue  # it has the documentation of its type
            text = inspect.getdoc(function)
            if not text or (value is GradientTape and ">>>" not in text):
                continue  # what a learner calls on a tape has an example; the rest the kit calls
            called = signature(f".{method}", function) if callable(function) else f".{method}"
            lines += [f"### `{called}`", "", laid_out(text), ""]
    return lines


def page(namespace: str, homes: dict[int, str]) -> str:
    """The page of one namespace; what another page has already is only named there."""
    title = f"ad.{namespace}".rstrip(".")
    about = (module(namespace).__doc__ or "").splitlines()[0]
    lines = [f"# {title}: {NAMESPACES[namespace]}", "", WRITTEN, re.sub(r"^Layer \d: ", "", about)]
    lines += ["", "```python", "import autodiff_kit as ad", "```", ""]
    aliases = []
    for short, value in public(namespace).items():
        name = f"{title}.{short}"
        if not callable(value):  # dtypes: equal ones may share an object
            aliases.append(f"- `{name}`: {value!r}")
        elif id(value) in homes:
            aliases.append(f"- `{name}`: the same as `{homes[id(value)]}`")
        else:
            homes[id(value)] = name
            lines += entry(name, value)
    lines += ["## Further names", "", *aliases] if aliases else []
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def file_name(namespace: str) -> str:
    """Which file a namespace is described in."""
    return f"{namespace or 'ad'}.md"


def index() -> str:
    """The first page: all namespaces."""
    lines = [
        "# API reference",
        "",
        WRITTEN,
        "| namespace | what is in it | names |",
        "|---|---|---|",
    ]
    for namespace, about in NAMESPACES.items():
        title = f"ad.{namespace}".rstrip(".")
        count = len(public(namespace))
        lines.append(f"| [`{title}`]({file_name(namespace)}) | {about} | {count} |")
    return "\n".join(lines) + "\n"


def arguments_table() -> str:
    """Which arguments differ from those that TensorFlow had when the names were recorded."""
    record = json.loads(NAMES.read_text("utf-8"))
    lines = [f"Compared with {record['recorded with']}.", ""]
    lines += ["| name | not in the kit | only in the kit |", "|---|---|---|"]
    for namespace in NAMESPACES:
        for short, value in public(namespace).items():
            name = f"{namespace}.{short}".lstrip(".")
            theirs, ours = record["arguments"].get(name), parameters(value)
            if not theirs or ours is None or {"args", "kwargs"} & {*theirs}:
                continue
            cells = [", ".join(f"`{n}`" for n in a if n not in b) for a, b in
                     ((theirs, ours), (ours, theirs))]  # fmt: skip
            if any(cells) or theirs != ours:
                cells[0] = cells[0] or ("(another order)" if not cells[1] else "")
                lines.append(f"| `ad.{name}` | {cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"


def pages() -> dict[Path, str]:
    """Every written file with its text."""
    homes: dict[int, str] = {}
    found = {API / file_name(one): page(one, homes) for one in NAMESPACES}
    found[API / "README.md"] = index()
    text = COMING.read_text("utf-8")
    before, rest = text.split(BEGIN)
    found[COMING] = before + BEGIN + arguments_table() + END + rest.split(END)[1]
    return found


def main(arguments: list[str]) -> int:
    """Write what is out of date, or only name it."""
    check = "--check" in arguments
    old = [p for p, text in pages().items() if not p.exists() or p.read_text("utf-8") != text]
    for path, text in pages().items():
        if path in old and not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="\n")
    print(*(f"{'out of date' if check else 'written'}: {path.relative_to(ROOT)}" for path in old),
          f"{len(old)} files {'out of date' if check else 'written'}", sep="\n")  # fmt: skip
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
