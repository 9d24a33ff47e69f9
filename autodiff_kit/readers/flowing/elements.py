"""Layer 5: a target with several elements, whose gradients are added up.

One idea: who asks by a vector of unknowns for a vector of equations mostly means the Jacobian. Whether
an unknown gets something from more than one element, the way back tells, gone once for each of them.
"""

from __future__ import annotations

import re

import numpy as np

from autodiff_kit.readers.facts.account import sent_back, value_of
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.questions import questions_about
from autodiff_kit.readers.facts.ways import tensor_behind
from autodiff_kit.readers.program.spots import called

_FEW = 8
_LOSS = re.compile(r"loss|cost|error|penalty|objective", re.I)


def element_words(case: Case) -> list[str]:
    """A sentence about a vector, no loss, of which several elements have a part in one number."""
    value, name = tensor_behind(case.target)._value, case.target_name
    vectors = np.ndim(value) == 1 and 2 <= np.size(value) <= _FEW and _is_vector(case)
    if not vectors or len(case.account.request.targets) > 1 or _LOSS.search(name):
        return []
    if any(step.operation.definition.rule_name for step in case.account.steps):
        return []  # a function of the learner's is not run again for this
    if _knows_it(case) or not _are_added(case, case.target_places[0], value):
        return []
    jacobian = f"{case.tape_name}.jacobian({name}, {case.source_name})"
    return [
        f"`{name}` has {np.size(value)} elements, and this is the gradient of their sum. For the "
        f"derivatives of each of them take {jacobian}."
    ]


def _knows_it(case: Case) -> bool:
    """Whether the learner's program asks for the Jacobian of the target already."""
    asked = questions_about(case.names.frame.f_code.co_filename, case.target_name)
    return any("jacobian" in called(question.call) for question in asked)


def _is_vector(case: Case) -> bool:
    alone = len(case.source_places) == 1 and len(case.target_places) == 1
    return alone and np.ndim(tensor_behind(case.source)._value) == 1


def _are_added(case: Case, target: int, value: np.ndarray) -> bool:
    """Whether an element of the source gets something from more than one of the target's."""
    source = case.source_places[0]
    parts = []
    for row in np.eye(np.size(value), dtype=value.dtype):
        got = sent_back(case.records, {target: row}, source, lambda *_: None)[source]
        if got is not None:
            parts.append(np.asarray(dense(value_of(got))) != 0)
    return bool(parts) and bool(np.any(np.sum(parts, axis=0) > 1))
