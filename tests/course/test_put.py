"""Putting notebooks into a folder: a student's work is never lost."""

import json
import shutil

import pytest

from autodiff_kit.course import put as module
from autodiff_kit.course.places import Trouble, place
from autodiff_kit.course.put import RECORD, put


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A kit with two notebooks, one in a subfolder."""
    root = tmp_path / "kit"
    (root / "solutions").mkdir(parents=True)
    (root / "01_one.ipynb").write_text("one")
    (root / "solutions" / "01_one.ipynb").write_text("solved")
    monkeypatch.setattr(module, "place", lambda name: root)
    return root


@pytest.fixture
def folder(tmp_path, source):
    put(tmp_path / "my course")
    return tmp_path / "my course"


def test_all_of_the_kits_notebooks_are_put(tmp_path):
    put(tmp_path / "a" / "b")
    wanted = {path.name for path in place("notebooks").glob("*.ipynb")}
    assert wanted == {path.name for path in (tmp_path / "a" / "b").glob("*.ipynb")}


def test_work_is_kept_and_what_was_deleted_comes_back(folder):
    (folder / "01_one.ipynb").write_text("my work")
    (folder / "solutions" / "01_one.ipynb").unlink()
    said = "\n".join(put(folder))
    assert (folder / "01_one.ipynb").read_text() == "my work"
    assert (folder / "solutions" / "01_one.ipynb").read_text() == "solved"
    assert "kept as they are, because they are yours: 01_one.ipynb" in said


def test_untouched_notebooks_are_brought_up_to_date_and_work_is_not(folder, source):
    (folder / "01_one.ipynb").write_text("my work")
    for path in source.rglob("*.ipynb"):
        path.write_text("newer")
    said = "\n".join(put(folder))
    assert (folder / "01_one.ipynb").read_text() == "my work"
    assert (folder / "solutions" / "01_one.ipynb").read_text() == "newer"
    assert "the kit has a newer one: 01_one.ipynb" in said and "--renew" in said


def test_renewing_keeps_each_copy_of_ones_own(folder):
    for number in (1, 2):
        (folder / "01_one.ipynb").write_text(f"work {number}")
        put(folder, ("01",))
        assert (folder / "01_one.ipynb").read_text() == "one"
    kept = [(folder / f"01_one (my copy {n}).ipynb").read_text() for n in (1, 2)]
    assert kept == ["work 1", "work 2"]


@pytest.mark.parametrize("record", ["", "[]", "{", None])
def test_without_a_sound_record_every_file_is_the_students(folder, record):
    if record is None:
        (folder / RECORD).unlink()
    else:
        (folder / RECORD).write_text(record)
    (folder / "01_one.ipynb").write_text("my work")
    put(folder)
    assert (folder / "01_one.ipynb").read_text() == "my work"
    assert json.loads((folder / RECORD).read_text())


def test_what_cannot_be_is_said_before_anything_changes(folder, tmp_path):
    (tmp_path / "thesis").write_text("mine")
    with pytest.raises(Trouble, match=r"thesis is a file\. Name a folder"):
        put(tmp_path / "thesis")
    with pytest.raises(Trouble, match="No notebook begins with '99'"):
        put(tmp_path / "new", ("99",))
    assert not (tmp_path / "new").exists() and (tmp_path / "thesis").read_text() == "mine"
    shutil.rmtree(folder)
