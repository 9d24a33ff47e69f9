"""Layer 5: the causes of a None.

One idea: each cause is recognised by a function of its own; `why` tries them in order, the
certain ones first.
"""
