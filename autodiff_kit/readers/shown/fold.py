"""Layer 5: a graph too large to be read is folded.

One idea: a chain of operations that nobody gave a name says the same as one node "… 37 operations".
Only if that is not enough, more is folded; sources, target and the places where a gradient stops stay.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from autodiff_kit.readers.shown.graph import COULD, FLOWS, STOPS, Edge, Graph, Node


def fold(graph: Graph, max_nodes: int) -> int:
    """Fold a graph until it has at most ``max_nodes`` nodes; return how many it had."""
    before = sum(node.count for node in graph.nodes.values())
    for keep_named in (True, False):
        if len(graph.nodes) <= max_nodes:
            break
        merge(graph, _chains(graph, keep_named))
    if len(graph.nodes) > max_nodes:
        merge(graph, [_least_important(graph, max_nodes)])
    return before


def _stopping(graph: Graph) -> set[Any]:
    """The nodes at either end of an edge with a cause."""
    return {key for edge in graph.edges if edge.cause for key in (edge.start, edge.end)}


def _chains(graph: Graph, keep_named: bool) -> list[list[Any]]:
    """Longest runs of operations each of which only hands its value on to the next one."""
    stopping = _stopping(graph)
    consumers = Counter(edge.start for edge in graph.edges)
    inner = {
        key
        for key, node in graph.nodes.items()
        if node.kind in ("operation", "folded") and not node.roles and key not in stopping
        and not (keep_named and node.named)
    }  # fmt: skip
    before: dict[Any, list[Any]] = {}
    for edge in graph.edges:
        if graph.nodes[edge.start].kind != "constant":
            before.setdefault(edge.end, []).append(edge.start)
    chain_of: dict[Any, list[Any]] = {}
    for key in [k for k in graph.nodes if k in inner]:
        starts = set(before.get(key, []))
        first = next(iter(starts)) if len(starts) == 1 else None
        if first in chain_of and consumers[first] == len(before[key]):
            chain_of[key] = chain_of[first]
        else:
            chain_of[key] = []
        chain_of[key].append(key)
    chains = {id(chain): chain for chain in chain_of.values() if len(chain) > 1}
    _add_constants(graph, chain_of)
    return list(chains.values())


def _add_constants(graph: Graph, chain_of: dict[Any, list[Any]]) -> None:
    """A constant that only one chain uses is folded with it."""
    users: dict[Any, dict[int, list[Any]]] = {}
    for edge in graph.edges:
        node = graph.nodes[edge.start]
        if node.kind == "constant" and not node.roles:
            chain = chain_of.get(edge.end, [])
            users.setdefault(edge.start, {})[id(chain)] = chain
    for key, chains in users.items():
        (chain, *others) = chains.values()
        if len(chain) > 1 and not others:
            chain.append(key)


def _least_important(graph: Graph, max_nodes: int) -> list[Any]:
    """All but the ``max_nodes - 1`` nodes that matter most: by role, stop, name and place."""
    stopping = _stopping(graph)
    middle = len(graph.nodes) / 2

    def rank(item: tuple[int, Any]) -> tuple[Any, ...]:
        position, key = item
        node = graph.nodes[key]
        from_end = middle - abs(position - middle)
        return (not node.roles, key not in stopping, not node.named, from_end)

    ranked = sorted(enumerate(graph.nodes), key=rank)
    return [key for _, key in sorted(ranked[max_nodes - 1 :])]


def merge(graph: Graph, groups: list[list[Any]]) -> None:
    """Make one node of each group."""
    group_of = {key: group[0] for group in groups for key in group}
    nodes: dict[Any, Node] = {}
    for key, node in graph.nodes.items():
        head = group_of.get(key)
        if head is None:
            nodes[key] = node
        elif head in nodes:
            nodes[head].count += node.count
            nodes[head].operations += node.operations
            nodes[head].watched += node.watched
        else:
            nodes[head] = Node(head, "folded", "", place=node.place, count=node.count)
            nodes[head].operations, nodes[head].watched = node.operations, node.watched
    graph.nodes = nodes
    edges: dict[tuple[Any, ...], Edge] = {}
    order = [STOPS, COULD, FLOWS]
    for edge in graph.edges:
        start, end = group_of.get(edge.start, edge.start), group_of.get(edge.end, edge.end)
        if start == end:
            continue
        folded = start in group_of or end in group_of
        key = (start, end) if folded else (start, end, len(edges))
        known = edges.setdefault(key, Edge(start, end, edge.kind, edge.cause))
        known.kind = max(known.kind, edge.kind, key=order.index)
        known.cause = known.cause if known.kind == STOPS else ""
    graph.edges = list(edges.values())
