"""Near misses of names: misspellings, as opposed to other words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.text.nearest import nearest
from extlint_schemas import known_namespaces


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        pytest.param("managment", "management", id="a letter is missing"),
        pytest.param("mangement", "management", id="another letter is missing"),
        pytest.param("managements", "management", id="a letter too much"),
        pytest.param("mamagement", "management", id="another letter"),
        pytest.param("mnaagement", "management", id="two letters changed places"),
        pytest.param("managmenet", "management", id="two mistakes in a long name"),
        pytest.param("Management", "management", id="letter case"),
        pytest.param("TEST", "test", id="every letter's case"),
        pytest.param("tset", "test", id="two letters of a short name changed places"),
        pytest.param("tets", "test", id="the same letters are nearer than an extra one in tts"),
        pytest.param("tes", "test", id="a letter of a short name is missing"),
        pytest.param("tests", "test", id="a letter too much in a short name"),
        pytest.param("tesst", "test", id="a letter is doubled"),
    ],
)
def test_misspelled_namespace_has_a_nearest_name(name: str, meant: str) -> None:
    assert nearest(name, known_namespaces()) == meant


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("managed", id="another word with the same beginning"),
        pytest.param("manager", id="yet another"),
        pytest.param("engagement", id="another word with the same end"),
        pytest.param("maintenance", id="another long word"),
        pytest.param("text", id="a word that differs from test in a letter"),
        pytest.param("rest", id="a word that rhymes with test"),
        pytest.param("toast", id="a word two edits from test"),
        pytest.param("te", id="half a name"),
        pytest.param("", id="nothing"),
        pytest.param("m" * 1_000_000, id="a million letters"),
    ],
)
def test_different_word_has_no_nearest_namespace(name: str) -> None:
    assert nearest(name, known_namespaces()) is None


def test_browser_namespace_is_never_a_misspelling() -> None:
    assert not [name for name in known_namespaces() if nearest(name, known_namespaces())]


def test_browser_namespaces_are_not_near_the_specified_ones() -> None:
    own = ["management", "test", "manifest"]
    assert not [name for name in known_namespaces() if nearest(name, own)]


def test_ambiguous_misspelling_has_no_nearest_name() -> None:
    assert nearest("assertTeq", ["assertEeq", "assertNeq"]) is None


def test_common_prefix_breaks_a_tie() -> None:
    assert nearest("onInstaled", ["onInstalled", "unInstaled"]) == "onInstalled"


def test_name_listed_twice_is_not_ambiguous() -> None:
    assert nearest("tset", ["test", "test"]) == "test"


words = st.text(st.sampled_from("abcde"), max_size=8)


@given(words, st.lists(words, max_size=6))
def test_nearest_name_is_known_and_has_similar_length(name: str, known: list[str]) -> None:
    near = nearest(name, known)
    assert near is None or (near in known and near != name and abs(len(near) - len(name)) <= 2)


@given(words, st.lists(words, max_size=6))
def test_nearest_name_does_not_depend_on_order(name: str, known: list[str]) -> None:
    assert nearest(name, known) == nearest(name, reversed(known))
