"""A picture's bytes are not compared, its alternative text is; a slider has a text for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import nbformat
import pytest

from autodiff_kit.teaching import figures, pictures
from notebook_compare import difference
from notebook_files import figures_have_checked_text

matplotlib.use("Agg")


def shown(alternative: str, data: str) -> list[dict[str, Any]]:
    page = f'<img alt="{alternative}" src="data:image/png;base64,{data}">'
    return [{"output_type": "display_data", "data": {"text/html": page}, "metadata": {}}]


def test_only_the_bytes_may_differ() -> None:
    assert difference(shown("a sine", "AAAA"), shown("a sine", "BBBB")) is None
    assert difference(shown("a sine", "AAAA"), shown("a cosine", "AAAA")) is not None


def test_a_picture_needs_numbers_beside_it() -> None:
    outputs = [nbformat.from_dict(one) for one in shown("a sine", "AAAA")]
    cell = nbformat.v4.new_code_cell("figures.show()", outputs=outputs)
    cell.execution_count = 1
    nb = nbformat.v4.new_notebook(cells=[cell])
    assert list(figures_have_checked_text(nb, Path("a.ipynb")))
    cell.outputs.append(nbformat.v4.new_output("stream", text="from 0.0 to 1.0"))
    assert not list(figures_have_checked_text(nb, Path("a.ipynb")))


def test_a_slider_has_one_picture_and_one_sentence_for_each_value(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages: list[str] = []
    monkeypatch.setattr(pictures, "in_a_notebook", lambda: True)
    monkeypatch.setattr(pictures, "publish", lambda page, text: pages.append(page))
    plt = figures.style()

    def draw(k: float) -> str:
        plt.plot([0, 1], [0, k])
        return f"a line up to {k}"

    pictures.slider(draw, [1.0, 2.0, 4.0], "slope")
    assert capsys.readouterr().out.splitlines()[1] == "slope 2.0: a line up to 2.0"
    assert pages[0].count("<img") == 3 and pages[0].count("hidden data-value") == 2
    assert 'alt="slope 4.0: a line up to 4.0"' in pages[0]
