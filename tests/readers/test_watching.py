"""The code that lets a tape watch something has a name that is there in the block."""

from __future__ import annotations

import pytest

from readers.test_told import run

LAYERS = """
layers = [({}(2.0){}, ad.Variable(0.0)), ({}(3.0){}, ad.Variable(1.0))]
for step in range(2):
    with ad.GradientTape() as tape:
        loss = ad.constant(1.0)
        for w, b in layers:
            loss = loss * w + b
    params = [v for layer in layers for v in layer]
    answer = ad.explain(tape, loss, params)
"""
INSIDE = """
def start():
    z = ad.{}
    return z, z * 2.0
def ask():
    with ad.GradientTape() as tape:
        z, loss = start()
        loss = loss * z
    code = z
    return ad.explain(tape, loss, code)
answer = ask()
"""
PRIVATE = """
class Model:
    def __init__(self):
        self._start = ad.constant(2.0)
    def __call__(self):
        return ad.nn.relu(self._start * 2.0)
model = Model()
with ad.GradientTape() as tape:
    loss = model() * 3.0
start = model._start
ad.explain(tape, loss, start)
"""
NOWHERE = """
def make():
    kept = ad.constant(2.0)
    return lambda asked=False: kept if asked else ad.nn.relu(kept * 2.0)
model = make()
with ad.GradientTape() as tape:
    loss = model() * 3.0
start = model(True)
ad.explain(tape, loss, start)
"""
UNUSED = """
w, {} = ad.Variable(2.0), [[ad.constant(2.0)], [ad.constant(3.0)]]
with ad.GradientTape() as tape:
    loss = w * 2.0
    for row in {}:
        loss = loss {}
{}ad.explain(tape, loss, parts[0][0])
"""


@pytest.mark.parametrize(
    "made, more", [("ad.constant", ""), ("ad.constant", " - 1.0"), ("ad.Variable", " - 1.0")]
)
def test_a_list_that_is_made_below_the_block_is_not_named_in_it(made: str, more: str) -> None:
    text = LAYERS.format(made, more, made, more)
    findings = run(text).findings
    assert [one.status for one in findings] == ["none", "flows", "none", "flows"]
    for number, name in ((0, "layers[0][0]"), (2, "layers[1][0]")):
        code = findings[number].fix
        assert code.startswith(f"tape.watch({name}) "), code
        mended = text.replace("as tape:\n", f"as tape:\n        {code}\n")
        assert run(mended).findings[number].status == "flows"


@pytest.mark.parametrize("made", ["constant(2.0)", "Variable(2.0, trainable=False)"])
def test_what_is_made_inside_is_watched_right_after(made: str) -> None:
    text = INSIDE.format(made)
    found = run(text).findings[0]
    assert found.status == "none"
    if "constant" in made:
        assert found.fix == "tape.watch(z)    # right after it is made"
        mended = text.replace("= start()\n", f"= start()\n        {found.fix}\n")
        assert run(mended).findings[0].status == "flows"
    assert "code" not in found.fix


def test_a_name_that_is_there_in_time_is_taken() -> None:
    code = run(PRIVATE).findings[0].fix
    assert code.startswith("tape.watch(model._start) "), code
    mended = PRIVATE.replace("as tape:\n", f"as tape:\n    {code}\n")
    assert run(mended).findings[0].status == "flows"


def test_where_no_name_leads_to_it_in_time_there_is_no_code() -> None:
    found = run(NOWHERE).findings[0]
    assert not found.fix and "`start` is not there yet" in found.advice, str(found)


@pytest.mark.parametrize("name", ["parts", "others"])
def test_what_a_loop_takes_from_a_list_of_lists_is_used(name: str) -> None:
    after = "" if name == "parts" else "parts = [*others]\n"
    found = run(UNUSED.format(name, name, "* row[0]", after)).findings[0]
    assert "a tape watches only trainable variables" in found.why, str(found)


def test_what_nothing_takes_from_a_list_of_lists_is_not() -> None:
    found = run(UNUSED.format("parts", "range(2)", "* row", "")).findings[0]
    assert "`loss` was not computed from `parts[0][0]`" in found.why, str(found)


def test_a_block_in_a_function_may_run_when_the_name_is_there() -> None:
    found = run("""
def value_and_grad(function):
    def wrapped(*params):
        with ad.GradientTape() as tape:
            value = function(*params)
        return value, tape
    return wrapped
u = ad.constant([1.0, 2.0])
value, tape = value_and_grad(lambda q: ad.reduce_sum(q * q))(u)
ad.explain(tape, value, u)
""").findings[0]
    assert not found.fix and "before it is used; take the name that it has there" in found.advice


FRESH = """
W = np.array([[0.1, 0.2], [0.3, 0.4]], "float32")
x = ad.constant([[1.0, 2.0]])
{more}
with ad.GradientTape() as tape:
    tape.watch(ad.constant(W))
    y = ad.reduce_sum({given})
ad.explain(tape, y, {asked})
"""


@pytest.mark.parametrize("more", ["", "w = ad.Variable(3.0)"])
@pytest.mark.parametrize(
    "asked", ["ad.constant(W)", "ad.cast(W, ad.float32)", "ad.convert_to_tensor(W)", "x[:, 0]"]
)
def test_a_copy_that_is_made_for_the_question_has_to_be_watched_too(more: str, asked: str) -> None:
    used = "x" if "x" in asked else "W"
    given = f"{used} ** 2" + " * w" * bool(more)
    (found,) = run(FRESH.format(more=more, given=given, asked=asked)).findings
    assert found.cause == "new expression", str(found)
    code = found.fix.replace("\n", "\n    ")
    given = given.replace(used, "moved", 1)
    text = FRESH.format(more=more, given=given, asked="moved")
    text = text.replace("    y =", f"    {code}\n    y =")
    assert run(text).findings[0].status == "flows", text


def test_what_is_made_of_a_variable_need_not_be_watched() -> None:
    (found,) = run("""
w = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = (w + 1.0) ** 2
ad.explain(tape, y, w + 1.0)
""").findings
    assert found.cause == "new expression" and "watch" not in found.fix, str(found)


def test_so_has_one_that_is_made_where_the_block_still_runs() -> None:
    text = FRESH.format(more="", given="x @ W", asked="ad.constant(W)")
    (found,) = run(text.replace("\nad.", "\n    answer = ad.")).findings
    assert "moved = ad.constant(W)\ntape.watch(moved)" in found.fix, str(found)
