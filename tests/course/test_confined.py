"""What a graded notebook's process may not do, each tried in such a process."""

import json
import platform
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from autodiff_kit.course import calls, confined, processes

LANDLOCK = sys.platform == "linux" and (
    __import__("ctypes").CDLL(None).syscall(444, None, 0, 1) >= 6
)
pytestmark = pytest.mark.skipif(
    not (LANDLOCK and platform.machine() in calls.MACHINES), reason="Linux 6.12 or later"
)
START = """
import ctypes, json, os, resource, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
other, outside = int(sys.argv[1]), sys.argv[2]
def call(*numbers):
    found = libc.syscall(*numbers)
    if found < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return found
def text(path):
    with open(path) as file:
        return file.read()
"""
REFUSED = {
    "fork": "os.fork()",
    "another process's limits": "resource.prlimit(other, resource.RLIMIT_CPU, (0, 0))",
    "a signal": "os.kill(other, 15)",
    "its priority": "os.setpriority(os.PRIO_PROCESS, other, 19)",
    "its memory": "open(f'/proc/{other}/mem', 'r+b')",
    "its environment": "text(f'/proc/{other}/environ')",
    "its files": "os.listdir(f'/proc/{other}/fd') and os.open(f'/proc/{other}/fd/0', os.O_RDONLY)",
    "a handle of it": "os.pidfd_open(other)",
    "another's socket": "socket.socket(socket.AF_UNIX).connect(outside + '/socket')",
    "a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    "a Unix datagram": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "TCP": "socket.create_connection(('127.0.0.1', 9))",
    "io_uring": "call(425, 8, bytes(120))",
    "memory in a file": "os.memfd_create('x')",
    "shared memory": "open('/dev/shm/x', 'w')",
    "a namespace": "call({'x86_64': 272, 'aarch64': 97}[os.uname().machine], 0x10000000)",
    "a file": "open(outside + '/new', 'w')",
    "a file's content": "open(outside + '/file', 'r+')",
    "a file's name": "os.rename(outside + '/file', outside + '/moved')",
    "a link to it": "os.link(outside + '/file', 'link')",
    "its removal": "os.remove(outside + '/file')",
    "a lease on it": "__import__('fcntl').fcntl(os.open(outside + '/file', 0), 1024, 1)",
    "root's rights": "os.chroot('.')",
    "the machine's name": "socket.sethostname('x')",
    "a life after the grader's": "libc.prctl(1, 0, 0, 0, 0) and call(-1)",
}
WITHOUT_EFFECT = {
    "a mode": "os.chmod(outside + '/file', 0)",
    "a folder's mode": "os.chmod(outside, 0)",
    "an owner": "os.chown(outside + '/file', 1, 1)",
    "a time": "os.utime(outside + '/file', (1, 1))",
    "an attribute": "os.setxattr(outside + '/file', 'user.x', b'1')",
}
ALLOWED = {
    "a file of its own": "open('mine', 'w').close()",
    "a thread": "__import__('threading').Thread(target=int).start()",
    "a socket pair": "socket.socketpair()",
    "a limit of its own": "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))",
    "a mode of its own": "os.chmod('.', 0o700)",
    "nothing": "open('/dev/null', 'w').close()",
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What came of each attempt: True, or the error's name; and the state of a file outside."""
    inside, outside = tmp_path_factory.mktemp("inside"), tmp_path_factory.mktemp("outside")
    (outside / "file").write_text("as it was")
    before = (outside / "file").stat(), outside.stat()
    source = START + "said = {}\n"
    for name, attempt in (REFUSED | WITHOUT_EFFECT | ALLOWED).items():
        body = f"try:\n    {attempt}\n    said[{name!r}] = True\n"
        source += body + f"except OSError as error: said[{name!r}] = type(error).__name__\n"
    source += "print(json.dumps(said))"
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        shown = confine(inside, [sys.executable, "-c", source, str(other.pid), str(outside)])
        assert other.poll() is None
        other.communicate(b"\n")
    after = (outside / "file").stat(), outside.stat()
    assert (outside / "file").read_text() == "as it was"
    assert [p.name for p in outside.iterdir()] == ["file"]
    for one, two in zip(before, after, strict=True):
        assert (one.st_mode, one.st_uid, one.st_mtime) == (two.st_mode, two.st_uid, two.st_mtime)
    return json.loads(shown.splitlines()[-1])


def confine(folder, command):
    """Run a command as a graded notebook's kernel is run."""
    program = calls.program(platform.machine()).hex()
    start = [sys.executable, confined.__file__, str(folder), "2000", "60", program]
    found = subprocess.run(
        [*start, *command], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.mark.parametrize("attempt", REFUSED)
def test_what_reaches_beyond_the_notebook_is_refused(said, attempt):
    assert said[attempt] in ("PermissionError", "OSError")


@pytest.mark.parametrize("attempt", [*WITHOUT_EFFECT, *ALLOWED])
def test_what_honest_libraries_do_goes_on(said, attempt):
    assert said[attempt] is True


def test_files_are_counted_also_deep_down_and_deleted(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_bytes(bytes(1_000_000))
    used, entries = processes.disk(tmp_path, 100)
    assert used >= 1_000_000 and entries == 3
    assert processes.disk(tmp_path, 2)[1] == 2
    code = textwrap.dedent("""
        import os
        file = open("gone", "wb")
        file.write(bytes(1_000_000)); file.flush(); os.remove("gone")
        print("ready", flush=True); input()""")
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as one:
        assert one.stdout.readline() == b"ready\n"
        assert processes.deleted(one.pid) >= 1_000_000
        one.communicate(b"\n")


def test_a_closed_folder_is_no_hiding_place(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a").chmod(0)
    try:
        readable = any(True for _ in (tmp_path / "a").iterdir()) or True
    except PermissionError:
        readable = False
    if not readable:  # root may look into it
        with pytest.raises(PermissionError):
            processes.disk(tmp_path, 100)
    (tmp_path / "a").chmod(stat.S_IRWXU)
    assert Path(tmp_path / "a").is_dir()
