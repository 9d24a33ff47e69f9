"""Layer 0. How TensorFlow prints tensors and variables, without its `tf.` prefix.

One idea: the numbers are NumPy's own printing, so that `np.set_printoptions` works as it does in
TensorFlow; the words around them are written here, because NumPy changes those between releases.

Source: https://www.tensorflow.org/api_docs/python/tf/Tensor, printed by 2.21 with NumPy 2.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autodiff_kit.digits import notation, scalar_text

Value = Any  # a NumPy scalar or array

# NumPy 1 on Windows takes int32 for its default integer; the text may not depend on that.
_IMPLIED_DTYPES = frozenset(["bool", "int64", "float64", "complex128"])


def tensor_repr(value: Value) -> str:
    """Return the text of `repr(tensor)` for a NumPy scalar or array of any shape and dtype.

    >>> tensor_repr(np.float32(4))
    '<Tensor: shape=(), dtype=float32, numpy=4.0>'
    >>> tensor_repr(np.float32([[1, 2]]))
    '<Tensor: shape=(1, 2), dtype=float32, numpy=array([[1., 2.]], dtype=float32)>'
    """
    array = np.asarray(value)
    return f"<Tensor: shape={shape_str(array.shape)}, dtype={array.dtype.name}, {_numpy(array)}>"


def tensor_str(value: Value) -> str:
    """Return the text of `str(tensor)` for a NumPy scalar or array of any shape and dtype.

    >>> tensor_str(np.float32([[1, 2]]))
    'Tensor([[1. 2.]], shape=(1, 2), dtype=float32)'
    """
    array = np.asarray(value)
    text = _own_line(_plain(array))
    return f"Tensor({text}, shape={shape_str(array.shape)}, dtype={array.dtype.name})"


def variable_repr(name: str, value: Value) -> str:
    """Return the text of `repr(variable)`, which is also that of `str(variable)`.

    >>> variable_repr("x:0", np.float32(4))
    "<Variable 'x:0' shape=() dtype=float32, numpy=4.0>"
    """
    array = np.asarray(value)
    about = f"shape={shape_str(array.shape)} dtype={array.dtype.name}"
    return f"<Variable '{name}' {about}, {_numpy(array)}>"


def shape_str(shape: Iterable[int]) -> str:
    """Return the text of `str(shape)`.

    >>> shape_str([1, 4])
    '(1, 4)'
    """
    return str(tuple(None if size is None else int(size) for size in shape))


def shape_repr(shape: Iterable[int]) -> str:
    """Return the text of `repr(shape)`.

    >>> shape_repr((1, 4))
    'TensorShape([1, 4])'
    """
    return f"TensorShape({[None if size is None else int(size) for size in shape]})"


def _numpy(array: np.ndarray) -> str:
    text = repr(array.item()) if array.shape == () else _quoted(array)
    return "numpy=" + _own_line(text)


def _own_line(text: str) -> str:
    return "\n" + text if "\n" in text else text


def _plain(array: np.ndarray) -> str:
    if array.shape == ():
        return scalar_text(array[()])
    return np.array2string(array, legacy=False, **notation(array))


def _quoted(array: np.ndarray) -> str:
    # legacy asks for the text of an old NumPy, and here there is one text for all of them.
    head, style = "array(", notation(array)
    body = np.array2string(array, separator=", ", prefix=head, suffix=")", legacy=False, **style)
    extras = ", ".join(_extras(array))
    if not extras:
        return f"{head}{body})"
    body, tail = f"{head}{body},", f"{extras})"
    last_line = len(body) - body.rfind("\n") - 1
    fits = last_line + 1 + len(tail) <= np.get_printoptions()["linewidth"]
    return body + (" " if fits else "\n" + " " * len(head)) + tail


def _extras(array: np.ndarray) -> list[str]:
    # What the numbers alone do not tell. NumPy names the shape of a shortened array since 2.2.
    shortened = array.size > np.get_printoptions()["threshold"]
    extras = []
    if shortened or (array.size == 0 and array.shape != (0,)):
        extras.append(f"shape={shape_str(array.shape)}")
    if array.size == 0 or array.dtype.name not in _IMPLIED_DTYPES:
        extras.append(f"dtype={array.dtype.name}")
    return extras
