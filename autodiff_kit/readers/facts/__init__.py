"""Layer 5: what is known about one source and one target.

One idea: facts are gathered here, once; causes and code are found by those who ask for them.
"""
