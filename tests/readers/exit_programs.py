"""Programs for `true_programs.TRUTHS` in which values leave the tensors; the code keeps them all.

Importing this adds them.
"""

from __future__ import annotations

import sys

from readers.cause_programs import cause

HEAD = """
import math
x, k = ad.Variable([0.4, 0.9, 0.2]), ad.Variable(1.3)
t = np.linspace(0.0, 1.0, 3).astype("float32")
def f(x, k):
    {}
with ad.GradientTape() as tape:
    y = ad.reduce_sum(f(x, k))
ad.explain(tape, y, {})
"""
WHOLE = {
    "two of NumPy's": ("return «np.mean(x) / np.std(x)»  # here", "x"),
    "one in the other, and arithmetic between": ("return «np.cos(np.sqrt(k) * t)»  # here", "k"),
    "two of math's": ("return «ad.constant(math.exp(k) * math.sin(k))»  # here", "k"),
    "a float and one of math's": ("h = «float(k) * math.cos(k)»  # here\n    return h * 2.0", "k"),
    "numpy() alone": ("h = x * 2.0\n    h = «h.numpy()»  # here\n    return h + 1.0", "x"),
    "float() alone": ("h = k * 2.0\n    h = «float(h)»  # here\n    return h + 1.0", "k"),
    "numpy() of two names": (
        "a, b = x * k, x + k\n    a, b = «a.numpy(), b.numpy()»  # here\n    return a * b",
        "k",
    ),
    "into a list": (
        "found = []\n    for _ in range(3):\n        «found.append((x * k).numpy())»  # here\n"
        "    return ad.stack(found)",
        "k",
    ),
    "in a comprehension": (
        "h = [v * k for v in x]\n    h = «[v.numpy() for v in h]»  # here\n    return ad.stack(h)",
        "k",
    ),
    "a number of an array": ("h = «float(np.sum(x)) * 2.0»  # here\n    return h + 1.0", "x"),
    "numpy() in one of NumPy's": ("return «k * np.sin(x.numpy())»  # here", "x"),
    "tensors put together": ("h = «np.asarray([k, x[0], x[1]])»  # here\n    return h * h", "k"),
    "what becomes a tensor in the next round": (
        "a, v = 0.3, 0.0\n    for _ in range(3):\n"
        "        v = «v - 0.1 / float(k) * math.sin(a)»  # here\n"
        "        a = a + v\n    return [a * 1.0]",
        "k",
    ),
    "NumPy's floor": ("return k * «ad.constant(np.floor(x * 4.0))»  # here", "x"),
    "numpy() of what becomes a tensor in the next round": (
        "q, p = ad.constant(1.0), ad.constant(0.5)\n    for _ in range(3):\n"
        "        q, p = «q + p.numpy(), p - (k * q).numpy()»  # here\n    return [q, p]",
        "k",
    ),
    "a running sum": (
        "s = 0.0\n    for v in x:\n        s += «(v * k).numpy()»  # here\n    return ad.sin(s)",
        "k",
    ),
    "in a lambda that has a name": (
        "power = lambda v: «3.0 * float(v) ** 2»  # here\n    return power(k)",
        "k",
    ),
    "a running sum by float": (
        "s = 0.0\n    for v in x:\n        s -= «0.5 * float(v * k)»  # here\n    return ad.sin(s)",
        "k",
    ),
    "a list made an array": (
        "h = []\n    for v in x:\n        h.append(v * k)\n    h = «np.array(h)»  # here\n    return h",
        "k",
    ),
    "a comprehension made a constant": (
        "h = [v * k for v in x]\n    return 2.0 * «ad.constant(np.asarray(h))»  # here",
        "k",
    ),
    "a list that was not empty": (
        "h = [k * 2.0]\n    h.append(k * k)\n    return «np.array(h) * 0.5»  # here",
        "k",
    ),
    "numbers put together": (
        "h = k * 2.0\n    h = «ad.constant([float(k), float(h)])»  # here\n    return h * h",
        "k",
    ),
}
WORDS = {
    "a function of NumPy's that the kit has not": "return np.mean(x) / np.median(x)  # here",
    "a method of the array": "return x.numpy().mean() / x.numpy().std()  # here",
    "what is computed with NumPy afterwards": "h = x.numpy()  # here\n    return np.mean(h)",
    "put into an array": "h = np.zeros(3)\n    h[:] = x.numpy()  # here\n    return ad.constant(h)",
    "NumPy's floor, for an index": "h = np.floor(x)  # here\n    return k * t[int(h[0])] * h",
    "an array of what a parameter brings": (
        "def other(v):\n        return np.array(v) * 2.0  # here\n    return other([v * k for v in x])"
    ),
    "an array of what is a list or not": (
        "h = [v * k for v in x]\n    if k > 0.0:\n        h = ad.stack(h)\n"
        "    return np.array(h) * 2.0  # here"
    ),
    "a sum in an attribute": (
        "f.s = 0.0\n    for v in x:\n        f.s += float(v * k)  # here\n    return ad.sin(f.s)"
    ),
    "made a variable": "h = ad.Variable((x * 2.0).numpy())  # here\n    return h * h",
    "given to a function of the learner's": (
        "def other(v):\n        return np.exp(v)\n    return other(x.numpy()) * 2.0  # here"
    ),
}
if sys.version_info >= (
    3,
    11,
):  # before, code objects know no columns: which call left is not known
    for name, (body, source) in WHOLE.items():
        cause(
            f"all that leaves on a line: {name}", ("left the tensors", ""), "left the tensors here",
            HEAD.format(body, source), True,
        )  # fmt: skip
    for name, body in WORDS.items():
        cause(
            f"no code for what leaves: {name}", ("left the tensors", ""), "left the tensors here",
            HEAD.format(body, "x"),
        )  # fmt: skip
