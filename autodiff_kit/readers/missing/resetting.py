"""Layer 5: what the tape knew before `reset`.

One idea: a reset makes the tape forget its records and what it watches. Tensors of that time still say
that they were on it, and so the tape can be told from one that never saw them.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.missing.apart import goes_on
from autodiff_kit.readers.missing.unused import not_used
from autodiff_kit.recorder import Home
from autodiff_kit.tensor import Tensor


def before_a_reset(case: Case) -> Finding | None:
    """The source, or what was made of it, was on the tape before a reset only."""
    if case.path or not case.tape.former_homes:
        return None
    held = [(name, one) for name, one in case.held.items() if one is not case.source]
    names = [name for name, one in held if is_former(case, one)]
    made = [name for name in names if case.flow.held_as(name) & case.flow.names]
    leading = [name for name in made if goes_on(case, name)]
    if leading:
        return _value_forgotten(case, leading[-1])
    return _source_forgotten(case) if is_former(case, case.source) else None


def is_former(case: Case, one: Any) -> bool:
    """Whether a tensor was on this tape before a reset, and is not on it now."""
    former = type(one) is Tensor and type(one._home) is Home and one._home in case.tape.former_homes
    return former and case.tape.find(one) < 0


def target_forgotten(case: Case) -> Finding:
    """The target itself was computed before a reset."""
    target = case.target_name
    return case.none(
        "before a reset",
        f"`{target}` was computed before {case.tape_name}.reset(), which made the tape forget "
        "everything.",
        "",
        line=case.time.last("reset").line,
        advice=f"Compute `{target}`, and all that leads to it, after that line, in the block.",
    )


def _source_forgotten(case: Case) -> Finding:
    name, tape = case.source_name, case.tape_name
    return not_used(case, f"{tape}.reset() made it forget `{name}`") or case.none(
        "before a reset",
        f"`{tape}` knew `{name}` only before {tape}.reset(), which made the tape forget everything, "
        "what it watched as well.",
        f"{tape}.watch({name})    # after {tape}.reset(), before `{name}` is used",
        line=case.time.last("reset").line,
    )


def _value_forgotten(case: Case, name: str) -> Finding:
    return case.none(
        "before a reset",
        f"`{case.target_name}` was computed from `{name}`, and `{name}` was computed before "
        f"{case.tape_name}.reset(), which made the tape forget what it was made of.",
        "",
        line=case.time.last("reset").line,
        advice=f"Compute `{name}` after that line, or leave the reset out.",
    )
