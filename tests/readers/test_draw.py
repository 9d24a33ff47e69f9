"""`ad.draw`: what is in the picture, that nothing breaks it, and that large graphs are folded."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_kit as ad
from autodiff_kit.readers.shown.mermaid import escaped
from readers.array_programs import array_programs
from readers.random_programs import Program

NODE = re.compile(
    r'n\d+(\(\["|\{\{"|\[/"|>"|\[\["|\[")[^"\n]+("\]\)|"\}\}|"/\]|"\]\]|"\]):::[a-z]+'
)
EDGE = re.compile(r'n\d+ (==>|-->|-\.->|-\. "[^"\n]+" \.->) n\d+')


def parse(mermaid: str) -> tuple[list[str], list[str]]:
    """The nodes and edges, each line of the diagram checked against what Mermaid can read."""
    first, title, description, *lines = [line.strip() for line in mermaid.splitlines()]
    assert re.fullmatch("flowchart (LR|TB)", first)
    assert re.fullmatch(r"accTitle: [^#;{}<>\"]+", title)
    assert re.fullmatch(r"accDescr: [^#;{}<>\"]*", description)
    nodes = [line for line in lines if NODE.fullmatch(line)]
    edges = [line for line in lines if EDGE.fullmatch(line)]
    styles = [
        line for line in lines if re.match(r"(classDef [a-z]+|linkStyle [\d,]+) [\w:#,. -]+$", line)
    ]
    assert len(nodes) + len(edges) + len(styles) == len(lines), lines
    names = {node[: re.match(r"n\d+", node).end()] for node in nodes}  # type: ignore[union-attr]
    assert len(names) == len(nodes)
    assert all({edge.split()[0], edge.split()[-1]} <= names for edge in edges)
    styled = [int(n) for s in styles if s.startswith("link") for n in s.split()[1].split(",")]
    assert sorted(styled) == list(range(len(edges)))
    return nodes, edges


def between(drawing: Any, start: str, end: str) -> list[str]:
    """The edges from one node to another, each given by the beginning of its label."""
    nodes, edges = parse(drawing.mermaid)
    found = {}
    for node in nodes:
        identity, label = re.match(r'(n\d+)[^"]+"([^"]+)"', node).groups()  # type: ignore[union-attr]
        found[identity] = label
    return [
        edge for edge in edges
        if found[edge.split()[0]].startswith(start) and found[edge.split()[-1]].startswith(end)
    ]  # fmt: skip


@given(array_programs(), st.booleans(), st.integers(3, 12), st.sampled_from(["LR", "TB", None]))
@settings(max_examples=150)
def test_never_fails_and_is_always_readable(program: Any, more: bool, size: int, way: Any) -> None:
    tape, target, sources = program.tape, program.target, program.sources
    for drawing in (
        ad.draw(tape, direction=way),
        ad.draw(tape, target, values=more, gradients=more),
        ad.draw(tape, target, sources, values=more, gradients=more, max_nodes=size),
    ):
        nodes, _ = parse(drawing.mermaid)
        assert str(drawing)
        assert drawing._repr_markdown_().count("```") == (2 if nodes else 0)
    assert len(nodes) <= size


@given(array_programs())
@settings(max_examples=150)
def test_a_thick_way_leads_to_a_source_exactly_when_it_has_a_gradient(program: Any) -> None:
    tape, target = program.tape, program.target
    for source in program.sources:
        gradient = tape.gradient(target, source)
        _, edges = parse(ad.draw(tape, target, source, max_nodes=500).mermaid)
        flows = any("==>" in edge for edge in edges)
        # The target may be the source, or the very tensor that the variable holds: no way at all.
        itself = any(target is one for one in (source, getattr(source, "_tensor", source)))
        assert flows == (gradient is not None and not itself)


@pytest.mark.parametrize("seed", range(0, 300, 3))
def test_with_every_cause_of_none_mixed_in(seed: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ad.GradientWarning)
        program = Program(seed)
    drawing = ad.draw(
        program.tape, program.values[-1], program.sources, values=True, gradients=True
    )
    parse(drawing.mermaid)


@given(st.text(min_size=1))
def test_no_name_can_break_the_diagram(name: str) -> None:
    x = ad.Variable(2.0)
    with ad.GradientTape() as tape:
        y = ad.sin(x)
    drawing = ad.draw(tape, y, x, names={name: x})
    assert len(drawing.mermaid.split("\n")) == len(ad.draw(tape, y, x).mermaid.split("\n"))
    assert drawing._repr_markdown_().count("```") == 2
    assert not set('"<>{}`\\%') & set(escaped(name).replace("<br/>", ""))


def test_causes_stand_on_the_edges() -> None:
    x = ad.Variable([1.5, -2.5], name="x")
    with ad.GradientTape(persistent=True) as tape:
        a = ad.floor(x)
        b = ad.stop_gradient(x)
        c = ad.cast(ad.cast(x, ad.int32), ad.float32)
        d = ad.where(x > 0.0, a, b)
        y = ad.reduce_sum(c + d)
    drawing = ad.draw(tape, y, x)
    assert '-. "Floor: no gradient" .->' in between(drawing, "x", "a = Floor")[0]
    assert '-. "stop_gradient" .->' in between(drawing, "x", "b = StopGradient")[0]
    assert '-. "int32: no gradient" .->' in between(drawing, "x", "Cast")[0]
    assert '-. "condition: no gradient" .->' in between(drawing, "Greater", "d = SelectV2")[0]
    assert "from x: no gradient flows back (stop_gradient)" in str(drawing)


def test_only_what_leads_to_a_source_is_thick() -> None:
    w, v = ad.Variable(2.0, name="w"), ad.Variable(3.0, name="v")
    with ad.GradientTape() as tape:
        p = ad.sin(w)
        q = ad.sin(v)
        y = p * q
    drawing = ad.draw(tape, y, w)
    assert "==>" in between(drawing, "w", "p")[0] and "==>" in between(drawing, "p", "y")[0]
    assert "-->" in between(drawing, "v", "q")[0] and "-->" in between(drawing, "q", "y")[0]


def test_a_source_that_was_not_watched_says_so() -> None:
    w, x, z = ad.Variable(2.0, name="w"), ad.constant(3.0), ad.constant(1.0)
    with ad.GradientTape() as tape:
        y = w * x
    drawing = ad.draw(tape, y, [w, x, z])
    assert between(drawing, "x", "y")[0].split(" ", 1)[1].startswith('-. "not watched" .->')
    assert '>"z<br/>not on this tape, source"]' in drawing.mermaid


def test_values_and_gradients() -> None:
    x, c = ad.Variable(2.0, name="x"), ad.constant(3.0)
    with ad.GradientTape(persistent=True) as tape:
        y = ad.square(x + 1.0) * c
    drawing = ad.draw(tape, y, x, values=True, gradients=True)
    assert "x<br/>variable, source<br/>value 2.0<br/>gradient 18.0" in drawing.mermaid
    assert "c<br/>constant<br/>value 3.0" in drawing.mermaid
    assert "y = Mul<br/>target<br/>value 27.0<br/>gradient 1.0" in drawing.mermaid
    x.assign(5.0)
    later = ad.draw(tape, y, x, values=True)
    assert "value 5.0" not in later.mermaid
    assert "Values not shown: 1. A tape keeps only what its rules need." in later.notes


def test_the_text_is_the_same_every_time() -> None:
    def drawn() -> str:
        x = ad.Variable([1.0, 2.0], name="x")
        with ad.GradientTape() as tape:
            y = ad.reduce_sum(ad.sin(x) * x + ad.constant([0.5, 1.5]))
        return ad.draw(tape, y, x, values=True, gradients=True).mermaid

    assert len({drawn() for _ in range(3)}) == 1


def test_the_description_tells_it_in_words() -> None:
    x = ad.Variable(2.5, name="x")
    with ad.GradientTape() as tape:
        y = ad.floor(x)
    mermaid = ad.draw(tape, y, x).mermaid
    assert "accTitle: The recorded graph from x to y" in mermaid
    assert "No gradient flows from y back to x: Floor: no gradient." in mermaid


def test_a_long_chain_is_folded_and_says_so() -> None:
    x = ad.Variable(1.0, name="x")
    with ad.GradientTape() as tape:
        y = x * 1.0
        for k in range(200):
            y = ad.stop_gradient(y) if k == 120 else ad.sin(y)
    drawing = ad.draw(tape, y, x)
    nodes, _ = parse(drawing.mermaid)
    assert len(nodes) <= 40
    assert "stop_gradient" in drawing.mermaid and re.search(r"… \d+ operations", drawing.mermaid)
    assert drawing.notes[-1].startswith("Folded from ")
    whole = int(drawing.notes[-1].split("max_nodes=")[1].split(")")[0])
    assert len(parse(ad.draw(tape, y, x, max_nodes=whole).mermaid)[0]) == whole


def test_many_sources_are_folded_too() -> None:
    many = [ad.Variable(float(k)) for k in range(100)]
    with ad.GradientTape() as tape:
        y = ad.add_n([ad.sin(v) for v in many])
    nodes, edges = parse(ad.draw(tape, y, many, max_nodes=10).mermaid)
    assert len(nodes) == 10 and all("==>" in edge for edge in edges)


def test_what_does_not_lead_to_the_target_is_left_out() -> None:
    x = ad.Variable(2.0, name="x")
    with ad.GradientTape() as tape:
        y = ad.sin(x)
        ad.cos(x)
    drawing = ad.draw(tape, y, x)
    assert "Cos" not in drawing.mermaid and "Cos" in ad.draw(tape).mermaid
    assert drawing.notes == ["Left out, because they do not lead there: 1 of the tape's records."]


def test_deep_graphs_go_down_and_flat_ones_to_the_right() -> None:
    x = ad.Variable(1.0)
    with ad.GradientTape() as tape:
        y = ad.sin(x)
        z = ad.cos(ad.cos(ad.cos(ad.cos(ad.cos(ad.cos(ad.cos(ad.cos(y))))))))
    assert ad.draw(tape, y, x).mermaid.startswith("flowchart LR")
    assert ad.draw(tape, z, x).mermaid.startswith("flowchart TB")
    assert ad.draw(tape, z, x, direction="LR").mermaid.startswith("flowchart LR")


def test_what_cannot_be_drawn_is_refused() -> None:
    x = ad.Variable(1.0)
    with ad.GradientTape() as tape:
        y = ad.sin(x)
    with pytest.raises(ValueError, match="direction must be"):
        ad.draw(tape, y, x, direction="RL")
    with pytest.raises(ValueError, match="at least 3"):
        ad.draw(tape, y, x, max_nodes=2)
    with pytest.raises(ValueError, match="need a target"):
        ad.draw(tape, gradients=True)
    with pytest.raises(TypeError, match="target"):
        ad.draw(tape, 3.0, x)
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match=r"nothing to draw.*persistent=True"):
        ad.draw(tape, y, x)


def test_an_empty_tape_is_said_to_be_empty() -> None:
    with ad.GradientTape() as tape:
        pass
    drawing = ad.draw(tape)
    assert str(drawing) == drawing._repr_markdown_() == "Nothing was recorded on this tape."


def test_drawing_leaves_the_tape_as_it_was() -> None:
    x = ad.Variable(np.float32(1.0))
    with ad.GradientTape() as tape:
        y = ad.sin(x)
        events, records = len(tape.events), len(tape.records)
        ad.draw(tape, y, x, values=True, gradients=True)
        assert (len(tape.events), len(tape.records)) == (events, records)
    assert tape.gradient(y, x) is not None
