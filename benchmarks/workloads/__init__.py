"""All workloads, in the order of the table."""

from benchmarks.workloads import arrays, chains, higher, indexing, networks
from benchmarks.workloads.base import Workload

__all__ = ["WORKLOADS", "Workload"]

FAMILIES = (chains, networks, arrays, higher, indexing)
WORKLOADS: list[Workload] = [workload for family in FAMILIES for workload in family.WORKLOADS]
