"""Layer 5: ways that end although a gradient flows on others.

One idea: a gradient that is there may be only a part of what the learner meant.
"""
