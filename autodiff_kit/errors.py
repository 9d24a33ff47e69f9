"""Layer 0: the errors that TensorFlow has and Python has not.

One idea: the names and the wording of TensorFlow, so that a message found here can be looked up
there.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit import lazy

__all__ = ["FailedPreconditionError", "InvalidArgumentError", "OpError", "UnknownError"]
__dir__ = lazy.shown(globals())


class OpError(Exception):
    """An operation could not run; the base of this module's errors.

    Source: https://www.tensorflow.org/api_docs/python/tf/errors/OpError

    >>> import autodiff_kit as ad
    >>> issubclass(ad.errors.InvalidArgumentError, ad.errors.OpError)
    True
    """

    @property
    def message(self) -> str:
        """What the error says."""
        return str(self)


class InvalidArgumentError(OpError, ValueError):
    """An operation received an input it cannot take: a wrong dtype, shape or value.

    It is a ``ValueError`` too, so that code which knows nothing of TensorFlow can catch it.

    Source: https://www.tensorflow.org/api_docs/python/tf/errors/InvalidArgumentError

    >>> import autodiff_kit as ad
    >>> ad.constant(1.0) + ad.constant(1)
    Traceback (most recent call last):
        ...
    autodiff_kit.errors.InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was \
expected to be a float tensor but is a int32 tensor [Op:AddV2]; use ad.cast to make the dtypes equal
    """


class FailedPreconditionError(OpError, RuntimeError):
    """The system is not in the state that the operation needs.

    Source: https://www.tensorflow.org/api_docs/python/tf/errors/FailedPreconditionError

    >>> import autodiff_kit as ad
    >>> issubclass(ad.errors.FailedPreconditionError, RuntimeError)
    True
    """


class UnknownError(OpError):
    """An operation failed for a reason that has no class of its own.

    Source: https://www.tensorflow.org/api_docs/python/tf/errors/UnknownError

    >>> import autodiff_kit as ad
    >>> issubclass(ad.errors.UnknownError, ad.errors.OpError)
    True
    """


def refusal(op_type: str, inputs: tuple[Any, ...], error: Exception) -> Exception:
    """NumPy's complaint in TensorFlow's words."""
    if isinstance(error, OpError):
        return error
    shapes = " vs. ".join(str(list(x._value.shape)).replace(" ", "") for x in inputs)
    if isinstance(error, ValueError) and "broadcast" in str(error):
        return InvalidArgumentError(
            f"Incompatible shapes: {shapes} [Op:{op_type}]; shapes broadcast when, from the last "
            "dimension on, they are equal or one of them is 1"
        )
    dtypes = ", ".join(str(x._value.dtype) for x in inputs)
    return InvalidArgumentError(
        f"{op_type} cannot take inputs of shape {shapes} and dtype {dtypes}: {error} [Op:{op_type}]"
    )
