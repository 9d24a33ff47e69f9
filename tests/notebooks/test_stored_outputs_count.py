"""Every number, output and order that is stored in a notebook counts: changed, it would be red.

The comparison that validates the notebooks gets each stored output beside a spoilt copy of it. What
a number is, is said anew here, not taken from the comparison.
"""

import copy
import itertools
import re

import nbformat
import pytest

from notebook_compare import difference, output_difference
from notebook_files import code_cells, find
from notebook_pytest import ROOT

NOTEBOOKS = find(ROOT / "notebooks")
PICTURE = re.compile(r'"data:image/[a-z]+;base64,[^"]*"')
every_notebook = pytest.mark.parametrize(
    "notebook", NOTEBOOKS, ids=lambda path: str(path.relative_to(ROOT / "notebooks"))
)


def shown(notebook):
    """The number of each code cell and its stored outputs, without counts, which are not shown."""
    cells = code_cells(nbformat.read(notebook, as_version=4))
    for output in itertools.chain.from_iterable(cell.outputs for cell in cells):
        output.pop("execution_count", None)
    return [(number, cell.outputs) for number, cell in enumerate(cells, start=1)]


def texts(output):
    """Each text of an output with the place where it is kept."""
    for part in (output, output.get("data", {})):
        for key in part:
            kept = key in ("text", "ename", "evalue") or key.startswith(("text/", "application/"))
            if kept and isinstance(part[key], str):
                yield part, key


def leading_digits(text):
    """The places of the first four significant digits of each number; of a zero, of all of them."""
    text = PICTURE.sub(lambda picture: "-" * len(picture.group()), text)  # they are not compared
    for number in re.finditer(r"[0-9]+\.?[0-9]*|\.[0-9]+", text):
        places = [at for at in range(*number.span()) if text[at] != "."]
        significant = list(itertools.dropwhile(lambda at: text[at] == "0", places))
        yield from (significant or places)[:4]


def one_digit_changed(output):
    """Copies of an output in which one leading digit is one more, or one less for a nine."""
    spoilt = copy.deepcopy(output)
    for part, key in texts(spoilt):
        text = part[key]
        for at in leading_digits(text):
            other = str(int(text[at]) + 1) if text[at] != "9" else "8"
            part[key] = text[:at] + other + text[at + 1 :]
            yield spoilt, f"{key}: {text[max(0, at - 20) : at]}[{text[at]}]{text[at + 1 : at + 20]}"
        part[key] = text


@every_notebook
def test_a_digit_changed_is_red(notebook):
    tried, missed = 0, []
    for number, outputs in shown(notebook):
        for output in outputs:
            for spoilt, what in one_digit_changed(output):
                tried += 1
                if output_difference(output, spoilt) is None:
                    missed.append(f"code cell {number}: {what}")
    assert tried and not missed


@every_notebook
def test_an_output_dropped_or_added_is_red(notebook):
    for number, outputs in shown(notebook):
        for at in range(len(outputs)):
            assert difference(outputs, outputs[:at] + outputs[at + 1 :]), f"{number}: {at} dropped"
            assert difference(outputs, outputs[: at + 1] + outputs[at:]), f"{number}: {at} twice"


def swapped(things):
    """The list with two that are not the same exchanged, for each such pair."""
    for i, j in itertools.combinations(range(len(things)), 2):
        if things[i] != things[j]:
            other = list(things)
            other[i], other[j] = other[j], other[i]
            yield other


@every_notebook
def test_two_outputs_exchanged_are_red(notebook):
    cells = shown(notebook)
    for number, outputs in cells:
        for other in swapped(outputs):
            assert difference(outputs, other), f"code cell {number}"
    showing = [outputs for _, outputs in cells if outputs]
    for one, other in itertools.combinations(showing, 2):
        assert one == other or difference(one, other), "two cells' outputs"


def test_which_digits_count():
    """The zeros in front do not; a zero's own do; an exponent's do; a picture's bytes do not."""
    samples = ("0.0012345", "0.0", "1e-05", "x", "90", '"data:image/png;base64,A1" 2')
    found = {text: list(leading_digits(text)) for text in samples}
    assert found == {
        "0.0012345": [4, 5, 6, 7],
        "0.0": [0, 2],
        "1e-05": [0, 4],
        "x": [],
        "90": [0, 1],
        samples[-1]: [27],
    }
