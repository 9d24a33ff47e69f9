"""Layer 4: forward mode from reverse mode alone.

One idea: a gradient is linear in what it begins with, ``g = J^T u``. Its own gradient with respect
to ``u``, begun with a tangent ``t``, is ``J t``: the Jacobian-vector product. Two passes backward
are one pass forward, and no operation needs a second rule.

Source: https://j-towns.github.io/2017/06/12/A-new-trick.html
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import numpy as np

from autodiff_kit import nest
from autodiff_kit.convert import convert_to_tensor, is_tensor
from autodiff_kit.loud import warn
from autodiff_kit.request import Request
from autodiff_kit.structures import refuse_other
from autodiff_kit.tape import GradientTape, UnconnectedGradients
from autodiff_kit.tensor import RECORDING, Tensor, recording, tensor_of

__all__ = ["ForwardAccumulator"]

_ONE_FOR_EACH = (
    ". Give one tangent for each primal, in the same structure; several numbers become one tangent "
    "with ad.constant([...])"
)


class ForwardAccumulator:
    """Jacobian-vector products: how the results change when the inputs move along given tangents.

    What runs in its block is remembered, and `jvp` gives the change of any result. A tape or
    accumulator around the block sees the products, so that they can be differentiated again; one
    inside the block does not.

    Args:
      primals: the tensors or variables that move, in any nested structure.
      tangents: along what each of them moves: the same structure, shapes and dtypes.

    Raises:
      ValueError: if a primal is given twice, or structure, shape or dtype of the tangents differ.
      TypeError: if a primal is not a tensor or a variable, or the tangents are in a container of
        another kind: a tuple where the primals are in a list.

    Source: https://www.tensorflow.org/api_docs/python/tf/autodiff/ForwardAccumulator

    >>> import autodiff_kit as ad
    >>> x = ad.constant([1.0, 2.0])
    >>> with ad.autodiff.ForwardAccumulator(x, ad.constant([1.0, 0.0])) as acc:
    ...     y = x * x * x
    >>> acc.jvp(y)
    <Tensor: shape=(2,), dtype=float32, numpy=array([3., 0.], dtype=float32)>
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        self._tape = GradientTape(persistent=True, watch_accessed_variables=False)
        self._around: list[tuple[Any, Any]] = []
        self._known: dict[Any, Tensor | None] = {}
        refuse_other(primals, tangents, _ONE_FOR_EACH)
        self._primals, flat = nest.flatten(primals), nest.flatten(tangents)
        for primal in self._primals:
            if not is_tensor(primal):
                raise TypeError(
                    f"A primal must be a Tensor or a Variable, but received {primal!r}: make it an "
                    "ad.constant or an ad.Variable before it is used"
                )
        _refuse_doubles(self._primals)
        self._tangents = [tangent_of(*pair) for pair in zip(self._primals, flat, strict=True)]
        moving = [p for p in self._primals if p.dtype.is_floating]
        for still in (p for p in self._primals if not p.dtype.is_floating):
            warn(
                "The dtype of the watched primal must be floating (e.g. ad.float32), got "
                f"{still.dtype!r}: nothing follows its tangent"
            )
        self._tape.watch(moving)

    def __enter__(self) -> ForwardAccumulator:
        if self._tape in recording():
            raise ValueError("Accumulator is already recording.")
        self._around = [(tape, tape.home) for tape in recording()]
        self._tape.__enter__()
        return self

    def __exit__(
        self,
        typ: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._tape.__exit__(typ, value, traceback)

    def jvp(
        self,
        primals: Any,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """The Jacobian-vector product of results that were computed in the block.

        Args:
          primals: tensors or variables in any nested structure; a primal itself gives its tangent.
          unconnected_gradients: ``"none"`` or ``"zero"``, what a result gets that does not depend
            on any primal.

        Returns:
          For each result the product, of its shape and dtype, or None.

        Raises:
          TypeError: for something that is not a tensor or a variable.
          ValueError: for an unknown value of ``unconnected_gradients``.

        >>> import autodiff_kit as ad
        >>> x = ad.constant(3.0)
        >>> with ad.autodiff.ForwardAccumulator(x, ad.constant(1.0)) as acc:
        ...     y = x * x
        >>> acc.jvp({"x": x, "y": y})["y"]
        <Tensor: shape=(), dtype=float32, numpy=6.0>
        """
        zero = UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO
        products = [self._looked_up(result) for result in nest.flatten(primals)]
        if zero:
            products = [
                tensor_of(np.zeros_like(result._value)[()]) if product is None else product
                for product, result in zip(products, nest.flatten(primals), strict=True)
            ]
        return nest.pack_sequence_as(primals, products)

    def _looked_up(self, result: Any) -> Tensor | None:
        if not is_tensor(result):
            raise TypeError(f"jvp takes Tensors and Variables, but received {result!r}.")
        if not result.dtype.is_floating:
            return None
        if result not in self._known:
            with self._seen_from_around():
                self._known[result] = self._pushed(result)
        return self._known[result]

    def _pushed(self, result: Any) -> Tensor | None:
        """``J t``, as the gradient of ``J^T u`` with respect to ``u``."""
        u = tensor_of(np.ones_like(result._value)[()])
        with GradientTape() as transposing:
            transposing.watch(u)
            pulled = Request(result, self._primals, u).answer(self._tape)
        pairs = [pair for pair in zip(pulled, self._tangents, strict=True) if pair[0] is not None]
        if not pairs:
            return None
        gradients, tangents = zip(*pairs, strict=True)
        return transposing.gradient(
            list(gradients), u, list(tangents), unconnected_gradients="zero"
        )

    @contextmanager
    def _seen_from_around(self) -> Iterator[None]:
        """Record the products on those tapes, and only those, in whose blocks ours was opened."""
        now = recording()
        around = [t for t, home in self._around if t.home is home and not t.released]
        RECORDING.set(tuple(around) if self._around else ())
        try:
            yield
        finally:
            RECORDING.set(now)


def tangent_of(primal: Any, tangent: Any) -> Tensor:
    """A tangent as a tensor, if it fits its primal."""
    given = convert_to_tensor(tangent, primal.dtype)
    if given._value.shape != primal._value.shape:
        raise ValueError(
            f"A tangent has shape {given.shape}, but its primal has shape {primal.shape}: they "
            "must be the same"
        )
    return given


def _refuse_doubles(primals: list[Any]) -> None:
    if len({id(primal) for primal in primals}) != len(primals):
        double = next(p for i, p in enumerate(primals) if any(p is q for q in primals[:i]))
        raise ValueError(
            f"Tensor {double!r} was specified as a primal multiple times. This may indicate an "
            "error. If it was intended, please sum the corresponding tangents."
        )
