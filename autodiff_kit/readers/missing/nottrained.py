"""Layer 5: what `trainable=False` has to do with a gradient.

One idea: made with it, a variable is not watched. To watch it mends that, if it is there to be watched:
what is made inside the block, as a layer's variables are at its first call, cannot be watched first
thing inside the block. Frozen later, as a layer is, it is watched as before.
"""

from __future__ import annotations

import ast
import re

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.program.lines import assigned_name, segment
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.tensor import Tensor

_EVERY = re.compile(r"^((?:\w+\.)*\w+)\.(variables|weights)\[\d+\]$")


def not_trainable(case: Case) -> Finding:
    """The finding for a variable that no tape watches by itself."""
    name, line = case.source_name, case.source_birth.line
    watch, advice = f"{case.tape_name}.watch({name})", ""
    fix = f"{watch}    # first thing inside the with block"
    every = _EVERY.search(name)
    if every is not None:
        of, kind = every.groups()
        trainable = f"{of}.trainable_{kind}"
        advice = (
            f"`{of}.{kind}` has those as well that are not to be learnt, as the counts and averages "
            f"that a layer keeps. Ask for `{trainable}`."
        )
        fix = f"{case.tape_name}.gradient({case.target_name}, {trainable})"
    elif _made_inside(case):
        here = case.source_birth.code is case.time.last("enter").code  # where the tape has its name
        if here and line is not None and assigned_name(line) == name:
            fix = f"{watch}    # right after it is made"
        else:
            fix = ""
            advice = (
                f"`{name}` is made inside the with block. Have it made before (a layer makes its "
                "variables when it is first called: call it once), and watch it first thing inside."
            )
            fix = _trained(case)
            advice += " Or, if it is to be learnt, make it without trainable=False." if fix else ""
    return case.none(
        "not trainable",
        f"`{name}` was made with trainable=False, so the tape does not watch it by itself.",
        fix,
        line=line,
        advice=advice,
    )


def _trained(case: Case) -> str:
    """The call that made the variable, without trainable=False; "" if it is not written there so."""
    birth = case.source_birth
    calls = [node for node in ast.walk(statement_of(birth.code, birth.instruction) or ast.Pass())
             if isinstance(node, ast.Call)]  # fmt: skip
    found = [c for c in calls if any(ast.unparse(k) == "trainable=False" for k in c.keywords)]
    old = segment(birth.code.co_filename, found[0]) if len(found) == 1 else ""
    new = re.sub(r",\s*trainable\s*=\s*False|trainable\s*=\s*False\s*,\s*", "", old)
    return f"{new}    # instead of {old}" if new != old and "\n" not in old else ""


def _made_inside(case: Case) -> bool:
    born = case.source_birth
    return born.known and case.time.state(born.time) in ("recording", "stopped")


def frozen_words(case: Case) -> list[str]:
    """A frozen variable has its gradient; what it lacks is an optimizer."""
    source = case.source
    if type(source) is Tensor or source.trainable or not source._trainable:
        return []
    return [
        f"`{case.source_name}` is frozen (trainable = False), which does not keep gradients from it: "
        "it is only not among the `trainable_variables`."
    ]
