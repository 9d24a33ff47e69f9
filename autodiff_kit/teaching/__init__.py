"""What the notebooks use besides the engine: predictions that are compared, figures that speak.

One idea: everything a student sees is also text, the same on every machine.
"""

from autodiff_kit.teaching import figures
from autodiff_kit.teaching.errors import show_own_lines
from autodiff_kit.teaching.kept import kept
from autodiff_kit.teaching.predict import compare
from autodiff_kit.teaching.tables import table

__all__ = ["compare", "figures", "kept", "table"]

show_own_lines()
