"""The notebooks alone notice a broken engine: five faults here, all with tools/break_engine.py."""

import re

import pytest

from break_engine import first_red, is_near, put_in
from engine_faults import FAULTS
from notebook_pytest import ROOT

SOME = [
    "where gives each branch the other one's gradient",
    "the mean's gradient without 1/n",
    "watch is ignored",
    "the random seed is off by one",
    "explain names the next line",
]
CHEAP = [fault for fault in FAULTS if fault.name in SOME]


def test_the_names_are_those_of_faults():
    assert len(CHEAP) == len(SOME)
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault_can_still_be_put_in(fault):
    """Its text stands once in its file, and what it makes of it can be compiled."""
    text = (ROOT / "autodiff_kit" / fault.file).read_text("utf-8")
    compile(put_in(text, fault), fault.file, "exec")


def test_a_fault_that_is_out_of_date_is_refused():
    with pytest.raises(ValueError, match="stands 0 times in .* up to date"):
        put_in("x = 1", FAULTS[0])


def test_the_copy_is_green_without_a_fault():
    """Else the reds below would prove nothing."""
    assert first_red(None, lambda path: any(is_near(fault)(path) for fault in CHEAP)) is None


@pytest.mark.parametrize("fault", CHEAP, ids=lambda fault: fault.name)
def test_broken_engine_is_noticed(fault):
    red = first_red(fault, is_near(fault))
    assert red, "no notebook noticed"
    notebook, reason = red
    assert notebook[:2] in fault.near.split()
    assert re.match(r"Cell \d+: (output \d+|stored outputs): ", reason), (
        "red, but not by its output"
    )
