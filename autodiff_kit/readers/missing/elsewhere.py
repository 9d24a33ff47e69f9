"""Layer 5: causes of a None that lie outside the graph.

One idea: the target, or a value on the way, was made where the tape does not look: outside its
block, on another tape, in NumPy (`departed`), by an assignment (`assigning`), in a branch that was
not taken.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.others import block_of, line_on, recorder, tape_name
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.lost.drawn import of_a_draw
from autodiff_kit.readers.lost.leaving import asks_only_the_shape
from autodiff_kit.readers.mending.nesting import own_blocks
from autodiff_kit.readers.mending.softly import mixed_softly, spelled_out
from autodiff_kit.readers.mending.weights import MIX, instead_of_deciding, mixture
from autodiff_kit.readers.missing.afterwards import after_the_block
from autodiff_kit.readers.missing.apart import made_apart
from autodiff_kit.readers.missing.beforehand import before_the_block, computed, without_a_block
from autodiff_kit.readers.missing.differentiated import question_of
from autodiff_kit.readers.missing.resetting import target_forgotten
from autodiff_kit.readers.missing.taken_outside import taken_outside
from autodiff_kit.readers.program.branches import LAZY, untaken_branch
from autodiff_kit.readers.program.lines import Line, covers
from autodiff_kit.recorder import Home
from autodiff_kit.tensor import Tensor


def target_elsewhere(case: Case) -> Finding | None:
    """The target was not computed while this tape was recording."""
    if case.target_places:
        return None
    home, birth, is_tensor = (
        tensor_behind(case.target)._home,
        case.target_birth,
        type(case.target) is Tensor,
    )
    if type(home) is Home:
        if home in case.tape.former_homes:
            return target_forgotten(case)
        return _another_tape(case) if is_tensor else None
    state = case.time.state(birth.time)
    if state != "recording" and (birth.type == "Gradient" or question_of(case) is not None):
        return taken_outside(case)
    if birth.type == "Const" and is_tensor:
        return None  # a constant is one wherever it is made
    if state == "stopped":
        return _while_paused(case)
    if not birth.known or not is_tensor:
        return None
    if state == "left":
        return after_the_block(case)
    if case.time.last("enter") is None:
        return without_a_block(case)
    return before_the_block(case) if state == "not begun" else None


def _while_paused(case: Case) -> Finding:
    birth, target, tape = case.target_birth, case.target_name, case.tape_name
    stop = case.time.last("stop", before=birth.time).line.where
    return case.none(
        "recording stopped",
        f"`{target}` was computed while {tape}.stop_recording() had paused the tape ({stop}).",
        computed(case, f"    # not inside {tape}.stop_recording()"),
        birth.type,
        birth.line,
        f"Compute `{target}` outside of the pause.",
    )


def _in_the_block(case: Case, line: Line | None) -> bool:
    """Whether a line stands in the block of this tape."""
    begin = case.entered
    if line is None or begin is None or begin.file != line.file:
        return False
    return any(covers(block, line.number) for block in own_blocks(case))


_ROUNDS = (
    "A tape knows one round. Ask it in that round; or, for one gradient of all rounds, put the block "
    "around the whole loop."
)


def _another_tape(case: Case) -> Finding | None:
    target, other = case.target_name, recorder(case.target)
    line = line_on(other, case.target)
    if not case.would_be_seen and _in_the_block(case, line):
        return None  # this tape was there too, and does not watch the source
    name = tape_name(case, other)
    called = f"another tape, `{name}`," if name else "another tape,"
    at_hand = other is not None and case.names.by_identity_of(other) is not None
    advice = "Ask the tape inside whose block it was computed."
    if other is not None and not at_hand and block_of(other) is block_of(case.tape):
        called = "the tape of another round, in which the same block began anew,"
        advice = _ROUNDS
    elif other is None:
        advice += " That one is gone: keep it as long as it is to be asked."
    elif other.released:
        advice += " It has given its gradients: ask it once for all of them, or make it persistent."
    return case.none(
        "another tape",
        f"`{target}` was recorded by {called} not by `{case.tape_name}`.",
        f"{name}.gradient({target}, {case.source_name})" if at_hand and not other.released else "",
        line=line,
        advice=advice,
    )


def branch_not_taken(case: Case) -> Finding | None:
    """The learner's code uses the source only in a branch that did not run."""
    found = untaken_branch(case)
    if found is None:
        return None
    line, what = found
    where = f"in a branch that was not taken ({what})"
    if what in LAZY:
        before = f"where what stands before it is {LAZY[what]}"
        where = f"behind `{what}`, and Python does not compute that {before}"
    why = f"is used only {where}. A tape records what was done, not what might have been."
    if case.is_used:
        why = (
            f"is used {where}, and in a condition. A tape records what was done, not what might have "
            "been, and a condition only chooses: no gradient flows to it."
        )
    return case.none(
        "branch not taken",
        f"`{case.source_name}` {why}",
        case.zero,
        line=line,
        advice="If a gradient of zero is what is meant, ask for it.",
    )


def used_as_condition(case: Case) -> Finding | None:
    """Only a Python condition looked at the source."""
    events = [e for e in case.decisions if e.subject in case.below]
    if not events or not case.conditions.issuperset(case.uses):
        return None
    line = events[-1].line
    then = f"what was made of it only decides which way the program goes ({line.where})"
    drawn = of_a_draw(case, events[-1].subject, then)
    if drawn is not None:
        return drawn
    here = [e.subject for e in events if e.line == line]
    mixed = spelled_out(events[-1]) or f"{MIX} {mixture(case, here)}"
    return case.none(
        "condition",
        f"`{case.source_name}` only decides which way the program goes (if, while, cond). A decision "
        "chooses, and no gradient flows to it.",
        mixed_softly(case, events),
        line=line,
        advice=instead_of_deciding(events[-1], mixed),
    )


def made_elsewhere(case: Case) -> Finding | None:
    """A value that was made of the source itself, and not on this tape, leads to the target."""
    if not case.would_be_seen:
        return None  # nobody watches the source, and that is enough
    return made_apart(case)


def only_the_shape(case: Case) -> Finding | None:
    """Nothing of the source was used but its shape."""
    events = case.time.all("shape", "NumPy")
    events = [e for e in events if e.kind == "shape" or asks_only_the_shape(e)]
    events = [e for e in events if e.subject in case.source_places or _of_unread(case, e)]
    if not events or case.is_used:
        return None
    return case.none(
        "only the shape",
        f"Only the shape of `{case.source_name}` was used here; its values do not enter "
        f"`{case.target_name}`.",
        f"{case.target_name} = ad.reduce_sum({case.source_name})    # for example",
        line=events[-1].line,
    )


def _of_unread(case: Case, event: Any) -> bool:
    """Whether a variable was asked for its shape that nothing read, so that it has no place.

    The text tells which variable it was, and whether the answer had a part in the target.
    """
    if event.subject >= 0 or type(case.source) is Tensor or not case.would_be_seen:
        return False
    spot = event.spot
    return not case.source_places and case.flow.reads(spot) and case.flow.carries(event)
