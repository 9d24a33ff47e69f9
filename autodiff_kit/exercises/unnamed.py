"""A name that an answer uses, and nobody has defined there.

One idea: most of them are the kit's, written without ``ad.``, or a module that was not imported.
"""

from __future__ import annotations

from autodiff_kit.lazy import nested, places

_MODULES = {
    "np": "Write import numpy as np above; where a tape is to follow, take ad's functions.",
    "tf": "Here the kit is called ad.",
}


def where_it_is(error: NameError) -> str:
    """A sentence to put behind the error's, "" if the name is not known elsewhere.

    >>> where_it_is(NameError("name 'log' is not defined", name="log"))
    '. It is ad.math.log.'
    >>> where_it_is(NameError("name 'lgo' is not defined", name="lgo"))
    ''
    """
    name = error.name or ""
    if name in _MODULES:
        return f". {_MODULES[name]}"
    there = f"ad.{name}" if name in places("autodiff_kit") else nested("autodiff_kit", name)
    return f". It is {there}." if there else ""
