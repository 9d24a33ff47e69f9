"""Layer 5: how large and how small the numbers of a dtype can be.

One idea: what overflows or becomes 0 does so in the dtype that it is computed in, which need not be
that of the variable: of float16 in the middle of a float32 program other limits are to be told.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_ENDS = {"float16": "65504", "float32": "3.4e38", "float64": "1.8e308"}
_EXP_ENDS = {"float16": "11", "float32": "88.7", "float64": "709.7"}
_EXP_GOES = {"float32": "88", "float64": "709"}
_WIDER = {"float16": "float32", "float32": "float64"}


def dtype_at(case: Any, place: int) -> str:
    """The dtype of the value at a place, the source's if it is not known."""
    value = case.values.get(place)
    return np.asarray(value).dtype.name if value is not None else str(case.source.dtype.name)


def end_of(dtype: str) -> str:
    """For example ``float16 ends at 65504``."""
    return f"{dtype} ends at {_ENDS.get(dtype, 'its largest number')}"


def wider(dtype: str) -> str:
    """The next wider dtype, ``""`` if there is none."""
    return _WIDER.get(dtype, "")


def overflow_of(dtype: str) -> str:
    """What to do about numbers that are too large for their dtype."""
    more = f" or compute in ad.{wider(dtype)}" if wider(dtype) else ""
    return (
        f"{end_of(dtype)}: keep the numbers smaller (scale the data, begin with smaller "
        f"weights, lower the learning rate){more}."
    )


def overflow_of_exp(dtype: str) -> str:
    """What to do about an exponential that is too large for its dtype."""
    end, more = _EXP_ENDS.get(dtype), wider(dtype)
    ends = f" (in {dtype} above {end})" if end else ""
    up = f", or compute in ad.{more}, which goes up to {_EXP_GOES[more]}" if more else ""
    return (
        f"exp overflows{ends}: the value itself is too large. Keep the argument smaller{up}; if a "
        "logarithm or a quotient follows, compute both in one function that cannot overflow "
        "(ad.math.softplus, ad.reduce_logsumexp, ad.nn.softmax, ad.sigmoid)."
    )


def instead_of_infinity(dtype: str) -> str:
    """A number that a mask may use in place of -inf."""
    return "-3e4" if dtype == "float16" else "-1e9"


def vanished_words(dtype: str) -> str:
    """What to do about a gradient that became too small for its dtype on its way."""
    if dtype == "float16":
        return (
            "float16 has nothing between 0 and 6e-8: compute this part in ad.float32, or multiply the "
            "loss by a large number, for example 1024, and divide the gradients by it again, in "
            "ad.float32 (loss scaling)."
        )
    more = f" Or compute in ad.{wider(dtype)}." if wider(dtype) else ""
    return (
        "Let more of it through: fewer steps, steeper slopes (relu instead of sigmoid or tanh), or "
        f"a way around them (h + f(h)).{more}"
    )
