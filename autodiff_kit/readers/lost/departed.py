"""Layer 5: values that left the tensors, for NumPy or for a Python number.

One idea: the tape notes each departure; whether what left came back, the learner's text tells.
"""

from __future__ import annotations

import ast
from typing import Any

from autodiff_kit.readers.facts.bodies import outside_bodies
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.stops import ON_PURPOSE
from autodiff_kit.readers.lost.again import leaving_again
from autodiff_kit.readers.lost.choosing import (
    HOW,
    makes_answers,
    makes_positions,
    only_a_position,
    only_compared,
)
from autodiff_kit.readers.lost.drawn import advice_for, draw_that_left, drawn_with
from autodiff_kit.readers.lost.exits import (
    all_named,
    beside,
    constants_beside,
    in_order,
    leaves_again,
    whole_code,
)
from autodiff_kit.readers.lost.leaving import (
    OWN,
    asks_only_the_shape,
    is_collected,
    is_written_out,
    left_in,
    made_whole,
    way_of,
)
from autodiff_kit.readers.lost.overwritten import written_into
from autodiff_kit.readers.lost.rounded import made_whole_by_hand
from autodiff_kit.readers.mending.positions import between
from autodiff_kit.readers.mending.weights import instead_of_deciding
from autodiff_kit.readers.program.carried import carried
from autodiff_kit.readers.program.lines import line_at
from autodiff_kit.readers.program.numpys import in_the_kit
from autodiff_kit.readers.program.numpywords import CHOSEN, POSITIONS
from autodiff_kit.readers.program.spots import key_of, statement_of


def departures(case: Case) -> list[Any]:
    """The events at which a value that depends on the source left the tensors and came back."""
    told: dict[Any, bool] = {}
    events = [event for event in case.time.all(*HOW) if event.subject in case.below]
    return [event for event in outside_bodies(case, events) if _is_lost(case, event, told)]


def _is_lost(case: Case, event: Any, told: dict[Any, bool]) -> bool:
    """Whether the value came back as a constant. A loop leaves on the same line again and again: what
    the text tells of it is looked up once.
    """
    spot = event.kind, *key_of(event.spot)
    if spot not in told or not event.line.text:
        innocent = only_compared(event) or asks_only_the_shape(event)
        told[spot] = not innocent and _came_back(case, event)
    return told[spot]


def is_a_position(event: Any) -> bool:
    """Whether what left only says where, or how often; a right program has that too."""
    if makes_positions(event) or makes_answers(event):
        return True
    return event.kind == "int()" and only_a_position(event)


def left_the_tensors(case: Case) -> Finding | None:
    """A value that depends on the source went through NumPy or a Python number."""
    events = departures(case)
    if not events:
        return None
    events = [e for e in events if not is_a_position(e)] or events
    event = events[-1]
    drawn = draw_that_left(case, event)
    if drawn is not None:
        return drawn
    by_hand = made_whole_by_hand(case, event)
    if by_hand is not None:
        return by_hand
    if event.kind == "int()":
        return (None if is_written_out(event) else made_whole(case, event)) or _whole(case, event)
    way, exits = way_of(event, case), beside(event, events)
    kind = "a Python number" if event.kind == "float()" and way.how != "NumPy" else "NumPy"
    code, advice = in_the_kit(case, event) if way.how == "NumPy" else way.code, way.advice
    others = constants_beside(case, event, exits) if exits else []
    together = whole_code(case, event, [*exits, *others]) if others else ""
    exits = in_order([*exits, *others]) if together else exits
    if len(exits) > 1 or not code or leaves_again(event, code):
        code = together or whole_code(case, event, exits)
    draw, written = drawn_with(case, event, bool(code)), written_into(case, event)
    if draw is not None:
        code, advice = "", advice_for(case, event, draw)
    elif makes_positions(event):
        one = makes_positions(event, ("argmax", "argmin"))
        code, advice = "", CHOSEN.format(case.target_name) if one else POSITIONS
    elif len(exits) > 1:
        advice = f"Values leave in several places of this line, {all_named(exits)}. {OWN}"
    elif written:
        code, advice = "", written
    if advice.endswith(OWN) and is_collected(event):
        advice += " Collect the tensors in a list, and make one of them with ad.stack."
    by_mistake = draw is not None or "weights" in way.how
    if not by_mistake and any(one is not case.source for one, _ in case.variables_read):
        advice += f" {ON_PURPOSE.format(case.source_name)}"
    found = case.none(
        "left the tensors",
        f"A value that depends on `{case.source_name}` left the tensors here ({way.how}). What is "
        f"computed with {kind} is not recorded, and comes back as a constant.",
        code,
        line=event.line,
        advice=advice,
    )
    found.also += leaving_again(case, events)
    return found


def _whole(case: Case, event: Any) -> Finding:
    return case.none(
        "left the tensors",
        f"A value that depends on `{case.source_name}` became a Python number here "
        f"({way_of(event).how}), and a whole number cannot move by a little.",
        "",
        line=event.line,
        advice="Keep it a tensor. If it is a position or a count, weigh all the choices softly "
        "instead of taking one of them." + between(case, event.subject),
    )


_BOTH_WAYS = (
    "Compute both ways and mix them softly instead of choosing: weigh one with ad.sigmoid of ten times "
    "what decides, and the other with one minus that."
)


def decides_by_number(case: Case) -> Finding | None:
    """A number that was made of the source only chose a branch or counted a loop."""
    for event in case.time.all(*HOW):
        statement = statement_of(event.spot)
        if event.subject not in case.below or not isinstance(
            statement, (ast.If, ast.While, ast.For)
        ):
            continue
        name = case.source_name
        advice = instead_of_deciding(event, _BOTH_WAYS)
        if isinstance(statement, ast.For):
            advice = (
                "Weigh the rounds softly instead of counting them: let a few more run, and multiply "
                f"what round i adds by ad.sigmoid(10.0 * ({name} - i))."
            )
        return case.none(
            "condition",
            f"`{name}` only decides here which way the program goes, or how often ({event.kind}). A "
            "decision chooses, and no gradient flows to it.",
            "",
            line=event.line,
            advice=advice,
        )
    return None


def only_counts(case: Case) -> Finding | None:
    """A number that was made of the source only says how often a loop runs, or which way is taken."""
    text = case.flow.text
    for event in case.time.all(*HOW):
        begin = left_in(event)
        if begin is None or event.subject not in case.below or begin not in text.read:
            continue
        names = text.made_by(begin)
        deciding = [s for s in text.read if isinstance(s, (ast.For, ast.While, ast.If))]
        deciding = [s for s in deciding if text.mentions(s, names) and _decides(case, s)]
        if deciding:
            return _counted(case, event, min(deciding, key=lambda block: block.lineno))
    return None


def _decides(case: Case, block: ast.stmt) -> bool:
    """Whether something in a loop or a branch leads to the target."""
    inner = [one for one, blocks in case.flow.text.within.items() if block in blocks]
    return any(map(case.flow.leads_to_it, inner))


def _counted(case: Case, event: Any, block: Any) -> Finding:
    name = case.source_name
    loops = not isinstance(block, ast.If)
    what = "how often the loop runs that begins" if loops else "which way the program goes"
    where = line_at(case.flow.files[block], block.lineno).where
    return case.none(
        "condition",
        f"What was made of `{name}` became a plain number here ({way_of(event).how}), and that only "
        f"decides {what} at {where}. A decision chooses and counts, and no gradient flows to it.",
        "",
        line=event.line,
        advice=f"Let `{name}` itself enter what is computed "
        + ("in the loop, or weigh its rounds softly instead of counting them." * loops)
        + ("there, or mix both ways softly instead of choosing." * (not loops)),
    )


def _came_back(case: Case, event: Any) -> bool:
    """Whether what left may have come back: a `print` on the way is innocent."""
    line = event.line
    if not line.text:
        return any(birth.time > event.time for birth in case.births)
    begin = left_in(event)
    if isinstance(begin, ast.Return) and event.code.co_name == "<lambda>":
        return True  # the function is handed on, and who calls it cannot be seen
    return begin is None or carried(case, begin, line.file)  # without a text nobody can tell
