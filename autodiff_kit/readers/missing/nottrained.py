"""Layer 5: what `trainable=False` has to do with a gradient.

One idea: made with it, a variable is not watched. To watch it mends that, if it is there to be watched:
what is made inside the block, as a layer's variables are at its first call, cannot be watched first
thing inside the block. Who asked for all variables of a layer meant those that it is to learn. Frozen
later, as a layer is, it is watched as before.
"""

from __future__ import annotations

import ast
import re

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.watching import AFTER, watch
from autodiff_kit.readers.program.asked import is_reference, led_to
from autodiff_kit.readers.program.lines import assigned_name, segment
from autodiff_kit.readers.program.spots import statement_of
from autodiff_kit.tensor import Tensor

_ONE_OF_ALL = re.compile(r"(.+)\.(variables|weights)\[\d+\]")


def not_trainable(case: Case) -> Finding:
    """The finding for a variable that no tape watches by itself."""
    name, line = case.source_name, case.source_birth.line
    fix, advice = _of_a_layer(case) or _kept_up_to_date(case) or _watched(case)
    return case.none(
        "not trainable",
        f"`{name}` was made with trainable=False, so the tape does not watch it by itself.",
        fix,
        line=line,
        advice=advice,
    )


def of_an_optimizer(case: Case) -> Finding | None:
    """The finding for what an optimizer keeps: a loss is not computed from it."""
    root, _, kept = case.source_name.partition(".")
    holder = led_to(root, case.names.frame) if kept and root.isidentifier() else None
    kinds = [f"{kind.__module__}.{kind.__name__}" for kind in type(holder).__mro__]
    if not any(".keras." in kind and kind.endswith(".Optimizer") for kind in kinds):
        return None
    if case.took(case.source):
        return None
    name, target = case.source_name, case.target_name
    return case.none(
        "not used",
        f"`{name}` belongs to the optimizer `{root}`, and `{target}` was not computed from it: an "
        "optimizer moves the variables after the gradients were taken, and no tape records its steps.",
        "",
        line=case.source_birth.line,
        advice=f"Compare what `{target}` becomes with several values; or, for a gradient, write the "
        "step with tensors inside the block (new_w = w - rate * g), and go on with new_w.",
    )


def _of_a_layer(case: Case) -> tuple[str, str] | None:
    """Code and a sentence, if all variables of a layer were asked for, and not those that it learns."""
    written = _ONE_OF_ALL.fullmatch(case.source_name)
    if written is None or not is_reference(written[1]):
        return None
    layer, every = written[1], f"{written[1]}.{written[2]}"
    holder = led_to(layer, case.names.frame)
    if not any(".keras." in kind.__module__ for kind in type(holder).__mro__):
        return None
    learnt = getattr(holder, "trainable_variables", None)
    if not learnt or any(one is case.source for one in learnt):
        return None
    return f"{layer}.trainable_variables    # instead of {every}", (
        f"`{every}` has those as well that are not to be learnt, such as the moving averages of a "
        f"normalization: they get no gradient and need none. Ask for `{layer}.trainable_variables`."
    )


def moving_average(case: Case) -> Finding | None:
    """The finding for an average that a batch normalization keeps: nothing is to learn it."""
    variable, name = case.source, case.source_name
    kept = re.search(r"(?:^|/)(moving_mean|moving_variance)(?::\d+)?$", variable.name)
    if kept is None or ".keras." not in type(variable).__module__:
        return None
    given = [event for event in case.time.all("assign") if event.subject[0] is variable]
    line = given[-1].line if given else None
    moved = "In this block no call did: without training=True the layer takes them as they are."
    if line is not None:
        moved = f"That was done at {line.where}."
    fix, advice = _of_a_layer(case) or (
        "",
        "Do not ask for it. What a gradient moves in such a layer is gamma and beta, its "
        "`trainable_variables`.",
    )
    return case.none(
        "not trainable",
        f"`{name}` is a moving average of a batch normalization. No gradient is meant to move it, and "
        "no tape watches it (trainable=False): each call with training=True moves the averages a bit "
        f"towards the mean and the variance of that batch. {moved}",
        fix,
        line=line,
        advice=advice,
    )


def _kept_up_to_date(case: Case) -> tuple[str, str] | None:
    """A sentence for a variable of a layer that the block assigns to, as training does to averages.

    Whether the target was also computed from it, nobody has noted: to watch it may mend nothing.
    """
    if ".keras." not in type(case.source).__module__ or case.took(case.source):
        return None
    given = [event for event in case.time.all("assign") if event.subject[0] is case.source]
    if not given:
        return None
    name, target, line = case.source_name, case.target_name, given[-1].line
    return "", (
        f"It is assigned to at {line.where if line else 'a line of the block'}: if it is only kept up "
        f"to date there, as the moving averages of a normalization are in training, `{target}` is not "
        f"computed from it, and it gets no gradient and needs none. If `{target}` is to depend on it "
        f"(a normalization computes with its averages where it is called without training=True), call "
        f"{case.tape_name}.watch({name}) first thing inside the with block."
    )


def _watched(case: Case) -> tuple[str, str]:
    """Code that lets the tape watch the source, and a sentence."""
    name, line = case.source_name, case.source_birth.line
    if not _made_inside(case):
        return watch(case, name), ""
    here = case.source_birth.code is case.time.last("enter").code  # where the tape has its name
    if here and line is not None and assigned_name(line) == name:
        return watch(case, name, AFTER), ""
    fix = _trained(case)
    more = " Or, if it is to be learnt, make it without trainable=False." if fix else ""
    return fix, (
        f"`{name}` is made inside the with block. Have it made before (a layer makes its "
        "variables when it is first called: call it once), and watch it first thing inside."
        f"{more}"
    )


def _trained(case: Case) -> str:
    """The call that made the variable, without trainable=False; "" if it is not written there so."""
    birth = case.source_birth
    calls = [node for node in ast.walk(statement_of(birth.spot) or ast.Pass())
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
