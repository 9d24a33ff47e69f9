"""Layer 5: the causes of a gradient that is zero everywhere.

One idea: `why` finds the step where the last gradient became zero, and asks what was there.
"""
