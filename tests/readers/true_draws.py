"""More programs for `true_programs.TRUTHS`: a class is drawn, and no gradient comes to its logits.

Importing this adds them.
"""

from __future__ import annotations

from readers.cause_programs import cause

DRAWN = ("no gradient", "Multinomial")
SAID = "a draw is no function that a gradient flows through|REINFORCE|enter `loss`"
HEAD = """
logits = ad.Variable([[0.1, 0.2, 0.3]])
rewards = ad.constant([1.0, 2.0, 4.0])
with ad.GradientTape() as tape:
"""
ASKED = "ad.explain(tape, loss, logits)\n"


def drawn(name: str, body: str, words: str = "", mended: bool = True, before: str = "") -> None:
    lines = [f"    {line}" for line in body.strip().splitlines()]
    lines += ["    # mend"] if mended and "«" not in body else []
    text = before + HEAD + "\n".join([*lines, ASKED])
    cause(name, DRAWN, f"{SAID}|{words}" if words else SAID, text, mended)


LOOKED_UP = "loss = -ad.reduce_sum(ad.gather(rewards, action))"
drawn(
    "a class that is drawn is looked up",
    f"action = ad.random.categorical(logits, 1)  # here\n{LOOKED_UP}",
    "loss += ad.stop_gradient(loss) * ad.reduce_sum(ad.gather(ad.nn.log_softmax(logits), action, "
    "axis=1, batch_dims=1))",
)
drawn(
    "several draws of a row",
    f"action = ad.random.categorical(logits, 5)  # here\n{LOOKED_UP}",
    "Gumbel-softmax",
)
drawn(
    "the first column of the draws has the name",
    f"a = ad.random.categorical(logits=logits, num_samples=1)[:, 0]  # here\n{LOOKED_UP}".replace(
        "action", "a"
    ),
)
drawn(
    "the drawn class is one number",
    "a = ad.random.categorical(logits, 1)[0, 0]  # here\nloss = -ad.gather(rewards, a)",
    "ad.nn.log_softmax(logits)[0, a]",
)
drawn(
    "a drawn class is compared",
    "action = ad.random.categorical(logits, 1)  # here\n"
    "loss = 2.0 - ad.reduce_sum(ad.cast(action == 1, ad.float32))",
)
drawn(
    "a drawn class is a condition",
    "action = ad.random.categorical(logits, 1)  # here\n"
    "loss = -ad.reduce_sum(ad.where(action == 1, 1.0, 2.0))",
)
drawn(
    "a drawn class is a number of Python's",
    "action = ad.random.categorical(logits, 1)  # here\n"
    "loss = ad.constant(-[1.0, 2.0, 4.0][int(action[0, 0])])",
    "what was made of it left the tensors (int()",
)
drawn(
    "what a draw earns is a number of Python's",
    "action = ad.random.categorical(logits, 1)  # here\n"
    "loss = -ad.reduce_sum(rewards) * float(ad.gather(rewards, action)[0, 0])",
    "what was made of it left the tensors (float()",
)
drawn(
    "a drawn class decides for Python",
    "action = ad.random.categorical(logits, 1)[0, 0]  # here\n"
    "loss = ad.constant(1.0) if action == 1 else ad.constant(2.0)",
    "what was made of it only decides which way the program goes",
)
drawn(
    "the draw has a seed of its own",
    f"action = ad.random.categorical(logits, 1, seed=3)  # here\n{LOOKED_UP}",
)
drawn(
    "the logits are a list of one row",
    "rows = ad.identity(logits[0])\naction = ad.random.categorical([rows], 1)  # here\n"
    + LOOKED_UP,
    "ad.gather(ad.nn.log_softmax([rows]), action",
)
drawn(
    "the one-hot vector of a draw",
    "action = ad.random.categorical(logits, 1)[:, 0]  # here\n"
    "loss = -ad.reduce_sum(«ad.one_hot(action, 3)» * rewards)",
    "ad.nn.softmax(logits - ad.math.log(-ad.math.log(ad.random.uniform(ad.shape(logits)))))    "
    "# instead of ad.one_hot(action, 3)",
)
# No code is certain to mend these.
drawn(
    "the draw has no name",
    "loss = -ad.reduce_sum(ad.gather(rewards, ad.random.categorical(logits, 1)))  # here",
    mended=False,
)
drawn(
    "a draw in each round",
    "loss = 0.0\nfor _ in range(3):\n    action = ad.random.categorical(logits, 1)  # here\n"
    "    loss -= ad.reduce_sum(ad.gather(rewards, action))",
    "Each of the 3 draws has such a logarithm",
    False,
)
drawn(
    "the logits are computed in the call",
    f"action = ad.random.categorical(ad.nn.dropout(logits, 0.1), 1)  # here\n{LOOKED_UP}",
    mended=False,
)
drawn(
    "the draws are turned round",
    "action = ad.reverse(ad.random.categorical(ad.tile(logits, [2, 1]), 2), [0])  # here\n"
    + LOOKED_UP,
    mended=False,
)
drawn(
    "a loss for each row",
    "action = ad.random.categorical(logits, 1)  # here\nloss = -ad.gather(rewards, action)",
    mended=False,
)
cause(
    "a draw in a function",
    DRAWN,
    SAID,
    """
w = ad.Variable([[0.1, 0.2, 0.3]])
rewards = ad.constant([1.0, 2.0, 4.0])
def act(state):
    logits = ad.matmul(state, w)
    return ad.random.categorical(logits, 1)  # here
with ad.GradientTape() as tape:
    loss = -ad.reduce_sum(ad.gather(rewards, act([[2.0]])))
ad.explain(tape, loss, w)
""",
)
cause(
    "the target is the draw itself",
    DRAWN,
    "enter the loss",
    """
logits = ad.Variable([[0.1, 0.2, 0.3]])
with ad.GradientTape() as tape:
    action = ad.random.categorical(logits, 1)  # here
ad.explain(tape, action, logits)
""",
)
cause(
    "a rounding before a draw",
    DRAWN,
    "REINFORCE|Before it Round",
    """
x = ad.Variable([[0.1, 0.2, 0.3]])
rewards = ad.constant([1.0, 2.0, 4.0])
with ad.GradientTape() as tape:
    logits = ad.round(x)
    action = ad.random.categorical(logits, 1)  # here
    loss = -ad.reduce_sum(ad.gather(rewards, action))
ad.explain(tape, loss, x)
""",
)
cause(
    "a draw without a state",
    ("no gradient", "StatelessMultinomial"),
    SAID,
    """
logits = ad.Variable([[0.1, 0.2, 0.3]])
rewards = ad.constant([1.0, 2.0, 4.0])
with ad.GradientTape() as tape:
    action = ad.random.stateless_categorical(logits, 1, seed=[1, 2])  # here
    loss = -ad.reduce_sum(ad.gather(rewards, action))
    # mend
ad.explain(tape, loss, logits)
""",
    True,
)
cause(
    "a policy plays a game of NumPy's",
    DRAWN,
    f"{SAID}|ad.gather(ad.nn.log_softmax(logits), actions, axis=1, batch_dims=1)",
    """
ad.random.set_seed(4)
policy = ad.keras.Sequential([ad.keras.layers.Dense(8, "tanh"), ad.keras.layers.Dense(3)])
states = ad.random.normal([5, 4])
kernel = policy(states) is not None and policy.layers[1].kernel
def play(actions):
    return np.array([1.0, 0.0, 2.0], "float32")[actions]
with ad.GradientTape() as tape:
    logits = policy(states)
    actions = ad.squeeze(ad.random.categorical(logits, 1), axis=1)  # here
    loss = -ad.reduce_mean(play(actions.numpy()))
    # mend
ad.explain(tape, loss, kernel)
""",
    True,
)
