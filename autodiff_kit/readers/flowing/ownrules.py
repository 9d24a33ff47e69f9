"""Layer 5: a gradient that went through a rule of the learner's own.

One idea: what such a rule returns is taken for the derivative, and no tape can see whether it is. That
it lies on the way, and what compares it, is said once in an answer.
"""

from __future__ import annotations

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.missing.returned import gradient_function
from autodiff_kit.readers.program.lines import line_at


def tell_own_rules(case: Case, found: Finding, said: set[str]) -> None:
    """Say which rules of the learner's a gradient came through that no earlier finding named.

    Args:
      said: the rules that were named in this answer; those that are named now are put in.
    """
    if found.status != "flows" or found.cause == "released":
        return
    through = [
        step.operation for step in reversed(case.steps) if step.operation.place in case.leads
    ]
    told = " ".join(found.also)  # of one that forgets what arrives more is said
    through = [one for one in through if not _names_it(told, one)]
    rules = dict.fromkeys(filter(None, map(_rule, through)))
    new = [rule for rule in rules if rule not in said]
    said.update(new)
    if new:
        more = f", and {len(new) - 1} more" if len(new) > 1 else ""
        found.also.append(
            f"On its way lies {new[0]}{more}: what it returns is taken for the derivative, right or "
            "wrong. ad.test.compute_gradient compares it with difference quotients."
        )


def _names_it(told: str, operation: Operation) -> bool:
    name = str((operation.attrs or {}).get("name", operation.definition.rule_name))
    return "gradient function of" in told and f"`{name}`" in told


def _rule(operation: Operation) -> str:
    """What a rule of the learner's is called, and where it stands; "" for one of the kit's."""
    if operation.definition.rule_name is None:
        return ""
    function = gradient_function(operation)
    if function is None:  # that of another operation was put in its place
        return ""
    if "__autodiff_kit__" in getattr(function, "__globals__", {}):
        return ""
    code = getattr(function, "__code__", None)
    where = f" ({line_at(code.co_filename, code.co_firstlineno).where})" if code is not None else ""
    if operation.type == "CustomGradient":
        return f"the gradient function of your `{operation.attrs['name']}`{where}"
    return f"your rule `{operation.definition.rule_name}` for {operation.type}{where}"
