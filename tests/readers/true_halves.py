"""Programs that compute in float16, in part or altogether; see `true_programs`."""

from readers.true_programs import VALUE, truth

SICK = ("not finite", "data not finite")
truth(
    "finite data that a cast to float16 made infinite",
    (*SICK, "MatMul"),
    "`ad.cast(data, ad.float16)` holds inf (1 of 2 values)|`data` is finite, and the cast|65504|1e+06",
    """
x, data = ad.Variable([[1.0, 0.0], [0.0, 1.0]]), np.array([[1e6, 1.0]], "float32")
with ad.GradientTape() as tape, np.errstate(over="ignore"):
    weights = ad.cast(x, ad.float16)
    loss = ad.reduce_sum(ad.cast(data, ad.float16) @ weights)  # here
ad.explain(tape, loss, x)
""",
    False,
)
truth(
    "a loss scale that float16 does not have",
    (*SICK, "Mul"),
    "`2.0 ** 20` is finite, and the cast to float16 made it so|smaller before the cast",
    """
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape, np.errstate(over="ignore"):
    loss = ad.reduce_sum(ad.cast(x, ad.float16) ** 2)
    loss = loss * ad.cast(2.0 ** 20, loss.dtype)  # here
ad.explain(tape, loss, x)
""",
    False,
)
truth(
    "data that was cast to float16 somewhere else",
    (*SICK, "Mul"),
    "It was cast to float16, and may have been finite before",
    """
def halves(data):
    return ad.cast(data * 1e6, ad.float16)
x = ad.Variable([1.0, 2.0])
with ad.GradientTape() as tape, np.errstate(over="ignore"):
    loss = ad.reduce_sum(ad.cast(x, ad.float16) * halves(np.ones(2, "float32")))  # here
ad.explain(tape, loss, x)
""",
    False,
)
truth(
    "a cast to float32 that made infinities",
    (*VALUE, "Cast"),
    "float32 ends at 3.4e38, and the largest number here is 1e+300|stay in ad.float64",
    """
x = ad.Variable(np.array([1e300, 2.0]))
with ad.GradientTape() as tape, np.errstate(over="ignore"):
    loss = ad.reduce_sum(ad.cast(x, ad.float32) ** 2)  # here
ad.explain(tape, loss, x)
""",
    False,
)
for name, line, words in (
    (
        "a variable that is cast",
        "h = ad.cast(x, ad.float16)",
        "number here is 1e+06: the cast makes",
    ),
    ("exp", "h = ad.exp(ad.cast(x * 2e-5, ad.float16))", "(in float16 above 11)|ad.float32, which"),
    ("a product", "h = ad.cast(x * 1e-3, ad.float16) * 100.0", "float16 ends at 65504|ad.float32"),
):
    op = {"h = ad.c": "Cast", "h = ad.e": "Exp"}[line[:8]] if "100.0" not in line else "Mul"
    truth(
        f"overflow in float16: {name}",
        (*VALUE, op),
        words,
        f"""
x = ad.Variable([1e6, 2.0])
with ad.GradientTape() as tape, np.errstate(over="ignore"):
    {line}  # here
    loss = ad.reduce_sum(ad.cast(h, ad.float32) ** 2)
ad.explain(tape, loss, x)
""",
        False,
    )
truth(
    "a gradient that vanished in float16",
    ("zero", "vanished", "Pow"),
    "too small for float16|between 0 and 6e-8|loss scaling",
    """
x = ad.Variable([1e-3, 2e-3])
with ad.GradientTape() as tape:
    out = ad.cast(x, ad.float16)
    loss = ad.reduce_mean(ad.cast((1e-3 * out) ** 2 * 1e-2, ad.float32))  # here
ad.explain(tape, loss, x)
""",
    False,
)
truth(
    "what keeps a denominator from 0 is 0 in float16",
    (*VALUE, "RealDiv"),
    "1e-8 is 0 in float16|instead of var + 1e-8",
    """
x = ad.Variable([2.0, 2.0])
with ad.GradientTape() as tape:
    h = ad.cast(x, ad.float16)
    var = ad.math.reduce_variance(h)
    y = (h - ad.reduce_mean(h)) / ad.sqrt(«var + 1e-8»)  # here
    loss = ad.reduce_sum(ad.cast(y, ad.float32) ** 2 + x)
ad.explain(tape, loss, x)
""",
)
truth(
    "what keeps a denominator from 0 has a name",
    (*VALUE, "RealDiv"),
    "In float16 everything below 6e-8 is 0",
    """
def normed(h, eps):
    return h / (ad.reduce_sum(h) + eps)  # here
x = ad.Variable([0.0, 0.0], dtype=ad.float16)
with ad.GradientTape() as tape:
    loss = ad.reduce_sum(normed(x, 1e-8) ** 2)
ad.explain(tape, loss, x)
""",
    False,
)
truth(
    "a mask of -1e9 in float16",
    (*VALUE, "Softmax"),
    "At [1] everything along axis 1 is -inf|such as -3e4|float16 ends at 65504",
    """
x, mask = ad.Variable([[1.0, 2.0], [3.0, -4.0]]), np.array([[1, 1], [0, 0]], "float16")
with ad.GradientTape() as tape, np.errstate(over="ignore", invalid="ignore"):
    bias = ad.cast((1.0 - mask.astype("float32")) * -1e9, ad.float16)
    loss = ad.reduce_sum(ad.nn.softmax(ad.cast(x, ad.float16) + bias) * [1.0, 2.0])  # here
ad.explain(tape, loss, x)
""",
    False,
)
truth(
    "float16, and all is well",
    ("flows", "flows", ""),
    "a gradient flows",
    """
x, data = ad.Variable([[1.0, 0.0], [0.0, 1.0]]), np.array([[60000.0, 1.0]], "float32")
with ad.GradientTape() as tape:
    h = ad.cast(data, ad.float16) @ ad.cast(x, ad.float16)
    loss = ad.reduce_sum(ad.cast(h, ad.float32))
ad.explain(tape, loss, x)
""",
    False,
)
for name, told, loss in (
    ("root", ("not finite", "not finite", "Sqrt"), "0.1 * ad.reduce_sum(ad.sqrt(«x * x + 1e-8»))"),
    ("logarithm", (*VALUE, "Log"), "-ad.reduce_mean(ad.math.log(«x * x + 1e-8»))"),
):
    truth(
        f"what is added before a {name} is 0 in float16",
        told,
        "1e-8 is 0 in float16, which has nothing between 0 and 6e-8|x * x + 1e-4",
        f"""
x = ad.Variable([0.0, 2.0], dtype=ad.float16)
with ad.GradientTape() as tape:
    loss = {loss}  # here
ad.explain(tape, loss, x)
""",
    )
