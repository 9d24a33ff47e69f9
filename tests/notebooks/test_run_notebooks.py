"""The runner: writes what a run shows, the same each time, and nothing about the machine."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import run_notebooks
from notebook_files import problems


@pytest.fixture
def path(tmp_path):
    """A notebook as an author leaves it: run out of order somewhere else, with traces of that."""
    nb = new_notebook(metadata={"language_info": {"name": "python", "version": "3.9.1"}})
    nb.cells = [
        new_markdown_cell("# Title"),
        new_code_cell("import sys\nfor i in range(3):\n    print(i, flush=True)\nprint(1 / 3)"),
        new_code_cell(""),
        new_code_cell("x = [0.1, 2.0]\nx", execution_count=17),
        new_code_cell("int('a')", metadata={"tags": ["raises-exception"]}),
    ]
    nb.cells[1].metadata.execution = {"shell.execute_reply": "2024-01-01T00:00:00Z"}
    file = tmp_path / "notebook.ipynb"
    nbformat.write(nb, file)
    return file


def test_stores_a_complete_portable_run(path):
    assert run_notebooks.main([str(path)]) == 0
    assert problems(path) == []
    nb = nbformat.read(path, as_version=4)
    assert [cell.get("execution_count") for cell in nb.cells] == [None, 1, None, 2, 3]
    assert [output.text for output in nb.cells[1].outputs] == [f"0\n1\n2\n{1 / 3}\n"]
    assert nb.cells[3].outputs[0].execution_count == 2
    assert nb.cells[4].outputs[0].traceback == [
        "ValueError: invalid literal for int() with base 10: 'a'"
    ]


def test_second_run_changes_nothing_and_check_agrees(path, capsys):
    unrun = path.read_bytes()
    assert run_notebooks.main(["--check", str(path)]) == 1
    assert path.read_bytes() == unrun
    run_notebooks.main([str(path)])
    stored = path.read_bytes()
    assert run_notebooks.main([str(path)]) == 0
    assert run_notebooks.main(["--check", str(path)]) == 0
    assert path.read_bytes() == stored
    assert capsys.readouterr().out.splitlines()[-1].split() == ["same", path.name]


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8", newline="\n")


def test_other_last_digits_are_kept_and_other_numbers_are_not(path):
    run_notebooks.main([str(path)])
    edit(path, "0.3333333333333333", "0.3333333333333337")
    kept = path.read_bytes()
    assert run_notebooks.main(["--check", str(path)]) == 0
    assert run_notebooks.main([str(path)]) == 0
    assert path.read_bytes() == kept
    edit(path, "0.3333333333333337", "0.3343333333333337")
    assert run_notebooks.main(["--check", str(path)]) == 1
    assert run_notebooks.main([str(path)]) == 0
    assert "0.3333333333333333" in path.read_text("utf-8")


def test_unannounced_error_is_reported_and_nothing_is_written(path, capsys):
    edit(path, '"raises-exception"', '"other"')
    before = path.read_bytes()
    assert run_notebooks.main([str(path)]) == 1
    assert path.read_bytes() == before
    assert "invalid literal for int()" in capsys.readouterr().out


def test_dead_kernel_is_reported(path, capsys):
    edit(path, "int('a')", "import os; os._exit(1)")
    assert run_notebooks.main([str(path)]) == 1
    assert "FAILED  notebook.ipynb" in capsys.readouterr().out
