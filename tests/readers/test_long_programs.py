"""Long loops and long files: what the text says is looked up once, however often a line ran."""

import ast
import linecache

import pytest

import autodiff_kit as ad

LOOPS = {
    "int()": "y = y + table[int(w * 2.0)]",
    "float()": "y = y + float(w * 2.0)",
    "NumPy": "y = y + np.sin(w) * np.cos(w)",
    "straight-through": "y = y + w * 0.0 + ad.stop_gradient(ad.round(y) - y)",
    "a new variable": "v = ad.Variable(w * 1.0); y = y + v",
    "floor": "y = y + ad.floor(w)",
}
PROGRAM = """
import numpy as np
import autodiff_kit as ad
table, w = [1.0, 2.0, 3.0], ad.Variable(0.3)
with ad.GradientTape(persistent=True) as tape:
    y = ad.constant(1.0)
    for _ in range({rounds}):
        {line}
"""


def _walks(monkeypatch, line, rounds):
    """How often a whole file is walked through to explain a gradient."""
    text = PROGRAM.format(line=line, rounds=rounds)
    name = f"<long {rounds} {line}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {}
    exec(compile(text, name, "exec"), scope)
    walked, walk = [], ast.walk

    def counted(node):
        walked.extend([node] if isinstance(node, ast.Module) else [])
        return walk(node)

    with monkeypatch.context() as patch:
        patch.setattr(ast, "walk", counted)
        str(ad.explain(scope["tape"], scope["y"], scope["w"]))
    return len(walked)


@pytest.mark.parametrize("line", LOOPS.values(), ids=LOOPS)
def test_the_text_is_not_read_once_for_each_round(monkeypatch, line):
    few, many = (_walks(monkeypatch, line, rounds) for rounds in (4, 40))
    assert few > 0  # it was read at all
    assert many <= few
