"""Layer 5: how readers show what they found.

One idea: the same graph, step or number can be shown in words, as a table and as a picture.
"""
