"""Results as text."""

from __future__ import annotations

from typing import Any


def row(cells: list[str], widths: list[int]) -> str:
    """One line of a table: the first cell to the left, the others to the right."""
    first, *others = [f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)]
    return "  ".join([f"{cells[0]:<{widths[0]}}", *others])


def speed_header(names: list[str]) -> str:
    """The heads of the columns."""
    return row(["ratio to hand-written NumPy", "NumPy", "target", *names], widths(names))


def speed_row(name: str, target: float | None, results: dict[str, Any], names: list[str]) -> str:
    """One workload: each library's ratio, with the middle half of the rounds."""
    cells = [name, duration(results["numpy"]["seconds"]), f"{target:g}" if target else ""]
    return row(cells + [ratio(results.get(n)) for n in names], widths(names))


def widths(names: list[str]) -> list[int]:
    return [32, 9, 6] + [19] * len(names)


def ratio(result: Any) -> str:
    """A median with its quartiles, or a dash."""
    if result is None:
        return "—"
    digits = 2 if result["ratio"] < 20 else 0
    middle, low, high = (f"{result[key]:.{digits}f}" for key in ("ratio", "low", "high"))
    return f"{middle} ({low}–{high})"


def duration(seconds: float) -> str:
    """Seconds as people write them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def tree(found: Any, indent: str = "  ") -> list[str]:
    """Nested dicts, one number a line."""
    lines = []
    for key, value in found.items():
        if isinstance(value, dict) and not all(isinstance(v, (int, float)) for v in value.values()):
            lines += [f"{indent}{key}", *tree(value, indent + "  ")]
        elif isinstance(value, dict):
            numbers = ", ".join(f"{k} {v:.4g}" for k, v in value.items())
            lines.append(f"{indent}{key}: {numbers}")
        else:
            lines.append(f"{indent}{key}: {value:,}")
    return lines
