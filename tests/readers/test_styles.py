"""`ad.explain` names the true cause however the program is written."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from readers.styles import STYLES


@pytest.mark.parametrize("name", STYLES)
def test_status_cause_and_line(name: str, tmp_path: Path) -> None:
    status, cause, text = STYLES[name]
    file = tmp_path / "learner.py"
    file.write_text(text, encoding="utf-8")
    (finding,) = runpy.run_path(str(file))["answer"].findings
    assert (finding.status, finding.cause) == (status, cause), str(finding)
    marks = [n for n, line in enumerate(text.splitlines(), 1) if line.endswith("# here")]
    if marks:
        assert finding.line is not None and [finding.line.number] == marks, str(finding)
