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
def test_a_misspelled_namespace_has_a_nearest_one(name: str, meant: str) -> None:
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
def test_another_word_is_no_misspelling_of_a_namespace(name: str) -> None:
    assert nearest(name, known_namespaces()) is None


def test_a_namespace_of_a_browser_is_never_a_misspelling() -> None:
    assert not [name for name in known_namespaces() if nearest(name, known_namespaces())]


def test_no_namespace_of_a_browser_is_near_one_of_the_specification() -> None:
    own = ["management", "test", "manifest"]
    assert not [name for name in known_namespaces() if nearest(name, own)]


def test_a_misspelling_of_two_names_is_a_misspelling_of_neither() -> None:
    assert nearest("assertTeq", ["assertEeq", "assertNeq"]) is None


def test_of_two_names_that_are_as_near_the_one_that_begins_alike_is_meant() -> None:
    assert nearest("onInstaled", ["onInstalled", "unInstaled"]) == "onInstalled"


def test_a_name_that_is_listed_twice_is_one_name() -> None:
    assert nearest("tset", ["test", "test"]) == "test"


words = st.text(st.sampled_from("abcde"), max_size=8)


@given(words, st.lists(words, max_size=6))
def test_a_near_miss_is_a_known_name_and_its_length_is_near(name: str, known: list[str]) -> None:
    near = nearest(name, known)
    assert near is None or (near in known and near != name and abs(len(near) - len(name)) <= 2)


@given(words, st.lists(words, max_size=6))
def test_the_order_of_the_known_names_does_not_matter(name: str, known: list[str]) -> None:
    assert nearest(name, known) == nearest(name, reversed(known))
