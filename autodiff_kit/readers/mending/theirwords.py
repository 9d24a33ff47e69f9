"""Layer 5: code in the names that a learner's file has for the kit.

One idea: the readers write ``ad.sin``. Where the code belongs, the kit may be called ``tf``, or only
some of its functions are imported, or none; then the code brings the import along.
"""

from __future__ import annotations

import os
import re
from typing import Any

from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.program.asked import called_so
from autodiff_kit.readers.program.imported import Meanings, imports_in, modules_in
from autodiff_kit.readers.program.lines import cell_number, written_tree

_NAMED = re.compile(r"(?<![\w.])((?:ad|np|math)\.[A-Za-z_][\w.]*)")
_IN_TEXT = re.compile(rf"(\ban )?{_NAMED.pattern}")
_IMPORT = "import autodiff_kit as ad    # at the top\n"


def in_their_words(found: Finding, frame: Any) -> None:
    """Let a finding say the names of the file that it is about."""
    asked = found.fix.startswith("ad.replay(") or found.line is None
    file = frame.f_code.co_filename if asked or found.line is None else found.line.file
    known = meanings(file, frame)
    usual = {name: meant for name, meant in known.items() if meant[:3] != "ad."}
    known = usual if "ad" in usual.values() else known
    found.why, found.advice = _said(found.why, known), _said(found.advice, known)
    found.also = [_said(text, known) for text in found.also]
    found.fix = _said(found.fix, known)
    if "ad" not in known and any(map(_is_the_kits, _NAMED.findall(_code_of(found.fix)))):
        found.fix = _IMPORT + found.fix


def meanings(file: str, frame: Any) -> Meanings:
    """What the names for the kit, NumPy and math are in a file; all that is typed shares them."""
    tree = written_tree(file)
    there = imports_in(tree) if tree is not None else {}
    typed = cell_number(file) is not None or not os.path.exists(file)
    shared = typed or tree is None or file == frame.f_code.co_filename
    return {**there, **modules_in({**frame.f_globals, **frame.f_locals})} if shared else there


def _said(text: str, known: Meanings) -> str:
    """A text with the learner's names in it, where there are such."""
    named = {usual: name for name, usual in known.items()}
    named |= {usual: usual for usual in known if known[usual] == usual}
    return _IN_TEXT.sub(lambda match: _with_article(match[1], _name_of(match[2], named)), text)


def _with_article(article: str | None, name: str) -> str:
    """A name after "an", which is "a" before ``tf``."""
    return name if article is None else f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _name_of(usual: str, named: Meanings) -> str:
    """What the learner calls something of the kit's, of NumPy's or of math's."""
    parts = usual.split(".")
    if parts[0] == "ad" and not _is_the_kits(usual):
        return usual
    for count in range(len(parts), 0, -1):
        name = named.get(".".join(parts[:count]))
        if name is not None:
            return ".".join([name, *parts[count:]])
    return usual


def _is_the_kits(usual: str) -> bool:
    return usual[:3] == "ad." and hasattr(called_so("ad"), usual.split(".")[1])


def _code_of(fix: str) -> str:
    """Code without its comments."""
    return "\n".join(line.split("    #")[0] for line in fix.splitlines())
