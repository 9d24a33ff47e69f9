"""Layer 5: the causes of NaN and infinity.

One idea: `why` finds the first value or step that is not finite, and `remedy` what to do about it.
"""
