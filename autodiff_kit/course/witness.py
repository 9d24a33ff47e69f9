"""The question that is put to a kernel after a student's cell: is the answer right?

One idea: the kernel is not believed. Besides the answer it is asked about answers that are known,
the reference and the mistakes, in an order that it cannot know; and it says which code its modules
hold. A check that was edited in memory calls a mistake right, or is not the kit's code.
"""

from __future__ import annotations

import inspect
import random
import re
import sys
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any

from autodiff_kit import exercises

MIME = "application/vnd.autodiff-kit.verdict+json"


def fingerprints() -> dict[str, dict[str, str]]:
    """What code the kit's modules hold in this process: digests of functions and classes."""
    import hashlib

    def parts(code: CodeType) -> str:
        values = [
            parts(c) if isinstance(c, CodeType)
            else str(sorted(map(repr, c))) if isinstance(c, frozenset) else repr(c)
            for c in code.co_consts
        ]  # fmt: skip
        return f"{code.co_code!r}{code.co_names}{values}"

    def functions(namespace: Any) -> dict[str, str]:
        found = {}
        for name, value in sorted(vars(namespace).items()):
            inner = getattr(value, "__func__", getattr(value, "fget", value))
            text = ""
            if isinstance(inner, FunctionType):
                text = parts(inner.__code__)
            elif isinstance(value, type) and value.__module__ == namespace.__name__:
                inside = functions(value)  # a class's own classes: not looked into
                text = str({key: inside[key] for key in inside if inside[key]})
            found[name] = text and hashlib.sha256(text.encode()).hexdigest()[:12]
        return found

    return {
        name: functions(module)
        for name, module in sorted(sys.modules.items())
        if name.split(".")[0] == "autodiff_kit" and name.split(".")[1:2] != ["course"]
    }


def ask(number: str, order: list[int], answer: Any) -> dict[str, Any]:
    """Runs in the kernel: what is said about the answer (-1) and those that are known."""
    from autodiff_kit import exercises

    exercise = exercises.find(number)
    if exercise is None:
        return {"said": []}
    known = [exercise.reference, exercise.stub, *(wrong for wrong, _ in exercise.wrong)]
    said = []
    for position in order:
        one = answer() if position < 0 else known[position]
        right, text = exercises.verdict(number, one)
        said.append([bool(right), str(text)[:500]])
    home = str(getattr(answer(), "__module__", ""))
    # Numbers, words and the kit's own functions are the same object whoever writes them down.
    same = isinstance(exercise.reference, (dict, list, set)) and answer() is exercise.reference
    copied = same or home.startswith("autodiff_kit.exercises")
    return {"said": said, "copied": copied}


def question(number: str, expression: str) -> tuple[str, list[int], str]:
    """The source of a cell that asks; the order of the answers; the word that its reply must hold."""
    exercise = exercises.find(number)
    assert exercise is not None
    order = [-1, *range(2 + len(exercise.wrong))]
    random.SystemRandom().shuffle(order)
    word = f"{random.SystemRandom().getrandbits(64):x}"
    text = f"""
import sys
from types import CodeType, FunctionType
{inspect.getsource(fingerprints)}
{inspect.getsource(ask)}
from IPython.display import display
prints = fingerprints()
try:
    reply = ask({number!r}, {order}, answer)
except BaseException as error:
    reply = {{"said": [], "failed": type(error).__name__ + ": " + str(error)[:200]}}
reply.update(word={word!r}, prints=prints)
display({{{MIME!r}: reply}}, raw=True)
"""
    text = re.sub(r" -> dict\[str, .*\]:", ":", text).replace("Any", "object")
    # In a namespace of its own: a student may have called a variable vars, type or sorted.
    source = f"""
import builtins as __builtins
__builtins.exec({text!r}, {{"answer": lambda: ({expression})}})
del __builtins
"""
    return source, order, word


def judge(reply: Any, order: list[int], word: str) -> tuple[bool, str, str]:
    """From a kernel's reply: is the answer right, what is said about it, what is wrong with it all."""
    if not isinstance(reply, dict) or reply.get("word") != word:
        return False, "", "no answer came from the notebook"
    if "failed" in reply:
        return False, _failed(str(reply["failed"])[:300]), ""
    said = reply.get("said", [])
    if len(said) != len(order):
        return False, "", "the grader was patched: it did not answer all questions"
    changed = _changed(reply.get("prints", {}))
    if changed:
        return False, "", f"the grader was patched: {', '.join(changed[:3])}"
    for position, (right, _) in zip(order, said, strict=True):
        if position >= 0 and right != (position == 0):
            return False, "", "the grader was patched: it calls wrong what is right, or the reverse"
    if reply.get("copied"):
        return False, "", "the answer is the grader's own, taken from its module"
    right, text = said[order.index(-1)]
    return bool(right), str(text)[:500], ""


def _failed(how: str) -> str:
    """What a student is told whose answer raised an error, or was interrupted."""
    if how.startswith("KeyboardInterrupt"):
        return "the answer took too long and was interrupted: look for a loop in it that never ends"
    return f"the answer could not be looked at: {how}"


def _changed(prints: Any) -> list[str]:
    """Modules that hold other code there than here; each loads names when they are first used."""
    if not isinstance(prints, dict) or not all(isinstance(p, dict) for p in prints.values()):
        return ["its answer"]
    for name in prints:
        if name.split(".")[0] == "autodiff_kit":
            try:
                module = import_module(name)
                for inner in prints[name]:
                    getattr(module, inner, None)
            except ImportError:
                return [name]
    ours = fingerprints()
    return [
        name
        for name, there in prints.items()
        if any(digest != ours.get(name, {}).get(inner, "") for inner, digest in there.items())
    ]
