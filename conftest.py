"""What every test run shares: the notebook plug-in, doctests, and Hypothesis without a clock."""

import hypothesis
import pytest

pytest_plugins = ["notebook_pytest"]

# How long an example takes says nothing about whether it is right.
hypothesis.settings.register_profile("kit", deadline=None, print_blob=True)
hypothesis.settings.load_profile("kit")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """An example in a docstring is a learner's program, though it is run with the module's globals."""
    if isinstance(item, pytest.DoctestItem) and item.dtest is not None:
        item.dtest.globs.pop("__autodiff_kit__", None)
