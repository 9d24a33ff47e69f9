"""Layer 5: the objects whose variables a list holds.

One idea: ``everything = net.trainable_variables + [rate]`` has variables of ``net`` in it under other
names. What computes with ``net`` computes with them.
"""

from __future__ import annotations

import re

from autodiff_kit.readers.program.text import Named, Text

_LISTS = re.compile(r"(?<![\w.])((?:\w+\.)*\w+)\.(?:trainable_)?(?:variables|weights)(?!\w)")


def owners_of(text: Text, lists: set[Named]) -> set[Named]:
    """What had its list of variables read by the statements that made some lists."""
    return {
        (text.owner(statement, holder), holder)
        for statement, words in text.read.items()
        if lists & set(text.receivers(statement))
        for holder in _LISTS.findall(words)
    }
