"""Start a kernel that can do little harm: ``confined.py FOLDER MEGABYTES SECONDS CALLS COMMAND ...``.

One idea: the limits are set here, in the process that becomes the kernel, so that all it starts
inherits them. Limits on memory, time and files work on every Unix. On Linux (5.13 and later)
Landlock adds: nothing can be written outside of FOLDER, no TCP, no signals to other processes; and
seccomp refuses CALLS, a program from ``calls.py``: no further process can be started, threads can.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys

FILE_BYTES = 50_000_000
OPEN_FILES = 512
PROCESSES = 200
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same number on all machines
NO_NEW_PRIVILEGES = 38
# Rights as in linux/landlock.h: write, remove, make, refer, truncate; not reading or executing.
WRITE_FILE, REMOVE_AND_MAKE, REFER, TRUNCATE = 1 << 1, 0b1_1111_1111_0000, 1 << 13, 1 << 14
DEVICES = 1 << 15  # ioctl on devices, as on somebody's terminal

# What the limit counts is addresses, and a Python without the global lock sets aside a gigabyte of
# them at its start, whatever it needs.
RESERVED = 2000 if "t" in getattr(sys, "abiflags", "") else 0


def limit(megabytes: int, seconds: int) -> None:
    """Memory of each process, processor time, size of files; no core dumps, low priority."""
    try:
        import resource
    except ImportError:  # Windows
        return
    wanted = {
        "RLIMIT_AS": (megabytes + RESERVED) * 2**20,
        "RLIMIT_CPU": seconds,
        "RLIMIT_FSIZE": FILE_BYTES,
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": _running() + PROCESSES,  # counts all that the user runs; not for root
    }
    for name, value in wanted.items():
        number = getattr(resource, name, None)
        if number is not None:
            with contextlib.suppress(ValueError, OSError):  # not every system has all of them
                resource.setrlimit(number, (value, value))
    os.nice(2)


def _running() -> int:
    """About how many threads this user runs."""
    count = 0
    with contextlib.suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == os.getuid():
                    count += len(os.listdir(f"/proc/{name}/task"))
    return count or 2000


def lock_in(folder: str) -> bool:
    """With Landlock, let this process write in a folder only; False where there is no Landlock."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    rights = WRITE_FILE | REMOVE_AND_MAKE
    rights |= (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
    rights |= DEVICES if version >= 5 else 0
    size = 8 if version < 4 else 16 if version < 6 else 24
    # Files; TCP (bind, connect); abstract sockets and signals to the outside.
    rules = ctypes.create_string_buffer(struct.pack("=QQQ", rights, 0b11, 0b11), 24)
    ruleset = libc.syscall(CREATE_RULESET, rules, size, 0)
    if ruleset < 0:
        return False
    _allow(libc, ruleset, folder, rights)
    for device in ("/dev/null", "/dev/zero", "/dev/full"):
        _allow(libc, ruleset, device, rights & (WRITE_FILE | TRUNCATE))
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return bool(libc.syscall(RESTRICT_SELF, ruleset, 0) == 0)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    with contextlib.suppress(OSError):
        place = os.open(path, os.O_RDONLY | getattr(os, "O_PATH", 0))
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, place), 12)
        libc.syscall(ADD_RULE, ruleset, 1, rule, 0)
        os.close(place)


def no_calls(program: bytes) -> bool:
    """With seccomp, refuse the system calls that ``calls.py`` names; False where that is not known."""
    if sys.platform != "linux" or not program:
        return False
    code = ctypes.create_string_buffer(program, len(program))
    wanted = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return bool(libc.prctl(22, 2, ctypes.create_string_buffer(wanted), 0, 0) == 0)


def no_privileges() -> None:
    """Even for root: what root may do more than others is given up, in all that is started too."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(1, 9, 0, 0, 0)  # killed when the one that watches it is gone
        libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        for capability in range(64):
            libc.prctl(24, capability, 0, 0, 0)  # out of the bounding set
        libc.capset(struct.pack("=II", 0x20080522, 0), bytes(24))


def main(arguments: list[str]) -> None:
    """Set the limits and become the command."""
    folder, megabytes, seconds, program, *command = arguments
    limit(int(megabytes), int(float(seconds)) + 10)
    lock_in(folder)
    no_privileges()
    no_calls(bytes.fromhex(program))
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
