"""Are two outputs of a notebook cell the same? Floats as numbers, all else as text.

The last bits of a float differ from processor to processor, so a text comparison would be red on
one machine and green on the next. Here a float may differ by ``REL`` of its size. Nothing else
may: an int, a sign, a name, a shape, NaN, None, the kind, number and order of outputs are exact.

There is no absolute tolerance: whether a gradient is 0.0 or 1e-9 is what this project is about.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

REL = Decimal("1e-5")

# A number stands alone: float32, x1, #102030, 1.2.3, 3rd and 10ms are text.
_NUMBER = re.compile(r"(?<![\w.#])([-+]?(?:[0-9]*\.)?[0-9]+(?:[eE][-+]?[0-9]+)?)(?!\w|\.[0-9])")
_INT = re.compile(r"[-+]?[0-9]+")
_OPENING = re.compile(r"\[|\barray\(")
# A picture's bytes follow Matplotlib's version and the fonts; a widget's ids are random.
_NOT_COMPARED = {"image/png", "image/jpeg", "application/vnd.jupyter.widget-view+json"}

_PICTURE = re.compile(r'src="data:image/png;base64,[^"]*"')

Output = Mapping[str, Any]


def same_number(a: str, b: str) -> bool:
    """Do two numerals stand for the same number? Ints exactly, floats to ``REL``.

    >>> same_number("0.33333334", "0.3333333"), same_number("4.0", "4.0000001")
    (True, True)
    >>> same_number("0.3333", "0.3334"), same_number("0.0", "1e-9"), same_number("4", "4.0")
    (False, False, False)
    """
    if _INT.fullmatch(a) or _INT.fullmatch(b):
        return a == b
    x, y = Decimal(a), Decimal(b)
    if x.is_signed() != y.is_signed():
        return False
    return abs(x - y) <= REL * min(abs(x), abs(y))


def _closing(text: str, start: int) -> int:
    """Where the bracket that opens just before ``start`` ends, or -1."""
    depth = 1
    opening, closing = text[start - 1], {"[": "]", "(": ")"}[text[start - 1]]
    for position in range(start, len(text)):
        depth += (text[position] == opening) - (text[position] == closing)
        if depth == 0:
            return position + 1
    return -1


def _squeeze(array: str) -> str:
    """An array's text without its layout: no space at brackets and commas, one elsewhere.

    And ``4.`` written out, which is a float only here: elsewhere it is an int that ends a sentence.
    """
    array = re.sub(r"(?<=[0-9])\.(?![0-9])", ".0", array)
    return re.sub(r"\s+", " ", re.sub(r"\s*([\[\](),])\s*", r"\1", array))


def normalize(text: str) -> str:
    r"""Take the layout out of printed arrays, where one more digit moves columns and lines.

    >>> normalize("w  = [[1.   2.25]\n     [3.   4.  ]]")
    'w  = [[1.0 2.25][3.0 4.0]]'
    """
    parts, done = [], 0
    while match := _OPENING.search(text, done):
        end = _closing(text, match.end())
        stop = end if end > 0 else match.end()
        parts.append(text[done : match.start()])
        inside = text[match.start() : stop]
        parts.append(_squeeze(inside) if end > 0 else inside)
        done = stop
    return "".join([*parts, text[done:]])


def text_difference(stored: str, new: str) -> str | None:
    """What differs between two texts, as a phrase; None if nothing does.

    >>> text_difference("loss 0.12345678", "loss 0.12345679")
    >>> text_difference("loss 0.1234", "loss 0.1235")
    "stored number '0.1234', now '0.1235'"
    """
    if stored == new:
        return None
    # With one group, split gives text, number, text, number, ... text.
    old_parts, new_parts = (_NUMBER.split(normalize(text)) for text in (stored, new))
    for index, (a, b) in enumerate(zip(old_parts, new_parts, strict=False)):
        if index % 2 and not same_number(a, b):
            return f"stored number {a!r}, now {b!r}"
        if index % 2 == 0 and a != b:
            return f"stored text {a!r}, now {b!r}"
    if len(old_parts) != len(new_parts):
        rest = (old_parts if len(old_parts) > len(new_parts) else new_parts)[
            min(len(old_parts), len(new_parts)) :
        ]
        side = "stored" if len(old_parts) > len(new_parts) else "now"
        return f"only {side}: {''.join(rest)!r}"
    return None


def joined(value: Any) -> Any:
    """Text that a notebook file may hold as a list of lines."""
    return "".join(value) if isinstance(value, list) else value


def merge_streams(outputs: Iterable[Output]) -> list[dict[str, Any]]:
    """Join neighbouring pieces of stdout (and of stderr): how they are cut is chance.

    Only neighbours: a result between two prints stays between them.
    """
    merged: list[dict[str, Any]] = []
    run: dict[str, dict[str, Any]] = {}
    for output in outputs:
        if output["output_type"] != "stream":
            run = {}
            merged.append(dict(output))
        elif output["name"] in run:
            run[output["name"]]["text"] += joined(output["text"])
        else:
            piece = {**output, "text": joined(output["text"])}
            run[output["name"]] = piece
            merged.append(piece)
    return merged


def without_pictures(page: str) -> str:
    """HTML without the bytes of the pictures in it; their alternative texts stay.

    >>> without_pictures('<img alt="a sine" src="data:image/png;base64,iVBORw0KGgo=">')
    '<img alt="a sine" src="picture">'
    """
    return _PICTURE.sub('src="picture"', page)


def pictures_in(page: str) -> list[str]:
    """The bytes of the pictures in HTML."""
    return _PICTURE.findall(page)


def _kind(output: Output) -> str:
    return f"{output['output_type']} {output.get('name', '')}".strip()


def _fields(output: Output) -> dict[str, Any]:
    """What of one output is compared; a traceback holds paths and source lines, so it is not."""
    if output["output_type"] == "stream":
        return {output["name"]: output["text"]}
    if output["output_type"] == "error":
        return {"ename": output["ename"], "evalue": output["evalue"]}
    data = {kind: joined(value) for kind, value in output["data"].items()}
    for kind in data.keys() & _NOT_COMPARED:
        data[kind] = ""
    if "text/html" in data:
        data["text/html"] = without_pictures(data["text/html"])
    return data


def output_difference(stored: Output, new: Output) -> str | None:
    """What differs between two single outputs, or None."""
    if _kind(stored) != _kind(new):
        return f"stored output is {_kind(stored)}, now {_kind(new)}"
    old_fields, new_fields = _fields(stored), _fields(new)
    if old_fields.keys() != new_fields.keys():
        return f"stored output has {sorted(old_fields)}, now {sorted(new_fields)}"
    for name, value in old_fields.items():
        if isinstance(value, str) and isinstance(new_fields[name], str):
            difference = text_difference(value, new_fields[name])
        else:
            difference = None if value == new_fields[name] else "the data differ"
        if difference:
            return f"{name}: {difference}"
    return None


def difference(stored: Iterable[Output], new: Iterable[Output]) -> str | None:
    """What differs between the outputs of a cell, in order, or None if they are the same."""
    old_outputs, new_outputs = merge_streams(stored), merge_streams(new)
    for index, (a, b) in enumerate(zip(old_outputs, new_outputs, strict=False), start=1):
        found = output_difference(a, b)
        if found:
            return f"output {index}: {found}"
    if len(old_outputs) != len(new_outputs):
        kinds = [", ".join(map(_kind, side)) or "none" for side in (old_outputs, new_outputs)]
        return f"stored outputs: {kinds[0]}; now: {kinds[1]}"
    return None
