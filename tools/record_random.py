"""Record what TensorFlow draws, for tests/test_random.py to compare with.

Run it with a Python that has TensorFlow: `python tools/record_random.py`. It writes
tests/data/random.json: programs of calls, each with the bits it returned, or for long results
their SHA-256. The operations are named as in `tf.random`.
"""

from __future__ import annotations

import hashlib
import json
from importlib import import_module
from pathlib import Path
from typing import Any

# Not imported by name: the project's own environments do not have it.
tf: Any = import_module("tensorflow")

TARGET = Path(__file__).resolve().parent.parent / "tests" / "data" / "random.json"
FLOATS = ["float16", "float32", "float64"]
SHAPES = [[], [0], [3], [4], [5], [2, 3], [2, 0, 3]]
LONG = 64  # more numbers than these are recorded as a hash

Call = tuple[str, dict[str, Any]]


def uniforms() -> list[Call]:
    """Every dtype at every shape, and bounds of each kind."""
    calls: list[Call] = [("uniform", {"shape": s, "dtype": d}) for d in FLOATS for s in SHAPES]
    calls += [("uniform", {"shape": [n], "dtype": d}) for d in FLOATS for n in (100_000, 1_000_003)]
    for low, high in [
        (None, 1),
        (None, 5),
        (-1, 1),
        (-2.5, 7.25),
        (0.0, 1.0),
        (5, 3),
        (None, -3.5),
    ]:
        bounds: dict[str, Any] = {"maxval": high}
        bounds |= {} if low is None else {"minval": low}
        calls += [("uniform", {"shape": [5], "dtype": d, **bounds}) for d in FLOATS]
    for name, limit in [("int32", 2**31), ("int64", 2**63)]:
        for low, high in [(0, 10), (-5, 6), (3, 4), (-limit, limit - 1), (-(2**20), 2**30)]:
            bounds = {"minval": low, "maxval": high, "dtype": name}
            calls += [("uniform", {"shape": s, **bounds}) for s in ([], [0], [7], [1_003])]
    return calls


def normals() -> list[Call]:
    """Both normal distributions, in every floating dtype."""
    calls: list[Call] = []
    for function in ("normal", "truncated_normal"):
        for dtype in FLOATS:
            calls += [(function, {"shape": s, "dtype": dtype}) for s in ([], [0], [2, 3], [61])]
            calls.append((function, {"shape": [4], "dtype": dtype, "mean": -1, "stddev": 2.5}))
    return calls


def shuffles() -> list[Call]:
    """Scalars, vectors and rows."""
    values: list[Any] = [3, [], [1.0, 2.0], list(range(30)), [[1, 2], [3, 4], [5, 6]]]
    return [("shuffle", {"value": value}) for value in values]


def categoricals() -> list[Call]:
    """One row and several, few draws and many, logits of each dtype, and such as are not finite."""
    nan, inf = float("nan"), float("inf")
    tables: list[Any] = [
        [[0.0, 1.0, 2.0]],
        [[0.5, -0.5], [3.0, 2.5], [-100.0, 100.0]],
        [[k * j % 7 / 2.0 for j in range(10)] for k in range(6)],
        [[-inf, 1.0, -inf], [-inf, -inf, -inf], [nan, 1.0, 1.0], [inf, 0.5, 1.0], [nan, nan, nan]],
        [[30000.0, 30000.0, -30000.0], [-60000.0, -60000.0, -60000.0]],
    ]
    calls: list[Call] = []
    for logits in tables:
        for of in FLOATS:
            about = {"logits": logits, "of": of}
            calls += [("categorical", {**about, "num_samples": n}) for n in (1, 4, 5, 0)]
            calls.append(("categorical", {**about, "num_samples": 3, "dtype": "int32"}))
            for seed in (7, 7, 0, -1, 7):
                calls.append(("categorical", {**about, "num_samples": 2, "seed": seed}))
            calls.append(("stateless_categorical", {**about, "num_samples": 3, "seed": [1, 2]}))
    last: dict[str, Any] = {"logits": tables[2], "of": "float32", "num_samples": 20_000}
    calls.append(("categorical", last))
    calls.append(("uniform", {"shape": [2]}))
    return calls


def given(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments, with logits of the dtype that stands beside them."""
    if "logits" not in arguments:
        return arguments
    logits = tf.constant(arguments["logits"], arguments["of"])
    return {**{k: v for k, v in arguments.items() if k != "of"}, "logits": logits}


def own_seeds() -> list[Call]:
    """Calls with a seed of their own, which go on where the same call ended before."""
    calls: list[Call] = []
    for seed in (7, 0, 2**31 - 1, 2**40, -1, 7, 7):
        calls.append(("uniform", {"shape": [3], "seed": seed}))
        calls.append(("uniform", {"shape": [3], "seed": seed, "dtype": "float64"}))
        calls.append(("uniform", {"shape": [2], "maxval": 99, "seed": seed, "dtype": "int32"}))
        calls.append(("normal", {"shape": [3], "seed": seed}))
        calls.append(("truncated_normal", {"shape": [3], "seed": seed}))
        calls.append(("shuffle", {"value": list(range(7)), "seed": seed}))
        calls.append(("uniform", {"shape": [2]}))
    return calls


def stateless() -> list[Call]:
    """Calls whose two seeds are arguments."""
    calls: list[Call] = []
    for seed in ([1, 2], [0, 0], [-1, 5], [2**40 + 3, -(2**50)]):
        about = {"shape": [2, 3], "seed": seed}
        calls += [("stateless_uniform", {**about, "dtype": dtype}) for dtype in FLOATS]
        calls += [("stateless_normal", {**about, "dtype": dtype}) for dtype in FLOATS]
        calls += [("stateless_truncated_normal", {**about, "dtype": dtype}) for dtype in FLOATS]
        bounds = {"minval": -3, "maxval": 11}
        calls += [
            ("stateless_uniform", {**about, **bounds, "dtype": d}) for d in ("int32", "int64")
        ]
    return calls


def generated() -> list[Call]:
    """Calls of one generator, which moves on with each."""
    return [
        ("uniform", {"shape": [5]}),
        ("normal", {"shape": [2, 3], "dtype": "float64"}),
        ("uniform", {"shape": [3], "maxval": 9, "dtype": "int32"}),
        ("truncated_normal", {"shape": [5], "dtype": "float16"}),
        ("uniform", {"shape": [0]}),
        ("uniform", {"shape": [], "minval": -1, "maxval": 1}),
    ]


def record(seed: int | None, calls: list[Call], generator: bool = False) -> dict[str, Any]:
    """Run the calls after `set_seed(seed)`, or of a generator, and note what each returned."""
    if generator:
        owner = tf.random.Generator.from_seed(seed)
    else:
        owner = tf.random
        tf.random.set_seed(seed)
    steps = []
    for function, arguments in calls:
        if generator and "dtype" in arguments:
            typed = {**arguments, "dtype": tf.as_dtype(arguments["dtype"])}
        else:
            typed = given(arguments)
        result = getattr(owner, function)(**typed).numpy()
        little = result.astype(result.dtype.newbyteorder("<")).tobytes()
        bits = little.hex() if result.size <= LONG else hashlib.sha256(little).hexdigest()
        about = {"shape": list(result.shape), "dtype": result.dtype.name, "bits": bits}
        steps.append({"function": function, "arguments": arguments, **about})
    return {"seed": seed, "generator": generator, "steps": steps}


def main() -> None:
    """Write the file."""
    # Of logits with many rows each thread draws some, from another place of the stream.
    tf.config.threading.set_intra_op_parallelism_threads(1)
    programs = [record(1, uniforms()), record(2, normals()), record(3, shuffles())]
    programs += [record(seed, own_seeds()) for seed in (5, 0, 2**31 - 1, -7)]
    some: list[Call] = [("uniform", {"shape": [2]}), ("normal", {"shape": [2]})]
    programs += [record(seed, some) for seed in (0, 2**31 - 2, 2**31, 2**62 + 5, -3, 42)]
    # Without a global seed an own seed still decides, from the state of a fresh process.
    alone: list[Call] = [("uniform", {"shape": [2], "seed": seed}) for seed in (1, 0, 1)]
    programs.append(record(None, alone))
    programs += [record(seed, categoricals()) for seed in (1, 2**31 - 1)]
    programs.append(record(1, stateless()))
    programs += [record(seed, generated(), True) for seed in (1, 0, -5, 2**64 - 1, 2**130 + 7)]
    lines = ",\n".join(json.dumps(program) for program in programs)
    TARGET.write_text(f'{{"tensorflow": "{tf.__version__}", "programs": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
