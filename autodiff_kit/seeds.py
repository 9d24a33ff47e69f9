"""Layer 0. Which stream of random numbers an operation gets.

One idea: as in TensorFlow, two seeds name a stream: the global one is the key, and the operation's
own, or else one drawn for it from the global seed, is the upper half of the counter.

Source: https://www.tensorflow.org/api_docs/python/tf/random/set_seed
"""

from __future__ import annotations

import operator
import random
import threading
from typing import Any

from autodiff_kit.philox import Stream

# What `secrets.randbits` is, without the time that `secrets` takes to import OpenSSL.
_true_random = random.SystemRandom().getrandbits
_LARGEST = 2**31 - 1
_NO_GLOBAL_SEED = 87654321  # stands in for it where only the operation has a seed


class _State:
    def __init__(self, seed: int | None) -> None:
        self.seed = seed
        self.source = random.Random(seed)
        # Blocks used of each stream that an operation's own seed names, by kernel and seeds:
        # TensorFlow keeps one running kernel for each, so a second call goes on where one ended.
        self.used: dict[tuple[Any, ...], int] = {}


_state = _State(None)
_lock = threading.Lock()


def set_seed(seed: int | None) -> None:
    """Set the global seed, and start every stream anew.

    Args:
      seed: an integer; None makes the streams unpredictable again.

    Raises:
      TypeError: if `seed` is not an integer.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/set_seed

    >>> import autodiff_kit as ad
    >>> ad.random.set_seed(1)
    >>> first = ad.random.uniform([]).numpy()
    >>> ad.random.set_seed(1)
    >>> bool(ad.random.uniform([]).numpy() == first)
    True
    """
    global _state
    fresh = _State(None if seed is None else _integer(seed))
    with _lock:
        _state = fresh


def open_stream(kernel: str, blocks: int, seed: Any = None) -> Stream:
    """Return the stream for one call of an operation, and mark its blocks as used.

    Args:
      kernel: the operation and the dtypes that tell its kernels apart.
      blocks: how many blocks of four words TensorFlow sets aside for the call.
      seed: the operation's own seed, an integer, or None.

    Raises:
      TypeError: if `seed` is not an integer.
    """
    wanted = None if seed is None else _integer(seed)
    with _lock:
        if wanted is not None:
            return _running(kernel, blocks, _pair(_state.seed, wanted))
        if _state.seed is None:
            return Stream(_true_random(64), _true_random(128))
        return _start(_pair(_state.seed, _state.source.randint(0, _LARGEST)))


def _running(kernel: str, blocks: int, seeds: tuple[int, int]) -> Stream:
    used = _state.used.get((kernel, seeds), 0)
    _state.used[kernel, seeds] = used + blocks
    return _start(seeds).skip(used)


def _start(seeds: tuple[int, int]) -> Stream:
    return Stream(seeds[0], seeds[1] << 64)


def _pair(seed: int | None, own: int) -> tuple[int, int]:
    first = _NO_GLOBAL_SEED if seed is None else seed % _LARGEST
    # Two zeros would ask TensorFlow's kernels for an unpredictable stream.
    return (first, own % _LARGEST) if first or own % _LARGEST else (0, _LARGEST)


def _integer(seed: Any) -> int:
    try:
        return operator.index(seed)
    except TypeError:
        raise TypeError(
            f"A seed must be an integer, got {seed!r}; for example ad.random.set_seed(1)"
        ) from None
