"""Layer 5: a call of NumPy's or of `math`'s in the kit's words.

One idea: where the kit has a function with the same arguments, the learner's own call can be written
once more with that function, and the gradient flows.
"""

from __future__ import annotations

import ast

_SAME = {
    "exp": "exp", "log": "math.log", "log1p": "math.log1p", "expm1": "math.expm1", "sqrt": "sqrt",
    "abs": "abs", "fabs": "abs", "square": "square", "sin": "sin", "cos": "cos", "tan": "tan",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "arcsin": "asin", "asin": "asin",
    "arccos": "acos", "acos": "acos", "arctan": "atan", "atan": "atan", "arctan2": "atan2",
    "atan2": "atan2", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "erf": "math.erf",
    "lgamma": "math.lgamma", "maximum": "maximum", "minimum": "minimum", "power": "pow", "pow": "pow",
    "add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide",
    "matmul": "matmul", "where": "where", "clip": "clip_by_value", "linalg.inv": "linalg.inv",
    "linalg.det": "linalg.det", "linalg.norm": "norm", "mean": "reduce_mean", "sum": "reduce_sum",
    "max": "reduce_max", "min": "reduce_min", "amax": "reduce_max", "amin": "reduce_min",
    "prod": "reduce_prod", "std": "math.reduce_std", "var": "math.reduce_variance",
}  # fmt: skip
_TWO = {"arctan2", "atan2", "maximum", "minimum", "power", "pow", "add", "subtract", "multiply",
        "divide", "matmul"}  # fmt: skip
_THREE = {"where", "clip"}
_ALONG = {"mean", "sum", "max", "min", "amax", "amin", "prod", "std", "var"}
_JOINS = {"array": "stack", "asarray": "stack", "stack": "stack", "concatenate": "concat"}
_SEVERAL = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)
DRAW = (
    "Draw numbers that depend on nothing, and scale and shift them with tensors: then the gradient "
    "flows to the mean and to the deviation (the reparameterisation)."
)


def in_own_words(node: ast.Call) -> tuple[str, str]:
    """What to do instead of a call that takes plain numbers, and code; either may be ``""``."""
    module, _, name = ast.unparse(node.func).partition(".")
    text = ast.unparse(node)
    if module in ("np", "numpy", "math"):
        if name in _JOINS:
            return _joined(node, name, text)
        if name in _SAME and _fits(node, name):
            own = f"ad.{_SAME[name]}{text.removeprefix(f'{module}.{name}')}"
            return "", f"{own}    # instead of {text}"
    if name == "constant" and len(node.args) == 1 and not node.keywords:
        alone = f"Leave {module}.constant out: what it is given is a tensor already."
        return alone, f"{ast.unparse(node.args[0])}    # instead of {text}"
    if name.split(".")[-1] == "normal":
        return DRAW, _reparameterised(node, text)
    return "", ""


def _fits(node: ast.Call, name: str) -> bool:
    """Whether the arguments mean the same to the kit's function."""
    keywords = {keyword.arg for keyword in node.keywords}
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return False
    if name in _ALONG:
        return 1 <= len(node.args) <= 2 and keywords <= {"axis", "keepdims"}
    wanted = 2 if name in _TWO else 3 if name in _THREE else 1
    return len(node.args) == wanted and not keywords


def _joined(node: ast.Call, name: str, text: str) -> tuple[str, str]:
    together = f"ad.{_JOINS[name]} in the place of np.{name}"
    given = node.args[0] if node.args else None
    if name not in ("array", "asarray") or isinstance(given, _SEVERAL):
        return f"Use {together}: it keeps the tensors together.", ""
    alone = f"Leave np.{name} out: what it is given is a tensor already"
    if given is None or isinstance(given, (ast.Name, ast.Attribute)):
        return f"{alone}. If it is a list of tensors, use {together}.", ""
    return f"{alone}.", f"{ast.unparse(given)}    # instead of {text}" if len(
        node.args
    ) == 1 else ""


def _reparameterised(node: ast.Call, text: str) -> str:
    given = [ast.unparse(one) for one in node.args]
    if len(given) not in (2, 3) or node.keywords:
        return ""
    mean, deviation = (f"({one})" if " " in one else one for one in given[:2])
    drawn = f"{ast.unparse(node.func).rpartition('.')[0]}.standard_normal({', '.join(given[2:])})"
    return f"{mean} + {deviation} * {drawn}    # instead of {text}"
