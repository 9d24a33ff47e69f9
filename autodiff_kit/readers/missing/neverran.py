"""Layer 5: a loop that never ran, so that nothing of it is on the tape.

One idea: there are two ways to know it. The loop would have read the source, and the tape would have
seen that; or it would have given the target's name another value, and the target is what it was before.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.program.asked import NOWHERE, led_to
from autodiff_kit.readers.program.flow import once
from autodiff_kit.readers.program.guards import guards_of
from autodiff_kit.readers.program.lines import Spot, covers, line_at, line_of, spot_of
from autodiff_kit.readers.program.loops import (
    EMPTY,
    ONCE,
    Look,
    Loop,
    loops_in,
    mentions,
    sieve_of,
    use_in,
    why_no_round,
)
from autodiff_kit.readers.program.reach import bound_in, reached
from autodiff_kit.readers.program.spots import span_at, stands_in, statement_of
from autodiff_kit.readers.program.words import root_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_MAY_NOT = (*_LOOPS, ast.If)
_OF_THEIR_OWN = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>", "<lambda>")


def loop_without_a_round(case: Case) -> Finding | None:
    """What was to be made of the source is in a loop that never ran."""
    return _would_read_it(case) or _would_change_it(case)


def _would_read_it(case: Case) -> Finding | None:
    begin = case.entered
    if begin is None or not case.would_be_seen or not case.conditions.issuperset(case.uses):
        return None
    for scope, name, file in reached(begin.file, begin.number, case.source_name):
        for loop in loops_in(scope):
            why = why_no_round(loop, look_from(case, scope, name))
            certain = why.endswith(EMPTY) or f"{EMPTY}, for" in why
            never = certain and mentions(loop, name) and not _is_emptied(case, why)
            never = never or use_in(loop, name) is not None and not _in_a_branch(scope, loop)
            if never and not _ran(case, file, loop):
                sieve = "" if why else sieve_of(loop, look_from(case, scope, name))
                if sieve:
                    return _let_through(case, file, loop, sieve)
                said = f"`{case.source_name}` is used only in a loop that never ran"
                return _found(case, file, loop, said, why)
    return None


def _would_change_it(case: Case) -> Finding | None:
    birth, text = case.target_birth, case.flow.text
    made: Any = statement_of(birth.spot) if birth.known else None
    if case.target_places or not isinstance(made, ast.Assign) or made not in text.read:
        return None
    for named in text.receivers(made):
        for later in text.binders(named) if _is_kept(case, made, named[1]) else ():
            around = [one for one in text.within[later] if one not in text.within[made]]
            if (
                _comes_after(case, made, later)
                and around
                and all(isinstance(o, _MAY_NOT) for o in around)
            ):
                return _kept(case, birth, around, later)
    return None


def _comes_after(case: Case, made: ast.stmt, later: ast.stmt) -> bool:
    """Whether a statement stands below another one, and above the one that asks."""
    files, asked = case.flow.files, case.flow.asked
    if files.get(made) != files.get(later) or later.lineno <= made.lineno:
        return False
    return (
        asked is None
        or files.get(asked) != files.get(made)
        or later.lineno < asked.lineno
        or (case.flow.text.inside[later] != case.flow.text.inside.get(asked))
    )


def _kept(case: Case, birth: Birth, around: list[Any], later: ast.stmt) -> Finding | None:
    """A statement that stands in loops and branches did not run, though the target would be its."""
    file, functions = birth.code.co_filename, case.flow.text.inside[later]
    loop = next(loops_in(around[0]), None) if isinstance(around[0], _LOOPS) else None
    if birth.line is None:
        return None
    said = (
        f"`{case.target_name}` is still what {birth.line.where} made it, and not computed from "
        f"`{case.source_name}`"
    )
    look = look_from(case, functions[-1] if functions else later, "")
    why = why_no_round(loop, look) if loop is not None else ""
    behind = loop is not None and guards_of(loop.body, later)
    if loop is not None and (not behind or why and not isinstance(loop.node, ast.While)):
        said += ": the loop that was to go on from there never ran"
        return None if _ran(case, file, loop) else _found(case, file, loop, said, why)
    stands = " and ".join(guards_of([around[0]], later))
    return case.none(
        "branch not taken",
        f"{said}: the line that was to go on from there never ran. A tape records what was done, not "
        "what might have been.",
        "",
        line=line_at(file, later.lineno),
        advice=f"It stands {stands}: look at what is asked or gone through there.",
    )


def _is_kept(case: Case, made: ast.Assign, name: str) -> bool:
    """Whether the target is what a name stands for at the end, and not what it once stood for."""
    others = [s for s in case.flow.text.read if s is not made and isinstance(s, ast.Assign)]
    if any(ast.unparse(other.value) == name for other in others):
        return False
    around = case.flow.text.inside[made]
    if not around or _asks(case, around[-1]):
        return name == case.target_name
    returned = [s for s in ast.walk(around[-1]) if isinstance(s, ast.Return) and s.value]
    return bool(returned) and all(ast.unparse(one.value or one) == name for one in returned)


def look_from(case: Case, scope: Any, name: str) -> Look:
    """Where the names of a piece of the program lead to, as far as they are still at hand.

    Args:
      scope: the piece: a function, whose own names are gone, or none.
      name: what the source is called there, which tells what object ``self`` was.
    """
    gone = isinstance(scope, _FUNCTIONS) and not _asks(case, scope)
    own = bound_in(scope) if gone else set()
    attribute = name[len("self") :] if name.startswith("self.") else ""
    known = bool(attribute) and case.source_name.endswith(attribute)
    holder = case.source_name.removesuffix(attribute) if known else ""

    def look(text: str) -> Any:
        if holder and text.startswith("self."):
            text = holder + text[len("self") :]
        elif root_of(text) in own:
            return NOWHERE
        return led_to(text, case.names.frame)

    return look


def _asks(case: Case, function: Any) -> bool:
    """Whether a function is the one that asks, so that its names are at hand."""
    code = case.names.frame.f_code
    return bool(function.name == code.co_name and covers(function, code.co_firstlineno))


def _in_a_branch(scope: Any, loop: Loop) -> bool:
    """Whether a loop stands in a branch or in another loop, which may be what did not run."""
    kinds = (ast.If, ast.IfExp, ast.Match, ast.Try, ast.For, ast.While, *_FUNCTIONS, ast.Lambda)
    around = [one for one in ast.walk(scope) if isinstance(one, kinds) and one is not scope]
    inner = [one for one in around if one is not loop.node]
    early = [one for one in ast.walk(scope) if isinstance(one, ast.Return)]
    before = any(one.lineno < loop.node.lineno for one in early)
    return before or any(one is loop.node for part in inner for one in ast.walk(part))


def _is_emptied(case: Case, why: str) -> bool:
    """Whether the text takes something out of what is empty now, so that it may have been full."""
    name = why.split("`")[1]
    taken = re.compile(rf"(?<![\w.]){re.escape(name)}\.(clear|pop|popleft|popitem|remove)\(")
    return any(taken.search(words) for words in case.flow.text.read.values())


def _ran(case: Case, file: str, loop: Loop) -> bool:
    """Whether the tape noted something that happened in a round of a loop."""
    spots = [*map(spot_of, case.records), *(event.spot for event in case.time.events)]
    there = once([spot for spot in spots if spot.code.co_filename == file])
    return any(stands_in_a_round(spot, loop) for spot in there)


def stands_in_a_round(spot: Spot, loop: Loop) -> bool:
    """Whether what is at a spot runs in a round of a loop."""
    span, number = span_at(spot), line_of(spot).number
    if span is not None:
        return any(stands_in(span, part) for part in loop.body)
    plain = isinstance(loop.node, (ast.For, ast.While)) or spot.code.co_name in _OF_THEIR_OWN
    return plain and any(covers(part, number) for part in loop.body)


def _let_through(case: Case, file: str, loop: Loop, sieve: str) -> Finding:
    """The condition of a comprehension held for nothing."""
    return case.none(
        "loop never ran",
        f"`{case.source_name}` is used only in a comprehension {sieve}. A tape records what was done, "
        "not what might have been.",
        "",
        line=line_at(file, loop.node.lineno),
        advice=f"Print what is compared there. {_NONE_AT_ALL}",
    )


_NONE_AT_ALL = (
    "If no round at all is right here, the gradient that is meant is zero: ask for it with "
    'unconnected_gradients="zero".'
)


def _found(case: Case, file: str, loop: Loop, said: str, why: str) -> Finding:
    through = ast.unparse(loop.through)
    if isinstance(loop.node, ast.While):
        advice = "Look at the values that are compared there, as they are before the loop."
    elif ONCE in why:
        advice = (
            f"Make a list of `{through}` once, with list(...): a list can be gone through again."
        )
    else:
        advice = f"See to it that `{through}` has something in it when the loop begins."
    because = f": {why}" if why else ""
    return case.none(
        "loop never ran",
        f"{said}{because}. A tape records what was done, not what might have been.",
        "",
        line=line_at(file, loop.node.lineno),
        advice=f"{advice} {_NONE_AT_ALL}",
    )
