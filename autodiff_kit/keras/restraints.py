"""Layer 4: what an optimizer may do besides its rule: clip gradients, and let weights decay.

One idea: both come before the rule. Clipping changes what it sees of the gradient; decay makes each
weight a little smaller, by the learning rate times `weight_decay`, whatever its gradient is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from autodiff_kit.keras.applying import Change, Update


class Restraints:
    """The restraints of one optimizer; None for those that it does not have."""

    def __init__(
        self, weight_decay: Any, clipnorm: Any, clipvalue: Any, global_clipnorm: Any
    ) -> None:
        if sum(one is not None for one in (clipnorm, clipvalue, global_clipnorm)) > 1:
            raise ValueError(
                "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: "
                f"clipnorm={clipnorm}, clipvalue={clipvalue}, global_clipnorm={global_clipnorm}."
            )
        self.weight_decay = weight_decay
        self.clipnorm, self.clipvalue, self.global_clipnorm = clipnorm, clipvalue, global_clipnorm

    def clipped(self, changes: list[Change]) -> list[Change]:
        """The changes with gradients that are not too large."""
        if not (self.clipnorm or self.clipvalue or self.global_clipnorm):
            return changes
        with np.errstate(all="ignore"):  # a NaN shows itself in the values
            # What a mask holds back must not count: its gradient may be anything.
            found = [g if m is None else np.where(m, g, g.dtype.type(0)) for _, g, m, _ in changes]
            if self.clipvalue:
                limits = [g.dtype.type(self.clipvalue) for g in found]
                found = [np.clip(g, -limit, limit) for g, limit in zip(found, limits, strict=True)]
            elif self.clipnorm:
                found = [_clip(g, _norm([g]), self.clipnorm) for g in found]
            else:
                norm = _norm(found)
                found = [_clip(g, norm, self.global_clipnorm) for g in found]
                if not np.isfinite(norm):  # as Keras: then none of them is to be trusted
                    found = [np.full_like(g, np.nan) for g in found]
        return [one._replace(gradient=g) for one, g in zip(changes, found, strict=True)]

    def decaying(self, rule: Update, rate: Any, kind: Any) -> Update:
        """A rule that begins with weights that have decayed."""
        if not self.weight_decay:
            return rule
        decay = kind(self.weight_decay)
        return lambda value, gradient, slots: rule(value - value * decay * rate, gradient, slots)


def _norm(gradients: list[Any]) -> Any:
    return np.sqrt(sum(np.sum(np.square(g)) for g in gradients))


def _clip(gradient: Any, norm: Any, largest: Any) -> Any:
    """The gradient as it is, or made smaller by as much as the norm is too large."""
    limit = gradient.dtype.type(largest)
    return gradient * limit / np.maximum(norm, limit).astype(gradient.dtype)
