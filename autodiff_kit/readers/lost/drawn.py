"""Layer 5: numbers that are drawn at random, with chances that were computed from the source.

One idea: what comes out of a draw only jumps, whatever it is written with. To use the kit's operations
would not mend that; what has a derivative is the probability of what was drawn.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.floating import chosen_before, is_floating
from autodiff_kit.readers.facts.kinds import CATEGORICAL
from autodiff_kit.readers.facts.stops import stop_of
from autodiff_kit.readers.mending.chances import by_score
from autodiff_kit.readers.program.lines import Line, line_at
from autodiff_kit.readers.program.spots import called, span_at, stands_in, statement_of
from autodiff_kit.readers.program.statement import code_of, nodes_read
from autodiff_kit.readers.program.text import Text

_NORMAL = ("normal", "gauss", "normalvariate")
_DRAWS = ("binomial", "choice", "choices", "multinomial", *_NORMAL)
_MODULES = ("np.random.", "numpy.random.", "random.")
_GENERATORS = ("default_rng(", "RandomState(", "random.Random(")


class Draw(NamedTuple):
    """A call that draws, and where it stands."""

    call: ast.Call
    line: Line


def drawn_with(case: Case, event: Any, has_code: bool) -> Draw | None:
    """The draw that a value left the tensors for, if what was drawn may lead to the target.

    Args:
      has_code: whether there is code for it already, as there is for ``rng.normal(x, 1.0)``.
    """
    text, begin = case.flow.text, statement_of(event.spot)
    if begin not in text.read:
        return None
    span = span_at(event.spot)
    names = text.made_by(begin)
    for statement in text.read:
        for call in _draws_in(statement, text):
            if statement is begin:
                takes = span is not None and stands_in(span, call)
            else:
                given = [*call.args, *(keyword.value for keyword in call.keywords)]
                takes = any(text.mentions(statement, names, code_of(one)) for one in given)
            if has_code and called(call) in _NORMAL:
                continue
            if takes and (statement is begin or case.flow.leads_to_it(statement)):
                return Draw(call, line_at(case.flow.files[statement], call.lineno))
    return None


def advice_for(case: Case, event: Any, draw: Draw) -> str:
    """How a draw is learnt from: by the logarithm of its probability, times what it earned."""
    name = case.name(event.subject)
    made = f"with tensors from `{name}`" if name else "with tensors"
    begin = f"{ast.unparse(draw.call.func)} ({draw.line.where}) draws at random"
    by_chance = (
        f"leave the draw a plain number, and let the logarithm of its probability enter "
        f"`{case.target_name}`, computed {made}: minus that, times what the draw earned (REINFORCE)."
    )
    if called(draw.call) in _NORMAL:
        return (
            f"{begin}. Write it as the mean plus the deviation times a draw from the standard normal "
            "distribution, with tensors: then a gradient flows to both. Or, where what is drawn goes "
            f"into something that has no derivative, as an environment, {by_chance}"
        )
    return (
        f"{begin}: what comes out only jumps, so no derivative leads through it, whatever it is "
        f"written with. {by_chance[0].upper()}{by_chance[1:]}"
    )


def draw_that_left(case: Case, event: Any) -> Finding | None:
    """What is to be said where a class that was drawn with the kit became a plain number."""
    return of_a_draw(
        case,
        event.subject,
        f"what was made of it left the tensors ({event.kind}, {event.line.where})",
    )


def of_a_draw(case: Case, place: int, then: str) -> Finding | None:
    """What is to be said of a value that has nothing of the source but classes that were drawn.

    Args:
      then: what became of it afterwards.
    """
    draw = draw_before(case, place)
    if draw is None:
        return None
    stop = stop_of(draw.type)
    advice, code = by_score(case, draw)
    why = f"{stop.why.format(op=draw.type, source=case.source_name)} And {then}."
    return case.none(stop.cause, why, code, draw.type, case.line(draw.place), advice)


def draw_before(case: Case, place: int) -> Operation | None:
    """The draw that a value was made of, if nothing else of the source came to it."""
    before = sorted(case.below & leading_to(case.records, [place]))
    draws = [case.operation(p) for p in before if case.kind(p) in CATEGORICAL]
    if not draws or is_floating(case, place) and chosen_before(case, place) is None:
        return None
    return draws[-1]


def _draws_in(statement: ast.stmt, text: Text) -> Iterator[ast.Call]:
    for node in nodes_read(statement):
        if isinstance(node, ast.Call) and called(node) in _DRAWS and _is_random(node, text):
            yield node


def _is_random(call: ast.Call, text: Text) -> bool:
    """Whether it is a function of NumPy's or Python's random module, or of a generator of theirs."""
    if ast.unparse(call.func).startswith(_MODULES):
        return True
    owner = ast.unparse(getattr(call.func, "value", ast.Constant("")))
    made = [one for one in text.read if any(name == owner for _, name in text.receivers(one))]
    return any(word in text.read[one] for one in made for word in _GENERATORS)
