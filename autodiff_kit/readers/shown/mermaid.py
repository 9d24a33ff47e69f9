"""Layer 5: a graph as Mermaid, a diagram in words that JupyterLab draws without a network.

One idea: what is said in colours is also said in shapes, lines and words; and the text is the same on
every run: nodes are numbered in the order of the tape.
"""

from __future__ import annotations

import re

from autodiff_kit.readers.shown.graph import COULD, FLOWS, STOPS, Edge, Graph, Node

SHAPES = {
    "variable": ('(["', '"])'),
    "watched constant": ('{{"', '"}}'),
    "constant": ('[/"', '"/]'),
    "not on this tape": ('>"', '"]'),
    "operation": ('["', '"]'),
    "folded": ('[["', '"]]'),
}
# Dark ink on light paper inside each node, whatever the page; borders seen on white and on black.
CLASSES = {
    "variable": "fill:#cfe3ff,stroke:#2f7de1,color:#0b1f3a,stroke-width:2px",
    "watched": "fill:#d3f2df,stroke:#23915a,color:#06281a,stroke-width:2px",
    "constant": "fill:#ececf0,stroke:#7d7d8a,color:#22222a",
    "absent": "fill:#ffe0dc,stroke:#d6453d,color:#3a0d09,stroke-width:2px,stroke-dasharray:5 4",
    "operation": "fill:#fff3d1,stroke:#a9812a,color:#2e2204",
    "folded": "fill:#fff3d1,stroke:#a9812a,color:#2e2204,stroke-dasharray:3 3",
    "target": "fill:#ead9ff,stroke:#8a55d7,color:#220b42,stroke-width:4px",
}
_CLASS_OF = {"watched constant": "watched", "not on this tape": "absent"}
LINES = {
    FLOWS: "stroke:#2f7de1,stroke-width:4px",
    COULD: "stroke:#85858f,stroke-width:1.5px",
    STOPS: "stroke:#85858f,stroke-width:1.5px",
    "cause": "stroke:#d6453d,stroke-width:2.5px",
}


def escaped(text: str) -> str:
    """Text that Mermaid takes as it is: what has a meaning there becomes a character code.

    >>> escaped('x["a"] <1>; #2')
    'x[#quot;a#quot;] #lt;1#gt;#59; #35;2'
    """
    names = {'"': "quot", "<": "lt", ">": "gt", "&": "amp"}
    coded = re.sub(
        r"[^\w\s.,:=+*/()\[\]!?'′…₀-₉-]", lambda m: f"#{names.get(m[0], ord(m[0]))};", text
    )
    coded = re.sub(r"^(\d+[.)]|[-+*]) ", r"\1#160;", coded)  # else Mermaid sees a list
    return coded.replace("\n", "<br/>")


def source(
    graph: Graph, direction: str, title: str, description: str, notes: dict[str, list[str]]
) -> str:
    """The text of the diagram.

    Args:
      graph: what to draw.
      direction: "LR" or "TB".
      title, description: the alternative text.
      notes: further lines for the label of a node, by its key.
    """
    ids = {key: f"n{number}" for number, key in enumerate(graph.nodes, 1)}
    lines = [
        f"flowchart {direction}",
        f"accTitle: {_words(title)}",
        f"accDescr: {_words(description)}",
    ]
    lines += [_node(ids[key], node, notes.get(key, [])) for key, node in graph.nodes.items()]
    lines += [_edge(ids[edge.start], ids[edge.end], edge) for edge in graph.edges]
    used = {_class(node) for node in graph.nodes.values()}
    lines += [f"classDef {name} {style}" for name, style in CLASSES.items() if name in used]
    for kind, style in LINES.items():
        numbers = [str(number) for number, edge in enumerate(graph.edges) if _line(edge) == kind]
        if numbers:
            lines.append(f"linkStyle {','.join(numbers)} {style}")
    return "\n  ".join(lines)


def _line(edge: Edge) -> str:
    return "cause" if edge.cause else edge.kind


def _words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[#;{}%`\"<>]", " ", text)).strip()


def _class(node: Node) -> str:
    return "target" if "target" in node.roles else _CLASS_OF.get(node.kind, node.kind)


def _node(identity: str, node: Node, notes: list[str]) -> str:
    opening, closing = SHAPES[node.kind]
    label = "<br/>".join(escaped(line) for line in [*label_lines(node), *notes])
    return f"{identity}{opening}{label}{closing}:::{_class(node)}"


def label_lines(node: Node) -> list[str]:
    """What is written in a node."""
    role = " and ".join(node.roles)
    if node.kind == "folded":
        return [folded_words(node)]
    if node.kind == "operation":
        lines = [f"{node.name} = {node.type}"] if node.named else [node.type]
        return [*lines, role] if role else lines
    if node.kind == "constant" and not role and not node.named:
        return ["constant" if node.name == "const" else node.name]
    kind = {"watched constant": "constant, watched"}.get(node.kind, node.kind)
    return [node.name, f"{kind}, {role}" if role else kind]


def folded_words(node: Node) -> str:
    """What a folded node stands for; constants count only if there is nothing else."""
    counts = ((node.operations, "operation"), (node.watched, "watched value"))
    words = [f"{n} {what}{'s' * (n > 1)}" for n, what in counts if n]
    return "… " + (" and ".join(words) or f"{node.count} constants")


def _edge(start: str, end: str, edge: Edge) -> str:
    if edge.kind == FLOWS:
        return f"{start} ==> {end}"
    if edge.kind == COULD:
        return f"{start} --> {end}"
    return f'{start} -. "{escaped(edge.cause)}" .-> {end}' if edge.cause else f"{start} -.-> {end}"
