"""Layer 5: the name under which a tape is told to watch something.

One idea: the call belongs into the block, so a name that the text binds only below the block leads to
nothing there, or to what it meant in the last round of a loop.
"""

from __future__ import annotations

import ast

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.nesting import own_block
from autodiff_kit.readers.program.asked import only_asked_by
from autodiff_kit.readers.program.lines import nodes_in
from autodiff_kit.readers.program.words import root_of

FIRST, AFTER = "first thing inside the with block", "right after it is made"
_BINDS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def watch(case: Case, name: str, when: str = FIRST) -> str:
    """The call that lets the tape watch something, with the time for it."""
    return f"{case.tape_name}.watch({name})    # {when}"


def watched_in_time(case: Case, found: Finding, name: str) -> None:
    """Let a call of `watch` have a name that is there in the block; if none is, there is no call."""
    call = f"{case.tape_name}.watch({name})"
    inside, below = _bound_late(case) if call in found.fix else (set(), set())
    root, birth = root_of(name), case.source_birth
    made_inside = birth.known and case.time.state(birth.time) == "recording"
    foreign = bool(call in found.fix) and only_asked_by(case, name)
    if root not in below and not foreign:
        if made_inside and root in inside and name.isidentifier():
            found.fix = found.fix.replace(FIRST, AFTER)
        return
    held = case.words_for(case.source)
    before = [one for one in held if root_of(one) not in inside | below]
    before = [one for one in before if not only_asked_by(case, one)]
    if before:
        new = min(before, key=len)
        found.fix = found.fix.replace(f"({name})", f"({new})").replace(f"`{name}`", f"`{new}`")
        return
    made = [one for one in held if root_of(one) in inside and one.isidentifier()]
    if made and made_inside:
        found.fix = watch(case, made[0], AFTER)
        return
    found.fix = ""
    found.advice = f"{found.advice} {_in_words(case, root)}".strip()


def _in_words(case: Case, name: str) -> str:
    """What to do where no name is known to lead to the source in the block.

    In a function the block may run when lines below it have run already, and given names to things.
    """
    code = case.time.last("enter").code
    in_order = code.co_name == "<module>" or name in code.co_varnames
    not_yet = f"`{name}` is not there yet, so take" if in_order else "take"
    return (
        "The tape has to watch it, inside the with block and before it is used; "
        f"{not_yet} the name that it has there."
    )


def _bound_late(case: Case) -> tuple[set[str], set[str]]:
    """The names that the file binds in the block, and those that it binds only below it."""
    begin, block = case.entered, own_block(case)
    lines: dict[str, list[int]] = {}
    for node in nodes_in(begin.file, ast.AST) if begin is not None and block is not None else ():
        if _bound(node):
            lines.setdefault(_bound(node), []).append(getattr(node, "lineno", 0))
    below = {name for name, at in lines.items() if min(at) > block.end_lineno}
    inside = {
        name for name, at in lines.items() if any(block.lineno < n <= block.end_lineno for n in at)
    }
    return inside, below


def _bound(node: ast.AST) -> str:
    """The name that a part of a program binds, "" if none."""
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Store) else ""
    if isinstance(node, ast.alias):
        return node.asname or node.name
    if isinstance(node, ast.arg):
        return node.arg
    return node.name if isinstance(node, _BINDS) else ""
