"""Predictions and figures: what they print, and that nothing a student writes stops them."""

import subprocess
import sys
import traceback
import types

import numpy as np
import pytest

import autodiff_kit as ad
from autodiff_kit.exercises import check
from autodiff_kit.teaching import compare, figures
from autodiff_kit.teaching.errors import show_own_lines, without_the_kit


def said(capsys, guess, actual):
    compare(guess, actual)
    return capsys.readouterr().out.rstrip("\n")


def test_a_long_sentence_is_broken_between_words(capsys):
    compare(0, None)
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 2 and max(map(len, rows)) <= 100 and rows[0].endswith(" was")
    check("00.2", lambda x: None)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100


@pytest.mark.parametrize(
    "actual, shown",
    [
        (ad.constant(4.0), "4.0"),
        (ad.Variable([1.0, 2.0]), "[1.0, 2.0]"),
        (np.zeros((4, 3)), "(4, 3) [0.0, 0.0, … 0.0]"),
        (None, "None"),
        ("zero", "zero"),
        ((1, 3), "(1, 3)"),
        (ad.constant([[1.0, 2.0]]).shape, "(1, 2)"),
        ([(4, 3), ad.constant([1.0]).shape], "(4, 3), (1,)"),
        (["w:0", "b:0"], "w:0, b:0"),
        (True, "True"),
        ([ad.constant(1.5), None], "1.5, None"),
        (RuntimeError("spent"), "RuntimeError"),
        (float("nan"), "nan"),
    ],
)
def test_the_answer_is_shown_alike_without_a_guess_and_with_the_right_one(capsys, actual, shown):
    assert said(capsys, ..., actual) == f"no guess yet\nthe answer is {shown}"
    assert said(capsys, actual, actual) == f"right: {shown}"


@pytest.mark.parametrize(
    "guess, actual, words",
    [
        (12, 4.0, "you guessed 12; the answer is 4.0"),
        (3.95, 4.0, "Very close."),
        (-4, 4.0, "Only the sign differs."),
        ([1.0, 2.0], 4.0, "Your guess has the shape (2,), the answer ()."),
        (0, None, "not the same"),
        (None, 0.0, "not the same"),
        ([24.0, 0], [24.0, None], "not the same"),
        (["zero", None], [None, 27.0], "not the same"),
        ([24.0, None], [24.0, 0.0], "not the same"),
        ([24.0, 3], [24.0, None], "the answer is 24.0, None"),
        (0, [0.0, 1.0], "Your guess has the shape"),
        (["b:0", "w:0"], ["w:0", "b:0"], "All there, in another order."),
        ("error", 4.0, "you guessed error; the answer is 4.0"),
        (lambda: 3, 4.0, "you guessed <lambda>; the answer is 4.0"),
        (object(), 4.0, "you guessed object; the answer is 4.0"),
        ([1, [2, 3]], 4.0, "the answer is 4.0"),
    ],
)
def test_another_guess_is_answered_kindly(capsys, guess, actual, words):
    text = said(capsys, guess, actual)
    assert words in text and "wrong" not in text


@pytest.mark.parametrize(
    "guess, actual, words",
    [
        (151, (151,), " A single number is no shape: one axis of length 5 is written (5,)."),
        ((), (151,), " Your guess has no axes, the answer 1 axis."),
        ((2, 4, 1), (2, 4), " Your guess has 3 axes, the answer 2 axes."),
        ("(2,)", ad.ones([2, 4]).shape, " Your guess has 1 axis, the answer 2 axes."),
        ((4, 2), (2, 4), ""),
        ([(4, 3), (3,)], [(1, 3), (1, 4)], ""),
        ([2, 4, 1], [(4, 3), (3, 4)], ""),
        ("the same", (2, 4), ""),
    ],
)
def test_of_a_guessed_shape_the_axes_are_counted(capsys, guess, actual, words):
    text = said(capsys, guess, actual).replace("\n", " ").partition("; the answer is ")[2]
    assert text.endswith(")." + words if words else ")") and "has the shape" not in text


@pytest.mark.parametrize(
    "guess, words",
    [
        (["a"], "Of the 3 you have 1."),
        (["A", "c", "x", "y"], "Of the 3 you have 2."),
        (["x"], "Of the 3 you have none."),
        ("b", "That is one of the 3."),
        (["c", "b", "a"], "All there, in another order."),
    ],
)
def test_of_several_words_it_says_how_many_were_guessed(capsys, guess, words):
    assert said(capsys, guess, ["a", "b", "c"]).endswith(f"the answer is a, b, c. {words}")


def test_the_beginning_of_a_name_is_enough_if_no_other_begins_so(capsys):
    names = ["maximum with 0.3", "cast to int", "cast to bool", "cast"]
    for guess, begins in (
        ("maximum", "right: maximum with 0.3"),
        ("Maximum with", "right: maximum with 0.3"),
        ("cast", "you guessed cast; the answer is maximum with 0.3"),
        ("", "you guessed '';"),
        (3, "you guessed 3;"),
        (..., "no guess yet\n"),
    ):
        ad.teaching.compare(guess, "maximum with 0.3", among=names)
        assert capsys.readouterr().out.startswith(begins.replace("''", ""))


@pytest.mark.parametrize(
    "guess, actual",
    [
        ("none", None),
        ("Value", "value"),
        (RuntimeError, RuntimeError("spent")),
        ("RuntimeError", RuntimeError),
        ((1, 3), ad.constant([[1.0, 2, 3]]).shape),
        (0.333333, ad.constant(1.0) / 3.0),
        ([0, "NaN", 0.25], ad.constant([-0.0, np.nan, 0.25])),
        ("nan", ad.constant(np.nan)),
        ("zero", ad.constant([0.0, 0.0, 0.0])),
        (0, ad.constant([0.0, 0.0, 0.0])),
        ("Zeros", [0.0, 0.0]),
        ("zero", "zero"),
        (["inf", 1], ad.constant([np.inf, 1.0])),
        ("-infinity", ad.constant(-np.inf)),
        ("12", ad.constant(12.0)),
        ("(2, 4)", (2, 4)),
        ("[2, 4]", ad.ones([2, 4]).shape),
        ("24.0, None", [24.0, None]),
        ("LookupError", "error"),
        (AssertionError, "error"),
        ("an error", "error"),
        ("Error!", "error"),
    ],
)
def test_the_same_thing_said_otherwise_is_right(capsys, guess, actual):
    assert said(capsys, guess, actual).startswith("right: ")


def test_each_entry_of_a_dict_is_compared(capsys):
    actual = {"float": "value", "int": None}
    assert said(capsys, {"float": "value", "int": "value"}, actual) == (
        "float: right: value\nint: you guessed value; the answer is None"
    )
    assert said(capsys, {"float": ..., "int": None}, actual) == (
        "float: no guess yet; the answer is value\nint: right: None"
    )
    assert said(capsys, {"float": ..., "int": ...}, actual) == (
        "no guess yet\nfloat: the answer is value\nint: the answer is None"
    )
    assert said(capsys, ..., actual) == "no guess yet\nthe answer is float: value, int: None"


def test_guesses_in_a_list_are_those_of_the_dict_in_its_order(capsys):
    actual = {"float": "value", "int": None}
    assert said(capsys, ["value", "value"], actual) == said(
        capsys, {"float": "value", "int": "value"}, actual
    )


def test_what_is_not_the_same_does_not_look_the_same(capsys):
    assert said(capsys, "4.0x", "error") == "you guessed 4.0x; the answer is error"
    assert (
        said(capsys, "w:0, b:0", ["w:0", "b:0"]) == "you guessed 'w:0, b:0'; the answer is w:0, b:0"
    )


def test_a_half_made_guess_is_no_guess(capsys):
    assert said(capsys, [1.0, ...], [1.0, None]).startswith("no guess yet")


# An older Matplotlib calls a newer pyparsing by names that are on their way out.
with_matplotlib = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def plt():
    import matplotlib

    matplotlib.use("Agg")
    with matplotlib.rc_context():
        yield figures.style()
    import matplotlib.pyplot

    matplotlib.pyplot.close("all")


@with_matplotlib
def test_a_figure_is_described(plt, capsys):
    fig, ax = plt.subplots()
    x = np.linspace(-2, 2, 5)
    ax.plot(x, x**2, label="x²")
    ax.plot(x, 2 * x + [0, 1e-12, -1e-12, 0, 0], label="2x")
    ax.axhline(0)
    ax.set(title="A parabola", xlabel="x", ylabel="value")
    figures.describe(ax, at=[-1, 0])
    assert capsys.readouterr().out == (
        "Figure: A parabola (across: x; up: value)\n"
        "  x²: 5 points, from 0.0 to 4.0; (-1.0, 1.0), (0.0, 0.0)\n"
        "  2x: 5 points, from -4.0 to 4.0; (-1.0, -2.0), (0.0, 0.0)\n"
    )


@with_matplotlib
def test_points_bars_images_and_gaps_are_described(plt, capsys):
    fig, ax = plt.subplots()
    ax.scatter([1, 2], [3, np.nan], label="points")
    ax.bar([0, 1], [0.5, -1])
    ax.imshow([[1, 2, 3]])
    ax.plot([], [], label="nothing")
    figures.describe(ax)
    assert capsys.readouterr().out == (
        "Figure: untitled (across: x; up: y)\n"
        "  nothing: no points\n"
        "  points: 2 points, from 3.0 to 3.0; (1.0, 3.0), (2.0, nan)\n"
        "  bars: (0.0, 0.5), (1.0, -1.0)\n"
        "  image of 1 rows and 3 columns, from 1.0 to 3.0\n"
    )


def test_the_engine_does_not_load_what_only_notebooks_use():
    loaded = "import sys, autodiff_kit; print([n for n in sys.modules if n.startswith(WANTED)])"
    wanted = ("autodiff_kit.teaching", "autodiff_kit.exercises", "matplotlib")
    command = [sys.executable, "-c", loaded.replace("WANTED", repr(wanted))]
    assert subprocess.run(command, capture_output=True, text=True).stdout == "[]\n"


def test_drawing_is_loaded_only_for_figures():
    code = (
        "import sys; from autodiff_kit.teaching import compare; print('matplotlib' in sys.modules)"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True).stdout == "False\n"


def test_errors_are_shown_without_the_frames_of_the_kit():
    def learner():
        return ad.constant(1.0) + ad.constant(1)

    with pytest.raises(ad.errors.InvalidArgumentError) as caught:
        learner()
    assert len(traceback.extract_tb(caught.tb)) > 2
    own = traceback.extract_tb(without_the_kit(caught.tb))
    assert [frame.name for frame in own][-1] == "learner"
    assert not any("autodiff_kit" in frame.filename for frame in own)


def test_errors_stay_as_they_are_outside_of_a_notebook(monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", None)
    show_own_lines()


def test_a_notebook_is_told_how_to_show_errors(monkeypatch):
    class Shell:
        def set_custom_exc(self, kinds, handler):
            self.handler = handler

        def showtraceback(self, error, tb_offset):
            self.shown = [frame.name for frame in traceback.extract_tb(error[2])]

    shell = Shell()
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    show_own_lines()
    with pytest.raises(ValueError) as caught:
        ad.constant(None)
    shell.handler(shell, ValueError, caught.value, caught.tb, 1)
    assert shell.shown == ["test_a_notebook_is_told_how_to_show_errors"]
