"""What an object computes when it is made is not on the tape of a later block."""

from __future__ import annotations

import pytest

from readers.test_told import columns, run, told

BELL = """
class Bell:
    def __init__(self, middle, log_width):
        self.middle, self.width = middle, 1.0
        {}
    def height(self, x):
        return ad.exp(-ad.square((x - self.middle) / self.width))
"""
KEPT = BELL.format("self.width = ad.exp(log_width)")
USED = """
middle, log_width = ad.Variable(0.5), ad.Variable(0.2)
{}
with ad.GradientTape() as tape:
    y = bell.height(1.0)
ad.explain(tape, y, log_width)
"""


@pytest.mark.parametrize(
    "made",
    [
        "bell = Bell(middle, log_width)",
        "bell = Bell(log_width=log_width, middle=middle)",
        "bell = Bell(middle.numpy(), log_width)",
    ],
)
def test_what_init_computed_of_an_argument_is_older_than_the_block(made: str) -> None:
    found = told(KEPT + USED.format(made))
    assert found.cause == "outside the tape" and "`bell.width` was computed here" in found.why
    assert found.line.text == "self.width = ad.exp(log_width)"
    assert "`__init__` runs only once" in found.advice


def test_computed_by_the_method_itself_it_flows() -> None:
    lazy = BELL.format("self.log_width = log_width").replace(
        "/ self.width", "/ ad.exp(self.log_width)"
    )
    assert told(lazy + USED.format("bell = Bell(middle, log_width)")).status == "flows"


def test_made_anew_in_the_block_it_flows() -> None:
    text = USED.replace("{}\n", "").replace(
        "as tape:", "as tape:\n    bell = Bell(middle, log_width)"
    )
    assert told(KEPT + text).status == "flows"


def test_what_an_argument_is_computed_to_outside_of_the_class() -> None:
    given = BELL.format("self.width = log_width")
    found = told(given + USED.format("bell = Bell(middle, ad.exp(log_width))"))
    assert found.cause == "outside the tape" and "`bell.width` was computed here" in found.why
    assert found.line.text == "bell = Bell(middle, ad.exp(log_width))"
    assert "runs only once" not in found.advice


def test_of_two_objects_the_text_does_not_tell_which_got_what() -> None:
    """The other one has no part in the target, and so nothing of it was computed before."""
    found = told(
        KEPT
        + """
middle, used, unused = ad.Variable(0.5), ad.Variable(0.2), ad.Variable(0.3)
bell, other = Bell(middle, used), Bell(middle, unused)
with ad.GradientTape() as tape:
    y = bell.height(1.0)
ad.explain(tape, y, unused)
"""
    )
    assert (found.cause, "was computed here" in found.why) == ("not used", False)


def test_what_no_method_reads_on_the_way_is_not_told() -> None:
    text = KEPT.replace("/ self.width", "* 2.0")
    found = told(text + USED.format("bell = Bell(middle, log_width)"))
    assert (found.cause, "bell.width" in found.why) == ("not used", False)


@columns
def test_an_argument_does_not_become_its_neighbor() -> None:
    text = KEPT + USED.format("bell = Bell(ad.exp(middle), log_width)")
    first, second = run(text.replace("y, log_width)", "y, [middle, log_width])")).findings
    assert "`bell.middle` was computed here" in first.why
    assert "`bell.width` was computed here" in second.why


def test_a_layer_that_mixes_its_weights_in_build() -> None:
    found = told("""
class Noisy(ad.keras.layers.Layer):
    def build(self, shape):
        self.mean = self.add_weight(name="mean", shape=(shape[-1], 2), initializer="ones")
        self.kernel = self.mean * ad.random.normal((shape[-1], 2))
    def call(self, x):
        return ad.matmul(x, self.kernel)
noisy, x = Noisy(), ad.constant([[1.0, 2.0]])
noisy(x)
with ad.GradientTape() as tape:
    y = ad.reduce_sum(noisy(x))
ad.explain(tape, y, noisy.mean)
""")
    assert found.cause == "outside the tape" and "`build` runs only once" in found.advice


INLINE = """
bell = Bell(ad.Variable(0.5), log_width=ad.Variable(0.2))
parts = [bell.middle, bell.kept]
with ad.GradientTape() as tape:
    y = bell.height(1.0)
ad.explain(tape, y, parts[{}])
"""
KEEPS = BELL.format("self.kept = log_width\n        self.width = {}")


@columns
def test_variables_that_are_made_in_the_brackets() -> None:
    found = told(KEEPS.format("ad.exp(log_width)") + INLINE.format(1))
    assert found.cause == "outside the tape" and "`bell.width` was computed here" in found.why
    assert told(KEEPS.format("ad.exp(log_width)") + INLINE.format(0)).status == "flows"


def test_what_is_made_of_the_one_is_not_said_of_the_other() -> None:
    text = KEEPS.format("ad.exp(middle)").replace("x - self.middle", "x - 1.0")
    found = told(text + INLINE.format(1))
    assert (found.cause, "was computed here" in found.why) == ("not used", False)
