"""Pictures with a text alternative, and pictures with a slider.

One idea: JupyterLab gives a PNG output no alternative text, but leaves alone what an HTML output
says of its image. A slider shows one of several pictures that were all made beforehand, so it needs
no kernel; where scripts do not run, its middle picture stands still.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Callable, Sequence
from typing import Any

from autodiff_kit.readers.program.lines import shell
from autodiff_kit.teaching.values import in_lines

__all__ = ["in_a_notebook", "picture", "publish", "slider"]

_STEP = (
    "const all = this.closest('figure').querySelectorAll('img');"
    "all.forEach((one, i) => one.hidden = i != this.value);"
    "this.setAttribute('aria-valuetext', all[this.value].dataset.value);"
    "this.closest('figure').querySelector('output').value = all[this.value].dataset.value;"
)


def in_a_notebook() -> bool:
    """Whether a notebook's kernel is running this."""
    return hasattr(shell(), "kernel")


def publish(page: str, text: str) -> None:
    """Show HTML in the notebook, with a text for whoever cannot show it."""
    from IPython.display import display

    display({"text/html": page, "text/plain": text}, raw=True)  # type: ignore[no-untyped-call]


def picture(figure: Any, alternative: str, more: str = "", dpi: int = 100) -> str:
    """A Matplotlib figure as an HTML image with its alternative text."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi)
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    return f'<img alt="{html.escape(alternative)}" {more}src="data:image/png;base64,{data}">'


def slider(draw: Callable[[Any], str], values: Sequence[Any], name: str) -> None:
    """Show one figure for each value, chosen with a slider, and print the text of each.

    Args:
      draw: makes the figure for a value, with Matplotlib's current figure, and returns one sentence
        with numbers that says what it shows.
      values: from left to right.
      name: what the values are called.
    """
    import matplotlib.pyplot as plt

    middle, frames, texts = len(values) // 2, [], []
    for number, value in enumerate(values):
        texts.append(f"{name} {value}: {draw(value)}")
        hidden = "" if number == middle else "hidden "
        frames.append(picture(plt.gcf(), texts[-1], f'{hidden}data-value="{value}" ', dpi=70))
        plt.close()
    control = (
        f'<label>{html.escape(name)} <input type="range" min="0" max="{len(values) - 1}" '
        f'value="{middle}" aria-valuetext="{values[middle]}" oninput="{_STEP}"></label> '
        f"<output>{values[middle]}</output><br>"
    )
    if in_a_notebook():
        publish(f"<figure>{control}{''.join(frames)}</figure>", f"<Slider: {name}>")
    print(*(in_lines(text, "    ") for text in texts), sep="\n")
