"""Layer 0. TensorFlow's random numbers as plain NumPy; knows nothing of tapes or tensors.

One idea: Philox turns (key, counter) into four random words without any state, so a stream is
just its starting point, and every number in it can be computed on its own.

Sources: Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011), and the kernels
behind https://www.tensorflow.org/api_docs/python/tf/random
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

Array = NDArray[Any]

_ROUNDS = 10
# Constants beside arrays are arrays of shape (): with few words NumPy takes half the time.
_MULTIPLIERS = np.array(0xD2511F53, np.uint64), np.array(0xCD9E8D57, np.uint64)
_KEY_STEPS = np.array([[0x9E3779B9, 0xBB67AE85]], np.uint64) * np.arange(
    _ROUNDS, dtype=np.uint64
).reshape(-1, 1)
_LOW = np.array(0xFFFFFFFF, np.uint64)
_SHIFT = np.array(32, np.uint64)
_MASK32, _MASK64, _MASK128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1

# TensorFlow leaves room for this many words per truncated normal, however many it discards.
_TRUNCATED_RESERVE = 256
_TRUNCATED_BOUND = 2.0


class Stream(NamedTuple):
    """Where a sequence of random words starts: a 64-bit key and a 128-bit counter.

    >>> Stream(key=1, counter=0).skip(3)
    Stream(key=1, counter=3)
    """

    key: int
    counter: int

    def skip(self, blocks: int) -> Stream:
        """Return the stream that starts `blocks` blocks of four words later."""
        return Stream(self.key, (self.counter + blocks) & _MASK128)


def blocks(stream: Stream, offsets: Array) -> Array:
    """Return the uint32 words, shape (n, 4), of the n blocks at the given uint64 offsets.

    >>> [hex(word) for word in blocks(Stream(0, 0), np.zeros(1, np.uint64))[0]]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    low = offsets + np.uint64(stream.counter & _MASK64)
    high = np.uint64(stream.counter >> 64) + (low < offsets).astype(np.uint64)
    words = [low & _LOW, low >> _SHIFT, high & _LOW, high >> _SHIFT]
    key = np.array([stream.key & _MASK32, stream.key >> 32 & _MASK32], np.uint64)
    for keys in (key + _KEY_STEPS) & _LOW:
        even, odd = words[0] * _MULTIPLIERS[0], words[2] * _MULTIPLIERS[1]
        words = [
            (odd >> _SHIFT) ^ words[1] ^ keys[0, ...],
            odd & _LOW,
            (even >> _SHIFT) ^ words[3] ^ keys[1, ...],
            even & _LOW,
        ]
    return np.stack(words, axis=1).astype(np.uint32)


def integers(stream: Stream, size: int, low: int, high: int, dtype: DTypeLike) -> Array:
    """Return `size` integers in [low, high), as int32 or int64: low + word mod (high - low).

    >>> integers(Stream(1, 2), 4, 0, 10, np.int32).tolist()
    [2, 1, 2, 4]
    """
    words = _words(stream, size, dtype)
    span = words.dtype.type(high - low)
    start = words.dtype.type(low & int(np.iinfo(words.dtype).max))
    return (start + words % span).view(dtype)


def any_integers(stream: Stream, size: int, dtype: DTypeLike) -> Array:
    """Return `size` integers of 32 or 64 bits: the words as they are.

    >>> any_integers(Stream(1, 2), 2, np.int32).tolist()
    [1062581232, -1904816995]
    """
    return _words(stream, size, dtype).view(dtype)


def uniform(stream: Stream, size: int, dtype: DTypeLike) -> Array:
    """Return `size` floats in [0, 1) as float16, float32 or float64.

    >>> uniform(Stream(1, 2), 2, np.float16).tolist()
    [0.984375, 0.1533203125]
    """
    return _fractions(_words(stream, size, dtype), np.dtype(dtype))


def normal(stream: Stream, size: int, dtype: DTypeLike) -> Array:
    """Return `size` standard normal floats as float16, float32 or float64 (Box-Muller).

    >>> normal(Stream(1, 2), 3, np.float32).shape
    (3,)
    """
    per_block = _per_block(dtype)
    offsets = np.arange(-(-size // per_block), dtype=np.uint64)
    return _box_muller(blocks(stream, offsets), dtype).reshape(-1)[:size].astype(dtype)


def truncated_normal(stream: Stream, size: int, dtype: DTypeLike) -> Array:
    """Return `size` standard normal floats, those beyond two deviations drawn again.

    >>> bool(np.all(np.abs(truncated_normal(Stream(1, 2), 100, np.float32)) < 2))
    True
    """
    width = _per_block(dtype)
    groups = -(-size // width)
    starts = np.arange(groups, dtype=np.uint64) * np.uint64(width * _TRUNCATED_RESERVE // 4)
    kept = np.empty((groups, width), np.float64)
    filled = np.zeros(groups, np.intp)
    pending, step = np.arange(groups), 0
    while pending.size:
        drawn = _box_muller(blocks(stream.skip(step), starts[pending]), dtype)
        for column in drawn.T:
            good = (np.abs(column) < _TRUNCATED_BOUND) & (filled[pending] < width)
            rows = pending[good]
            kept[rows, filled[rows]] = column[good]
            filled[rows] += 1
        pending, step = pending[filled[pending] < width], step + 1
    return kept.reshape(-1)[:size].astype(dtype)


def permutation(stream: Stream, size: int) -> Array:
    """Return the numbers 0 .. size-1 in random order (Fisher and Yates, from the front).

    >>> sorted(permutation(Stream(1, 2), 5).tolist())
    [0, 1, 2, 3, 4]
    """
    order = list(range(size))
    for i, word in enumerate(_words(stream, max(size - 1, 0), np.int32).tolist()):
        j = i + word % (size - i)
        order[i], order[j] = order[j], order[i]
    return np.array(order, np.intp)


def choices(stream: Stream, logits: Array, samples: int) -> Array:
    """Return `samples` classes for each row of logits, as int64; if none is finite, their number.

    >>> choices(Stream(1, 2), np.log([[0.5, 0.5], [1.0, 1e-9]]), 3).tolist()
    [[0, 1, 0], [0, 0, 0]]
    """
    rows, classes = logits.shape
    found = np.isfinite(logits)
    largest = np.where(found, logits, np.finfo(logits.dtype).min).max(axis=1, keepdims=True)
    above = np.where(found, logits.astype(np.float64) - largest.astype(np.float64), -np.inf)
    sums = np.cumsum(np.exp(above), axis=1)
    wanted = uniform(stream, rows * samples, np.float64).reshape(rows, samples) * sums[:, -1:]
    drawn = np.empty((rows, samples), np.int64)
    if samples < rows:  # the shorter of the two loops
        for column, those in enumerate(wanted.T):
            drawn[:, column] = np.count_nonzero(sums <= those[:, None], axis=1)
    else:
        for row, those in enumerate(wanted):
            drawn[row] = sums[row].searchsorted(those, "right")
    return drawn


def _per_block(dtype: DTypeLike) -> int:
    return 16 // max(np.dtype(dtype).itemsize, 4)


def _words(stream: Stream, size: int, dtype: DTypeLike) -> Array:
    count = -(-size // _per_block(dtype))
    words = blocks(stream, np.arange(count, dtype=np.uint64))
    return _paired(words, dtype).reshape(-1)[:size]


def _paired(words: Array, dtype: DTypeLike) -> Array:
    if np.dtype(dtype).itemsize < 8:
        return words
    # Joined by arithmetic, because a view would depend on the byte order of the machine.
    wide = words.astype(np.uint64)
    return wide[:, ::2] | wide[:, 1::2] << _SHIFT


def _fractions(words: Array, dtype: DTypeLike) -> Array:
    # A mantissa's worth of bits, read as a fraction of one: exact in the type itself.
    bits = np.finfo(dtype).nmant
    if words.dtype == np.uint64:
        words = (words & np.uint64(0xFFFFF)) << _SHIFT | words >> _SHIFT
    else:
        words = words & np.uint32((1 << bits) - 1)
    return words.astype(dtype) * np.array(2.0**-bits, dtype)


def _box_muller(words: Array, dtype: DTypeLike) -> Array:
    # float16 is computed in float32. Each step is computed in float64 and rounded once, which
    # comes closest to the C library and does not vary with the processor's vector unit.
    kind: Any = np.float64 if np.dtype(dtype).itemsize == 8 else np.float32
    fractions = _fractions(_paired(words, kind), kind).astype(np.float64)
    radial = np.maximum(fractions[:, ::2], kind(1e-7))
    angle = (2 * np.pi * fractions[:, 1::2]).astype(kind).astype(np.float64)
    log = np.log(radial).astype(kind)
    radius = np.sqrt(kind(-2) * log)
    pairs = np.sin(angle).astype(kind) * radius, np.cos(angle).astype(kind) * radius
    return np.stack(pairs, axis=2).reshape(-1, _per_block(dtype))
