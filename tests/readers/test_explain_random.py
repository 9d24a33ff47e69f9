"""`explain` says "connected" exactly when the gradient is not None, whatever the program."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import autodiff_kit as ad
from readers.random_programs import Program


@pytest.mark.parametrize("block", range(20))
def test_connected_exactly_when_there_is_a_gradient(block: int) -> None:
    for seed in range(block * 25, block * 25 + 25):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ad.GradientWarning)
            program = Program(seed)
        target = program.values[-1]
        gradients = program.tape.gradient(target, program.sources)
        findings = ad.explain(program.tape, target, program.sources).findings
        for gradient, finding in zip(gradients, findings, strict=True):
            assert finding.connected == (gradient is not None), (seed, str(finding))
            assert finding.why and (finding.status == "flows" or finding.cause), seed
            if gradient is not None:
                sick = not np.all(np.isfinite(gradient.numpy()))
                dead = not np.any(gradient.numpy())
                expected = "not finite" if sick else "zero" if dead else "flows"
                assert finding.status == expected, (seed, str(finding))
