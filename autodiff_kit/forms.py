"""Layer 0: the form of a value, its dtype and shape.

One idea: one object for each pair of a dtype and a shape, so that two forms are compared with `is`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from autodiff_kit.tensor import Tensor


class Form:
    """A dtype and a shape, and one object for each pair of them.

    NumPy makes a new object each time that an array is asked for its dtype or its shape. Tensors of
    equal form refer to the same `Form`, so two of them are compared with one `is`.
    """

    __slots__ = ("dtype", "kind", "meetings", "numbers", "one", "parts", "shape", "shapes", "size")

    def __init__(self, dtype: Any, shape: tuple[int, ...]) -> None:
        self.dtype = dtype
        self.kind = dtype.kind
        self.shape = shape
        self.shapes = (shape,)  # as rules of one input ask for it
        self.size = math.prod(shape)
        # The gradient that a scalar begins with: to make a NumPy scalar takes longer than to multiply.
        self.one = None if shape or self.kind != "f" else dtype.type(1)
        self.meetings: dict[Form, Any] = {}  # what this and another broadcast to: see `define.meet`
        self.numbers: dict[Any, Any] = {}  # Python numbers that stood beside such a tensor
        self.parts: dict[Any, Any] = {}  # what a record says of `x[i]`: see `indexing.getitem`


FORMS: dict[Any, Form] = {}  # by (dtype, shape); those of scalars by their type as well


def form_of(tensor: Tensor) -> Form:
    """The form of a tensor, looked up at its value once and then noted on the tensor."""
    form = tensor._form
    if form is None:
        value = tensor._value
        form = FORMS.get(type(value))
        if form is None:
            form = FORMS.get((value.dtype, value.shape)) or form_with(value.dtype, value.shape)
            if type(value) is not np.ndarray:
                FORMS[type(value)] = form
        tensor._form = form
    return form


def form_with(dtype: Any, shape: tuple[int, ...]) -> Form:
    """The one form of this dtype and shape."""
    form = FORMS.get((dtype, shape))
    if form is None:
        if len(FORMS) > 10_000:  # a loop over ever new shapes must not fill the memory
            FORMS.clear()  # a tensor of before then differs by `is`, which costs time and no more
        form = FORMS[dtype, shape] = Form(dtype, shape)
    return form
