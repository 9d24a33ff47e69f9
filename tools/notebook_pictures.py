"""Is a stored picture the one that its cell draws now? For notebooks whose pictures nobody looks at.

One idea: two machines never draw the same bytes, so pictures are compared as if from far away: what is
drawn in one must be in the other, near the same place. Another curve is seen, another font is not. It
needs Pillow, which Matplotlib brings.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from notebook_compare import joined, pictures_in

SIDE = 64  # pixels that are left of a picture
NEAR = 2  # of these pixels; fonts and Matplotlib's versions move what is drawn by less
STRONGER = 2  # times what is near it: then it is something else; a finer picture's lines are not
# The share of what is drawn that may have nothing near it. For one picture by Matplotlib 3.7 to 3.11 in
# three fonts and three resolutions, it was below 0.002, or 0.06 where a legend took another place; for
# two pictures with a curve, bars or dots at least 0.09.
ALONE = 0.075
ALIKE = 0.6  # correlation of two pictures of one thing, at least: for those without a ground
STRETCH = 1.5  # how much wider, against its height, fonts may make it

Output = Mapping[str, Any]


def pictures(outputs: Iterable[Output]) -> list[str]:
    """All PNG pictures of a cell, as they are stored: also those inside HTML."""
    found = []
    for output in outputs:
        data = output.get("data", {})
        if "image/png" in data:
            found.append(joined(data["image/png"]))
        sources = pictures_in(joined(data.get("text/html", "")))
        found += [source.partition("base64,")[2].rstrip("\"'") for source in sources]
    return found


def picture_difference(stored: Iterable[Output], new: Iterable[Output]) -> str | None:
    """What differs between the pictures of two runs of a cell, or None."""
    before, after = pictures(stored), pictures(new)
    if len(before) != len(after):
        return f"{len(before)} pictures are stored, and it draws {len(after)}"
    for number, (one, other) in enumerate(zip(before, after, strict=True), start=1):
        if one != other and (found := _unlike(one, other)):
            return f"picture {number}: {found}"
    return None


def _unlike(stored: str, new: str) -> str | None:
    try:
        (a, shape), (b, other) = _small(stored), _small(new)
    except (OSError, ValueError, SyntaxError):
        return "what is stored cannot be read as a picture"
    if not 1 / STRETCH < shape / other < STRETCH:
        return "the stored one has another shape than the one that the cell draws now"
    if (a.std() < 1e-3) != (b.std() < 1e-3):
        return "the stored one is empty, or the one that the cell draws now is"
    if a.std() < 1e-3:
        return None
    strange = np.corrcoef(a.ravel(), b.ravel())[0, 1] < ALIKE
    if strange or max(_alone(abs(a), abs(b)), _alone(abs(b), abs(a))) > ALONE:
        return "the stored one is not the one that the cell draws now"
    return None


def _alone(one: Any, other: Any) -> float:
    """Which share of what is drawn in one picture has nothing like it near that place in the other."""
    reach = range(2 * NEAR + 1)
    wide = np.pad(other, NEAR)
    near = np.max([wide[i : i + SIDE, j : j + SIDE] for i in reach for j in reach], axis=0)
    return float(np.maximum(0.0, one - STRONGER * near).sum() / one.sum())


def _small(text: str) -> tuple[Any, float]:
    """How far a picture's few pixels are from its ground, and its width for each unit of height."""
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(text))) as picture:
        width, height = picture.size
        whole = picture.convert("RGBA")
    ground = Image.new("RGBA", whole.size, "white")
    ground.alpha_composite(whole)
    grey = ground.convert("L")
    few = np.asarray(grey.resize((SIDE, SIDE), Image.Resampling.BOX), float)
    return (few - np.median(np.asarray(grey))) / 255, width / height
