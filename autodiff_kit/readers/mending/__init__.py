"""Layer 5: the code that is to stand in place of what the learner wrote.

One idea: code keeps the learner's whole expression and names, and can be put in literally, or there is
none.
"""
