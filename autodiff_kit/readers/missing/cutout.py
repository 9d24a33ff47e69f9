"""Layer 5: the source is a piece, and the target was computed from the whole.

One idea: to cut a piece out makes a new value. Who watches the piece and then computes from the whole
has to join the pieces again, or to derive by the whole and cut after that.
"""

from __future__ import annotations

import re
from typing import Any

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.others import record_of
from autodiff_kit.readers.facts.timeline import Birth
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.mending.watching import watch
from autodiff_kit.readers.missing.unused import seems_unused
from autodiff_kit.readers.program.asked import is_reference
from autodiff_kit.readers.program.cutting import Piece, piece_at, pieces_of
from autodiff_kit.readers.program.lines import Spot, line_of, spot_of
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.request import places_of
from autodiff_kit.tensor import Tensor

_SHAPE = re.compile(r"[\w.]+\.(shape|dtype|size|ndim)(?!\w)|(?<![\w.])len\([\w.]+\)")


def cut_out(case: Case) -> Finding | None:
    """A piece that nothing uses, watched or not, while the whole went into the target."""
    made = _made(case)
    if made is None:
        return None
    (op, spot), name = made, case.source_name
    piece = piece_at(spot, name)
    if piece is None or not _went_in(case, spot, piece):
        return None
    line, target, whole = line_of(spot), case.target_name, piece.whole
    code, advice = _of_the_whole(case, piece), _joined(case, spot, piece)
    if not case.source_places:
        advice = (
            f"Watch `{name}` first thing in the block, {case.tape_name}.watch({name}). {advice}"
        )
    if code:
        advice += f" Or derive by `{whole}`, and cut the same piece out of that:"
    return case.none(
        "made of the same",
        f"`{name}` was cut out of `{whole}` here, and `{target}` was computed from `{whole}` itself: "
        f"nothing on the tape uses `{name}`.",
        code,
        op,
        line,
        advice,
    )


def _made(case: Case) -> tuple[str, Spot] | None:
    """The operation that made the source, and where, if nothing uses it."""
    if case.uses:
        return None
    if case.source_places:
        record = case.records[case.source_places[-1]]
        origin = record[6].get("origin") if record[0] is LEAF else None
        born = Birth(origin)
        return (born.type, born.spot) if born.known else None
    birth = case.source_birth
    unused = birth.known and type(case.source) is Tensor and seems_unused(case)
    return (birth.type, birth.spot) if unused else None


def by_the_whole(case: Case, spot: Any, whole: str) -> str:
    """The derivative by a piece as that of the whole, which is on the tape; "" if it is no piece."""
    piece = piece_at(spot, case.source_name)
    return _same_piece(case, piece) if piece is not None and piece.whole == whole else ""


def by_a_whole(case: Case) -> str:
    """The same for a source of which nothing else is known, if the whole went into the target."""
    spot = _spot_of_source(case)
    piece = piece_at(spot, case.source_name) if spot is not None else None
    whole = case.held.get(piece.whole) if piece is not None else None
    if piece is None or whole is None or not case.above.intersection(places_of(case.tape, whole)):
        return ""
    return _same_piece(case, piece)


def _same_piece(case: Case, piece: Piece) -> str:
    return f"{_derivative(case, piece)}    # the same piece of the gradient of the whole"


def _derivative(case: Case, piece: Piece) -> str:
    return piece.of(f"{case.tape_name}.gradient({case.target_name}, {piece.whole})")


def _spot_of_source(case: Case) -> Any:
    if case.source_places:
        return case.spot(case.source_places[-1])
    birth, record = case.source_birth, record_of(case.source)
    if birth.known:
        return birth.spot
    return spot_of(record) if record is not None else None


def _went_in(case: Case, spot: Any, piece: Piece) -> bool:
    """Whether the whole is an input of what the target was computed with."""
    whole, text = case.held.get(piece.whole), case.flow.text
    if whole is not None:
        kept = [one for place in case.above for _, one in case.untracked(place)]
        tracked = case.tape.find(tensor_behind(whole)) in case.above
        return tracked or case.took(whole) or any(one is tensor_behind(whole) for one in kept)
    statement = statement_of(spot)
    named = {(text.owner(statement, piece.whole), piece.whole)} if statement in text.read else set()
    ends = [(end, _SHAPE.sub("", text.read[end])) for end in case.flow.ends if end in text.read]
    return any(text.mentions(end, named, words) for end, words in ends)


def _of_the_whole(case: Case, piece: Piece) -> str:
    """Code that watches the whole and takes the piece of its derivative, if it is a tensor."""
    whole: Any = case.held.get(piece.whole)
    if whole is None:
        return ""
    code = _derivative(case, piece)
    if type(whole) is not Tensor or case.tape.find(whole) >= 0:
        return code
    return f"{watch(case, piece.whole)}\n{code}"


def _joined(case: Case, spot: Any, piece: Piece) -> str:
    text = case.flow.text
    statement: Any = statement_of(spot)
    function = (text.inside.get(statement) or [None])[-1]
    names = pieces_of(piece.whole, text, function) if piece.axis is not None else []
    names = [name for name in names if is_reference(name)]
    joined = f"ad.concat([{', '.join(names)}], axis={piece.axis})" if len(names) > 1 else ""
    return (
        f"Join the pieces inside the block{f', {joined},' if joined else ''} and compute "
        f"`{case.target_name}` from that instead of `{piece.whole}`."
    )
