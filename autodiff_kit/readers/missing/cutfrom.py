"""Layer 5: a source that was cut out of something, where the target was computed from the whole.

One idea: ``x = X[:, 0:1]`` makes a new tensor. To watch it does not bring it into what is computed from
`X`: that has to be put together from the pieces, or the gradient of the whole has to be cut.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.missing.unused import seems_unused
from autodiff_kit.tensor import Tensor

_CUTS = ("StridedSlice", "Slice", "Unpack", "Split", "SplitV", "GatherV2", "GatherNd")


def a_piece(case: Case) -> Finding | None:
    """Nothing uses the source, which is a piece of something that the target was computed from."""
    birth = case.birth_of(case.source)
    if case.uses or birth.type not in _CUTS or type(case.source) is not Tensor:
        return None
    whole = _whole(case)
    if whole is None or not case.source_places and not seems_unused(case):
        return None
    name, target, tape = case.source_name, case.target_name, case.tape_name
    return case.none(
        "made of the same",
        f"`{name}` was cut out of `{whole}` here, and `{target}` was computed from `{whole}`, not from "
        f"`{name}`.",
        "",
        birth.type,
        birth.line,
        f"Inside the with block call {tape}.watch({name}) first, put the pieces together again with "
        f"ad.concat or ad.stack, and compute `{target}` from that. Or let the tape watch `{whole}`, "
        "and cut the same piece out of the gradient for that.",
    )


def _whole(case: Case) -> str | None:
    """The name of a tensor that leads to the target, and that the line reads that made the source."""
    birth = case.birth_of(case.source)
    taken = [pair for place in sorted(case.above) for pair in case.untracked(place)]
    outside = {home for place in case.above for home in case.outsiders_of(place)}
    for name, one in case.held.items():
        if type(one) is not Tensor or one is case.source:
            continue
        known = type(one._home) is tuple and one._home in outside
        leads = known or any(kept is one for _, kept in taken)
        if leads and case.flow.reads((birth.code, birth.instruction), case.flow.names_for(one)):
            return name
    return None
