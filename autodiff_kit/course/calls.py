"""Which system calls a graded notebook may not make: the program that seccomp runs for each call.

One idea: what Landlock does not cover, although it reaches beyond the notebook's own folder: other
processes, their limits and sockets, modes and times of any file, memory that belongs to no process.

Source: https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

LOAD, EQUAL, AT_LEAST, AND, REPLY = 0x20, 0x15, 0x35, 0x54, 0x06
ALLOW, REFUSE, UNKNOWN, PRETEND = 0x7FFF0000, 0x00050001, 0x00050026, 0x00050000
NO_SUCH_SOCKET = 0x0005005F  # ZeroMQ ends the process at "not permitted"
# By machine: its number, and where x32's calls begin.
MACHINES = {"x86_64": (0xC000003E, 1 << 30), "aarch64": (0xC00000B7, 1 << 31)}
# Name: number on x86_64, number on aarch64; None where there is no such call.
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # other processes
    "fork": (57, None), "vfork": (58, None), "ptrace": (101, 117), "unshare": (272, 97),
    "setns": (308, 268), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "pidfd_send_signal": (424, 424), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440), "setpriority": (141, 140), "ioprio_set": (251, 30),
    # other kernels' sockets, and a second way to make any call
    "connect": (42, 203), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # memory that no process is charged for; what a user has only so many of
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194),
    "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180), "userfaultfd": (323, 282),
    "bpf": (321, 280), "perf_event_open": (298, 241), "add_key": (248, 217),
    "request_key": (249, 218), "keyctl": (250, 219),
}  # fmt: skip
# Taken without effect: honest libraries do it to their own files or threads, and insist.
PRETENDED: dict[str, tuple[int | None, int | None]] = {
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "removexattrat": (466, 466), "file_setattr": (469, 469), "utime": (132, None),
    "sched_setparam": (142, 118), "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122), "sched_setattr": (314, 274), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88),
}  # fmt: skip
Step = tuple[int, int, int, int]  # code, steps to skip if true, if false, operand


def _argument(index: int) -> Step:
    return LOAD, 0, 0, 16 + 8 * index


def _blocks() -> Iterable[tuple[tuple[int | None, int | None], list[Step]]]:
    """For each call what is to be done; every block ends in a reply."""
    refuse, allow = (REPLY, 0, 0, REFUSE), (REPLY, 0, 0, ALLOW)
    stream = [(AND, 0, 0, 0xF), (EQUAL, 0, 1, 1), allow, (REPLY, 0, 0, NO_SUCH_SOCKET)]
    yield (56, 220), [_argument(0), (AND, 0, 0, 0x10000), (EQUAL, 1, 0, 0), allow, refuse]  # clone
    yield (435, 435), [(REPLY, 0, 0, UNKNOWN)]  # clone3 hides its flags: libraries then take clone
    yield (41, 198), [_argument(0), (EQUAL, 0, 4, 1), _argument(1), *stream]  # socket: Unix, stream
    yield (53, 199), [_argument(1), *stream]  # socketpair
    yield (302, 261), [_argument(0), (EQUAL, 0, 1, 0), allow, refuse]  # prlimit64: one's own
    yield (72, 25), [_argument(1), (EQUAL, 0, 1, 1024), refuse, allow]  # fcntl: no lease
    yield (157, 167), [_argument(0), (EQUAL, 0, 1, 1), refuse, allow]  # prctl: dies with its parent
    for numbers in REFUSED.values():
        yield numbers, [refuse]
    for numbers in PRETENDED.values():
        yield numbers, [(REPLY, 0, 0, PRETEND)]


def program(machine: str) -> bytes:
    """The filter for a kind of machine; nothing if it is not known.

    >>> len(program("x86_64")) % 8, program("abacus")
    (0, b'')
    """
    if machine not in MACHINES:
        return b""
    column = list(MACHINES).index(machine)
    architecture, strange = MACHINES[machine]
    refuse = (REPLY, 0, 0, REFUSE)
    steps: list[Step] = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, architecture), refuse]
    steps += [(LOAD, 0, 0, 0), (AT_LEAST, 0, 1, strange), refuse]
    for numbers, block in _blocks():
        number = numbers[column]
        if number is not None:
            steps += [(EQUAL, 0, len(block), number), *block]
    steps.append((REPLY, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
