"""Layer 5: a loss of probabilities that cuts off all it is given.

One idea: the learner wrote a loss and no clip, so the loss is what is spoken of. Numbers outside 0 to 1
are no probabilities: mostly ``from_logits=True`` was forgotten. Those at 0 or 1 were rounded to that.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.losses import loss_with
from autodiff_kit.readers.facts.unlikely import LAST, logits_words, outside
from autodiff_kit.readers.mending.fromlogits import with_logits


def cut_off_by_loss(case: Case, step: Step, found: Finding) -> bool:
    """Whether a bound inside a loss of the kit's made the gradient zero; then that is told."""
    loss = loss_with(case, step.operation.place)
    if loss is None:
        return False
    last = LAST[loss.kind]
    found.line, found.cause = case.line(loss.bound), "cut off"
    if outside(loss) is not None:
        found.why = f"{logits_words(loss)} So no gradient is left."
        found.advice = f"If they are logits, as a layer without {last} gives them, say so:"
        found.fix = with_logits(case, loss)
        if not found.fix:
            found.advice = found.advice[:-1] + " with from_logits=True where the loss is made."
    else:
        found.why = (
            f"{loss.name} keeps probabilities a little away from 0 and 1, and {loss.given} is that "
            "near to 0 or 1 wherever a gradient arrives: there it is cut off, and moves nothing."
        )
        found.advice = (
            f"Leave the {last} out, so that {loss.given} is logits, and make the loss with "
            "from_logits=True: then both are computed in one, and a gradient comes through."
        )
    return True
