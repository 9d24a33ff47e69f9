"""Importing the kit loads little; every name is there all the same, and behaves as if it had been."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import autodiff_kit as ad
import write_index
from autodiff_kit import index, lazy, namespace, opdef

ROOT = Path(ad.__file__).parents[1]
NAMESPACES = sorted(index.NAMES)
MODULES = sorted(name for name in write_index.files() if "__main__" not in name)


def fresh(program: str, *flags: str) -> str:
    """What a program prints in a process of its own."""
    command = [sys.executable, *flags, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_index_is_up_to_date() -> None:
    written = write_index.TARGET.read_text(encoding="utf-8")
    assert written == write_index.text(), "run python tools/write_index.py"


def test_the_index_knows_every_operation() -> None:
    types = set(opdef.all_operations())
    for name in MODULES:
        if ".course" not in name and ".instructor" not in name:
            __import__(name)
    assert set(opdef.OPERATIONS) == types
    assert namespace.xp._either.keys() == namespace.FAMILIES.keys()
    assert all(callable(getattr(namespace.xp, name)) for name in namespace.FAMILIES)


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_namespaces_show_and_have_their_names(namespace: str) -> None:
    module = sys.modules.get(namespace) or __import__(namespace, fromlist=["_"])
    names = lazy.places(namespace)
    assert module.__all__ == sorted(names)
    assert set(names) <= set(dir(module))
    for name, (home, there) in names.items():
        found = __import__(home, fromlist=["_"])
        assert getattr(module, name) is (getattr(found, there) if there else found)


def test_little_is_loaded_at_once() -> None:
    loaded = fresh("import sys, autodiff_kit; print(*sys.modules)").split()
    ours = [name for name in loaded if name.startswith("autodiff_kit.")]
    assert not [name for name in ours if name.split(".")[1] in ("readers", "keras", "compat")]
    assert "autodiff_kit.ops.trigonometry" not in ours and "autodiff_kit.random" not in ours


@pytest.mark.parametrize(
    "program",
    [
        "import autodiff_kit as ad; print(ad.sin(0.0).numpy(), ad.math.sin is ad.sin)",
        "from autodiff_kit import *; print(sin(0.0).numpy(), math.sin is sin)",
        "from autodiff_kit.math import *; import autodiff_kit.math as m\n"
        "print(sin(0.0).numpy(), m.sin is sin)",
        "from autodiff_kit.math import sin; import autodiff_kit as ad\n"
        "print(sin(0.0).numpy(), ad.sin is sin)",
        "from autodiff_kit.keras.optimizers import Adam; import autodiff_kit as ad\n"
        "print(0.0, Adam is ad.keras.optimizers.Adam)",
        "import autodiff_kit as ad; print(0.0, ad.keras.layers.Dense(1)([[0.0]]).shape == (1, 1))",
        "import autodiff_kit.nn as nn, autodiff_kit as ad; print(0.0, nn.relu is ad.nn.relu)",
        "from autodiff_kit import test, keras, compat; print(0.0, compat.v1.test is not test)",
    ],
)
def test_ways_to_a_name(program: str) -> None:
    assert fresh(program, "-W", "error").split() == ["0.0", "True"]


def test_help_and_pickles() -> None:
    shown = fresh("import autodiff_kit as ad; help(ad.sin); help(ad.keras.layers.Dense)")
    assert "The sine" in shown and "class Dense" in shown
    program = (
        "import pickle, autodiff_kit as ad\n"
        "print(pickle.loads(pickle.dumps(ad.cond)) is ad.cond, ad.cond.__module__)"
    )
    assert fresh(program).split() == ["True", "autodiff_kit.control"]


def test_a_mistyped_name() -> None:
    with pytest.raises(AttributeError, match="module 'autodiff_kit' has no attribute 'sinn'") as e:
        ad.sinn  # noqa: B018
    assert e.value.obj is ad and e.value.name == "sinn"  # for Python's "Did you mean: 'sin'?"
    with pytest.raises(ImportError, match="cannot import name 'sinn'"):
        from autodiff_kit.math import sinn  # noqa: F401
    with pytest.raises(AttributeError, match="no operation is registered under the name 'sinn'"):
        namespace.xp.sinn  # noqa: B018


def test_a_file_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"__name__": "autodiff_kit.linalg"}
    load = lazy.names_of(names)[1]
    module = sys.modules["autodiff_kit.ops.bands"]
    monkeypatch.delattr(module, "trace")
    with pytest.raises(ImportError, match=r"linalg\.trace could not be loaded from .*ops\.bands: "):
        load("trace")
    assert "trace" not in names
    monkeypatch.setitem(sys.modules, "autodiff_kit.ops.bands", None)
    with pytest.raises(ModuleNotFoundError, match=r"autodiff_kit\.ops\.bands"):
        load("band_part")


def test_threads_that_ask_at_once() -> None:
    program = """
import sys, threading
import autodiff_kit as ad
from autodiff_kit.namespace import FAMILIES, xp
sys.setswitchinterval(1e-6)
start, wrong = threading.Barrier(4), []

def ask(turn):
    start.wait()
    names = sorted(ad.__all__), sorted(FAMILIES)
    try:
        for name in names[0] if turn % 2 else names[0][::-1]:
            getattr(ad, name)
        for name in names[1] if turn < 2 else names[1][::-1]:
            getattr(xp, name)
        assert xp.sin(0.0) == 0.0 and ad.keras.layers.Dense
    except BaseException as error:
        wrong.append(repr(error))

threads = [threading.Thread(target=ask, args=(turn,)) for turn in range(4)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
print(wrong)
"""
    assert fresh(program) == "[]\n"


def test_a_family_half_loaded_by_another_thread_is_waited_for() -> None:
    program = """
import threading
import autodiff_kit as ad
from autodiff_kit import namespace
half, go = threading.Event(), threading.Event()
EITHER = namespace.xp._either

class Slow(dict):
    def __setitem__(self, name, value):
        super().__setitem__(name, value)
        if name == "sin":
            half.set()
            go.wait(10)

namespace.xp.__dict__["_either"] = Slow(EITHER)
first = threading.Thread(target=lambda: ad.cos)
first.start()
half.wait(10)
threading.Timer(0.2, go.set).start()
namespace.xp.sin
print(go.is_set(), hasattr(__import__("sys").modules["autodiff_kit.ops.trigonometry"], "atan2"))
"""
    assert fresh(program) == "True True\n"


@pytest.mark.parametrize("word", ["Floor", "Erf", "RandomShuffle"])
def test_operations_not_loaded_yet_can_be_overridden(word: str) -> None:
    program = f"""
import autodiff_kit as ad
@ad.RegisterGradient("Mine")
def mine(op, dy):
    return dy
with ad.gradient_override_map({{"{word}": "Mine", "Ceil": "{word}"}}):
    ad.floor(1.5), ad.math.erf(1.0), ad.random.shuffle([1.0, 2.0])
mistyped, taken = {{"{word}x": "Mine"}}, ad.RegisterGradient("{word}")
for call, word in ((ad.gradient_override_map, mistyped), (taken, mine)):
    try:
        call(word)
    except (LookupError, KeyError) as error:
        print(type(error).__name__)
"""
    assert fresh(program, "-W", "ignore").split() == ["LookupError", "KeyError"]


def test_every_module_is_marked_whichever_is_imported_first() -> None:
    """`user_frame` passes over frames of marked modules to find the learner's line."""
    program = """
import os, sys, numpy  # once, and each module in a copy of this process
for name in sys.argv[1:]:
    child = os.fork() if hasattr(os, "fork") else 0
    if child:
        assert os.waitpid(child, 0)[1] == 0, name
        continue
    __import__(name)
    ours = [n for n in sys.modules if n.split(".")[0] == "autodiff_kit"]
    bare = [n for n in ours if "__autodiff_kit__" not in vars(sys.modules[n])]
    print(*bare, end="", flush=True)
    if hasattr(os, "fork"):
        os._exit(0)
"""
    command = [sys.executable, "-c", program, *MODULES]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_mark_is_there_before_the_first_line_runs(tmp_path: Path) -> None:
    program = """
import autodiff_kit, sys
autodiff_kit.__path__.append(sys.argv[1])
import autodiff_kit.early
"""
    (tmp_path / "early.py").write_text("print('__autodiff_kit__' in globals())")
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "True\n"


def test_explain_names_the_learners_line_with_modules_loaded_late(tmp_path: Path) -> None:
    program = tmp_path / "learner.py"
    program.write_text(
        "from autodiff_kit.keras.layers import Dense\n"
        "import autodiff_kit as ad\n"
        "x = ad.constant([[1.0, 2.0]])\n"
        "dense = Dense(1)\n"
        "with ad.GradientTape() as tape:\n"
        "    tape.watch(x)\n"
        "    y = ad.floor(dense(x))\n"
        "print(ad.explain(tape, y, x))\n"
    )
    command = [sys.executable, str(program)]
    shown = subprocess.run(
        command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)}
    ).stdout
    assert "learner.py:7" in shown or "line 7" in shown, shown
    assert "autodiff_kit/" not in shown


def test_type_checkers_see_the_names(tmp_path: Path) -> None:
    mypy = pytest.importorskip("mypy.api")
    program = tmp_path / "learner.py"
    program.write_text(
        "import autodiff_kit as ad\n"
        "from autodiff_kit.keras.optimizers import Adam\n"
        "from autodiff_kit.math import mod\n"
        "ad.sin(1.0), ad.math.erf(1.0), ad.nn.relu(1.0), ad.linalg.trace([[1.0]]), mod(3.0, 2.0)\n"
        "ad.keras.layers.Dense(1), ad.keras.Sequential, ad.test, ad.ops.roots.sqrt, Adam()\n"
        "ad.GradientTape, ad.explain, ad.random.normal([1]), ad.compat.v1.train, ad.bool\n"
        "ad.sinn\nad.math.sinn\nad.keras.sinn\n"
    )
    command = ["--strict", "--config-file=", "--cache-dir", str(tmp_path), str(program)]
    shown = mypy.run(command)[0]
    wrong = [line.split(":")[1] for line in shown.splitlines() if "attr-defined" in line]
    assert wrong == ["7", "8", "9"], shown
    assert "Found 3 errors" in shown
