"""Layer 5: a source that had no part in the target.

One idea: if no tape watches it either, to watch it would not mend anything. The operations on the tape
know where their other inputs came from, and the learner's text tells the rest.
"""

from __future__ import annotations

import ast
import re

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.missing.assigning import by_a_step
from autodiff_kit.readers.missing.unreached import left_out_by_a_loop
from autodiff_kit.readers.program.asked import is_reference, led_to, only_asked_by
from autodiff_kit.readers.program.lines import Line, line_at
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.readers.program.text import Named
from autodiff_kit.readers.program.words import root_of

_SHOWN = 3  # of the variables that may be asked for instead


def not_used(case: Case, what_it_is: str) -> Finding | None:
    """The finding for a source that nobody watches and nothing seems to use.

    Args:
      what_it_is: why no tape watches it by itself, for example "it is a constant".
    """
    if not seems_unused(case):
        return None
    name, target = case.source_name, case.target_name
    return case.none(
        "not used",
        f"As far as the tape and the program's text tell, `{target}` was not computed from `{name}`. "
        f"Nor would the tape watch `{name}` by itself: {what_it_is}.",
        "",
        line=case.source_birth.line,
        advice=f"If `{target}` is to depend on `{name}`, call {case.tape_name}.watch({name}) first "
        f"thing inside the with block, and compute `{target}` from it there.{_instead(case)}",
    )


def never_read(case: Case) -> Finding:
    """The finding for a variable that the tape would have seen, had anything read it."""
    name, target, reset = case.source_name, case.target_name, case.time.last("reset")
    seen = f"The tape never saw `{name}` being read"
    if reset is not None:
        seen = (
            f"{case.tape_name}.reset() at {reset.line.where} made the tape forget what was "
            f"before, and since then it has not seen `{name}` being read"
        )
    line = case.entered if reset is None else reset.line
    replaced = _replaced(case)
    if replaced is not None:
        return _under_its_name(case, *replaced)
    left_out = left_out_by_a_loop(case)
    if left_out is not None:
        return left_out
    return case.none(
        "not used",
        f"{seen}, so as far as it knows `{target}` does not depend on it.",
        "",
        line=line,
        advice=f"If `{target}` is to depend on `{name}`, use it where `{target}` is computed, "
        "inside the with block. It may have been forgotten in a formula, and what was made of it "
        f"before does not count. Otherwise do not ask for it.{by_a_step(case) or _instead(case)}",
    )


def _replaced(case: Case) -> tuple[str, Line] | None:
    """The name under which the source was made, and the line that gave it to something else, if that
    line had a part in the target.
    """
    flow, birth = case.flow, case.birth_of(case.source)
    made = statement_of(birth.spot) if birth.known else None
    for one in flow.ends:
        if one is not made and isinstance(one, ast.Assign) and one in flow.files:
            got = [name for name in flow.text.receivers(one) if name in flow.made_as]
            if got:
                return got[0][1], line_at(flow.files[one], one.lineno)
    return None


def _under_its_name(case: Case, called: str, line: Line) -> Finding:
    name, target = case.source_name, case.target_name
    return case.none(
        "not used",
        f"The tape never saw `{name}` being read. It was made under the name `{called}`, and here that "
        f"name is given to another value, from which `{target}` was computed.",
        "",
        line=line,
        advice=f"Give that value a name of its own. And if `{target}` is to depend on `{name}`, use "
        f"`{called}` where `{target}` is computed; otherwise do not ask for it.",
    )


def _instead(case: Case) -> str:
    """What the target was computed from, and nobody asked for: perhaps that was meant."""
    on_the_way = [v for v, places in case.tape.variables.items() if set(places) & case.above]
    asked = {id(one) for one in case.account.request.sources}
    on_the_way = [variable for variable in on_the_way if id(variable) not in asked]
    names = [f"`{case.names.of(variable)}`" for variable in on_the_way]
    if not names or len(names) > _SHOWN:
        return ""
    from_what = " and ".join(names)
    return f" `{case.target_name}` was computed from {from_what}: ask for that if you mean it."


def seems_unused(case: Case) -> bool:
    """Whether neither the tape nor the text knows a way from the source to the target."""
    flow = case.flow
    ends = [end for end in flow.ends if end in flow.text.read]
    if not ends or len(ends) < len(flow.ends) or not _is_known(case) or case.took(case.source):
        return False
    last = re.compile(rf"(?<!\w){re.escape(_last(case.source_name))}(?!\w)")
    if any(last.search(flow.text.read[end]) for end in ends) or _is_a_default(case):
        return False
    return not flow.ends_with(flow.wide | _outermost(case))


def _outermost(case: Case) -> set[Named]:
    """What holds the list or the dict that holds the source, and what was made of that: a loop takes
    the inner ones from it under names of its own.
    """
    names = (*case.words_for(case.source), case.source_name)
    nested = [name for name in names if name.count("[") > 1]
    return case.flow.text.made_of(case.flow.named(map(root_of, nested)))


def _is_known(case: Case) -> bool:
    """Whether the source's name leads to it, and where the block is too, so that the text can be
    searched for it.
    """
    name, frame = case.source_name, case.names.frame
    known = is_reference(name) and led_to(name, frame) is case.source
    return known and not only_asked_by(case, name)


def _last(name: str) -> str:
    """The last part of a name, which is the same whatever the object before it is called."""
    return name.split("[")[0].rsplit(".", 1)[-1]


def _is_a_default(case: Case) -> bool:
    """Whether a function has something of the source as a default value of a parameter."""
    text = case.flow.text
    functions = [one for one in text.read if isinstance(one, (ast.FunctionDef, ast.ClassDef))]
    return any(text.mentions(one, case.flow.wide) for one in functions)
