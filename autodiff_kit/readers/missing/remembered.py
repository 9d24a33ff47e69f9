"""Layer 5: what the learner's program keeps so as not to compute it again.

One idea: had it been computed in the block, the source would have been read there. It was not, and the
text has a line that computes only what is not kept yet.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.nesting import MOST
from autodiff_kit.readers.missing.apart import values_made
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.flow import once
from autodiff_kit.readers.program.lines import line_at, spot_of, text_of
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.readers.program.statement import code_of

_BEFORE = "    # before each block of `{}`"
_CACHES = ("lru_cache", "cache", "cached_property")


class Keeper(NamedTuple):
    """A line that computes only what is not kept yet.

    line: the statement.
    what: the name of what is kept, or of the function that keeps.
    how: a few words about it.
    clear: code that forgets it, or never keeps it, "" if there is none.
    """

    line: Any
    what: str
    how: str
    clear: str


def made_and_kept(case: Case) -> Finding | None:
    """The same, where the value that was kept is at hand: a line that keeps has made it."""
    if not case.would_be_seen or case.path:
        return None
    made = values_made(case, ("not begun",))
    lines = {statement_of(one.spot) for one in made}
    return _kept(case, lines) if lines else None


def kept_from_before(case: Case) -> Finding | None:
    """The target was computed from what an earlier round had kept."""
    if not case.would_be_seen or case.path or not case.conditions.issuperset(case.uses):
        return None
    return _kept(case)


def _kept(case: Case, lines: set[Any] | None = None) -> Finding | None:
    """The finding about the first line that keeps, or the first of some, and did not run."""
    ran = _ran(case)
    for keeper in (*_functions(case), *_branches(case)):
        name, tape = case.source_name, case.tape_name
        if keeper.line in ran or lines is not None and keeper.line not in lines:
            continue
        return case.none(
            "outside the tape",
            f"This line, which reads `{name}` or what is made of it, did not run in the block of "
            f"`{tape}`: {keeper.how}. What was computed and kept before is not on this tape.",
            keeper.clear.replace("{}", tape),
            line=line_at(case.flow.files[keeper.line], keeper.line.lineno),
            advice=f"Keep only what does not depend on `{name}`; what does has to be computed in "
            "each block again, after each step.",
        )
    return None


def _ran(case: Case) -> set[Any]:
    """The statements that the tape has a record of, and those that made its other inputs."""
    births = [one for one in case.births if case.time.state(one.time) != "not begun"]
    spots = once([spot_of(record) for record in case.records])
    spots += [birth.spot for birth in births]
    return {statement_of(spot) for spot in spots}


def _functions(case: Case) -> Iterator[Keeper]:
    """Functions with ``functools.lru_cache`` and its like, that lead from the source to the target."""
    text, names = case.flow.text, case.flow.names
    for function in text.functions:
        words = [code_of(one).split("(")[0] for one in function.decorator_list]
        words = [word for word in words if word.split(".")[-1] in _CACHES]
        returns = [s for s in text.read if text.inside[s][-1:] == [function]]
        if not words or not any(text.mentions(s, names) for s in returns):
            continue
        is_property = words[0].endswith("cached_property")
        led = _is_looked_up(case, function.name) if is_property else None
        if led if is_property else case.flow.arrives({(None, f"{function.name}(")}):
            first = next(s for s in returns if text.mentions(s, names))
            how = f"`{function.name}` keeps what it once computed ({words[0]})"
            mend = _as_property(case, function) if is_property else _cleared(case, function)
            yield Keeper(first, function.name, how, mend)


def _as_property(case: Case, function: Any) -> str:
    """The function as a property that is computed each time it is asked for, if it is short."""
    first = function.decorator_list[0].lineno
    lines = text_of(case.flow.files[function]).splitlines()[first - 1 : function.end_lineno]
    if len(function.decorator_list) != 1 or len(lines) > MOST:
        return ""
    old = lines[0].strip()
    lines[0] = lines[0].replace(old, f"@property    # instead of {old}")
    return textwrap.dedent("\n".join(lines))


def _is_looked_up(case: Case, name: str) -> bool:
    """Whether what leads to the target reads an attribute of a name."""
    readers = [one for one, words in case.flow.text.read.items() if f".{name}" in words]
    return any(map(case.flow.leads_to_it, readers))


def _cleared(case: Case, function: Any) -> str:
    """The call that empties the cache of a function, where its name is known."""
    owners = [kind.name for kind in case.flow.text.classes if function in kind.body]
    name = ".".join([*owners, function.name])
    held = case.names.frame.f_globals.get(name.split(".")[0])
    held = getattr(held, function.name, None) if owners else held
    return f"{name}.cache_clear(){_BEFORE}" if hasattr(held, "cache_clear") else ""


def _branches(case: Case) -> Iterator[Keeper]:
    """Branches that fill what a condition found empty: ``if key not in cache: cache[key] = ...``."""
    text, names = case.flow.text, case.flow.names
    for statement in text.read:
        kept = _asked_for(statement.test) if isinstance(statement, ast.If) else None
        for inner in getattr(statement, "body", []) if kept else []:
            filled = [code_of(one) for one in getattr(inner, "targets", [])]
            fills = any(one == kept or one.startswith(f"{kept}[") for one in filled)
            if fills and text.mentions(inner, names) and case.flow.arrives(text.receivers(inner)):
                how = f"it computes only what `{kept}` does not hold yet"
                yield Keeper(inner, str(kept), how, _emptied(case, str(kept)))


def _asked_for(test: ast.expr) -> str | None:
    """What a condition finds empty: ``cache`` of ``k not in cache``, ``h`` of ``h is None``."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], ast.NotIn):
            return code_of(test.comparators[0])
        none = isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
        return code_of(test.left) if isinstance(test.ops[0], ast.Is) and none else None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        call = test.operand
        if isinstance(call, ast.Call) and code_of(call.func) == "hasattr" and len(call.args) == 2:
            attribute = getattr(call.args[1], "value", None)
            return f"{code_of(call.args[0])}.{attribute}"
    return None


def _emptied(case: Case, kept: str) -> str:
    """Code that empties what is kept, where its name is known."""
    held = led_to(kept, case.names.frame) if is_reference(kept) else None
    return f"{kept}.clear(){_BEFORE}" if isinstance(held, dict) else ""
