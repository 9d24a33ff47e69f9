"""The notebook files: each is complete, portable and readable; and each rule can say no."""

import copy
import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from notebook_files import MAX_BYTES, RULES, find, main, problems
from notebook_pytest import ROOT

NOTEBOOKS = find(ROOT / "notebooks")


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nothing_is_wrong_with(path):
    assert problems(path) == []


def printed(count, text, source="print(x)"):
    return new_code_cell(
        source, execution_count=count, outputs=[new_output("stream", name="stdout", text=text)]
    )


@pytest.fixture
def good():
    """A notebook with one of everything that the rules look at, and nothing wrong."""
    nb = new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    diagram = "```mermaid\ngraph LR\n  accTitle: a leads to b\n  a --> b\n```"
    nb.cells = [
        new_markdown_cell(f"# Title\n\n[file](other.md) ![a line](plot.png)\n\n{diagram}"),
        printed(1, "0.5\n"),
        new_markdown_cell("## Part"),
        printed(2, "from 0.25 to 1.5\n", source="plot()"),
        new_code_cell(
            "1 / 0",
            execution_count=3,
            metadata={"tags": ["raises-exception"]},
            outputs=[new_output("error", ename="E", evalue="m", traceback=["E: m"])],
        ),
        new_code_cell(""),
    ]
    nb.cells[3].outputs.append(
        new_output("display_data", {"image/png": "iVBORw==", "text/plain": "<Figure size 640x480>"})
    )
    return nb


@pytest.fixture
def check(tmp_path):
    """Store a notebook and say what is wrong with it."""

    def store_and_check(nb):
        path = tmp_path / "notebook.ipynb"
        path.write_text(nb if isinstance(nb, str) else nbformat.v4.writes(nb), "utf-8")
        for name in ("other.md", "plot.png"):
            (tmp_path / name).touch()
        return problems(path)

    return store_and_check


def test_good_notebook_is_good(good, check):
    assert check(good) == []


def strip(nb):
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None


def strip_outputs_only(nb):
    for cell in nb.cells:
        cell.pop("outputs", None)
        if cell.cell_type == "code":
            cell.outputs = []


def half_execute(nb):
    nb.cells[3].outputs, nb.cells[3].execution_count = [], None


def delete_cell(nb):
    del nb.cells[3]


def run_out_of_order(nb):
    nb.cells[1].execution_count, nb.cells[3].execution_count = 2, 1


def same_id_twice(nb):
    nb.cells[0].id = nb.cells[1].id


def old_format(nb):
    nb.nbformat_minor = 4
    for cell in nb.cells:
        del cell["id"]


def unknown_field(nb):
    nb.cells[1]["surprise"] = 1


def other_kernel(nb):
    nb.metadata.kernelspec.name = "my-kernel"


def python_version(nb):
    nb.metadata.language_info = {"name": "python", "version": "3.12.1"}


def timing(nb):
    nb.cells[1].metadata.execution = {"iopub.execute_input": "2024-01-01T00:00:00Z"}


def unix_path(nb):
    nb.cells[1].outputs[0].text = "saved in /home/ada/work"


def windows_path(nb):
    nb.cells[1].outputs[0].text = "saved in C:\\Users\\ada"


def address(nb):
    nb.cells[1].outputs[0].text = "<object at 0x7f3a12345678>"


def path_in_traceback(nb):
    nb.cells[4].outputs[0].traceback = ["File lib/python3.12/site-packages/x.py"]


def to_stderr(nb):
    nb.cells[1].outputs[0].name = "stderr"


def error_not_announced(nb):
    nb.cells[4].metadata.tags = []


def announced_without_error(nb):
    nb.cells[4].outputs = []


def skip_tag(nb):
    nb.cells[1].metadata.tags = ["nbval-skip"]


def ignore_comment(nb):
    nb.cells[1].source = "# NBVAL_IGNORE_OUTPUT\nprint(x)"


def old_ignore_comment(nb):
    nb.cells[1].source = "print(x)\n  # PYTEST_VALIDATE_IGNORE_OUTPUT"


def figure_without_text(nb):
    del nb.cells[3].outputs[0]


def figure_without_numbers(nb):
    nb.cells[3].outputs[0].text = "a rising line\n"


def mermaid_kind(nb):
    nb.cells[1].outputs.append(new_output("display_data", {"text/vnd.mermaid": "graph LR"}))


def widget_without_text(nb):
    kind = "application/vnd.jupyter.widget-view+json"
    nb.cells[1].outputs.append(new_output("display_data", {kind: {"model_id": "1"}}))


def image_without_words(nb):
    nb.cells[2].source += "\n\n![](plot.png)"


def html_image_without_words(nb):
    nb.cells[2].source += '\n\n<img src="plot.png" alt="">'


def no_title(nb):
    nb.cells[0].source = "text"


def two_titles(nb):
    nb.cells[2].source = "# Another"


def heading_left_out(nb):
    nb.cells[2].source = "### Part"


def diagram_without_words(nb):
    nb.cells[2].source += "\n\n```mermaid\ngraph LR\n  a --> b\n```"


def shown_diagram_without_words(nb):
    diagram = "```mermaid\ngraph LR\n  a --> b\n```"
    nb.cells[1].outputs.append(new_output("display_data", {"text/markdown": diagram}))


def broken_link(nb):
    nb.cells[2].source += "\n\n[next](02_missing.ipynb)"


def too_large(nb):
    nb.cells[1].outputs[0].text = "1.5\n" * (MAX_BYTES // 4)


FAULTS = {
    "is_valid": [same_id_twice, unknown_field],
    "has_ids": [old_format],
    "says_nothing_of_its_run": [other_kernel, python_version, timing],
    "says_nothing_of_the_machine": [unix_path, windows_path, address, path_in_traceback],
    "was_run_from_top_to_bottom": [strip, half_execute, delete_cell, run_out_of_order],
    "shows_something": [strip_outputs_only],
    "warns_of_nothing": [to_stderr],
    "announces_errors": [error_not_announced, announced_without_error],
    "hides_nothing": [skip_tag, ignore_comment, old_ignore_comment],
    "figures_have_checked_text": [figure_without_text, figure_without_numbers],
    "outputs_are_of_known_kinds": [mermaid_kind, widget_without_text],
    "can_be_read_without_seeing": [
        *(image_without_words, html_image_without_words, no_title, two_titles),
        *(heading_left_out, diagram_without_words, shown_diagram_without_words),
    ],
    "links_lead_somewhere": [broken_link],
    "can_be_reviewed": [too_large],
}


def test_every_rule_has_a_fault_that_it_must_find():
    assert list(FAULTS) == [rule.__name__ for rule in RULES]


@pytest.mark.parametrize(
    ("name", "fault"),
    [(name, fault) for name, faults in FAULTS.items() for fault in faults],
    ids=lambda part: getattr(part, "__name__", None),
)
def test_fault_is_found_by_its_rule(name, fault, good, check, tmp_path):
    bad = copy.deepcopy(good)
    fault(bad)
    assert check(bad)
    rule = next(rule for rule in RULES if rule.__name__ == name)
    assert list(rule(bad, tmp_path / "notebook.ipynb"))


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"nbformat": 3}', "<html>"])
def test_what_is_no_notebook_is_reported(text, check):
    assert check(text)


def test_command_counts_the_bad(good, tmp_path, capsys):
    assert main([str(tmp_path)]) == 1, "a folder without notebooks proves nothing"
    good.cells[0].source = "# Title"
    (tmp_path / "good.ipynb").write_text(nbformat.v4.writes(good), "utf-8")
    assert main([str(tmp_path)]) == 0
    (tmp_path / "bad.ipynb").write_text(json.dumps({"cells": []}), "utf-8")
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.endswith("2 notebooks, 1 with problems\n")
