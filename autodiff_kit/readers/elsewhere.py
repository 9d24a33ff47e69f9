"""Layer 5: causes of a None that lie outside the graph.

One idea: the target, or a value on the way, was made where the tape does not look: outside its
block, on another tape, in NumPy, by an assignment, in a branch that was not taken.
"""

from __future__ import annotations

import os
import re
from typing import Any

from autodiff_kit.readers.account import depending_on
from autodiff_kit.readers.asked import is_reference
from autodiff_kit.readers.branches import untaken_branch, use_in_block
from autodiff_kit.readers.carried import carried
from autodiff_kit.readers.case import Case, tensor_of
from autodiff_kit.readers.finding import Finding
from autodiff_kit.readers.lines import Line, covers, line_of, tree_of
from autodiff_kit.readers.reach import blocks_at
from autodiff_kit.readers.spots import statement_of
from autodiff_kit.readers.timeline import Birth, line_of_event
from autodiff_kit.tape import Home
from autodiff_kit.tensor import Tensor


def target_elsewhere(case: Case) -> Finding | None:
    """The target was not computed while this tape was recording."""
    if case.target_places:
        return None
    home, birth, target = tensor_of(case.target)._home, case.target_birth, case.target_name
    if type(home) is Home:
        if home in case.tape.former_homes:
            reset = case.time.last("reset")
            return case.none(
                "before a reset",
                f"`{target}` was computed before {case.tape_name}.reset(), which made the tape forget "
                "everything.",
                f"{target} = ...    # after {case.tape_name}.reset()",
                line=line_of_event(reset),
            )
        if type(case.target) is Tensor:
            other_name, line = _other_tape(case, home())
            if not case.would_be_seen and _in_the_block(case, line):
                return None  # this tape was there too, and does not watch the source
            return case.none(
                "another tape",
                f"`{target}` was recorded by another tape, not by `{case.tape_name}`.",
                f"{other_name}.gradient({target}, {case.source_name})",
                line=line,
                advice="Ask the tape inside whose block it was computed.",
            )
        return None
    state = case.time.state(birth.time)
    if birth.type == "Gradient" and state != "recording":
        return _inner_gradient(case)
    if not birth.computed and type(case.target) is Tensor and state == "recording":
        return None
    if state == "stopped":
        return case.none(
            "recording stopped",
            f"`{target}` was computed while {case.tape_name}.stop_recording() was in force.",
            f"{target} = ...    # not inside {case.tape_name}.stop_recording()",
            birth.type, birth.line,
        )  # fmt: skip
    if birth.known and state != "recording" and type(case.target) is Tensor:
        how = "before the tape's block began" if state == "not begun" else "after its block ended"
        return case.none(
            "outside the tape",
            f"`{target}` was computed {how}, where the tape does not record.",
            f"with ad.GradientTape() as {case.tape_name}:\n    {_bindable(target)} = ...    "
            "# compute it in here",
            birth.type, birth.line,
        )  # fmt: skip
    return None


def _bindable(name: str) -> str:
    return name if is_reference(name) else "target"


def _in_the_block(case: Case, line: Line | None) -> bool:
    """Whether a line stands in the block of this tape."""
    entered = case.time.last("enter")
    begin = line_of_event(entered) if entered is not None else None
    tree = tree_of(line.file) if line is not None else None
    if line is None or begin is None or tree is None or begin.file != line.file:
        return False
    return any(covers(block, line.number) for block in blocks_at(tree, begin.number))


def _other_tape(case: Case, other: Any) -> tuple[str, Any]:
    """The learner's name of the tape that recorded the target, and the line where it did."""
    place = tensor_of(case.target)._index
    if other is None or place >= len(other.records):
        return "other_tape", None
    return case.names.by_identity_of(other) or "other_tape", line_of(*other.records[place][-2:])


def _inner_gradient(case: Case) -> Finding:
    birth, target = case.target_birth, case.target_name
    return case.none(
        "inner gradient outside",
        f"`{target}` is a gradient that was taken outside the block of `{case.tape_name}`, so this "
        "tape did not see it being computed.",
        f"with ad.GradientTape() as {case.tape_name}:\n    with ad.GradientTape() as inner:\n"
        f"        ...\n    {target} = inner.gradient(...)    # still inside the outer block",
        birth.type, birth.line,
    )  # fmt: skip


def departures(case: Case) -> list[Any]:
    """The events at which a value that depends on the source left the tensors and came back."""
    how = ("numpy()", "NumPy", "float()", "int()")
    return [e for e in case.time.all(*how) if e.subject in case.below and _came_back(case, e)]


def left_the_tensors(case: Case) -> Finding | None:
    """A value that depends on the source went through NumPy or a Python number."""
    events = departures(case)
    if not events:
        return None
    event = events[-1]
    kind = "a Python number" if event.kind in ("float()", "int()") else "NumPy"
    if event.kind == "int()":
        return case.none(
            "left the tensors",
            f"A value that depends on `{case.source_name}` became a Python number here (int()), and a "
            "whole number cannot move by a little.",
            "ad.reduce_sum(ad.nn.softmax(scores) * table)    # instead of table[int(...)]",
            line=_last_seen(case, event),
            advice="Weigh all the choices softly instead of taking one of them.",
        )
    return case.none(
        "left the tensors",
        f"A value that depends on `{case.source_name}` left the tensors here ({event.kind}). What is "
        f"computed with {kind} is not recorded, and comes back as a constant.",
        "ad.sin(x)    # instead of np.sin(x), and no .numpy() or float() on the way",
        line=_last_seen(case, event),
        advice="Use the kit's own operations all the way.",
    )


def _came_back(case: Case, event: Any) -> bool:
    """Whether what left may have come back: a `print` on the way is innocent."""
    births = [case.target_birth, *case.outsider_births()]
    later = any(birth.known and birth.time > event.time for birth in births)
    line = line_of_event(event)
    if _is_numpys(line):
        return later
    if not line.text:
        return later
    keys = {(id(r[-2]), r[-1]): r[-2:] for r in (case.records[place] for place in case.above)}
    spots = [*keys.values(), *((b.code, b.instruction) for b in births if b.known)]
    begin = statement_of(event.code, event.instruction, event.kind.lower().strip("()"))
    files = {line.file, *(code.co_filename for code, _ in spots)}
    return carried(begin, [statement_of(*spot) for spot in spots], files)


def _is_numpys(line: Line) -> bool:
    return bool(os.path.join("numpy", "") in line.file)


def _last_seen(case: Case, event: Any) -> Line | None:
    """The learner's line where a value left; inside NumPy that is where it came back."""
    line = line_of_event(event)
    if not _is_numpys(line):
        return line
    births = [case.target_birth, *case.outsider_births()]
    later = [birth for birth in births if birth.known and birth.time > event.time]
    return min(later, key=lambda birth: birth.time).line if later else None


def assigned(case: Case) -> Finding | None:
    """The value went into a variable by assign, and the target was computed from that variable."""
    for event in reversed(case.time.all("assign")):
        variable, place = event.subject
        if place not in case.below and not _added(case, event):
            continue
        later = [p for p in case.tape.variables.get(variable, []) if p >= event.place]
        on_the_way = bool(depending_on(case.records, later) & set(case.target_places))
        if on_the_way or variable is case.target:
            name = case.names.of(variable)
            return case.none(
                "assigned",
                f"The value was stored in the variable `{name}` with {_how(place)}. An assignment "
                "replaces the number and is not recorded: no gradient flows from the variable to what "
                "was assigned.",
                _kept(case, variable, name),
                "AssignVariableOp", line_of_event(event),
                advice="Go on with the new value itself instead of the variable.",
            )  # fmt: skip
    return None


def _how(place: int) -> str:
    return "assign" if place >= 0 else "assign_add or assign_sub"


def _added(case: Case, event: Any) -> bool:
    """Whether something that depends on the source was added to a variable: the line tells.

    The sum that becomes the variable's value is not on the tape, only what was added is.
    """
    line, place = line_of_event(event), event.subject[1]
    if place >= 0 or not re.search(r"\.assign_(add|sub)\(", line.text):
        return False
    given = re.split(r"\.assign_(?:add|sub)\(", line.text, maxsplit=1)[-1]
    names = {case.source_name} | {case.name(p) for p in case.below} - {None}
    return any(word_in(n, given) for n in names if n) or _on_line(case, line)


def _kept(case: Case, variable: Any, name: str) -> str:
    """What to write instead of an assignment, or of many that fill a variable part by part."""
    times = sum(event.subject[0] is variable for event in case.time.all("assign"))
    if times > 1:
        return f"{name} = ad.stack(parts)    # collect the parts in a list instead"
    return f"new = ...    # use this tensor from here on, not {name}"


def put_into_a_variable(case: Case) -> Finding | None:
    """A variable that leads to the target was made from a value that depends on the source."""
    for place in sorted(case.above):
        attrs = case.records[place][6] or {}
        birth = Birth(attrs.get("origin"))
        if attrs.get("variable") is None or birth.line is None or not birth.known:
            continue
        made = case.time.state(birth.time) == "recording"
        names = {case.source_name} | {case.name(p) for p in case.below} - {None}
        given = birth.line.text.split("Variable(", 1)[-1]
        if made and (any(word_in(n, given) for n in names if n) or _on_line(case, birth.line)):
            name = case.names.of(attrs["variable"])
            return case.none(
                "assigned",
                f"The value was put into a new variable here, `{name}`. A variable begins with a "
                "number: no gradient flows from it to what that number was computed from.",
                f"{name} = ...    # the tensor itself, without ad.Variable",
                line=birth.line,
                advice="Go on with the value itself instead of a variable.",
            )
    return None


def _on_line(case: Case, line: Line) -> bool:
    return any(case.line(p) == line for p in case.below - set(case.source_places))


def word_in(name: str, text: str) -> bool:
    """Whether a name stands in a piece of a program."""
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) is not None


def branch_not_taken(case: Case) -> Finding | None:
    """The learner's code uses the source only in a branch that did not run."""
    found = untaken_branch(case)
    if found is None:
        return None
    line, what = found
    where = f"in a branch that was not taken ({what})"
    why = f"is used only {where}. A tape records what was done, not what might have been."
    if case.is_used:
        why = (
            f"is used {where}, and in a condition. A tape records what was done, not what might have "
            "been, and a condition only chooses: no gradient flows to it."
        )
    return case.none(
        "branch not taken",
        f"`{case.source_name}` {why}",
        f"{case.tape_name}.gradient({case.target_name}, {case.source_name}, "
        'unconnected_gradients="zero")',
        line=line,
        advice="If a gradient of zero is what is meant, ask for it.",
    )


def used_as_condition(case: Case) -> Finding | None:
    """Only a Python condition looked at the source."""
    events = [e for e in case.decisions if e.subject in case.below]
    if not events or not case.conditions.issuperset(case.uses):
        return None
    return case.none(
        "condition",
        f"`{case.source_name}` only decides which way the program goes (if, while, cond). A decision "
        "chooses, and no gradient flows to it.",
        f"weight = ad.sigmoid(10.0 * {case.source_name})\nweight * a + (1.0 - weight) * b",
        line=line_of_event(events[-1]),
        advice="Mix the two softly instead of choosing.",
    )


def read_while_stopped(case: Case) -> Finding | None:
    """The source was used inside a `stop_recording` block, and the target computed from that."""
    births = [case.target_birth, *case.outsider_births()]
    if case.path or not any(case.time.state(birth.time) == "stopped" for birth in births):
        return None
    for stop in reversed(case.time.all("stop")):
        begin = line_of_event(stop)
        use = use_in_block(begin, case.source_name)
        if use is not None:
            return case.none(
                "recording stopped",
                f"`{case.source_name}` was used here while {case.tape_name}.stop_recording() was in "
                "force, so the tape did not see it.",
                f"... = {case.source_name} ...    # not inside {case.tape_name}.stop_recording()",
                line=use,
                advice="Compute what is to have a gradient outside that block.",
            )
    return None


def only_the_shape(case: Case) -> Finding | None:
    """Nothing of the source was used but its shape."""
    events = [e for e in case.time.all("shape") if e.subject in case.source_places]
    if not events or case.is_used:
        return None
    return case.none(
        "only the shape",
        f"Only the shape of `{case.source_name}` was used here; its values do not enter "
        f"`{case.target_name}`.",
        f"{case.target_name} = ad.reduce_sum({case.source_name})    # for example",
        line=line_of_event(events[-1]),
    )


CHECKS = (
    target_elsewhere,
    read_while_stopped,
    left_the_tensors,
    assigned,
    put_into_a_variable,
    branch_not_taken,
    used_as_condition,
    only_the_shape,
)
