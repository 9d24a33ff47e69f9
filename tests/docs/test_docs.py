"""The documents name what is there, all of it, and nothing else."""

import json
import re
import sys

import pytest

import api_reference
import autodiff_kit as ad
from notebook_pytest import ROOT
from public_names import NAMESPACES, every, module, parameters

COMING = (ROOT / "docs" / "coming-from-tensorflow.md").read_text("utf-8")
RECORD = json.loads((ROOT / "tests" / "data" / "names.json").read_text("utf-8"))["arguments"]
OURS = dict(every())


def test_each_name_was_looked_up_in_tensorflow():
    assert not OURS.keys() - RECORD.keys(), "run tools/record_names.py where TensorFlow is"


def test_each_name_that_tensorflow_has_not_is_on_the_page():
    missing = {name for name in OURS if RECORD.get(name) is None}
    named = set(re.findall(r"`ad\.([\w.]+)`", COMING))
    assert not missing - named
    assert not named - OURS.keys() - {"gradient"}, "the page names what is not there"


def test_each_name_whose_arguments_differ_is_on_the_page():
    named = set(re.findall(r"^\| `ad\.([\w.]+)` \| ", COMING, re.M))
    for name, value in OURS.items():
        theirs, ours = RECORD.get(name), parameters(value)
        if theirs and ours is not None and not {"args", "kwargs"} & {*theirs}:
            assert theirs == ours or name in named, "run tools/api_reference.py"


def test_every_public_name_has_a_docstring_and_a_place_in_the_reference():
    for name, value in OURS.items():
        assert not callable(value) or (value.__doc__ or "").strip(), f"{name} has no docstring"
    pages = api_reference.pages()
    assert {path.name for path in pages} >= {f"{n or 'ad'}.md" for n in NAMESPACES}
    for namespace in NAMESPACES:
        text = pages[api_reference.API / api_reference.file_name(namespace)]
        for name in OURS:
            if name.rpartition(".")[0] == namespace and callable(OURS[name]):
                assert f"`ad.{name}`" in text
        assert not re.search(r"0x[0-9a-f]{6}|/home/|/root/", text)
        assert text.count("```") % 2 == 0
        assert module(namespace).__doc__


def test_the_reference_is_there_for_each_namespace():
    present = {path.name for path in (ROOT / "docs" / "api").glob("*.md")}
    assert present == {"README.md", *(f"{n or 'ad'}.md" for n in NAMESPACES)}


def test_a_docstring_is_laid_out():
    text = api_reference.laid_out(ad.reduce_mean.__doc__)
    assert "**Args:**\n\n- `input_tensor`: a numeric tensor." in text
    assert "```pycon\n>>> import autodiff_kit as ad" in text and text.endswith("```")
    assert "Source: <https://www.tensorflow.org/api_docs/python/tf/math/reduce_mean>" in text


DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    for target in re.findall(
        r"\]\((?!https?:|#|\.\./\.\./actions/)([^)#\s]+)", path.read_text("utf-8")
    ):
        assert (path.parent / target).exists(), target


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other versions print other signatures")
def test_the_reference_in_the_repository_is_of_today() -> None:
    for path, text in api_reference.pages().items():
        assert path.read_text("utf-8") == text, f"{path.name}: run tools/api_reference.py"
