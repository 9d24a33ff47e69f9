"""Layer 5: a call that takes plain numbers, of `math`'s and others, in the kit's words.

One idea: where the kit has a function with the same arguments, the learner's own call can be written
once more with that function, and the gradient flows.
"""

from __future__ import annotations

import ast

_ONE = {
    "exp": "exp", "log": "math.log", "log1p": "math.log1p", "expm1": "math.expm1", "sqrt": "sqrt",
    "fabs": "abs", "sin": "sin", "cos": "cos", "tan": "tan", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "asin": "asin", "acos": "acos", "atan": "atan", "asinh": "asinh",
    "acosh": "acosh", "atanh": "atanh", "erf": "math.erf", "lgamma": "math.lgamma",
}  # fmt: skip
_BASES = {"log10": "10.0", "log2": "2.0"}
_TWO = {"atan2": "atan2", "pow": "pow"}
_DRAW = (
    "Draw numbers that depend on nothing, and scale and shift them with tensors: then the gradient "
    "flows to the mean and to the deviation (the reparameterisation)."
)
_WEIGHTS = (
    "get_weights and set_weights only copy numbers from and to a model's own variables. Where weights "
    "are computed from something that is to get a gradient, as after a step of an inner loop, keep "
    "them as tensors, and compute with these what the layers do: for Dense the activation of x @ "
    "kernel + bias."
)


def in_own_words(node: ast.Call) -> tuple[str, str]:
    """What to do instead of a call that takes plain numbers, and code; either may be ``""``."""
    text, (module, _, name) = ast.unparse(node), ast.unparse(node.func).partition(".")
    own = {1: _ONE, 2: _TWO}.get(len(node.args), {}).get(name)
    if module == "math" and own and not node.keywords:
        return "", f"ad.{own}{text.removeprefix(f'math.{name}')}    # instead of {text}"
    if name == "constant" and len(node.args) == 1 and not node.keywords:
        alone = f"Leave {module}.constant out: what it is given is a tensor already."
        return alone, f"{ast.unparse(node.args[0])}    # instead of {text}"
    if module == "math" and name in _BASES:
        return (
            f"The kit has no {name}: ad.math.log(x) / math.log({_BASES[name]}) is the same, with a "
            "gradient.",
            "",
        )
    if name.split(".")[-1] in ("get_weights", "set_weights"):
        return _WEIGHTS, ""
    if name.split(".")[-1] == "normal":
        return _DRAW, _reparameterised(node, text)
    return "", ""


def _reparameterised(node: ast.Call, text: str) -> str:
    given = [ast.unparse(one) for one in node.args]
    if len(given) not in (2, 3) or node.keywords:
        return ""
    mean, deviation = (f"({one})" if " " in one else one for one in given[:2])
    drawn = f"{ast.unparse(node.func).rpartition('.')[0]}.standard_normal({', '.join(given[2:])})"
    return f"{mean} + {deviation} * {drawn}    # instead of {text}"
