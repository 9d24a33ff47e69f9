"""The random operations against bits recorded from TensorFlow (tools/record_random.py)."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit import philox, seeds
from autodiff_kit import random as ad_random

RECORDED = json.loads((Path(__file__).parent / "data" / "random.json").read_text())
# float16 results are rounded from float32, so at most the rounding differs.
ULPS = {"float16": 1, "float32": 4, "float64": 4}


@pytest.fixture(autouse=True)
def no_seed_left_behind() -> Iterator[None]:
    yield
    ad_random.set_seed(None)


def ulps_apart(a: Any, b: Any) -> int:
    """How many floats lie between the two, counted through zero."""
    if not a.size:
        return 0
    signed = np.dtype(f"i{a.dtype.itemsize}")
    lowest = np.iinfo(signed).min

    def rank(x: Any) -> list[int]:
        numbers = np.atleast_1d(x).view(signed).reshape(-1).tolist()
        return [lowest - i if i < 0 else i for i in numbers]

    return max(abs(i - j) for i, j in zip(rank(a), rank(b), strict=True))


def check(owner: Any, step: dict[str, Any]) -> None:
    arguments = dict(step["arguments"])
    if "logits" in arguments:
        arguments["logits"] = np.array(arguments["logits"], arguments.pop("of"))
    result = getattr(owner, step["function"])(**arguments).numpy()
    assert (result.dtype.name, list(result.shape)) == (step["dtype"], step["shape"])
    dtype = np.dtype(step["dtype"]).newbyteorder("<")
    little = result.astype(dtype).tobytes()
    if len(step["bits"]) != 2 * len(little):
        assert hashlib.sha256(little).hexdigest() == step["bits"]
    elif "normal" in step["function"]:
        expected = np.frombuffer(bytes.fromhex(step["bits"]), dtype).astype(step["dtype"])
        moved = step["arguments"].get("mean", 0) != 0
        if moved:  # next to zero an addition leaves few digits
            np.testing.assert_allclose(result.reshape(-1), expected, rtol=2e-6, atol=1e-6)
        else:
            assert ulps_apart(result.reshape(-1), expected) <= ULPS[step["dtype"]]
    else:
        assert little.hex() == step["bits"]


@pytest.mark.parametrize("number", range(len(RECORDED["programs"])))
def test_the_recorded_programs_come_out_as_in_tensorflow(number: int) -> None:
    program = RECORDED["programs"][number]
    owner: Any = ad_random
    if program["generator"]:
        owner = ad_random.Generator.from_seed(program["seed"])
    else:
        ad_random.set_seed(program["seed"])
    for step in program["steps"]:
        check(owner, step)


def test_the_published_known_answers_of_philox() -> None:
    # From Random123, the authors' own implementation: (counter, key) and the four words.
    ones = 2**128 - 1
    pi_counter = 0x03707344_13198A2E_85A308D3_243F6A88
    pi_key = 0x299F31D0_A4093822
    for counter, key, words in [
        (0, 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        (ones, 2**64 - 1, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (pi_counter, pi_key, "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ]:
        block = philox.blocks(philox.Stream(key, counter), np.zeros(1, np.uint64))[0]
        assert " ".join(f"{word:08x}" for word in block) == words


def test_a_counter_carries_into_its_upper_half() -> None:
    last = philox.Stream(9, 2**64 - 1)
    both = philox.blocks(last, np.arange(2, dtype=np.uint64))
    np.testing.assert_array_equal(both[1], philox.blocks(last.skip(1), np.zeros(1, np.uint64))[0])
    assert last.skip(1).counter == 2**64
    assert philox.Stream(9, 2**128 - 1).skip(1).counter == 0


def test_a_long_draw_begins_like_a_short_one() -> None:
    for function in (philox.uniform, philox.normal, philox.truncated_normal):
        long = function(philox.Stream(3, 4), 1001, np.float32)
        np.testing.assert_array_equal(function(philox.Stream(3, 4), 10, np.float32), long[:10])


def test_without_a_seed_no_two_draws_are_alike() -> None:
    ad_random.set_seed(None)
    draws = {ad_random.uniform([8]).numpy().tobytes() for _ in range(50)}
    assert len(draws) == 50


def test_an_own_seed_goes_on_until_the_global_seed_is_set_again() -> None:
    ad_random.set_seed(5)
    first, second = (ad_random.uniform([4], seed=1).numpy().tolist() for _ in range(2))
    ad_random.set_seed(5)
    assert ad_random.uniform([4], seed=1).numpy().tolist() == first != second
    # A shape in int64 runs another kernel in TensorFlow, which starts from the beginning.
    assert ad_random.uniform(np.array([4], np.int64), seed=1).numpy().tolist() == first
    assert ad_random.uniform([4], seed=1).numpy().tolist() == second


def test_two_zero_seeds_are_still_predictable() -> None:
    results = []
    for seed in (0, 0, 2**31 - 1):
        ad_random.set_seed(0)
        results.append(ad_random.uniform([4], seed=seed).numpy().tolist())
    assert results[0] == results[1] == results[2]


def test_a_refused_call_changes_no_later_number() -> None:
    ad_random.set_seed(1)
    expected = ad_random.uniform([2]).numpy()
    ad_random.set_seed(1)
    for arguments in (
        {"shape": [2], "minval": 5, "maxval": 5, "dtype": "int32"},
        {"shape": [-1]},
        {"shape": 3},
        {"shape": [2], "seed": "a"},
    ):
        with pytest.raises((ValueError, TypeError)):
            ad_random.uniform(**arguments)
    with pytest.raises(TypeError):
        ad_random.set_seed("a")  # type: ignore[arg-type]
    np.testing.assert_array_equal(ad_random.uniform([2]).numpy(), expected)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"minval": 5, "maxval": 5, "dtype": "int32"}, "arg", "Need minval < maxval, got 5 >= 5"),
        ({"minval": 9, "maxval": -5, "dtype": "int64"}, "arg", "Need minval < maxval, got 9 >= -5"),
        ({"maxval": [1, 2], "dtype": "int32"}, "arg", r"maxval must be 0-D, got shape \[2\]"),
        ({"minval": [0], "maxval": 4, "dtype": "int32"}, "arg", "minval must be 0-D, got shape"),
        ({"shape": 3}, "arg", r"shape must be a vector of \{int32,int64\}, got shape \[\]"),
        ({"shape": [[2]]}, "arg", r"got shape \[1,1\]"),
        ({"shape": [2, -3]}, "arg", "Dimension -3 must be >= 0"),
        ({"shape": [2.5]}, "arg", "Value for attr 'T' of float is not in the list"),
        ({"dtype": "int32"}, ValueError, "Must specify maxval for integer dtype ad.int32"),
        ({"dtype": "bool"}, ValueError, "Argument `dtype` got invalid value <dtype: 'bool'>"),
        ({"maxval": 1.5, "dtype": "int32"}, TypeError, "1.5"),
        ({"seed": 1.5}, TypeError, "A seed must be an integer, got 1.5"),
    ],
)
def test_uniform_refuses_in_tensorflows_words(arguments: Any, error: Any, text: str) -> None:
    expected = ad.errors.InvalidArgumentError if error == "arg" else error
    with pytest.raises(expected, match=text):
        ad_random.uniform(**{"shape": [2], **arguments})


def test_an_empty_range_is_no_error_where_nothing_is_drawn() -> None:
    assert ad_random.uniform([0], 5, 5, "int32").shape == (0,)


@pytest.mark.parametrize("function", [ad_random.normal, ad_random.truncated_normal])
def test_normal_numbers_are_floating(function: Any) -> None:
    with pytest.raises(TypeError):
        function([1], dtype="int32")
    with pytest.raises(ad.errors.InvalidArgumentError, match="Value for attr 'dtype' of int32"):
        function([1], 0, 1, dtype="int32")


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"logits": [1.0, 2.0]}, "arg", r"logits should be a matrix, got shape \[2\]"),
        ({"logits": np.zeros((2, 0))}, "arg", "num_classes should be positive, got 0"),
        ({"logits": [[1, 2]]}, "arg", "Value for attr 'T' of int32 is not in the list"),
        ({"num_samples": -1}, "arg", "num_samples should be non-negative, got -1"),
        ({"num_samples": [2]}, "arg", r"num_samples should be a scalar, got shape \[1\]"),
        ({"num_samples": ad.constant(2, ad.int64)}, "arg", "was expected to be a int32 tensor"),
        ({"num_samples": 2.0}, TypeError, "Cannot convert 2.0 to EagerTensor of dtype int32"),
        ({"dtype": "uint8"}, ValueError, "Argument `dtype` got invalid value <dtype: 'uint8'>"),
        ({"seed": 1.5}, TypeError, "A seed must be an integer, got 1.5"),
    ],
)
def test_categorical_refuses_in_tensorflows_words(arguments: Any, error: Any, text: str) -> None:
    expected = ad.errors.InvalidArgumentError if error == "arg" else error
    ad_random.set_seed(1)
    first = ad_random.categorical([[0.0] * 99], 5).numpy()
    ad_random.set_seed(1)
    with pytest.raises(expected, match=text):
        ad_random.categorical(**{"logits": [[0.0, 1.0]], "num_samples": 2, **arguments})
    np.testing.assert_array_equal(ad_random.categorical([[0.0] * 99], 5).numpy(), first)


def test_a_stateless_draw_refuses_under_its_own_name() -> None:
    with pytest.raises(ad.errors.InvalidArgumentError, match=r"not \[3\].*Op:StatelessMultinomial"):
        ad_random.stateless_categorical([[0.0, 1.0]], 2, [1, 2, 3])


@pytest.mark.parametrize("samples", [1, 4000])
def test_draws_come_as_often_as_their_logits_say(samples: int) -> None:
    ad_random.set_seed(3)
    shares = np.array([0.1, 0.2, 0.7])
    drawn = ad_random.categorical(np.log([shares] * (4000 // samples)), samples).numpy()
    np.testing.assert_allclose(np.bincount(drawn.reshape(-1)) / 4000, shares, atol=0.03)


def test_bounds_mean_and_deviation_have_gradients_and_the_numbers_none() -> None:
    high, mean, rows = ad.Variable([1.0, 2.0]), ad.Variable(1.0), ad.Variable([1.0, 2.0, 3.0])
    ad_random.set_seed(1)
    drawn = ad_random.uniform([2]).numpy()
    ad_random.set_seed(1)
    with ad.GradientTape(persistent=True) as tape:
        scaled = ad_random.uniform([2], maxval=high)
        moved = ad_random.normal([], mean=mean)
        shuffled = ad_random.shuffle(rows)
        drawn_class = ad.cast(ad_random.categorical([rows], 2), ad.float32)
    np.testing.assert_array_equal(tape.gradient(scaled, high), drawn)
    assert tape.gradient(moved, mean).numpy() == 1.0
    assert tape.gradient(shuffled, rows) is None
    assert tape.gradient(drawn_class, rows) is None


@pytest.mark.parametrize(
    ("seed", "text"),
    [
        ([1, 2, 3], r"seed must have shape \[2\], not \[3\]"),
        (5, r"seed must have shape \[2\], not \[\]"),
        ([1.5, 2], "Value for attr 'Tseed' of float is not in the list of allowed values"),
    ],
)
def test_a_stateless_seed_is_two_integers(seed: Any, text: str) -> None:
    with pytest.raises(ad.errors.InvalidArgumentError, match=text):
        ad_random.stateless_uniform([1], seed)


def test_a_generator_keeps_to_itself() -> None:
    ad_random.set_seed(1)
    expected = ad_random.uniform([2]).numpy()
    ad_random.set_seed(1)
    with pytest.raises(TypeError, match="A seed must be an integer, got 1.5"):
        ad_random.Generator.from_seed(1.5)  # type: ignore[arg-type]
    ad_random.Generator.from_seed(1).normal([5])
    ad_random.stateless_normal([5], [1, 2])
    np.testing.assert_array_equal(ad_random.uniform([2]).numpy(), expected)


def test_threads_never_share_a_stream() -> None:
    ad_random.set_seed(1)
    taken: list[Any] = []

    def draw(own: int | None) -> None:
        taken.extend(seeds.open_stream("kernel", 4, own) for _ in range(500))

    threads = [threading.Thread(target=draw, args=(own,)) for own in (None, None, 7, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(taken)) == 2000
