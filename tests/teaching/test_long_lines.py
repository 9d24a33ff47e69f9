"""What is printed is broken by the kit, between words: a notebook would break it anywhere."""

import re

import numpy as np
import pytest

from autodiff_kit.teaching import figures
from autodiff_kit.teaching.values import in_lines
from teaching.test_teaching import plt, with_matplotlib

__all__ = ["plt"]


@with_matplotlib
@pytest.mark.parametrize("start", range(1, 13))
def test_a_long_description_is_broken_between_its_points(start, plt, capsys):
    fig, ax = plt.subplots()
    x = np.linspace(-18.0, -13.0, 61)
    ax.plot(x, -np.exp2(x), label="m" * start)  # each start puts other places at the end of a row
    ax.set(title="of many words " * 8)
    figures.describe(ax)
    title, rest = capsys.readouterr().out.split("\n  m", 1)
    rows = f"  m{rest}".splitlines()
    assert max(map(len, [*title.splitlines(), *rows])) <= 100 and len(rows) > 1
    assert all(row.startswith("    ") and re.search(r"\)[,;]?$", row) for row in rows[1:])
    points = re.findall(r"\(-\S+, -\S+\)", "\n".join(rows))
    assert len(points) == figures.POINTS


@pytest.mark.parametrize(
    "whole", ["12.5 points", "- 3.25", "= -0.5", "(-1.0, 2.5)", "-1.5e-08", "40 %"]
)
def test_a_number_stays_with_its_sign_and_its_unit(whole):
    for filled in range(60, 101):
        text = f"{'w ' * (filled // 2)}{whole} and more of it"
        lines = in_lines(text).splitlines()
        assert any(whole in line for line in lines), lines
        assert " ".join(lines) == text and max(map(len, lines)) <= 100
