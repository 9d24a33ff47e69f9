"""Layer 5: why a gradient is None.

One idea: each cause is one small function that recognises it. They are tried in order, the certain
ones first.
"""

from __future__ import annotations

from collections.abc import Callable

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.lost.choosing import chosen_by, taken_by_position
from autodiff_kit.readers.lost.departed import decides_by_number, left_the_tensors, only_counts
from autodiff_kit.readers.missing.apart import made_apart
from autodiff_kit.readers.missing.assigning import assigned, put_into_a_variable
from autodiff_kit.readers.missing.bydefault import default_value
from autodiff_kit.readers.missing.closure import not_an_argument
from autodiff_kit.readers.missing.copies import exchanged, made_later
from autodiff_kit.readers.missing.cutout import cut_out
from autodiff_kit.readers.missing.differentiated import of_something_unknown, of_something_unseen
from autodiff_kit.readers.missing.elsewhere import (
    branch_not_taken,
    made_elsewhere,
    only_the_shape,
    target_elsewhere,
    used_as_condition,
)
from autodiff_kit.readers.missing.fallen import fallen_out
from autodiff_kit.readers.missing.fromnumbers import from_numbers
from autodiff_kit.readers.missing.given import constant_target, no_target
from autodiff_kit.readers.missing.integers import integer_source
from autodiff_kit.readers.missing.late import watched_late
from autodiff_kit.readers.missing.leadsaway import not_on_the_way
from autodiff_kit.readers.missing.masked import used_as_mask
from autodiff_kit.readers.missing.neverran import loop_without_a_round
from autodiff_kit.readers.missing.paused import computed_while_paused, pauses
from autodiff_kit.readers.missing.ranked import with_others
from autodiff_kit.readers.missing.remembered import kept_from_before, made_and_kept
from autodiff_kit.readers.missing.repeated import computed_twice
from autodiff_kit.readers.missing.resetting import before_a_reset
from autodiff_kit.readers.missing.siblings import of_one_family
from autodiff_kit.readers.missing.stopped import gradient_rule_missing, stopped_on_the_way
from autodiff_kit.readers.missing.threads import made_in_another_thread
from autodiff_kit.readers.missing.unwatched import source_not_on_tape

Check = Callable[[Case], "Finding | None"]


def why_none(case: Case) -> Finding:
    """The cause of a None."""
    for check in CHECKS:
        found = check(case)
        if found is not None:
            if found.cause in ("not used", "not on the way"):
                found.also += pauses(case)
            return with_others(case, found)
    raise AssertionError("the last check always finds something")


def apart(case: Case) -> Finding | None:
    """Something on the way was not made on this tape, and the source would have been seen there."""
    if not case.would_be_seen:
        return None
    return made_apart(case, wide=True) or computed_while_paused(case, wide=True)


CHECKS: tuple[Check, ...] = (
    no_target,
    integer_source,
    exchanged,
    gradient_rule_missing,
    stopped_on_the_way,
    not_an_argument,
    target_elsewhere,
    computed_twice,
    made_later,
    watched_late,
    computed_while_paused,
    left_the_tensors,
    assigned,
    put_into_a_variable,
    default_value,
    of_something_unseen,
    made_and_kept,
    made_elsewhere,
    made_in_another_thread,
    used_as_mask,
    kept_from_before,
    loop_without_a_round,
    branch_not_taken,
    used_as_condition,
    chosen_by,
    taken_by_position,
    decides_by_number,
    only_counts,
    only_the_shape,
    constant_target,
    from_numbers,
    apart,
    before_a_reset,
    of_something_unknown,
    cut_out,
    source_not_on_tape,
    of_one_family,
    fallen_out,
    not_on_the_way,
)
