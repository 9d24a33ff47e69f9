"""Layer 5: what may be amiss with a gradient that flows.

One idea: a remark is no verdict. `what` asks for each kind of fault, and only what is certain is said.
"""
