"""What every test run shares: the notebook plug-in, and Hypothesis without a clock."""

import hypothesis

pytest_plugins = ["notebook_pytest"]

# How long an example takes says nothing about whether it is right.
hypothesis.settings.register_profile("kit", deadline=None, print_blob=True)
hypothesis.settings.load_profile("kit")
