"""Layer 5: what the target was made of, but not on this tape.

One idea: a value that no tape tracks knows when and where it was made; that it was made of the
source, and that it leads to the target, the learner's own text says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from autodiff_kit.readers.facts.between import may_be_between
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.questions import Question, question_at
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.lost.beside import is_of_the_last_round
from autodiff_kit.readers.mending.inside import all_inside, line_to_move, statement_to_move
from autodiff_kit.readers.mending.needed import needed_above
from autodiff_kit.readers.mending.nesting import (
    TAKE_INSIDE,
    asked_block,
    own_block,
    with_asked_blocks,
)
from autodiff_kit.readers.missing.runsonce import runs_once
from autodiff_kit.readers.program.lines import Line, Spot, line_of, segment, spot_of
from autodiff_kit.readers.program.plain import may_be_taken, plain_names
from autodiff_kit.readers.program.spots import key_of
from autodiff_kit.readers.program.text import Named
from autodiff_kit.recorder import Home
from autodiff_kit.tensor import Tensor
from autodiff_kit.variable import Variable


class Made(NamedTuple):
    """A value that this tape did not record.

    name: the learner's, if there is one.
    state: what the tape did then, or "another tape" if another one recorded it.
    """

    name: str
    state: str
    type: str
    spot: Spot
    time: float

    @property
    def line(self) -> Line:
        """The learner's line that made it."""
        return line_of(self.spot)


def made_apart(case: Case, wide: bool = False) -> Finding | None:
    """A value on the way to the target was computed before the block, after it, or on another tape.

    Args:
      wide: whether it is enough that the object that holds the source had a part in it.
    """
    if case.path:
        return None
    found = values_made(case, ("not begun", "left", "another tape"), wide)
    return _finding(case, found, wide) if found else None


def values_made(case: Case, states: tuple[str, ...], wide: bool = False) -> list[Made]:
    """The values that were made of the source in some states of the tape, and lead to the target."""
    made = [(one, certain) for one, certain in _not_recorded(case) if one.state in states]
    if not made:
        return []
    names, end = case.flow.wide if wide else case.flow.names, case.end
    found = []
    for one, certain in made:
        if _of_source(case, one, names, wide):
            named = bool(one.name) and one.time < end
            if certain or named and goes_on(case, one.name):
                found.append(one)
    # In a loop a name may hold by now what came too late for the round that led to the target.
    flow = case.flow
    last = {one.name: not one.name or flow.ends_with(flow.held_as(one.name)) for one in found}
    return sorted(found, key=lambda one: (last[one.name], one.time))


def goes_on(case: Case, name: str) -> bool:
    """Whether the target may have been computed from a tensor that is kept under a name."""
    flow = case.flow
    ends = plain_names(case) | _variables(case)
    return may_be_taken(case, name) and flow.arrives(flow.held_as(name), ends)


def _variables(case: Case) -> frozenset[Named]:
    """The names of the source and of variables: what these are given leads nowhere."""
    held = [name for name, one in case.held.items() if isinstance(one, Variable)]
    names = {named for name in held for named in case.flow.held_as(name)}
    return frozenset(names | case.flow.source_names)


def _of_source(case: Case, one: Made, names: set[Named], wide: bool) -> bool:
    """Whether a value was made of the source; or, if that is enough, whether its name got such."""
    got = wide and bool(one.name) and bool(case.flow.held_as(one.name) & names)
    return got or case.flow.reads(one.spot, names)


def _not_recorded(case: Case) -> Iterator[tuple[Made, bool]]:
    """The values at hand that this tape did not record, and whether they surely lead to the target."""
    direct = dict.fromkeys(case.homes_above, "")
    held = []
    for name, one in case.held.items():
        if type(one) is Tensor and one is not case.source and case.tape.find(one) < 0:
            if type(one._home) is tuple:
                held.append((one._home, name))
                if direct.get(one._home) == "":
                    direct[one._home] = name
            elif type(one._home) is Home and may_be_between(case, one):
                yield from ((made, False) for made in _elsewhere(case, name, one))
    for home, name in [*held, *direct.items()]:
        birth = Birth(home)
        if birth.computed:
            state = case.time.state(birth.time)
            made = Made(name, state, birth.type, birth.spot, birth.time)
            yield made, home in direct


def _elsewhere(case: Case, name: str, one: Tensor) -> Iterator[Made]:
    """A value that another tape recorded, and this one not."""
    home: Any = one._home
    other = home()
    if home not in case.tape.former_homes and other is not None and one._index < len(other.records):
        record = other.records[one._index]
        yield Made(name, "another tape", record[0].type, spot_of(record), -1)


def _finding(case: Case, found: list[Made], wide: bool) -> Finding:
    found = _still_needed(case, found)
    made, source, target = found[-1], case.source_name, case.target_name
    words = {
        "not begun": f"before the block of `{case.tape_name}` began",
        "left": f"after the block of `{case.tape_name}` had ended",
        "another tape": f"while another tape recorded, and not `{case.tape_name}`",
    }[made.state]
    gradients = [one for one in found if one.type == "Gradient" and not _of_last_round(case, one)]
    holder = re.escape(source.split(".")[0])
    asked = [question_at(one.spot) for one in gradients]
    texts = [made.line.text, *map(_text_of_block, asked)]
    doubtful = wide and not any(re.search(rf"(?<![\w.]){holder}[.(]", text) for text in texts)
    advice = f"Compute everything between `{source}` and `{target}` inside one with block."
    advice += runs_once(case, made.spot)
    code = "" if doubtful else all_inside(case, made)
    if gradients:
        code = with_asked_blocks(code, asked) if type(case.source) is not Tensor else ""
        advice = TAKE_INSIDE.format(case.tape_name)
    stop = next((one.line for one in found if one.type == "StopGradient"), None)
    if stop is not None:
        code = ""
        advice += (
            f" And leave out the stop_gradient at {stop.where}: it would end the way there too."
        )
    return case.none(
        "another tape" if made.state == "another tape" else "outside the tape",
        f"{computed_from(case, made)} here, {words}: so this tape does not know what it was made of.",
        code,
        line=line_to_move(case, made),
        advice=advice,
    )


def _of_last_round(case: Case, made: Made) -> bool:
    """Whether a gradient was taken below the block, in the round of a loop before this one."""
    return made.time >= 0 and is_of_the_last_round(case, (made.type, *made.spot, made.time))


def _still_needed(case: Case, found: list[Made]) -> list[Made]:
    """Those values that the text leads to the target, where it is certain which ones it does."""
    block = own_block(case)
    needed = needed_above(case, block, inside=True) if block is not None else None
    return [one for one in found if statement_to_move(case, one) in (needed or [])] or found


def _as_a_whole(case: Case, made: Made) -> str:
    """A value's name; that of the list if its values were made of sources that are in a list too.

    Which of them was made of which source is not known.
    """
    root = made.name.split("[")[0]
    if not any(name.endswith("]") for name in case.words_for(case.source)):
        return made.name
    held = [one for name, one in case.held.items() if name.startswith(f"{root}[")]
    homes = [one._home for one in held if type(one) is Tensor and type(one._home) is tuple]
    same = [home for home in homes if key_of(Birth(home).spot) == key_of(made.spot)]
    return root if made.name != root and len(same) > 1 else made.name


def _text_of_block(question: Question | None) -> str:
    """The text of the block of the tape that was asked, "" if nobody can tell which that is."""
    block = asked_block(question) if question is not None else None
    return segment(question.file, block) if question is not None and block is not None else ""


def computed_from(case: Case, made: Made) -> str:
    """The beginning of a sentence: what the target was computed from, and how that came to be."""
    name, doing = f"`{_as_a_whole(case, made)}`", "was computed"
    if made.type == "Gradient":
        doing = "is a gradient that was taken"
    if not made.name:
        return f"`{case.target_name}` was computed from a value that {doing}"
    return f"`{case.target_name}` was computed from {name}, and {name} {doing}"
