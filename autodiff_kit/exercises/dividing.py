"""Is a division part of the learner's own engine? The check of exercise 16.2.

One idea: the learner's own tape is asked for both gradients, and for the gradient of a gradient.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.exercises.hints import a_function, among, said
from autodiff_kit.exercises.points import by_rule
from autodiff_kit.exercises.taping import parts, second_derivative
from autodiff_kit.teaching.values import quoted, same

DIVISIONS = (
    {"dy": 3.0, "a": 10.0, "b": 4.0},
    {"dy": -2.0, "a": 7.0, "b": 2.0},
    {"dy": 0.5, "a": -3.0, "b": -1.5},
)
WRONG_DIVISIONS = (
    (
        lambda dy, a, b: (dy / b, dy * a / b**2),
        "the sign: when a and b are positive and b grows, a / b shrinks.",
    ),
    (
        lambda dy, a, b: (1.0 / b, -a / b**2),
        "these are the slopes. Multiply them by what arrives, dy.",
    ),
    (lambda dy, a, b: (dy / b, -a / b**2), "to b: multiply by what arrives, dy, there too."),
    (lambda dy, a, b: (1.0 / b, -dy * a / b**2), "to a: multiply by what arrives, dy, there too."),
    (
        lambda dy, a, b: (-dy * a / b**2, dy / b),
        "both are there, in the other order: a's gradient comes first.",
    ),
    (
        lambda dy, a, b: (dy / b, -dy * a / b),
        "to b: the derivative of 1/b is -1/b², with a square.",
    ),
    (lambda dy, a, b: (dy / b, -dy * a / (2 * b)), "to b: b² is b times b, and not 2 times b."),
    (lambda dy, a, b: (dy / b, -dy / b**2), "to b: a is missing, since y = a · (1/b)."),
    (
        lambda dy, a, b: (dy / b, dy * a),
        "that would be the rule of a product. What is the derivative of 1/b?",
    ),
    (lambda dy, a, b: (dy * b, dy * a), "these are the rules of a product."),
    (
        lambda dy, a, b: (2.0 * dy / b, -2.0 * dy * a / b**2),
        "both are twice too large: a / b is recorded already, and you record it again. Divide a.value "
        "by b.value.",
    ),
)


def _right(dy: float, a: float, b: float) -> tuple[float, float]:
    return dy / b, -dy * a / b**2


def division(answer: Any) -> str | None:
    """A hint unless the answer divides Numbers, and hands record two rules that are right."""
    wrong = a_function(answer)
    if wrong:
        return wrong
    number, tape_of = parts(answer)
    try:
        wrong = _quotient(answer(number(10.0), number(4.0)))
        if wrong:
            return wrong
        pairs = [_pair(answer, number, tape_of, **point) for point in DIVISIONS]
    except (RecursionError, TypeError, AttributeError) as error:
        return _stopped(error)
    if any(part is None for part in pairs[0]):
        names = " and ".join(n for n, part in zip("ab", pairs[0], strict=True) if part is None)
        return (
            f"the value is right, but nothing arrives at {names}. Hand the result to record, with a "
            "pair of number and rule for each input."
        )
    if any(not hasattr(part, "value") for pair in pairs for part in pair):
        return (
            "a rule should return a Number: compute in it with dy, a and b, not with their .value."
        )
    values = iter([tuple(part.value for part in pair) for pair in pairs])
    return by_rule(lambda dy, a, b: next(values), _right, DIVISIONS, WRONG_DIVISIONS) or _bends(
        answer, number, tape_of
    )


SLIPS = (
    (
        "recursion",
        "outside the rules / calls this very function again: divide a.value by b.value there.",
    ),
    (
        "not callable",
        "a rule is a function of what arrives: lambda dy: ..., and not the slope itself.",
    ),
    (
        "unpack",
        "hand record a list of two pairs, each of a number and its rule: (a, ...) and (b, ...).",
    ),
    (
        "no attribute 'value'",
        "a float has got among the Numbers: compute with dy, a and b, without .value.",
    ),
    (
        "operand",
        "Numbers have only +, * and /, with a Number on both sides: minus is times Number(-1.0), a "
        "square is b * b.",
    ),
)


def _stopped(error: Exception) -> str:
    """The hint for a slip that ends in an error of Python."""
    hints = [hint for words, hint in SLIPS if words in str(error)]
    return f"{hints[0]} ({said(error)})" if hints else f"your answer stopped with {said(error)}"


def _quotient(result: Any) -> str | None:
    if result is None:
        return "your function returns nothing. Is there a return before record?"
    if isinstance(result, (list, tuple)):
        return (
            "your function returns several things. Return the one Number that record returns; the "
            "rules go into record."
        )
    if not hasattr(result, "value"):
        return (
            f"for 10 / 4 you return {quoted(result)}, and a Number is asked for: put Number(...) "
            "around the value, and hand it to record."
        )
    return among(
        result.value,
        2.5,
        {0.4: "10 / 4 is 2.5, and you return 0.4: that is b / a.", 40.0: "this is the product."},
        f"10 / 4 is 2.5, and you return {quoted(result.value)}.",
    )


def _pair(answer: Any, number: Any, tape_of: Any, dy: float, a: float, b: float) -> list[Any]:
    """The two gradients of dy * (a / b), so that dy arrives at the division."""
    top, bottom = number(a), number(b)
    with tape_of() as tape:
        tape.watch(top)
        tape.watch(bottom)
        y = answer(top, bottom) * number(dy)
    return [tape.gradient(y, top), tape.gradient(y, bottom)]


def _bends(answer: Any, number: Any, tape_of: Any) -> str | None:
    """A hint if the second derivative of 1 / x is not there: its rules left the Numbers."""
    found = second_derivative(
        lambda x: answer(number(1.0), x), lambda tape, y, x: tape.gradient(y, x), number, tape_of
    )
    if same(found, 0.25):
        return None
    return (
        "both gradients are right, but the second derivative of 1 / x at 2 should be 0.25, and is "
        f"{quoted(found)}: compute in the rules with the Numbers dy, a and b, not with their .value."
    )
