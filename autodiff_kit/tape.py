"""Layer 2: GradientTape, the questions that a tape answers.

One idea: a gradient is the list of what was done (see `recorder`), read backwards.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, NoReturn

import numpy as np

from autodiff_kit.health import SOUND, healthy, look_later
from autodiff_kit.jacobian import batch_jacobian, batch_shape, jacobian, one_target, refuse_apart
from autodiff_kit.keywords import quiet, refusal
from autodiff_kit.loud import warn
from autodiff_kit.operators import Elsewhere, offered
from autodiff_kit.recorder import SPENT, Recorder
from autodiff_kit.request import Request
from autodiff_kit.tensor import Tensor, record_on, recording, tensor_of
from autodiff_kit.usual import usual

__all__ = ["GradientTape", "UnconnectedGradients"]

_getframe: Any = sys._getframe


class UnconnectedGradients(enum.Enum):
    """What `gradient` returns for a source that the target does not depend on.

    Source: https://www.tensorflow.org/api_docs/python/tf/UnconnectedGradients

    >>> import autodiff_kit as ad
    >>> ad.UnconnectedGradients("zero")
    <UnconnectedGradients.ZERO: 'zero'>
    """

    NONE = "none"
    ZERO = "zero"

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ValueError(f"Unknown value for unconnected_gradients: {value!r}")


NONE = UnconnectedGradients.NONE
_GRADIENT = "tape.gradient(target, sources), which returns the gradients"


class GradientTape(Recorder):
    """Records operations for automatic differentiation.

    Args:
      persistent: whether `gradient` may be called more than once; then the tape keeps its records
        until it is deleted.
      watch_accessed_variables: whether trainable variables are watched as soon as they are read.

    Source: https://www.tensorflow.org/api_docs/python/tf/GradientTape

    >>> import autodiff_kit as ad
    >>> x = ad.Variable(3.0)
    >>> with ad.GradientTape() as tape:
    ...     y = x * x
    >>> tape.gradient(y, x)
    <Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    def __enter__(self) -> GradientTape:
        if self._recording or self._used:
            self._ready()
        self._note("enter", _getframe(1))
        record_on((*recording(), self))
        self._recording = True
        return self

    def __exit__(
        self,
        typ: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._recording:
            self._stop()
            self._note("exit", _getframe(1))

    # What PyTorch's tensors and JAX have.
    backward = Elsewhere("backward", _GRADIENT)
    grad = Elsewhere("grad", _GRADIENT)
    __dir__ = offered

    @quiet
    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        **theirs: NoReturn,
    ) -> Any:
        """The gradient of a target with respect to each source.

        Args:
          target: a tensor or variable, or several in nested lists, tuples or dicts; the gradient of
            several is that of their sum.
          sources: tensors or variables in any nested structure.
          output_gradients: for each target what to begin with instead of ones, of its shape.
          unconnected_gradients: ``"none"`` or ``"zero"``: what a source gets that the target does
            not depend on.

        Returns:
          The gradients in the structure of ``sources``, each with its source's shape and dtype, or
          None where none flows. `ad.explain` tells why.

        Raises:
          RuntimeError: for the second call on a tape that is not persistent.
          TypeError: for a target or a source that is not a tensor or a variable.
          ValueError: for an unknown value of ``unconnected_gradients``.
          InvalidArgumentError: for output gradients of the wrong shape or dtype.

        Source: https://www.tensorflow.org/api_docs/python/tf/GradientTape#gradient

        >>> import autodiff_kit as ad
        >>> x, y = ad.Variable(3.0), ad.Variable(1.0)
        >>> with ad.GradientTape() as tape:
        ...     z = x * x
        >>> tape.gradient(z, {"x": x, "y": y})
        {'x': <Tensor: shape=(), dtype=float32, numpy=6.0>, 'y': None}
        """
        if theirs:
            raise refusal(GradientTape.gradient, *next(iter(theirs.items())))
        if self._used:
            raise self._refusal(_getframe(1))
        if output_gradients is None and unconnected_gradients is NONE and not self._recording:
            several = sources if type(sources) is list else [sources]
            found = usual(self, target, several, _getframe(1))
            if found is not None:
                return found if several is sources else found[0]
        unconnected = UnconnectedGradients(unconnected_gradients)
        request = Request(target, sources, output_gradients)
        gradients = self._asked(request, request.answer, _getframe(1))
        if unconnected is not NONE:
            gradients = [
                zeros(source._value.shape, source) if gradient is None else gradient
                for source, gradient in zip(request.sources, gradients, strict=True)
            ]
        return request.packed(gradients)

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """All partial derivatives of one target with respect to each source.

        Args:
          target: one tensor or variable.
          sources: tensors or variables in any nested structure.
          unconnected_gradients: ``"none"`` or ``"zero"``, as for `gradient`.
          parallel_iterations, experimental_use_pfor: how TensorFlow is to work. They change nothing
            here, and as there they ask for a persistent tape.

        Returns:
          In the structure of ``sources`` tensors of shape ``target.shape + source.shape``, or None.

        Raises:
          RuntimeError: for the second call on a tape that is not persistent, or if an argument asks
            for a persistent one.
          TypeError: if the target is not one tensor or variable.

        Source: https://www.tensorflow.org/api_docs/python/tf/GradientTape#jacobian

        >>> import autodiff_kit as ad
        >>> x = ad.Variable([1.0, 2.0])
        >>> with ad.GradientTape() as tape:
        ...     y = x * x
        >>> tape.jacobian(y, x)
        <Tensor: shape=(2, 2), dtype=float32, numpy=
        array([[2., 0.],
               [0., 4.]], dtype=float32)>
        """
        if self._used:
            raise self._refusal(_getframe(1))
        refuse_apart(self, "jacobian", parallel_iterations, experimental_use_pfor)
        unconnected = UnconnectedGradients(unconnected_gradients)
        one_target(target)
        request = Request(target, sources)
        found = self._asked(request, lambda tape: jacobian(tape, request), _getframe(1))
        if unconnected is UnconnectedGradients.ZERO:
            found = [
                zeros((*target._value.shape, *source._value.shape), source) if one is None else one
                for source, one in zip(request.sources, found, strict=True)
            ]
        return request.packed(found)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor:
        """The Jacobian of each example of a batch, for examples that do not depend on one another.

        Args:
          target: a tensor of shape ``[batch, ...]``.
          source: a tensor or variable of shape ``[batch, ...]``.
          unconnected_gradients: checked only; a source without a gradient gets zeros, as
            TensorFlow's.
          parallel_iterations, experimental_use_pfor: how TensorFlow is to work. They change nothing
            here, and as there they ask for a persistent tape.

        Returns:
          A tensor of shape ``[batch, *target.shape[1:], *source.shape[1:]]``.

        Raises:
          RuntimeError: for the second call on a tape that is not persistent, or if an argument asks
            for a persistent one.
          ValueError: if a rank is below 2 or the batch sizes differ.

        Source: https://www.tensorflow.org/api_docs/python/tf/GradientTape#batch_jacobian

        >>> import autodiff_kit as ad
        >>> x = ad.constant([[1.0], [2.0]])
        >>> with ad.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.batch_jacobian(y, x).numpy().tolist()
        [[[2.0]], [[4.0]]]
        """
        if self._used:
            raise self._refusal(_getframe(1))
        refuse_apart(self, "batch_jacobian", parallel_iterations, experimental_use_pfor)
        UnconnectedGradients(unconnected_gradients)
        shape = batch_shape(one_target(target), source)
        request = Request(target, source)
        found = self._asked(
            request, lambda tape: [batch_jacobian(tape, request, shape)], _getframe(1)
        )[0]
        return zeros(shape, target) if found is None else found

    def _asked(self, request: Request, answer: Callable[[Any], list[Any]], frame: Any) -> list[Any]:
        """Answer a question that was found to be sound; a plain tape has then done its work."""
        if self._recording:
            self._stop_for_gradient(frame)
        request.frame = self._note("gradient", frame)
        try:
            gradients = answer(self)
        except BaseException:
            if self.spent:  # interrupted halfway: half of the records are no use to anybody
                self._used = True
                self._release([], [], lambda: False)
            raise
        if not self.persistent:
            self._used = True
            if self.spent:
                self._release(request.targets, request.sources, look_later(gradients))
            elif healthy(gradients):
                self._release(request.targets, request.sources, SOUND)
        return gradients

    def _refusal(self, frame: Any) -> RuntimeError:
        """The error for a plain tape that is asked again; `explain` can say where that was."""
        self._note("refused", frame)
        return RuntimeError(SPENT)

    def _stop_for_gradient(self, frame: Any) -> None:
        if not self.persistent:
            self._stop()
            self._note("exit", frame)
        else:
            warn(
                "Calling GradientTape.gradient on a persistent tape inside its context is "
                "significantly less efficient than calling it outside the context: the tape records "
                "the backward pass too. Do it only to take the gradient of a gradient."
            )


def zeros(shape: tuple[int, ...], like: Any) -> Tensor:
    """What stands for a gradient that there is not."""
    return tensor_of(np.zeros(shape, like.dtype.as_numpy_dtype)[()])
