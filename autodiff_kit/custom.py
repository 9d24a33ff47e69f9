"""Layer 2: custom_gradient, a function that brings its own way back.

One idea: the function runs as always, and its operations are recorded as always. Then its results
get new tensors, recorded as the outputs of one step whose rule is the learner's `grad_fn`; the way back
meets this step first and never enters the body.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autodiff_kit import nest
from autodiff_kit.arguments import AS_IT_IS, positional, without_number
from autodiff_kit.convert import as_tensor, is_tensor
from autodiff_kit.executed import Operation
from autodiff_kit.lines import origin, tick, user_frame
from autodiff_kit.opdef import OpDef
from autodiff_kit.operation import places_on, record, settle
from autodiff_kit.registry import arrived, fitted
from autodiff_kit.tensor import RECORDING, Tensor, recording, tensor_of

__all__ = ["custom_gradient"]


class Watcher:
    """Stands among the recording tapes and only notes which trainable variables are read.

    So it has whatever anybody asks of a tape that records: `home` and `aliases`, where a tensor is
    looked for; `records`, of which there are none; `watches_variables` and `watch_variable`; `left`
    and `assigned`; and `released`, for forward mode goes on recording on those tapes around it that
    still have their records.
    """

    watches_variables = True
    released = False
    records = ()

    def __init__(self) -> None:
        self.home = object()
        self.aliases: dict[Tensor, int] = {}  # no tensor is tracked here
        self.variables: dict[Any, None] = {}

    def watch_variable(self, variable: Any) -> None:
        """Note a variable."""
        self.variables[variable] = None

    def left(self, *_args: Any) -> None:
        """What else happens to tensors and variables is of no interest."""

    assigned = left


@contextmanager
def watching() -> Iterator[Watcher]:
    """A block whose reads of variables are noted."""
    watcher = Watcher()
    RECORDING.set((*recording(), watcher))
    try:
        yield watcher
    finally:
        RECORDING.set(tuple(tape for tape in recording() if tape is not watcher))


class CustomGradient:
    """A function with a gradient of its own; called like the function."""

    __name__ = "custom_gradient"  # unless the function has a name

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f
        functools.update_wrapper(self, f)

    def __get__(self, instance: Any, owner: Any = None) -> CustomGradient:
        if instance is None:
            return self
        return CustomGradient(self.f.__get__(instance, owner))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves = positional(self.__name__, args)
        began = tick()
        with watching() as watcher:
            result, grad_fn = self._checked(self.f(*args, **kwargs))
        given = [*nest.flatten(args), *nest.flatten(kwargs)]
        variables = [v for v in watcher.variables if not any(v is one for one in given)]
        if variables and not _takes_variables(grad_fn):
            raise TypeError(
                "@ad.custom_gradient grad_fn must accept keyword argument 'variables', since "
                f"function uses variables: {variables}; give the gradients of these variables as "
                "a second list: return input_gradients, variable_gradients"
            )
        keywords = [x for x in self._in_order(kwargs) if is_tensor(x)]
        counting = [x for x in leaves if not without_number(x)]
        inputs = [as_tensor(x) for x in (*counting, *keywords, *variables)]
        rule: dict[str, Any] = {
            "name": self.__name__,
            "grad_fn": grad_fn,
            "ran": (began, tick()),  # for `explain`, which must know what belongs to the body
            "variables": variables,
            "counts": (len(leaves), len(keywords)),
            "strings": [i for i, leaf in enumerate(leaves) if without_number(leaf)],
        }
        rule["results"] = outputs = [
            as_tensor(leaf) for leaf in nest.flatten(result)
        ]  # of the body
        return nest.pack_sequence_as(result, _recorded(inputs, outputs, rule))

    def _checked(self, returned: Any) -> tuple[Any, Callable[..., Any]]:
        advice = f"{self.__name__} must return its result and a function: return y, grad_fn"
        try:
            result, grad_fn = returned
        except (TypeError, ValueError) as error:
            raise type(error)(f"{str(error).rstrip('.')}. {advice}") from None
        if not callable(grad_fn):
            raise TypeError(f"grad_fn must be callable, but received {grad_fn!r}; {advice}")
        return result, grad_fn

    def _in_order(self, kwargs: dict[str, Any]) -> list[Any]:
        """The leaves of the keyword arguments, in the order in which the function declares them."""
        declared = [name for name in inspect.signature(self.f).parameters if name in kwargs]
        names = [*declared, *(name for name in kwargs if name not in declared)]
        return [leaf for name in names for leaf in nest.flatten(kwargs[name])]


def _takes_variables(grad_fn: Callable[..., Any]) -> bool:
    parameters = inspect.signature(grad_fn).parameters
    return "variables" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def _recorded(inputs: list[Tensor], results: list[Tensor], rule: dict[str, Any]) -> list[Tensor]:
    """New tensors with the values of the results, on each tape that tracks an input as one step."""
    outputs = tuple([tensor_of(y._value) for y in results])
    frame = user_frame()
    for tape in recording():
        places = places_on(tape, tuple(inputs))
        if outputs and places:
            step_outputs = outputs if len(outputs) > 1 else outputs[0]
            record(tape, CUSTOM, places, tuple(inputs), step_outputs, rule, frame)
            continue
        for output, result in zip(outputs, results, strict=True):
            inner = places_on(tape, (result,))  # no input is tracked, but what the body used may be
            if inner:
                settle(tape, output, inner[0])
    for output in outputs:
        if output._home is None:
            output._home = origin(CUSTOM.type, frame)
    return list(outputs)


def _pull(step: Operation, *dys: Any) -> list[Any]:
    """Call the learner's grad_fn and check what it returns."""
    rule = step.attrs
    inputs, outputs = (
        [v if type(v) is Tensor else tensor_of(v) for v in values]
        for values in (step.inputs, step.outputs)
    )
    grads: list[Any] = arrived(outputs, dys)
    if rule["variables"]:
        found, for_variables = _pair(rule, _asked(rule, grads, variables=rule["variables"]))
        if len(for_variables) != len(rule["variables"]):
            raise ValueError(
                "Must return gradient for each variable from @custom_gradient grad_fn: expected "
                f"{len(rule['variables'])}, got {len(for_variables)}."
            )
    else:
        found, for_variables = _asked(rule, grads), []
    found = _counted(rule, nest.flatten(found))
    for place in rule["strings"]:  # they are on no tape, but they count
        inputs.insert(place, AS_IT_IS)
    fit = fitted(rule["name"], inputs, [*found, *for_variables], step.raw)
    return [dx for x, dx in zip(inputs, fit, strict=True) if x is not AS_IT_IS]


def _asked(rule: dict[str, Any], grads: list[Any], **variables: Any) -> Any:
    """Call the learner's grad_fn; if it does not take that many gradients, say how many there are."""
    try:
        return rule["grad_fn"](*grads, **variables)
    except TypeError:
        misfit = _misfit(rule["grad_fn"], grads, variables)
        if not misfit:
            raise
        raise TypeError(
            f"grad_fn of {rule['name']} is called with one gradient for each result of "
            f"{rule['name']}, here {len(grads)}, and does not take that: {misfit}"
        ) from None


def _misfit(f: Callable[..., Any], given: list[Any], named: dict[str, Any]) -> str:
    """Why a function does not take these arguments; "" if it does, or nobody can tell."""
    try:
        inspect.signature(f).bind(*given, **named)
    except TypeError as error:
        return str(error)
    except ValueError:
        return ""
    return ""


def _pair(rule: dict[str, Any], returned: Any) -> tuple[Any, Any]:
    """The gradients of the inputs and those of the variables; a tensor would unpack into its rows."""
    if isinstance(returned, (list, tuple)) and len(returned) == 2:
        if isinstance(returned[1], (list, tuple)):
            return returned[0], returned[1]
    names = ", ".join(variable.name for variable in rule["variables"])
    raise TypeError(
        f"grad_fn of {rule['name']} must return two things, since the function uses variables "
        f"({names}): return input_gradients, variable_gradients, the second a list of one for each"
    )


def _counted(rule: dict[str, Any], found: list[Any]) -> list[Any]:
    """One gradient for each input; the inputs given by keyword may be left out, as in TensorFlow."""
    positional, keywords = rule["counts"]
    if len(found) == positional:
        return [*found, *[None] * keywords]
    if len(found) != positional + keywords:
        raise ValueError(
            f"custom_gradient function expected to return {positional + keywords} gradients, but "
            f"returned {len(found)} instead. ({rule['name']} has {positional + keywords} inputs.)"
        )
    return found


CUSTOM = OpDef("CustomGradient", lambda *x: x, pull=_pull)
CUSTOM.rule_name = "the custom gradient"


def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """Gives a function a gradient of its own. A decorator.

    Args:
      f: a function ``f(*x)`` that returns ``(y, grad_fn)``: its result, one tensor or several in nested
        lists, tuples or dicts, and a function ``grad_fn(*dy)`` that gets one tensor for each tensor of
        ``y`` and returns the gradient for each of ``x``, or None. If the body uses trainable variables
        that are not among ``x``, it must be ``grad_fn(*dy, variables=None)`` and return two lists, the
        gradients of ``x`` and those of the variables.

    Returns:
      A function that returns ``y``. Its own operations are recorded, but a tape that tracks any of
      ``x`` goes back through ``grad_fn``. If no tape tracks any of ``x``, the ordinary gradient of what
      the body used otherwise shows through, as in TensorFlow. ``x`` given by keyword counts too. Of
      strings ``grad_fn`` returns None.

    Raises:
      TypeError: if ``f`` returns no pair, or uses variables that ``grad_fn`` does not take.
      ValueError: if one of ``x`` is None, a function or the like: those are given by keyword. When the
        gradient is taken, if it has the wrong number, shape or dtype.

    Source: https://www.tensorflow.org/api_docs/python/tf/custom_gradient

    >>> import autodiff_kit as ad
    >>> @ad.custom_gradient
    ... def halved_on_the_way_back(x):
    ...     return x * 1.0, lambda dy: dy * 0.5
    >>> x = ad.Variable(3.0)
    >>> with ad.GradientTape() as tape:
    ...     y = halved_on_the_way_back(x)
    >>> tape.gradient(y, x)
    <Tensor: shape=(), dtype=float32, numpy=0.5>
    """
    return custom_gradient if f is None else CustomGradient(f)
