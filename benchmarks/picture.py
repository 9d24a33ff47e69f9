"""The table of ratios as a picture: one line of dots per workload, the target as a stroke."""

from __future__ import annotations

from typing import Any

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
MARKERS = "osD^vP"


def draw(speed: dict[str, Any], path: str) -> None:
    """Write the picture of all ratios to `path`; matplotlib is imported only here."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    names = list(dict.fromkeys(n for entry in speed.values() for n in entry["results"]))
    names.remove("numpy")
    figure, axes = plt.subplots(figsize=(9, 1 + 0.32 * len(speed)), layout="constrained")
    for row, entry in enumerate(speed.values()):
        if entry["target"]:
            axes.plot([entry["target"]] * 2, [row - 0.4, row + 0.4], color="black", linewidth=2)
    for name, colour, marker in zip(names, COLOURS, MARKERS, strict=False):
        points = [
            (e["results"][name], y) for y, e in enumerate(speed.values()) if name in e["results"]
        ]
        middles, rows = [r["ratio"] for r, _ in points], [y for _, y in points]
        spread = [
            [r["ratio"] - r["low"] for r, _ in points],
            [r["high"] - r["ratio"] for r, _ in points],
        ]
        axes.errorbar(
            middles, rows, xerr=spread, fmt=marker, color=colour, label=name, markersize=5
        )
    axes.axvline(1, color="grey", linewidth=1)
    axes.set(xscale="log", xlabel="CPU time as a multiple of hand-written NumPy (stroke: target)")
    axes.set_yticks(range(len(speed)), list(speed))
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=120)
