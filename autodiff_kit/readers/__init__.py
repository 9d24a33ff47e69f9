"""Layer 5: readers of a tape. They look at what the engine wrote down; the engine never imports them.

One idea: everything a learner wants to know about a gradient is on the tape already, or stands in the
learner's own program. `explain`, `replay` and `draw` are the public ones. What they are made of is in
packages, and each imports only from those that stand before it:

| package | what it knows |
|---|---|
| `program` | the learner's program as text: which expression an instruction belongs to |
| `facts` | one source and one target: names, values, lines, what the tape did when |
| `shown` | how records, rules and numbers are shown: tables, symbols, pictures |
| `mending` | the code that is to stand in place of what the learner wrote |
| `lost` | ways that end although a gradient flows on others |
| `missing` | the causes of a None |
| `zero` | the causes of a zero |
| `not_finite` | the causes of NaN and infinity |
| `flowing` | what may be amiss with a gradient that flows |
"""
