"""Every exercise: its reference passes, its stub and each plausible mistake get the right hint."""

import re
from pathlib import Path

import nbformat
import pytest

import autodiff_kit as ad
import autodiff_kit.exercises as exercises
from autodiff_kit.exercises import DOTS, Exercise, check, find, stubs, verdict
from exercises.right_answers import RIGHT
from notebook_pytest import ROOT

MODULES = sorted(Path(exercises.__file__).parent.glob("n[0-9][0-9].py"))
NUMBERS = [
    number
    for module in MODULES
    for number in __import__(f"autodiff_kit.exercises.{module.stem}", fromlist=["_"]).EXERCISES
]
each_exercise = pytest.mark.parametrize("number", NUMBERS)


@each_exercise
def test_its_number_is_that_of_its_notebook_and_its_prompt_is_one_line(number):
    exercise = find(number)
    assert exercise is not None, f"{number} is not in the module of its notebook"
    assert exercise.prompt and "\n" not in exercise.prompt


@each_exercise
def test_the_reference_is_right(number, capsys):
    right, text = verdict(number, find(number).reference)
    assert right, text
    assert text.startswith(f"{number} right.")


@pytest.mark.parametrize(
    ("number", "answer"), [(number, answer) for number in RIGHT for answer in RIGHT[number]]
)
def test_right_answers_of_other_shapes_are_right(number, answer):
    right, text = verdict(number, answer)
    assert right, text


@each_exercise
def test_the_empty_stub_is_asked_for_an_answer(number):
    assert verdict(number, find(number).stub) == (False, f"{number} not yet: {DOTS}")


@each_exercise
def test_plausible_mistakes_get_their_own_hints(number):
    exercise = find(number)
    hints = []
    for answer, words in exercise.wrong:
        right, text = verdict(number, answer)
        assert not right, f"{answer!r} is called right"
        assert words in text, f"{answer!r}: {text!r}"
        assert not re.search(r"0x[0-9a-f]{6,}|\n", text), text
        hints.append(text)
    assert len(set(hints)) >= 4, hints


@each_exercise
def test_no_answer_stops_the_notebook(number, capsys):
    class Hostile:
        def __eq__(self, other):
            raise ZeroDivisionError("not with me")

        __hash__ = None

    def quits(*args):
        raise SystemExit(3)

    for answer in (
        None,
        0.0,
        "?",
        [],
        {},
        object(),
        Hostile(),
        quits,
        lambda: 1,
        print,
        float("nan"),
    ):
        assert not verdict(number, answer).right or answer is None


@each_exercise
def test_the_notebook_and_its_solutions_use_it(number):
    for folder in (ROOT / "notebooks", ROOT / "notebooks" / "solutions"):
        paths = list(folder.glob(f"{number[:2]}_*.ipynb"))
        assert len(paths) == 1, f"{folder.name} has no notebook {number[:2]}"
        code = "\n".join(
            cell.source for cell in nbformat.read(paths[0], 4).cells if cell.cell_type == "code"
        )
        assert f'check("{number}", ' in code, f"{paths[0].name} does not check {number}"


def test_a_missing_exercise_is_named(capsys):
    check("02.99", 1)
    check("two", 1)
    assert capsys.readouterr().out == "There is no exercise 02.99.\nThere is no exercise two.\n"


def test_what_an_answer_raises_is_said_and_what_it_warns_of_is_not(monkeypatch, recwarn):
    import warnings

    def asks(answer):
        return None if answer(1) == 2 else "wrong"

    exercise = Exercise("Add one.", asks, lambda x: x + 1, ())
    monkeypatch.setattr(exercises, "find", lambda number: exercise)

    def fails(x):
        raise ValueError("odd")

    def warns(x):
        warnings.warn("careful", stacklevel=1)
        return 2

    def half(x):
        y = ...
        return x + y

    assert verdict("00.1", fails).text == "00.1 not yet: your answer stopped with ValueError: odd"
    assert verdict("00.1", warns) == (True, "00.1 right.")
    assert verdict("00.1", half).text == "00.1 not yet: there are still dots ... in your answer."
    assert not recwarn.list


def test_dots_of_the_library_and_dots_in_an_index_are_not_taken_for_a_stub():
    def last(x, i=-1):
        return x[..., i]

    assert stubs.mentions_dots(ad.relax.filtered) is False
    assert stubs.mentions_dots(last) is False
    assert stubs.mentions_dots(lambda x, i: (x[..., i], ...)) is True


@pytest.mark.parametrize("zero", ["zero", "0", 0, 0.0])
def test_a_zero_may_be_written_as_a_word(zero):
    assert verdict("05.1", {"where": zero, "cond on a tape": "None", "cond in a graph": zero}).right
