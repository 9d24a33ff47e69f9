"""Layer 5: what another thread made of the source.

One idea: a tape records in the thread of its block. A value that was made of the source while the tape
recorded, and that it knows nothing of, may come from another one, if the program has any.
"""

from __future__ import annotations

import re

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.missing.apart import values_made

_THREADS = re.compile(r"\b(Thread|ThreadPool\w*|to_thread|run_in_executor)\(")


def made_in_another_thread(case: Case) -> Finding | None:
    """A program with threads made a value of the source while the tape recorded, which saw nothing."""
    if case.path or case.uses or not case.would_be_seen:
        return None
    found = [one for one in values_made(case, ("recording",)) if one.type != "Gradient"]
    if not found or not any(map(_THREADS.search, case.flow.text.read.values())):
        return None
    source, target, tape = case.source_name, case.target_name, case.tape_name
    return case.none(
        "outside the tape",
        f"`{target}` was made of a value that was computed here while `{tape}` recorded, and that it "
        "did not record: a tape sees only what runs in the thread of its block.",
        "",
        line=found[-1].line,
        advice="If this line ran in another thread, compute it in the thread of the block, with a "
        f"plain loop instead of a pool. Or open a tape in each thread, take the gradient to `{source}` "
        "there, and add up the gradients.",
    )
