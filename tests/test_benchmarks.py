"""The benchmarks measure what they say: all sides compute the same. Nothing is timed here."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest

import autodiff_kit as ad
from benchmarks import cold, explaining, measuring, memory, tables
from benchmarks.__main__ import arguments, check
from benchmarks.libraries import installed
from benchmarks.workloads import WORKLOADS

KIT = installed(["kit"])[0]


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_kit_and_hand_written_numpy_agree(workload):
    check(workload, KIT)


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_the_check_sees_a_wrong_gradient(workload):
    class Wrong(type(KIT)):
        def to_numpy(self, x):
            return x.numpy() * np.float32(1.01)

    with pytest.raises(AssertionError):
        check(workload, Wrong())


def test_names_are_unique():
    names = [workload.name for workload in WORKLOADS]
    assert len(set(names)) == len(names)


def test_nothing_is_left_in_reference_cycles():
    assert memory.cycles(memory.programs(KIT)) == {workload.name: 0 for workload in WORKLOADS}


def test_cycles_are_seen():
    def cyclic():
        loop = []
        loop.append(loop)

    assert memory.cycles({"cyclic": cyclic}) == {"cyclic": 1}


def test_a_plain_tape_lets_go_and_a_persistent_one_keeps():
    size = 10_000
    plain, persistent = memory.alive(False, size), memory.alive(True, size)
    assert plain["after the way there"] > 0.9  # exp(x), which a rule needs
    assert plain["after gradient"] < 0.5
    assert persistent["after gradient"] > 0.9


def test_bytes_and_peaks_are_counted():
    assert 0 < memory.bytes_per_operation(KIT)["traced"] < 1000
    assert set(memory.peaks(KIT, tiny=True)) == set(memory.PEAKS)


def test_without_lines_the_gradients_are_the_same_and_afterwards_lines_are_back():
    calls = explaining.rows(KIT, tiny=True)
    expected = {name: [g.numpy() for g in call()] for name, call in calls.items()}
    assert set(expected) == set(explaining.ROWS)
    x = ad.constant(2.0)
    with explaining.without_lines():
        assert (x * x)._home[1] is None
        for name, call in calls.items():
            for one, other in zip(call(), expected[name], strict=True):
                np.testing.assert_array_equal(one.numpy(), other)
    assert (x * x)._home[1].co_filename == __file__


def test_a_ratio_is_taken_within_its_round():
    result = measuring.summary([2.0, 8.0, 20.0], [1.0, 4.0, 10.0])
    assert result == (8.0, 2.0, 2.0, 2.0)


def test_nothing_is_a_multiple_of_no_time():
    result = measuring.summary([2.0, 8.0], [1.0, 0.0])  # as a clock shows that steps by 16 ms
    assert result.seconds == 5.0 and math.isnan(result.ratio)


def test_a_row_says_median_and_spread():
    numpy = measuring.Result(1e-5, 1, 1, 1)._asdict()
    kit = measuring.Result(2.5e-5, 2.5, 2.4, 2.6)._asdict()
    row = tables.speed_row("chain", 3, {"numpy": numpy, "kit": kit}, ["kit", "torch"])
    assert row.split() == ["chain", "10", "µs", "3", "2.50", "(2.40–2.60)", "—"]


def test_the_installed_size_counts_files(tmp_path):
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_bytes(b"12345")
    (tmp_path / "a.py").write_bytes(b"123")
    assert cold.size_of(str(tmp_path)) == 3


def test_the_command_writes_json(tmp_path):
    file = tmp_path / "results.json"
    command = [sys.executable, "-m", "benchmarks", "--libraries", "kit", "--only", "third"]
    command += ["--rounds", "2", "--seconds", "0.001", "--parts", "speed", "--json", str(file)]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    found = json.loads(file.read_text(encoding="utf-8"))
    assert set(found["speed"]["third derivative"]["results"]) == {"numpy", "kit"}


def test_a_part_that_does_not_exist_is_refused(capsys):
    assert arguments([]).parts == ["speed", "lines", "memory", "cold"]
    with pytest.raises(SystemExit):
        arguments(["--parts", "speeds"])
    assert "argument --parts: invalid choice: 'speeds'" in capsys.readouterr().err
