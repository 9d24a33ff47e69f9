"""Figures that can be read in light and dark themes, and heard: their data are printed in words.

One idea: a picture is never compared and not everybody sees it, so `describe` says what it shows.
Matplotlib is imported only when a figure is made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.shown.show import number
from autodiff_kit.teaching.pictures import in_a_notebook, picture, publish, slider
from autodiff_kit.teaching.values import in_lines

__all__ = ["describe", "show", "slider", "style"]

# Okabe and Ito's colours, told apart by nearly everybody, without the pale ones.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#aa4499", "#000000")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
POINTS = 7


def style() -> Any:
    """Set Matplotlib up for the notebooks and return ``matplotlib.pyplot``.

    The background is opaque, so that dark text is readable whatever the theme: no colour has a contrast
    of 4.5 both to white and to the nearly black page of JupyterLab's dark theme. Curves differ in
    colour and in the way they are drawn.
    """
    import matplotlib.pyplot as plt
    from cycler import cycler

    plt.rcParams.update(
        {
            "figure.figsize": (6.4, 3.6),
            "figure.dpi": 100,
            "figure.facecolor": "#fbfbfb",
            "axes.facecolor": "#fbfbfb",
            "figure.constrained_layout.use": True,
            "axes.grid": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "grid.color": "#d0d0d0",
            "font.size": 11,
            "lines.linewidth": 2,
            "axes.prop_cycle": cycler(color=COLOURS) + cycler(linestyle=LINES),
        }
    )
    return plt


def show(*axes: Any, at: Any = None) -> None:
    """Show the current figure with a text alternative, and print what `describe` says of its axes.

    Args:
      axes: what to describe; all axes of the figure if none are given.
      at: as for `describe`.
    """
    import matplotlib.pyplot as plt

    figure = plt.gcf()
    described = axes or figure.axes
    alternative = "; ".join(_title(one) for one in described)
    if in_a_notebook():
        publish(picture(figure, alternative), f"<Figure: {alternative}>")
        plt.close(figure)
    else:
        plt.show()
    for one in described:
        describe(one, at)


def describe(ax: Any, at: Any = None) -> None:
    """Print what a figure shows: its title, its axes and some points of every curve.

    Args:
      ax: Matplotlib axes with curves, points, bars or an image; curves without a label of their own
        (a line at zero) are left out.
      at: the x of the points that are named; without it seven, evenly spaced.

    Numbers have six digits, so that the text is the same on every machine. A long line is broken
    between points: a notebook would break it in the middle of a number.
    """
    _print(f"Figure: {_title(ax)}")
    for line in ax.get_lines():
        if not line.get_label().startswith("_"):
            _curve(line.get_label(), line.get_xdata(), line.get_ydata(), at)
    for points in ax.collections:
        if not points.get_label().startswith("_") and len(points.get_offsets()):
            x, y = np.asarray(points.get_offsets()).T
            _curve(points.get_label(), x, y, at)
    for bars in ax.containers:
        _bars(bars)
    for image in ax.images:
        _image(np.asarray(image.get_array(), float))


def _print(text: str) -> None:
    print(in_lines(text, "    "))


def _title(ax: Any) -> str:
    labels = (ax.get_title() or "untitled", ax.get_xlabel() or "x", ax.get_ylabel() or "y")
    return "{} (across: {}; up: {})".format(*labels)


def _curve(label: str, x: Any, y: Any, at: Any) -> None:
    x, y = np.asarray(x, float), np.asarray(y, float)
    if not x.size:
        return _print(f"  {label}: no points")
    if at is None:
        picks = np.unique(np.linspace(0, len(x) - 1, POINTS).round().astype(int))
    else:
        picks = np.array([int(np.abs(x - a).argmin()) for a in at])
    y = _without_noise(y)
    points = ", ".join(f"({number(x[i] + 0.0)}, {number(y[i])})" for i in picks)
    finite = y[np.isfinite(y)]
    span = f", from {number(finite.min())} to {number(finite.max())}" if finite.size else ""
    _print(f"  {label}: {len(x)} points{span}; {points}")


def _bars(bars: Any) -> None:
    places = [bar.get_x() + bar.get_width() / 2 for bar in getattr(bars, "patches", [])]
    heights = _without_noise(np.array([bar.get_height() for bar in bars.patches], float))
    pairs = zip(places, heights, strict=True)
    label = bars.get_label() if not bars.get_label().startswith("_") else "bars"
    _print(f"  {label}: " + ", ".join(f"({number(x + 0.0)}, {number(y)})" for x, y in pairs))


def _image(values: np.ndarray) -> None:
    span = f"from {number(np.nanmin(values))} to {number(np.nanmax(values))}"
    _print(f"  image of {values.shape[0]} rows and {values.shape[1]} columns, {span}")


def _without_noise(values: np.ndarray) -> np.ndarray:
    """What is zero but for rounding beside the largest value, as 0.0: else no machines agree."""
    finite = np.abs(values[np.isfinite(values)])
    noise = 1e-6 * finite.max() if finite.size else 0.0
    return np.where(np.abs(values) <= noise, 0.0, values)
