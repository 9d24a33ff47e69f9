"""Layer 5: what `explain` found, in words.

One idea: a finding is a cause with the place where the way ends, and one thing to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from autodiff_kit.readers.facts.prose import as_markdown
from autodiff_kit.readers.program.lines import Line
from autodiff_kit.readers.program.words import word

HEADINGS = {
    "flows": "a gradient flows",
    "none": "no gradient (None)",
    "zero": "the gradient is zero",
    "not finite": "the gradient is not finite",
    "error": "asking for the gradient raises an error",
    "unknown": "the tape cannot say any more",
}


_LONG, _WORDS = 100, 8  # what is longer is said once, and then named by its first words
NO_SOURCE = (
    "There is no source to explain: the sources are an empty list. The trainable_variables of a layer "
    "are empty until its first call makes them, and so is a list of variables that was taken before: "
    "take it afterwards. They are also empty where all is frozen (trainable=False). Print the list "
    "before you ask. An ad.Variable in an attribute is not among them either: a layer counts what "
    "self.add_weight or ad.keras.Variable made."
)


@dataclass
class Finding:
    """What happened to the gradient for one source.

    source: the learner's name of it.
    status: "flows", "none", "zero", "not finite", "error" when `gradient` raises one, or "unknown"
      when the tape has let go of its records.
    cause: a short name of the cause, for programs; "" if all is well.
    why: one or two sentences.
    advice: what to do, in a sentence; "" if the code says it.
    fix: what to do, as a line of code or several.
    op: the type of the operation where the way ends, if there is one.
    line: the learner's line of that operation or event.
    also: more that is to be known, in sentences.
    known_as: what else the source is called, if its name is a number in a list.
    """

    source: str
    status: str
    cause: str = ""
    why: str = ""
    advice: str = ""
    fix: str = ""
    op: str | None = None
    line: Line | None = None
    also: list[str] = field(default_factory=list)
    known_as: str = ""

    @property
    def full_name(self) -> str:
        """The name of the source, and what else it is called."""
        return f"{self.source} ({self.known_as})" if self.known_as else self.source

    @property
    def connected(self) -> bool:
        """Whether `gradient` returns something else than None."""
        return self.status != "none"

    def rows(self) -> list[tuple[str, str]]:
        """The parts of the finding with their labels."""
        where = f"{self.line}" + (f"  ({self.op})" if self.op else "") if self.line else ""
        labelled = [("why", self.why), *(("also", text) for text in self.also)]
        labelled += [("where", where), ("do", self.advice), ("code", self.fix)]
        return [(label, text) for label, text in labelled if text]

    def __str__(self) -> str:
        parts = [f"{self.full_name}: {HEADINGS[self.status]}"]
        for label, text in self.rows():
            first, *more = text.splitlines()
            parts.append(f"  {label + ':':7}{first}")
            parts += [f"         {line}" for line in more]
        return "\n".join(parts)

    def _repr_markdown_(self) -> str:
        kept = f" (`{self.known_as}`)" if self.known_as else ""
        parts = [f"**`{self.source}`{kept}: {HEADINGS[self.status]}**\n"]
        for label, text in self.rows():
            if label == "code":
                parts.append(f"\n```python\n{text}\n```")
            elif label == "do":
                parts.append(f"- What to do: {as_markdown(text)}")
            elif label == "where" and self.line is not None:
                op = f" (`{self.op}`)" if self.op else ""
                parts.append(f"- {self.line.where}{op}: `{self.line.shown}`")
            else:
                begin = "Also: " if label == "also" else ""
                parts.append(f"- {begin}{as_markdown(text)}")
        return "\n".join(parts)


class Explanation:
    """The answer of `ad.explain`: a finding for each source.

    It prints itself as text and shows itself as Markdown in a notebook. `findings` has the parts.
    """

    def __init__(
        self, target: str, findings: list[Finding], nothing: str = NO_SOURCE, note: str = ""
    ) -> None:
        self.target = target
        self.findings = findings
        self._nothing, self._note = nothing, note

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, index: Any) -> Any:
        return self.findings[index]

    def __str__(self) -> str:
        parts = [f"{f}{_likewise(same, '  same:  {}')}" for f, same in self._alike()]
        return "\n\n".join([*(parts or [self._nothing]), *filter(None, [self._note])])

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        parts = [
            f"{f._repr_markdown_()}{_likewise(same, '- The same for `{}`', '`, `')}"
            for f, same in self._alike()
        ]
        if not parts:
            return as_markdown(str(self))
        return "\n\n".join([*parts, *filter(None, [as_markdown(self._note)])])

    def _alike(self) -> list[tuple[Finding, list[str]]]:
        """The findings, those that say the same of several sources only once, with the other names."""
        groups: dict[Any, tuple[Finding, list[str]]] = {}
        for number, found in enumerate(self.findings):
            own = found.status == "flows" and found.cause != "released"
            keys = [number] if own else _without_name(found)
            group = next((groups[key] for key in keys if key in groups), (found, []))
            groups.update(dict.fromkeys(keys, group))
            if group[0] is not found:
                group[1].append(found.full_name)
        alike = [*{id(group): group for group in groups.values()}.values()]
        shown = _said_once([found for found, _ in alike])
        return [(found, names) for found, (_, names) in zip(shown, alike, strict=True)]


def _said_once(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, of which what was said of an earlier one is only named again."""
    said: dict[str, str] = {}
    shown = []
    for found in findings:
        also = []
        for text in found.also:
            first = said.setdefault(text.replace(f"`{found.source}`", "`_`"), found.source)
            short = first == found.source or len(text) < _LONG
            also.append(text if short else f"As for `{first}`, above: {_beginning(text)} ...")
        shown.append(replace(found, also=also))
    return shown


def _beginning(text: str) -> str:
    """The first words of a text, and no half of a piece of a program.

    >>> _beginning("Sub at line 9 of a.py takes `pred + 1` and `t`: that makes a table")
    'Sub at line 9 of a.py takes'
    """
    words = text.split()[:_WORDS]
    while " ".join(words).count("`") % 2:
        words.pop()
    return " ".join(words)


def _without_name(found: Finding) -> list[Any]:
    """What a finding says, with a gap for the name of its source, in the code as well or not."""
    prose = [
        text.replace(f"`{found.source}`", "`_`") for text in (found.why, *found.also, found.advice)
    ]
    says = found.status, *prose, found.op, found.line
    return [(*says, word(found.source).sub("_", found.fix)), (*says, found.fix)]


def _likewise(names: list[str], text: str, between: str = ", ") -> str:
    return "\n" + text.format(between.join(names)) if names else ""
