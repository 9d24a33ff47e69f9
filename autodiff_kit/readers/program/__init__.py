"""Layer 5: the learner's program, read as text.

One idea: the tape notes an instruction; the source says which expression that is, and what it leads to.
"""
