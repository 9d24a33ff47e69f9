"""Layer 5: targets that the tape knows nothing of, beside one that it knows.

One idea: the gradients of several targets add up, so one that was computed elsewhere is missed by
nobody: the sum is a number without it.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.recorder import Home
from autodiff_kit.tensor import Tensor

_FEW = 3  # that are called by their names


def other_targets(case: Case) -> list[str]:
    """A sentence for each reason for which some of the targets add nothing."""
    groups: dict[str, list[str]] = {}
    for target in case.account.request.targets if case.target_places else ():
        why = _unknown(case, target)
        if why:
            groups.setdefault(why, []).append(f"`{case.names.of(target)}`")
    return [_sentence(case, names, why) for why, names in groups.items()]


def _unknown(case: Case, target: Any) -> str:
    """Where the tape was when a target was computed, "" if it may know it, or nothing computed it."""
    if type(target) is not Tensor or not target.dtype.is_floating or case.places_of_target(target):
        return ""
    if type(target._home) is Home:
        forgotten = target._home in case.tape.former_homes
        return f"before {case.tape_name}.reset()" if forgotten else "while another tape recorded"
    birth = Birth(target._home)
    return {
        "not begun": f"before the block of `{case.tape_name}` began",
        "stopped": f"while {case.tape_name}.stop_recording() had paused the tape",
        "left": f"after the block of `{case.tape_name}` had ended",
    }.get(case.time.state(birth.time) if birth.computed else "", "")


def _sentence(case: Case, names: list[str], why: str) -> str:
    named = names if len(names) <= _FEW else [*names[:1], f"{len(names) - 1} more"]
    tape, one = case.tape_name, len(names) == 1
    known = f"so `{tape}` does not know {'it: it adds' if one else 'them: they add'} nothing to"
    they = f"{' and '.join(named)} {'is a target' if one else 'are targets'} too"
    return f"{they}, computed {why}, {known} this gradient."
