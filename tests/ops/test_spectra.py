"""Eigenvalues and singular values: what answers of TensorFlow's cannot say, since signs are open."""

from __future__ import annotations

import numpy as np
import pytest

import autodiff_kit as ad

STACK = np.random.default_rng(4).normal(size=(2, 3, 4, 4)).astype(np.float32)


def test_the_parts_make_the_matrix_again() -> None:
    lower = np.tril(STACK) + np.swapaxes(np.tril(STACK, -1), -1, -2)
    w, v = (part.numpy() for part in ad.linalg.eigh(STACK))
    np.testing.assert_allclose(v * w[..., None, :] @ np.swapaxes(v, -1, -2), lower, atol=1e-5)
    assert np.all(np.diff(w) >= 0)
    np.testing.assert_allclose(ad.linalg.eigvalsh(STACK).numpy(), w, atol=1e-5)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("rows", [2, 3, 4])
def test_the_singular_parts_make_the_matrix_again(rows: int, full: bool) -> None:
    for x in (STACK[..., :rows, :3], np.swapaxes(STACK[..., :rows, :3], -1, -2)):
        s, u, v = (part.numpy() for part in ad.linalg.svd(x, full_matrices=full))
        p = s.shape[-1]
        again = u[..., :p] * s[..., None, :] @ np.swapaxes(v[..., :p], -1, -2)
        np.testing.assert_allclose(again, x, atol=1e-5)
        assert np.all(np.diff(s) <= 0) and (u.shape[-1] == u.shape[-2] or not full)
        np.testing.assert_allclose(ad.linalg.svd(x, compute_uv=False).numpy(), s, atol=1e-5)


def test_an_infinity_spoils_its_own_matrix_only() -> None:
    x = np.stack([np.eye(2), [[np.inf, 0.0], [0.0, 1.0]], 2 * np.eye(2)])
    (w, v), (s, u, _) = ad.linalg.eigh(x), ad.linalg.svd(x)
    for part in (w, v, s, u):
        assert np.isfinite(part.numpy()).all(axis=tuple(range(1, part.shape.rank))).tolist() == [
            True, False, True,
        ]  # fmt: skip


@pytest.mark.parametrize("shape", [(4, 2), (2, 4)])
def test_vectors_that_could_be_any_have_no_gradient(shape: tuple[int, int]) -> None:
    x = ad.Variable(np.ones(shape))
    with ad.GradientTape(persistent=True) as tape:
        s, u, _ = ad.linalg.svd(x, full_matrices=True)
        alone = ad.linalg.svd(x, full_matrices=True, compute_uv=False)
    says = r"svd gradient is not implemented for abs\(m - n\) > 1 when full_matrices is True. "
    for target in (s, u):
        with pytest.raises(
            NotImplementedError, match=f"{says}Received: m=2 and n=4; leave full_matrices out"
        ):
            tape.gradient(target, x)
    assert tape.gradient(alone, x).shape == shape
