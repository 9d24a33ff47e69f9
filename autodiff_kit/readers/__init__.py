"""Layer 5: readers of a tape. They look at what the engine wrote down; the engine never imports them.

One idea: everything a learner wants to know about a gradient is on the tape already.
"""
