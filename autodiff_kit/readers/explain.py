"""Layer 5: `explain`, the answer to "why is my gradient None, or zero, or NaN?".

One idea: run the way back once more, look at what arrived at each source, and hand a missing, dead
or sick gradient to the one who knows the causes.
"""

from __future__ import annotations

import re
from typing import Any

from autodiff_kit import nest
from autodiff_kit.lines import user_frame
from autodiff_kit.readers.facts.account import Account
from autodiff_kit.readers.facts.arguments import refuse_no_tape, with_its_arguments
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import finite, nonzero
from autodiff_kit.readers.facts.finding import Explanation, Finding
from autodiff_kit.readers.facts.names import Names
from autodiff_kit.readers.facts.timeline import Timeline, frame_of_block
from autodiff_kit.readers.facts.uncounted import nothing_asked, uncounted_words
from autodiff_kit.readers.flowing.addedup import tell_added_up
from autodiff_kit.readers.flowing.crossed import tell_crossed
from autodiff_kit.readers.flowing.ownrules import tell_own_rules
from autodiff_kit.readers.flowing.what import what_flows
from autodiff_kit.readers.lost.othertargets import other_targets
from autodiff_kit.readers.lost.stillknown import asked_again, still_known
from autodiff_kit.readers.lost.tonumbers import became_numbers
from autodiff_kit.readers.mending.theirwords import in_their_words
from autodiff_kit.readers.mending.watching import watched_in_time
from autodiff_kit.readers.missing.nottrained import frozen_words
from autodiff_kit.readers.missing.why import why_none
from autodiff_kit.readers.not_finite.sickvalue import sick_words
from autodiff_kit.readers.not_finite.since import with_spoilt
from autodiff_kit.readers.not_finite.why import why_not_finite
from autodiff_kit.readers.program.asked import one_of, written_arguments
from autodiff_kit.readers.program.frames import looked_into
from autodiff_kit.readers.program.given import unknown_text
from autodiff_kit.readers.program.lines import codes_called, compare_with_text, known_text
from autodiff_kit.readers.refused import why_refused
from autodiff_kit.readers.zero.why import why_zero

__all__ = ["explain"]


@with_its_arguments
def explain(tape: Any, target: Any, sources: Any) -> Explanation:
    """Say for each source whether a gradient flows from the target and, if none does, why.

    Args:
      tape: the `GradientTape` that recorded; it is only read, and a plain tape can still be asked for
        its gradient, or may have been.
      target, sources: as in ``tape.gradient(target, sources)``.

    Returns:
      An `Explanation`, which prints itself. Its `findings` have for each source the status
      ("flows", "none", "zero", "not finite", "error"), the cause, the operation and the learner's
      line where the way ends, and what to do.

    Raises:
      TypeError: if the first argument is no tape, one is missing, or target or sources are not tensors
        or variables.

    >>> import autodiff_kit as ad
    >>> x = ad.constant(3.0)
    >>> with ad.GradientTape() as tape:
    ...     y = x * x
    >>> ad.explain(tape, y, x).findings[0].cause
    'not watched'
    """
    asking = user_frame()
    refuse_no_tape(tape, "explain")
    frame = frame_of_block(asking, tape)
    with looked_into(asking, frame):
        return _explained(asking, frame, tape, target, sources)


def _explained(asking: Any, frame: Any, tape: Any, target: Any, sources: Any) -> Explanation:
    """The explanation for who asks in one frame about a tape whose block may stand in another."""
    codes = codes_called(tape.records, asking.f_code, frame.f_code)
    compare_with_text(codes)
    names = Names(frame, tape)
    account = _account(tape, target, sources)
    written = [*written_arguments(asking, "explain"), "", "", ""]
    parts = names.prefer_written(written, target, sources)
    target_name = names.of(nest.flatten(target)[0] if nest.flatten(target) else None, written[1])
    findings: list[Finding] = []
    rules: set[str] = set()
    for number, source in enumerate(account.request.sources):
        name = names.of(source, parts[number])
        case = Case(account, number, names, name, target_name)
        found = _finding(case)
        tell_own_rules(case, found, rules)
        asked = one_of(written[2], sources, number) if asking is frame else ""
        code_name = names.in_code(name, source, asked)
        _name_in_code(found, name, code_name)
        watched_in_time(case, found, code_name)
        in_their_words(found, frame)
        found.known_as = names.kept_as(source, name, written[2])
        findings.append(found)
    told = any(found.status != "flows" or found.also for found in findings)
    note = unknown_text(codes, known_text) if told else ""
    return Explanation(target_name, findings, nothing_asked(written[2], asking), note)


def _account(tape: Any, target: Any, sources: Any) -> Account:
    """The way back; of a target that is a plain number, the error says where it became one."""
    try:
        return Account(tape, target, sources)
    except TypeError as error:
        where = became_numbers(tape, target)
        if not where:
            raise
        raise TypeError(f"{error}{where}") from None


def _name_in_code(found: Finding, name: str, code_name: str) -> None:
    """Let the code have a name that Python knows; if there is none, there is no code."""
    there = re.compile(rf"(?<![\w./]){re.escape(name)}(?![\w/])")
    if code_name == name or not there.search(found.fix):
        return
    found.fix = there.sub(lambda _: code_name, found.fix) if code_name else ""
    if not found.fix and not found.advice:
        found.advice = "Give it a name of its own and ask again, for the code to write."


def _finding(case: Case) -> Finding:
    if case.tape.released:
        return _released(case)
    found = _found(case)
    tell_added_up(case, found)
    found.also += other_targets(case) + asked_again(case)
    return found


def _found(case: Case) -> Finding:
    if case.account.error is not None and type(case.account.error) is not LookupError:
        return why_refused(case, case.account.error)
    if case.gradient is None:
        return why_none(case)
    if not finite(case.gradient):
        return with_spoilt(case, why_not_finite(case))
    if case.gradient.size and not nonzero(case.gradient):
        found = with_spoilt(case, why_zero(case))
        tell_crossed(case, found)
    else:
        found = what_flows(case)
    found.also += sick_words(case) + frozen_words(case) + uncounted_words(case)
    return found


_SOUND = (
    "The tape has given its gradients and let go of its records. None of them was None, zero "
    "or not finite; whether they are of what you meant, nobody can see from that."
)
_SPENT = (
    "The tape has given its gradients. With arrays so large it lets go of its records meanwhile, "
    "whatever comes out."
)


def _released(case: Case) -> Finding:
    event = Timeline(case.tape).last("gradient")
    found = Finding(
        case.source_name,
        "unknown",
        "released",
        _SPENT if case.tape.spent else _SOUND,
        "To look into the tape, ask ad.explain before gradient, or make the tape persistent (which "
        "changes nothing about the gradients). If a loop does not learn although they are there, "
        "look at how they are applied and at the shapes in the loss.",
        line=event.line if event is not None else None,
    )
    targets, sources, healthy = case.tape.answered
    asked_before = any(one is case.source for one in sources) and healthy()
    if asked_before and all(any(t is u for u in targets) for t in case.account.request.targets):
        found.status = "flows"
    found.also += still_known(case)
    return found
