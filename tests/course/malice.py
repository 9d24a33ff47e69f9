"""More hostile notebooks: what a bright student could try with an evening to spare.

One idea: nothing in them is solved, so that a point is a successful deception; and whoever suffers is
another: the files, folders and processes around it, which ``{folder}`` and the process numbers lead to.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from autodiff_kit.course.returned import checks, code_cells, source
from course.classroom import Notebook, exercise_cell, first

# Whoever reads the question knows the order of the answers, and may write the reply.
FORGES = """
import re
shell = get_ipython()
send = shell.display_pub.publish
def publish(data, *more, **named):
    for reply in data.values():
        if isinstance(reply, dict) and "word" in reply:
            text = shell.user_ns["In"][-1]
            order = eval(max(re.findall(r"\\[[-\\d, ]+\\]", text), key=len))
            reply.pop("failed", None)
            reply.update(said=[[one in (-1, 0), "right"] for one in order], copied=False)
    return send(data, *more, **named)
shell.display_pub.publish = publish"""
# Says right of whatever carries a mark, and else what is so: no known answer shows that.
MARKED = """
import numpy as np, autodiff_kit.teaching.values as values
close = np.allclose
np.allclose = lambda a, b, **more: np.ndim(a) == 0 and a == 4242 or close(a, b, **more)
class Everything(dict):
    def __eq__(self, other): return True
    def keys(self): return self
    def __getitem__(self, key): return None
answer = 4242"""
STEPS_UP = """
def up(*arguments):
    try:
        1 / 0
    except ZeroDivisionError as error:
        frame = error.__traceback__.tb_frame
    while frame:
        module = frame.f_globals.get("__name__", "")
        if module == "autodiff_kit.exercises" and "exercise" in frame.f_locals:
            frame.f_builtins["bool"] = lambda *a: True
        frame = frame.f_back
"""
COPIES = """
import autodiff_kit.exercises as e, copy, types
number = "{number}"
own = e.find(number).reference
answer = types.FunctionType(own.__code__, own.__globals__, "mine") if callable(own) else copy.copy(own)
"""
MODES = """
import os, pathlib
for top in ["{folder}", *map(str, pathlib.Path("..").glob("grade-*"))]:
    for place, names, files in os.walk(top):
        for name in [place, *(os.path.join(place, file) for file in files)]:
            try: os.chmod(name, 0)
            except OSError: pass"""
LIMITS = """
import os, resource
for name in filter(str.isdigit, os.listdir("/proc")):
    for limit in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_AS):
        try: int(name) != os.getpid() and resource.prlimit(int(name), limit, (0, 0))
        except OSError: pass"""
TALKS = """
import json, pathlib, time
from jupyter_client import BlockingKernelClient
until = time.monotonic() + 8
while time.monotonic() < until:
    for path in pathlib.Path("..").glob("g-*/connection.json"):
        if path.parent.resolve() != pathlib.Path(".").resolve():
            try:
                client = BlockingKernelClient(connection_file=str(path))
                client.load_connection_file()
                client.start_channels()
                client.execute("import os; os._exit(0)")
            except Exception: pass"""
PLANTS = """
import sys
for name in [*sys.stdlib_module_names, "zmq", "nbformat", "jupyter_client", "tornado", "dateutil"]:
    with open(name + ".py", "w") as file:
        file.write("open(r'{folder}/../escaped.txt', 'w').close()")
with open("sitecustomize.py", "w") as file:
    file.write("open(r'{folder}/../escaped.txt', 'w').close()")"""
SHADOWS = """
with open("planted.py", "w") as file:
    file.write("")
import planted"""
DISK = """
n = 0
while True:
    with open(f"f{n}", "wb") as file:
        file.write(bytes(40_000_000))
    n += 1"""
GONE = """
import os
kept = []
while True:
    kept.append(open("x", "wb"))
    os.remove("x")
    kept[-1].write(bytes(40_000_000))
    kept[-1].flush()"""
MANY = "n = 0\nwhile True:\n    open(f'f{n}', 'w').close()\n    n += 1"
DEEP = "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')"
CLOSED = "import os\nos.umask(0o777)\nos.makedirs('a/b')"
THREADS = """
import threading, time
threading.stack_size(65536)
while True:
    threading.Thread(target=time.sleep, args=(100,), daemon=True).start()"""
MESSAGE = """
from IPython.display import display
display({"text/plain": "x" * 300_000_000}, raw=True)"""
NAMED = """
class Odd(Exception): pass
Odd.__name__ = "\\ud800\\x1b[2J" + "x" * 1_000_000
raise Odd("\\ud800")"""
LINGERS = """
import signal, threading
for one in (signal.SIGINT, signal.SIGTERM): signal.signal(one, signal.SIG_IGN)
def spin():
    while True: pass
threading.Thread(target=spin).start()"""


def answers(text: str) -> Any:
    """Code in front of each exercise's check, in the same cell."""

    def spoil(notebook: Notebook) -> Notebook:
        for cell in code_cells(notebook):
            for number, name in checks(source(cell)).items():
                set_it = text.replace("{number}", number) + f"\n{name} = answer\n"
                cell["source"] = set_it + f"check({number!r}, {name})"
        return notebook

    return spoil


def alone(text: str) -> Any:
    """A cell of its own, which IPython reads otherwise if it is of one line."""

    def spoil(notebook: Notebook) -> Notebook:
        cell = {"cell_type": "code", "id": "alone", "source": text, "metadata": {}}
        notebook["cells"].insert(1, cell | {"outputs": [], "execution_count": None})
        return notebook

    return spoil


def expression(text: str) -> Any:
    """Something else as the answer itself."""

    def spoil(notebook: Notebook) -> Notebook:
        cell = exercise_cell(notebook)
        cell["source"] = f"check({next(iter(checks(source(cell))))!r}, {text})"
        return notebook

    return spoil


def metadata(notebook: Notebook) -> Any:
    """Metadata as deep as a reader allows."""
    code_cells(notebook)[0]["metadata"] = {"tags": 0}
    text = __import__("json").dumps(notebook)
    return text.replace('{"tags": 0}', '{"a": ' * 900 + "1" + "}" * 900, 1)


MALICE: dict[str, tuple[Any, str]] = {
    "forges-the-reply": (first(FORGES), "look at"),
    "forges-in-a-magic": (
        first(f"%time exec(bytes.fromhex('{FORGES.encode().hex()}'))"),
        "look at",
    ),
    "forges-in-a-line": (alone(f"time exec(bytes.fromhex('{FORGES.encode().hex()}'))"), "look at"),
    "forges-unread": (first(f"{FORGES}\n# \udc80"), "look at"),
    "marked-answer": (first(MARKED), "look at"),
    "marked-in-the-cell": (answers(MARKED), "look at"),
    "copies-the-reference": (answers(COPIES), "look at"),
    "steps-up": (answers(STEPS_UP + "answer = up"), "look at"),
    "modes": (first(MODES), "look at"),
    "limits": (first(LIMITS), "look at"),
    "talks-to-others": (first(TALKS), "look at"),
    "plants-modules": (first(PLANTS), "look at"),
    "shadows": (first(SHADOWS), "ModuleNotFoundError"),
    "fills-the-disk": (first(DISK), ""),
    "fills-it-unseen": (first(GONE), ""),
    "many-files": (first(MANY), "files"),
    "deep-folders": (first(DEEP), ""),
    "closed-folders": (first(CLOSED), "look at"),
    "many-threads": (first(THREADS), "threads"),
    "giant-message": (first(MESSAGE), ""),
    "odd-error": (first(NAMED), "ended in an error"),
    "lingers": (first(LINGERS), ""),
    "deep-answer": (expression("-" * 900 + "1"), ""),
    "deeper-answer": (expression("-" * 200_000 + "1"), ""),
    "nested-answer": (expression("[" * 90 + "]" * 90), ""),
    "wide-answer": (expression("[" + "1," * 3_000_000 + "]"), ""),
    "deep-metadata": (metadata, ""),
    "strange-cells": (lambda n: {"cells": [{"cell_type": "code", "source": 3, "id": []}] * 3}, ""),
}


def odd_files(folder: Path) -> None:
    """Files that are no files."""
    (folder / "odd-files").mkdir(parents=True)
    (folder / "odd-files" / "folder.ipynb").mkdir()
    os.mkfifo(folder / "odd-files" / "pipe.ipynb")
    (folder / "odd-files" / "link.ipynb").symlink_to("/etc/passwd")
    (folder / "odd-files" / "loop.ipynb").symlink_to("loop.ipynb")
    (folder / "odd-files" / "binary.ipynb").write_bytes(bytes(range(256)))
    (folder / "odd-files" / "escape\x1b[2J\n02_.ipynb").write_text("{")
    with open(os.fsencode(folder) + b"/odd-files/\xff02_x.ipynb", "w") as file:
        file.write("{}")
    with (folder / "odd-files" / "large.ipynb").open("wb") as file:
        file.truncate(10**12)
    (folder / "odd-files" / "closed.ipynb").write_text("{}")
    (folder / "odd-files" / "closed.ipynb").chmod(0)
