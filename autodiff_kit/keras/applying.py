"""Layer 4: what all optimizers share: check the gradients, make the slots, update, count the step.

One idea: first check everything, then change something. A refused call leaves variables, slots and
the step counter as they were; a frozen element is not even shown to the update, so it stays bit
for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autodiff_kit import nest
from autodiff_kit.convert import is_tensor, operand
from autodiff_kit.errors import InvalidArgumentError
from autodiff_kit.keras.slots import Slot
from autodiff_kit.loud import warn
from autodiff_kit.operators import Elsewhere, offered
from autodiff_kit.tape import GradientTape
from autodiff_kit.tensor import Tensor, recording, tensor_of
from autodiff_kit.variable import Variable

Pairs = list[tuple[Any, Any]]
Update = Callable[[Any, Any, dict[str, Any]], Any]  # value, gradient, slots -> the new value


class Change(NamedTuple):
    """One checked entry of `apply_gradients`: bare arrays, and True in the mask where to train.

    given: the gradient as it was passed, which a tape may have recorded.
    """

    variable: Variable
    gradient: Any
    mask: Any
    given: Tensor


class Applying:
    """The common part of the optimizers; a subclass says which slots it has and how it updates."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._slots: dict[Variable, dict[str, Slot]] = {}

    # What Keras and PyTorch have besides.

    apply = Elsewhere("apply", "opt.apply_gradients(zip(gradients, variables))")
    step = Elsewhere("step", "opt.apply_gradients(zip(gradients, variables))")
    zero_grad = Elsewhere("zero_grad", "nothing in its place: a gradient is returned, not stored")
    param_groups = Elsewhere("param_groups", "opt.learning_rate, and one optimizer for each group")
    state_dict = Elsewhere("state_dict", "opt.get_weights()")
    load_state_dict = Elsewhere("load_state_dict", "opt.set_weights(values)")
    __dir__ = offered

    # What a subclass fills in.

    def _begin(self, variable: Variable) -> dict[str, Any]:
        """The first value of each slot of a variable, by slot name."""
        raise NotImplementedError

    def _rule(self, kind: Any) -> Update:
        """The update of the step that is being taken, its constants in a dtype."""
        raise NotImplementedError

    def _slot_label(self, variable: Variable, slot: str) -> str:
        """What a slot variable is called."""
        raise NotImplementedError

    # What follows from it.

    def _update(self, kind: Any) -> Update:
        """The rule, and what else happens in a step."""
        return self._rule(kind)

    def get_slot(self, var: Variable, name: str) -> Slot | None:
        """The slot of a variable: a Variable that can be read and assigned.

        Args:
          var: a variable that was passed to `apply_gradients` or `minimize`.
          name: one of `get_slot_names`.

        Returns:
          The slot, or None if there is none of that name, or no step was taken yet.

        Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Optimizer#get_slot

        >>> import autodiff_kit as ad
        >>> w = ad.Variable([0.0, 0.0])
        >>> opt = ad.compat.v1.train.AdamOptimizer(0.1)
        >>> opt.get_slot(w, "m") is None
        True
        >>> _ = opt.apply_gradients([(ad.constant([1.0, 0.0]), w)])
        >>> opt.get_slot(w, "m").assign([0.0, 0.0]).numpy()
        array([0., 0.], dtype=float32)
        """
        return self._slots.get(var, {}).get(name)

    def get_slot_names(self) -> list[str]:
        """The names of the slots made so far, sorted.

        Source: https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Optimizer#get_slot_names
        """
        return sorted({name for slots in self._slots.values() for name in slots})

    def _make_slots(self, variable: Variable) -> None:
        if variable not in self._slots:
            self._slots[variable] = {
                name: Slot(value, self._slot_label(variable, name))
                for name, value in self._begin(variable).items()
            }

    def _apply(self, changes: list[Change]) -> None:
        with np.errstate(all="ignore"):  # a NaN shows itself in the values
            rules: dict[Any, Update] = {}
            for change in changes:
                kind = change.gradient.dtype.type
                if kind not in rules:
                    rules[kind] = self._update(kind)
                slots = self._slots[change.variable].items()
                arrays = {name: slot.writable() for name, slot in slots}
                new = tensor_of(changed(change, arrays, rules[kind]))
                for tape in recording():
                    tape.stepped(change.variable, change.given)
                change.variable._tensor = new  # checked already; assign would ask once more


def changed(change: Change, arrays: dict[str, Any], update: Update) -> Any:
    """The new value of a variable; its slots' arrays are changed in place."""
    value, gradient, mask = change.variable._value, change.gradient, change.mask
    if not value.shape:  # NumPy computes with scalars otherwise, and not in place
        row = {name: array.reshape(1) for name, array in arrays.items()}
        frozen = mask is not None and not mask
        return value if frozen else update(value.reshape(1), gradient.reshape(1), row)[0]
    if mask is None:
        return update(value, gradient, arrays)
    new = np.array(value)
    chosen = {name: array[mask] for name, array in arrays.items()}
    new[mask] = update(new[mask], gradient[mask], chosen)
    for name, array in arrays.items():
        array[mask] = chosen[name]
    return new


def checked(grads_and_vars: Pairs, mask: Any) -> tuple[list[Change], list[Variable]]:
    """The entries to apply, checked, and the variables without a gradient.

    Raises:
      TypeError, ValueError: if an entry is not a pair of a gradient and a floating variable, or the
        gradient or the mask does not fit the variable.
    """
    masks = _masks(mask, len(grads_and_vars))
    changes, missing = [], []
    for (gradient, variable), one in zip(grads_and_vars, masks, strict=True):
        if not isinstance(variable, Variable):
            raise TypeError(
                f"Trying to update a value that is not an ad.Variable: {variable!r}. Each entry of "
                "grads_and_vars is a pair (gradient, variable), in this order"
            )
        fitted = _mask(one, variable)
        if gradient is not None:
            given = _gradient(gradient, variable)
            changes.append(Change(variable, given._value, fitted, given))
        elif fitted is None or fitted.any():
            missing.append(variable)
    return changes, missing


def pairs_of(grads_and_vars: Iterable[Any]) -> Pairs:
    """A list of (gradient, variable), from any iterable, such as a zip."""
    pairs = [grads_and_vars] if is_tensor(grads_and_vars) else list(grads_and_vars)
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(
                f"grads_and_vars must hold pairs (gradient, variable), got {pair!r}; for example "
                "zip(tape.gradient(loss, variables), variables)"
            )
    return [(gradient, variable) for gradient, variable in pairs]


def _gradient(gradient: Any, variable: Variable) -> Tensor:
    if variable._value.dtype.kind != "f":
        raise ValueError(
            f"Variable '{variable.name}' has dtype {variable.dtype.name}: only floating variables "
            "can follow a gradient"
        )
    given = gradient if type(gradient) is Tensor else operand(gradient, variable.dtype)
    if given._value.dtype != variable._value.dtype:
        raise InvalidArgumentError(
            f"The gradient of '{variable.name}' has dtype {given.dtype.name}, but the variable has "
            f"dtype {variable.dtype.name}; use ad.cast"
        )
    if given._value.shape != variable._value.shape:
        raise ValueError(
            f"The gradient of '{variable.name}' has shape {given.shape}, but the variable has "
            f"shape {variable.shape}: they must be equal"
        )
    return given


def _masks(mask: Any, count: int) -> Sequence[Any]:
    if mask is None:
        return [None] * count
    if not isinstance(mask, (list, tuple)) or len(mask) != count:
        given = f"{len(mask)} entries" if isinstance(mask, (list, tuple)) else repr(mask)
        raise ValueError(
            f"mask must be a list with one entry for each of the {count} variables (None for one "
            f"that is trained as a whole), got {given}"
        )
    return mask


def _mask(mask: Any, variable: Variable) -> Any:
    """A bool array of the variable's shape; True and 1 train, False and 0 freeze."""
    if mask is None:
        return None
    array = np.array(mask._value if is_tensor(mask) else mask)
    if array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise ValueError(
            f"The mask of '{variable.name}' must hold only True (train) and False (freeze), or 1 "
            f"and 0, got {mask!r}"
        )
    try:
        return np.broadcast_to(array.astype(bool), variable._value.shape).copy()
    except ValueError:
        raise ValueError(
            f"The mask of '{variable.name}' has shape {array.shape}, but the variable has shape "
            f"{variable.shape}: they must be equal or broadcast"
        ) from None


def warn_missing(missing: list[Variable]) -> None:
    """Keras' warning about gradients that are None; the variables are skipped."""
    if missing:
        warn(
            f"Gradients do not exist for variables {[v.name for v in missing]} when minimizing the "
            "loss. If using `model.compile()`, did you forget to provide a `loss` argument? "
            "ad.explain(tape, loss, variables) says why."
        )


def differentiated(loss: Any, var_list: Any, tape: GradientTape | None) -> Pairs:
    """Pairs (gradient, variable) of a loss, which is a function or was computed on ``tape``."""
    if callable(loss):
        with tape if tape is not None else GradientTape() as tape:
            if var_list is not None and not callable(var_list):
                tape.watch(var_list)
            loss = loss()
    elif tape is None:
        raise ValueError(
            "`tape` is required when a `Tensor` loss is passed. "
            f"Received: loss={loss}, tape={tape}. Pass a function that computes the loss, or the "
            "ad.GradientTape that recorded it"
        )
    if var_list is None:
        # A plain variable that is not trainable is on the list because somebody watched it by hand.
        frozen = {v for v in tape.watched_variables() if v._trainable and not v.trainable}
        var_list = [v for v in tape.watched_variables() if v not in frozen]
    variables = nest.flatten(var_list() if callable(var_list) else var_list)
    return list(zip(tape.gradient(loss, variables), variables, strict=True))
