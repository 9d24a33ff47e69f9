"""Layer 1: warnings that name the learner's line.

One idea: where TensorFlow is silent the kit speaks, as a Python warning, so that Python's own means
turn it into an error or off: `warnings.simplefilter("error", ad.GradientWarning)`.
"""

from __future__ import annotations

import re
import warnings

from autodiff_kit.lines import user_frame

__all__ = ["GradientWarning"]


class GradientWarning(UserWarning):
    """Something that will probably not have the gradient that is expected.

    >>> import warnings, autodiff_kit as ad
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", ad.GradientWarning)
    ...     with ad.GradientTape() as tape:
    ...         tape.watch(ad.constant(3))
    Traceback (most recent call last):
        ...
    autodiff_kit.loud.GradientWarning: The dtype of the watched tensor must be floating \
(e.g. ad.float32), got ad.int32: no gradient flows to it
    """


# log(0) and 1 / 0 are inf without a word, as in TensorFlow. To silence NumPy with `np.errstate`
# around each kernel would double the time of a small operation.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"autodiff_kit\.")

# After all other filters, so that any of them wins: say it each time, not once for each line.
warnings.simplefilter("always", GradientWarning, append=True)


def place_name(filename: str) -> str:
    """A file's name for people: a notebook's cell has a new temporary file each time it is run."""
    return "cell" if re.search(r"ipykernel_\d+|<ipython-input", filename) else filename


def warn(message: str) -> None:
    """Warn about the line of the learner that is being run."""
    frame = user_frame()
    warnings.warn_explicit(
        message, GradientWarning, place_name(frame.f_code.co_filename), frame.f_lineno
    )
