"""Layer 5: a part of a list that a loop leaves out, though it takes the others.

One idea: other variables of the same list were read on this tape, all in one loop. What that goes
through is in the text: a zip that ends with the shortest, a range that ends too early, a slice. If it
goes through all of them, its round came, and a condition kept the line from running.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.missing.neverran import look_from, stands_in_a_round
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.flow import once
from autodiff_kit.readers.program.guards import guards_of, ways_out
from autodiff_kit.readers.program.lines import (
    Spot,
    covers,
    line_at,
    line_of,
    nodes_in,
    segment,
    tree_of,
)
from autodiff_kit.readers.program.loops import Look, Loop, gone_through, length_of, loops_in
from autodiff_kit.readers.program.nodes import names_in
from autodiff_kit.readers.program.spots import called, span_at, stands_in, statement_of

_PART = re.compile(r"(.+)\[[^\[\]]+\]")


def left_out_by_a_loop(case: Case) -> Finding | None:
    """A loop read others of the list, and never the source."""
    written = _PART.fullmatch(case.source_name)
    held = led_to(written[1], case.names.frame) if written and is_reference(written[1]) else None
    parts = list(held.values()) if isinstance(held, dict) else held
    if written is None or not isinstance(parts, (list, tuple)):
        return None
    watched = {id(variable): places for variable, places in case.tape.variables.items()}
    taken = [one for one in parts if one is not case.source and id(one) in watched]
    places = [place for one in taken for place in watched[id(one)]]
    spots = [case.spot(user) for place in places for user in case.takers.get(place, ())]
    loops = [_loop_around(spot) for spot in once(spots)]
    same = loops and all(one is not None and one.node is loops[0].node for one in loops)
    if not same or _takes_by_key(loops[0], written[1]) or _is_around_the_block(case, loops[0]):
        return None
    late = _looked_up_late(loops[0], spots[0]) if [*map(id, taken)] == [id(parts[-1])] else None
    if late is not None:
        return _bound_late(case, late, spots[0])
    guards = _guards_around(loops[0], spots[0])
    left = ways_out(loops[0].body)
    if left and not guards and _comes_to_all(case, loops[0], spots[0], held):
        return _left_before(case, loops[0], left, spots[0])
    if guards and _comes_to_all(case, loops[0], spots[0], held):
        return _passed_over(case, guards, left, spots[0])
    return _found(case, written[1], loops[0], spots[0], guards)


def _looked_up_late(loop: Loop, spot: Spot) -> tuple[Any, str] | None:
    """The function made in a round that an operation ran in, and the loop's name that it reads."""
    span, number = span_at(spot), line_of(spot).number
    nodes: list[Any] = [node for part in loop.body for node in ast.walk(part)]
    for node in nodes:
        is_function = isinstance(node, (ast.Lambda, ast.FunctionDef))
        if is_function and (stands_in(span, node) if span else covers(node, number)):
            own = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
            body = node.body if isinstance(node.body, list) else [node.body]
            read = {name for part in body for name in names_in(part)} & loop.bound - own
            return (node, min(read)) if read else None
    return None


def _bound_late(case: Case, late: tuple[Any, str], spot: Spot) -> Finding:
    """Functions that were made in a loop, and all read what its name meant at the end."""
    (function, name), file = late, spot.code.co_filename
    text, code = segment(file, function), ""
    if isinstance(function, ast.Lambda) and "\n" not in text:
        given, _, body = text.partition(":")
        more = "," if given.strip() != "lambda" else ""
        code = f"{given}{more} {name}={name}:{body}    # instead of {text}"
    return case.none(
        "not used",
        f"The functions that are made here look `{name}` up when they are called, and by then it is "
        f"what the last round of the loop made it: `{case.source_name}` had a part in none of them.",
        code,
        line=line_at(file, function.lineno),
        advice=f"Let each function keep its own, by a parameter with the default `{name}={name}`.",
    )


def _takes_by_key(loop: Loop, whole: str) -> bool:
    """Whether a loop names a certain part of the list, so that it is not its rounds that choose."""
    last = re.escape(whole.rpartition(".")[2])
    return bool(re.search(rf"(?<!\w){last}\[(-?\d+\]|['\"])", ast.unparse(loop.node)))


def _is_around_the_block(case: Case, loop: Loop) -> bool:
    """Whether each round has a block of its own: the loop of the training is none that leaves out."""
    begin = case.entered
    if begin is None:
        return False
    around = [node for node in nodes_in(begin.file, ast.stmt) if covers(node, begin.number)]
    return any(node is loop.node for node in around)


def _loop_around(spot: Spot) -> Any:
    """The innermost loop in one of whose rounds an operation ran."""
    tree = tree_of(spot.code.co_filename)
    around = [loop for loop in loops_in(tree) if stands_in_a_round(spot, loop)] if tree else []
    return max(around, key=lambda loop: loop.node.lineno, default=None)


def _guards_around(loop: Loop, spot: Spot) -> list[str]:
    """The conditions that a round passes before it comes to an operation."""
    statement = statement_of(spot)
    inside = any(node is statement for part in loop.body for node in ast.walk(part))
    if statement is not None and inside:
        return guards_of(loop.body, statement)
    tests = [test for one in getattr(loop.node, "generators", []) for test in one.ifs]
    return [f"behind `if {ast.unparse(test)}`" for test in tests]


def _comes_to_all(case: Case, loop: Loop, spot: Spot, held: Any) -> bool:
    """Whether a loop certainly goes through all of a list or a dict."""
    if isinstance(loop.node, ast.While):
        return False
    look, parts = _look(case, loop, spot), [*gone_through(loop.through)]
    lengths = [length_of(one, look) for one in parts]
    texts = [ast.unparse(one) for one in parts]
    itself = any(look(text) is held for text in texts if is_reference(text))
    counted = any(text.startswith("range(") for text in texts) and not isinstance(held, dict)
    return (itself or counted) and all(n is not None and n >= len(held) for n in lengths)


def _look(case: Case, loop: Loop, spot: Spot) -> Look:
    functions = [one for one in case.flow.text.functions if one.name == spot.code.co_name]
    scope = functions[0] if functions else loop.node
    return look_from(case, scope, re.sub(r"^\w+", "self", case.source_name))


def _left_before(case: Case, loop: Loop, left: list[str], spot: Spot) -> Finding:
    """The loop was left before it came to the source, for each of its rounds reads what it takes."""
    return case.none(
        "branch not taken",
        f"The loop here was left before it came to `{case.source_name}`: {' or '.join(left)}. A tape "
        "records what was done, not what might have been.",
        case.zero,
        line=line_at(line_of(spot).file, loop.node.lineno),
        advice="Look at what is asked there. If a gradient of zero is what is meant, ask for it.",
    )


def _passed_over(case: Case, guards: list[str], left: list[str], spot: Spot) -> Finding:
    """The loop had a round for the source, and did not come to the line that reads it."""
    line, known = line_of(spot), any("(break)" in one or "(return)" in one for one in guards)
    before = f", or the loop was left before: {' or '.join(left)}" if left and not known else ""
    return case.none(
        "branch not taken",
        f"The loop comes to `{case.source_name}` as well, but this did not run for it: it stands "
        f"{' and '.join(guards)}{before}. A tape records what was done, not what might have been.",
        case.zero,
        line=line,
        advice="Look at what is asked there. If a gradient of zero is what is meant, ask for it.",
    )


def _found(case: Case, whole: str, loop: Loop, spot: Spot, guards: list[str]) -> Finding | None:
    if isinstance(loop.node, ast.While):
        return None
    name, target, through = case.source_name, case.target_name, ast.unparse(loop.through)
    asked = f", and what it does with each stands {' and '.join(guards)}" if guards else ""
    return case.none(
        "not used",
        f"The loop here takes others of `{whole}`, and never `{name}`: it goes through `{through}`"
        f"{_ends_with(loop.through, _look(case, loop, spot))}{asked}.",
        "",
        line=line_at(line_of(spot).file, loop.node.lineno),
        advice=f"If `{target}` is to depend on `{name}`, let the loop come to it; otherwise do not ask "
        "for it.",
    )


def _ends_with(through: ast.expr, look: Look) -> str:
    """What a zip that is not as long as it may be ends with; "" if nobody can tell."""
    if not isinstance(through, ast.Call) or called(through) != "zip":
        return ""
    lengths = {ast.unparse(one): length_of(one, look) for one in through.args}
    known = {text: n for text, n in lengths.items() if n is not None}
    if len(set(known.values())) < 2 or len(known) < len(lengths):  # noqa: PLR2004
        return ", which ends with the shortest"
    told = " and ".join(f"`{text}` has {n}" for text, n in known.items())
    return f", which ends with the shortest ({told})"
