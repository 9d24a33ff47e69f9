"""What can be said of a notebook file without running it: ``problems(path)`` lists what is wrong.

nbval compares what it finds in the file. It cannot see that something was never there: a stripped
notebook, a deleted cell, a picture that nobody checks. Each rule here is one small function from a
notebook to sentences, so that each can be shown a broken notebook.
"""

import copy
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import nbformat.v4

from notebook_compare import joined, without_pictures

MAX_BYTES = 400_000
_MACHINE = re.compile(
    r"/home/|/Users/|/root/|/tmp/|/var/folders/|site-packages|[A-Za-z]:\\\\?Users|0x[0-9a-f]{8,}"
)
_SILENCERS = {
    "nbval-skip",
    "nbval-ignore-output",
    "pytest-validate-ignore-output",
}
# JupyterLab adds an image/svg+xml beside text/vnd.mermaid on save; fenced Markdown stays as it is.
_KINDS = {"text/plain", "text/markdown", "text/latex", "text/html", "image/png"}
_KINDS |= {"application/vnd.jupyter.widget-view+json"}

Notebook = Any  # nbformat's NotebookNode: a dict whose keys are attributes too
Rule = Callable[[Notebook, Path], Iterator[str]]
RULES: list[Rule] = []
STYLE: list[Rule] = []


def rule(function: Rule) -> Rule:
    """Enter a function into RULES."""
    RULES.append(function)
    return function


def style(function: Rule) -> Rule:
    """A rule of this course. Elsewhere it is a matter of taste: a note, and no fault."""
    STYLE.append(function)
    return rule(function)


def code_cells(nb: Notebook) -> list[Any]:
    """The code cells that hold code."""
    return [cell for cell in nb.cells if cell.cell_type == "code" and cell.source.strip()]


def _outputs(nb: Notebook) -> Iterator[tuple[int, Any, Any]]:
    for number, cell in enumerate(code_cells(nb), start=1):
        for output in cell.outputs:
            yield number, cell, output


def _prose(nb: Notebook) -> str:
    return "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")


@rule
def is_valid(nb: Notebook, path: Path) -> Iterator[str]:
    """It is valid, each id once."""
    ids = [cell.id for cell in nb.cells if "id" in cell]
    yield from (f"cell id {name!r} stands twice" for name in {i for i in ids if ids.count(i) > 1})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            nbformat.validate(copy.deepcopy(nb))  # it mends what it warns of
    except (nbformat.ValidationError, Warning) as error:
        yield f"not valid: {str(error).splitlines()[0]}"


@style
def has_ids(nb: Notebook, path: Path) -> Iterator[str]:
    """The format is 4.5, in which cells have ids."""
    if (nb.nbformat, nb.nbformat_minor) < (4, 5):
        yield f"format {nb.nbformat}.{nb.nbformat_minor}: cells have ids from 4.5 on"


@style
def says_nothing_of_its_run(nb: Notebook, path: Path) -> Iterator[str]:
    """The metadata do not tell when and with which Python it was run."""
    if nb.metadata.get("kernelspec", {}).get("name") != "python3":
        yield "its kernel is not called 'python3', the name that every installation has"
    if "version" in nb.metadata.get("language_info", {}):
        yield "its metadata name the Python version of the machine it was saved on"
    for number, cell in enumerate(code_cells(nb), start=1):
        if "execution" in cell.metadata:
            yield f"code cell {number}: its metadata say when it was run"


@rule
def says_nothing_of_the_machine(nb: Notebook, path: Path) -> Iterator[str]:
    """No output tells where it was run."""
    for number, _, output in _outputs(nb):
        fields = {key: value for key, value in output.items() if key != "data"}
        data = {
            key: without_pictures(joined(value)) if key == "text/html" else value
            for key, value in output.get("data", {}).items()
            if key != "image/png"
        }
        for found in _MACHINE.finditer(json.dumps([fields, data], ensure_ascii=False)):
            yield f"code cell {number}: its output holds a path or an address: {found.group()!r}"


@rule
def was_run_from_top_to_bottom(nb: Notebook, path: Path) -> Iterator[str]:
    """The counts of the code cells are 1, 2, 3, …: one run, all of it, nothing deleted since."""
    counts = [cell.execution_count for cell in code_cells(nb)]
    if not counts:
        yield "has no code cell"
    elif not any(counts):
        yield "was never run, or its outputs were stripped"
    elif counts != list(range(1, len(counts) + 1)):
        yield f"was not run from top to bottom in one go: the counts are {counts}"


@rule
def shows_something(nb: Notebook, path: Path) -> Iterator[str]:
    """Some cell shows something: outputs removed with the counts left in place are caught."""
    if code_cells(nb) and not any(cell.outputs for cell in code_cells(nb)):
        yield "shows nothing at all: were its outputs removed?"


@rule
def warns_of_nothing(nb: Notebook, path: Path) -> Iterator[str]:
    """No text on stderr: its order is chance, and warnings name process ids and paths."""
    for number, _, output in _outputs(nb):
        if output.output_type == "stream" and output.name == "stderr":
            yield f"code cell {number}: writes to stderr: {output.text.strip()[:80]!r}"


@rule
def announces_errors(nb: Notebook, path: Path) -> Iterator[str]:
    """A cell ends in an error exactly when it is tagged raises-exception."""
    for number, cell in enumerate(code_cells(nb), start=1):
        raised = any(output.output_type == "error" for output in cell.outputs)
        announced = "raises-exception" in cell.metadata.get("tags", [])
        if raised and not announced:
            yield f"code cell {number}: ends in an error without the tag raises-exception"
        if announced and not raised:
            yield f"code cell {number}: has the tag raises-exception, but raises nothing"


@style
def hides_nothing(nb: Notebook, path: Path) -> Iterator[str]:
    """No cell asks nbval, in whatever spelling it understands, to look away."""
    for number, cell in enumerate(code_cells(nb), start=1):
        asked = {tag.lower() for tag in cell.metadata.get("tags", [])}
        comments = re.findall(r"^\s*#+\s*([A-Z_]+)\s*$", cell.source, re.M)
        asked |= {comment.lower().replace("_", "-") for comment in comments}
        if asked & _SILENCERS:
            yield f"code cell {number}: hides its output from the check: {asked & _SILENCERS}"


@rule
def figures_have_checked_text(nb: Notebook, path: Path) -> Iterator[str]:
    """Beside a picture, which is never compared, stand numbers in text, which are."""
    for number, cell in enumerate(code_cells(nb), start=1):
        if not any(map(_has_picture, cell.outputs)):
            continue
        shown = "".join(_readable(output) for output in cell.outputs)
        if not re.search(r"[0-9]", shown):
            yield f"code cell {number}: a picture without a number in text beside it"


def _has_picture(output: Any) -> bool:
    data = output.get("data", {})
    return "image/png" in data or "data:image/png" in joined(data.get("text/html", ""))


def _readable(output: Any) -> str:
    """An output's text, without the ``<Figure size …>`` that stands for a picture."""
    if output.output_type == "stream":
        return str(output.text)
    data = output.get("data", {})
    texts = [data.get("text/markdown", "")]
    if not _has_picture(output):
        texts += [data.get("text/plain", ""), data.get("text/html", "")]
    return "".join(texts)


@style
def outputs_are_of_known_kinds(nb: Notebook, path: Path) -> Iterator[str]:
    """Only kinds that every frontend shows and that saving in JupyterLab leaves as they are."""
    for number, _, output in _outputs(nb):
        for kind in set(output.get("data", {})) - _KINDS:
            yield f"code cell {number}: an output of kind {kind}"
        if "application/vnd.jupyter.widget-view+json" in output.get("data", {}):
            if not output.data.get("text/plain", "").strip():
                yield f"code cell {number}: a widget without a text to fall back on"


@style
def can_be_read_without_seeing(nb: Notebook, path: Path) -> Iterator[str]:
    """One title, headings in steps of one, pictures and diagrams with a text of their own."""
    prose = re.sub(r"^```.*?^```", "", _prose(nb), flags=re.S | re.M)
    if re.search(r"!\[\s*\]\(", prose) or re.search(r"<img(?![^>]*\balt=\"[^\"]+\")", prose):
        yield "an image without alternative text"
    levels = [len(marks) for marks in re.findall(r"^(#{1,6}) ", prose, re.M)]
    if levels[:1] != [1] or levels.count(1) != 1:
        yield "its first heading must be its one title ('# …')"
    if any(b - a > 1 for a, b in zip(levels, levels[1:], strict=False)):
        yield f"a level of headings is left out: {levels}"
    shown = "\n".join(
        output.get("data", {}).get("text/markdown", "") for *_, output in _outputs(nb)
    )
    for graph in re.findall(r"^```mermaid\n(.*?)^```", _prose(nb) + "\n" + shown, re.S | re.M):
        if "accTitle:" not in graph:
            yield "a Mermaid diagram without accTitle, whose alternative text is 'Image'"


@rule
def links_lead_somewhere(nb: Notebook, path: Path) -> Iterator[str]:
    """Every link to a file beside the notebook finds it."""
    for target in re.findall(r"\]\((?![a-z][a-z0-9+.-]*:|#)([^)\s#]+)", _prose(nb)):
        if not (path.parent / target.replace("%20", " ")).exists():
            yield f"a link to {target}, which is not there"


@style
def can_be_reviewed(nb: Notebook, path: Path) -> Iterator[str]:
    """Small enough for a reviewer, a browser and a clone."""
    size = len(nbformat.v4.writes(nb).encode())
    if size > MAX_BYTES:
        yield f"{size} bytes: more than {MAX_BYTES}"


def find(folder: Path) -> list[Path]:
    """The notebooks in a folder and its subfolders, without the editors' copies; or the one named."""
    if folder.is_file():
        return [folder]
    paths = (path.relative_to(folder) for path in folder.rglob("*.ipynb"))
    return [folder / path for path in sorted(paths) if not any(p[0] == "." for p in path.parts)]


def read(path: Path) -> Notebook | None:
    """A notebook as it is, nothing repaired; None if it is none of format 4."""
    try:
        nb = nbformat.v4.reads(path.read_text("utf-8"))
        return nb if isinstance(nb.cells, list) and nb.nbformat == 4 else None
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError, OSError):
        return None


def problems(path: Path, rules: list[Rule] | None = None) -> list[str]:
    """Everything that is wrong with one notebook file, as sentences."""
    nb = read(path)
    if nb is None:
        return ["it cannot be read as a notebook of format 4, which is what Jupyter saves today"]
    try:
        return [said for check in (RULES if rules is None else rules) for said in check(nb, path)]
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        return [f"it is no valid notebook: {error!r}"]


def main(arguments: list[str]) -> int:
    """Print the problems of all notebooks in the folders; 1 if there are any.

    With ``--anybody`` what is this course's own style is noted, and no problem.
    """
    folders = [one for one in arguments if one != "--anybody"]
    paths = [path for folder in folders or ["notebooks"] for path in find(Path(folder))]
    strict = [one for one in RULES if one not in STYLE] if "--anybody" in arguments else RULES
    bad, notes = 0, []
    for path in paths:
        found = problems(path, strict)
        bad += bool(found)
        noted = [said for said in problems(path) if said not in found] if read(path) else []
        notes += [f"{path}: note: {said}" for said in noted]
        for sentence in found:
            print(f"{path}: {sentence}")
    print(*notes, sep="\n", end="\n" * bool(notes))  # they are no faults, so they come last
    print(f"{len(paths)} notebooks, {bad} with problems")
    return 1 if bad or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
