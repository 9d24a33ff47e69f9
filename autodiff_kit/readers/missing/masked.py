"""Layer 5: a source that only chose elements, as the mask of `boolean_mask`.

One idea: the tape notes the mask, and the learner's text tells whether what was taken leads on.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.weights import in_place_of_a_mask


def used_as_mask(case: Case) -> Finding | None:
    """What was made of the source only said which elements `boolean_mask` takes."""
    if case.path:
        return None
    for event in reversed(case.time.all("boolean_mask")):
        if event.subject in case.below and case.flow.carries(event):
            return case.none(
                "condition",
                f"`{case.source_name}` only decides here which elements ad.boolean_mask takes. A mask "
                "chooses, and no gradient flows to it.",
                "",
                line=event.line,
                advice="Weigh all elements softly instead of taking some, with "
                f"{in_place_of_a_mask(case, event.subject)}. For a mean, divide by the sum of the "
                "weights.",
            )
    return None
