"""Layer 3: cond, case and switch_case.

One idea: on a tape they are plain Python. Only the branch that is taken runs, so only it is recorded,
and what the others would have used gets None; `switch_merge` shows why a graph says 0.0 instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.errors import InvalidArgumentError

__all__ = ["case", "cond", "switch_case"]

Branch = Callable[[], Any]


def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """Runs one of two functions.

    Args:
      pred: a tensor with one element, or a Python truth value.
      true_fn, false_fn: functions without arguments; one of them is called, the other is not.
      name: ignored.

    Returns:
      What the function returned.

    Raises:
      TypeError: if one of them is not a function.
      ValueError: if ``pred`` has several elements.

    Source: https://www.tensorflow.org/api_docs/python/tf/cond

    >>> import autodiff_kit as ad
    >>> x, y = ad.Variable(3.0), ad.Variable(4.0)
    >>> with ad.GradientTape() as tape:
    ...     z = ad.cond(x < y, lambda: x * x, lambda: y * y)
    >>> tape.gradient(z, [x, y])
    [<Tensor: shape=(), dtype=float32, numpy=6.0>, None]
    """
    for what, branch in (("true_fn", true_fn), ("false_fn", false_fn)):
        if branch is None:
            raise TypeError(f"cond(): '{what}' argument required")
        if not callable(branch):
            raise TypeError(f"'{what}' must be callable{_no_function(branch)}")
    if pred is None:
        as_tensor(pred)  # raises
    return true_fn() if truth(pred) else false_fn()


def truth(pred: Any) -> bool:
    """The truth of a condition, which must have one element."""
    if is_tensor(pred) and pred._value.size != 1:
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or "
            "a.all(), here ad.reduce_any or ad.reduce_all; ad.where chooses element by element"
        )
    return bool(pred)


def case(
    pred_fn_pairs: Any,
    default: Branch | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """Runs the function of the first condition that is true.

    Args:
      pred_fn_pairs: a list of pairs (bool tensor with one element, function without arguments), or a
        dict of such functions by ``tensor.ref()`` if ``exclusive``.
      default: the function for the case that no condition is true.
      exclusive: whether more than one true condition is an error.
      strict, name: ignored.

    Returns:
      What the function returned.

    Raises:
      TypeError: for anything but bool tensors and functions in pairs.
      InvalidArgumentError: if no condition is true and there is no default, or if several are true
        and ``exclusive``.

    Source: https://www.tensorflow.org/api_docs/python/tf/case

    >>> import autodiff_kit as ad
    >>> x = ad.constant(3.0)
    >>> ad.case([(x < 2.0, lambda: "small"), (x < 4.0, lambda: "middle")], default=lambda: "large")
    'middle'
    """
    pairs = _pairs(pred_fn_pairs, exclusive)
    if default is not None and not callable(default):
        raise TypeError(f"'default' must be callable{_no_function(default)}")
    truths = [truth(pred) for pred, _ in pairs]
    if exclusive and sum(truths) > 1:
        raise InvalidArgumentError(
            f"Input error: exclusive=True: more than 1 conditions evaluated as True: {truths}"
        )
    for holds, (_, branch) in zip(truths, pairs, strict=True):
        if holds:
            return branch()
    if default is None:
        raise InvalidArgumentError(
            f"Input error: None of conditions evaluated as True: {truths}; give a default"
        )
    return default()


def _pairs(given: Any, exclusive: bool) -> list[tuple[Any, Branch]]:
    if isinstance(given, Mapping):
        if not exclusive:
            raise ValueError(
                "Unordered dictionaries are not supported for the 'pred_fn_pairs' argument when "
                "`exclusive=False` and eager mode is enabled."
            )
        given = [(key.deref() if hasattr(key, "deref") else key, f) for key, f in given.items()]
    if not isinstance(given, (list, tuple)):
        raise TypeError(f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {type(given)}")
    if not given:
        raise ValueError(
            "'pred_fn_pairs' must hold at least one pair of a condition and a function."
        )
    for pair in given:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'pred_fn_pairs' must be a 2-tuple. Received {pair!r}.")
        pred, branch = pair
        if not is_tensor(pred):
            raise TypeError(f"pred must be a Tensor, got: {pred!r}")
        if not pred.dtype.is_bool:
            raise TypeError(
                f"pred must be Tensor of type bool: {pred!r}; compare it with something"
            )
        if not callable(branch):
            raise TypeError(f"fn for pred {pred!r} must be callable{_no_function(branch)}")
    return list(given)


def switch_case(
    branch_index: Any, branch_fns: Any, default: Branch | None = None, name: str = "switch_case"
) -> Any:
    """Runs the function with a given number.

    Args:
      branch_index: an integer tensor with one element.
      branch_fns: a list of functions without arguments, or of pairs (number, function), or a dict of
        functions by number; the numbers are 0, 1, 2 and so on.
      default: the function for all other numbers; the last one if not given.
      name: ignored.

    Returns:
      What the function returned.

    Raises:
      TypeError: for an index that is not an integer tensor, and for anything but functions.
      ValueError: if the numbers have gaps.

    Source: https://www.tensorflow.org/api_docs/python/tf/switch_case

    >>> import autodiff_kit as ad
    >>> ad.switch_case(ad.constant(1), [lambda: "zero", lambda: "one"], default=lambda: "more")
    'one'
    """
    if not is_tensor(branch_index):
        raise TypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}")
    if not branch_index.dtype.is_integer:
        raise TypeError(
            f"'branch_index' must be an integer Tensor, got {branch_index.dtype!s}; "
            "ad.cast(branch_index, ad.int32) makes one of it"
        )
    branches = _numbered(branch_fns)
    if default is not None and not callable(default):
        raise TypeError(f"'default' must be callable{_no_function(default)}")
    truth(branch_index)  # refuses several elements
    number = int(branch_index)
    if 0 <= number < len(branches):
        return branches[number]()
    return branches[-1]() if default is None else default()


def _numbered(given: Any) -> list[Branch]:
    if not isinstance(given, (list, tuple, Mapping)):
        raise TypeError("'branch_fns' must be a list, tuple, or dict")
    if isinstance(given, Mapping):
        given = list(given.items())
    if not given:
        raise ValueError("Must provide at least one item in 'branch_fns'")
    if all(callable(f) for f in given):
        given = list(enumerate(given))
    for pair in given:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'branch_fns' must be a 2-tuple. Received {pair!r}.")
        key, branch = pair
        if not isinstance(key, int):
            raise TypeError(f"key must be a Python `int`, got {type(key)}")
        if not callable(branch):
            raise TypeError(f"fn for key {key} must be callable{_no_function(branch)}")
    keys = sorted(key for key, _ in given)
    if keys != list(range(len(given))):
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(given)}) but found "
            f"{{{','.join(map(str, keys))}}}"
        )
    return [branch for _, branch in sorted(given, key=lambda pair: pair[0])]


def _no_function(given: Any) -> str:
    return f", but received {given!r}: give a function that computes it, such as `lambda: ...`"
