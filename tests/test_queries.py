"""The query engine: which results are computed again after an input has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from explain_finding import explanation
from extlint.queries.database import MAX_UNUSED_ROUNDS, Database
from extlint.queries.memos import Input, QueryCycleError, Work
from extlint.queries.query import cached_method, query

WORD = Input("word")
COMPUTED: list[str] = []
SAID: list[str] = []


class Dictionary:
    """An owner of queries about words, by their names."""

    query_scope = "dictionary"

    def __init__(self, queries: Database, words: dict[str, str]) -> None:
        self.queries = queries
        self.words = words
        queries.register(self.query_scope, lambda: self)
        for name, word in words.items():
            queries.set_input(WORD, self.query_scope, word, (name,))

    def word(self, name: str) -> str:
        self.queries.depend_on(WORD, self.query_scope, (name,))
        return self.words[name]


@query(is_kept=True)
def length(words: Dictionary, name: str) -> int:
    COMPUTED.append(f"length {name}")
    return len(words.word(name))


@query
def letters(words: Dictionary, name: str) -> list[str]:
    COMPUTED.append(f"letters {name}")
    return sorted(words.word(name))


@query(is_kept=True)
def total(words: Dictionary) -> int:
    COMPUTED.append("total")
    return length(words, "a") + length(words, "b")


@query(is_kept=True)
def first_letter(words: Dictionary) -> str:
    COMPUTED.append("first letter")
    return letters(words, "a")[0]


@query(is_kept=True)
def spoken(words: Dictionary) -> str:
    word = words.word("a")
    words.queries.record_effect("say", word)
    SAID.append(word)
    return word.upper()


@query(is_kept=True)
def unrepeatable(words: Dictionary) -> str:
    COMPUTED.append("unrepeatable")
    words.queries.mark_unrepeatable()
    return words.word("a")


@query(is_kept=True)
def endless(words: Dictionary) -> int:
    return endless(words)


@query(is_kept=True, in_cycle=lambda _, name: f"({name})")
def definition(words: Dictionary, name: str) -> str:
    COMPUTED.append(f"definition {name}")
    return " ".join(definition(words, each) if each.islower() else each for each in words.word(name).split())


@query(is_kept=True)
def chain(words: Dictionary, at: int) -> int:
    return chain(words, at - 1) + 1 if at else length(words, "a")


@query(is_kept=True)
def announced(words: Dictionary, name: str) -> int:
    words.queries.conclude_with("say", words.word(name))
    SAID.append("computing")
    return length(words, name)


@query(is_kept=True)
def chosen(words: Dictionary) -> int:
    return length(words, words.word("choice"))


MEMO: dict[str, tuple[int, object]] = {}


@query(is_kept=True)
def by_memo(words: Dictionary, of: str) -> int:
    COMPUTED.append(f"by memo {of}")
    if "a" not in MEMO:
        with words.queries.recording() as dependencies:
            found = length(words, "a")
        MEMO["a"] = found, dependencies
    value, known = MEMO["a"]
    words.queries.depend_on_all(known)  # type: ignore[arg-type]
    return value


@pytest.fixture(autouse=True)
def _nothing_computed() -> None:
    for each in (COMPUTED, SAID, MEMO):
        each.clear()


class Checks:
    """Repeated revisions of one database."""

    def __init__(self) -> None:
        self.queries = Database(is_incremental=True)

    def __call__(self, ask: Callable[[Dictionary], object], **words: str) -> object:
        """Returns the result of queries in a new revision; `COMPUTED` then has what was computed in it."""
        COMPUTED.clear()
        MEMO.clear()
        self.queries.begin_check({"say": SAID.append})
        try:
            return ask(Dictionary(self.queries, words))
        finally:
            self.queries.end_check()


@pytest.fixture
def revision() -> Checks:
    return Checks()


@pytest.mark.parametrize(
    ("ask", "before", "after", "computed"),
    [
        pytest.param(total, {"a": "x", "b": "y"}, {"a": "x", "b": "y"}, [], id="nothing has changed"),
        pytest.param(
            total,
            {"a": "x", "b": "y"},
            {"a": "xx", "b": "y"},
            ["length a", "total"],
            id="one dependency has changed",
        ),
        pytest.param(
            total,
            {"a": "x", "b": "y"},
            {"a": "z", "b": "y"},
            ["length a"],
            id="a dependency is computed again with the same result",
        ),
        pytest.param(
            total,
            {"a": "x", "b": "y", "c": ""},
            {"a": "x", "b": "y", "c": "z"},
            [],
            id="another input has changed",
        ),
        pytest.param(
            first_letter,
            {"a": "ab", "b": ""},
            {"a": "ab", "b": "c"},
            [],
            id="a dropped result is not computed again to verify another one",
        ),
        pytest.param(
            first_letter,
            {"a": "ab"},
            {"a": "ac"},
            ["first letter", "letters a"],
            id="a dropped result counts as changed",
        ),
        pytest.param(
            unrepeatable, {"a": "ab"}, {"a": "ab"}, ["unrepeatable"], id="a result of one revision only"
        ),
    ],
)
def test_only_what_has_changed_is_computed_again(
    ask: Callable[[Dictionary], object],
    before: dict[str, str],
    after: dict[str, str],
    computed: list[str],
    revision: Checks,
) -> None:
    revision(ask, **before)
    found = revision(ask, **after)
    assert computed == COMPUTED
    assert found == Checks()(ask, **after)


def test_result_is_computed_once_in_a_revision() -> None:
    for queries in (Database(), Database(is_incremental=True)):
        COMPUTED.clear()
        words = Dictionary(queries, {"a": "x", "b": "yy"})
        assert [total(words), total(words), length(words, "b")] == [3, 3, 2]
        assert COMPUTED == ["total", "length a", "length b"]


def test_dependencies_are_those_of_the_last_computation(revision: Checks) -> None:
    words = {"a": "x", "b": "yy"}
    revision(chosen, choice="a", **words)
    assert revision(chosen, choice="b", **words) == 2
    revision(chosen, choice="b", a="xxx", b="yy")
    assert COMPUTED == []


def test_removed_input_counts_as_changed(revision: Checks) -> None:
    revision(total, a="x", b="y")
    with pytest.raises(KeyError):
        revision(total, a="x")


def test_effects_are_repeated_for_reused_results(revision: Checks) -> None:
    for _ in range(3):
        assert revision(spoken, a="hi") == "HI"
    assert SAID == ["hi", "hi", "hi"]


def test_result_after_an_exception_is_not_stored(revision: Checks) -> None:
    with pytest.raises(KeyError):
        revision(total, a="x")
    assert revision(total, a="x", b="y") == 2


def test_results_outside_of_a_revision_are_not_reused(revision: Checks) -> None:
    revision(repr, a="x", b="y")
    assert total(Dictionary(revision.queries, {"a": "x", "b": "y"})) == 2
    revision(total, a="x", b="y")
    assert "total" in COMPUTED


def test_users_of_a_private_memo_depend_on_what_it_depends_on(revision: Checks) -> None:
    def ask(words: Dictionary) -> list[int]:
        return [by_memo(words, "first"), by_memo(words, "second")]

    assert revision(ask, a="x") == [1, 1]
    assert revision(ask, a="xx") == [2, 2]
    assert revision(ask, a="yy") == [2, 2]
    assert COMPUTED == ["length a"]


def test_unused_results_are_dropped(revision: Checks) -> None:
    revision(total, a="x", b="y")
    for _ in range(MAX_UNUSED_ROUNDS + 1):
        revision.queries.begin_round()
        revision(repr, a="x", b="y")
    revision(total, a="x", b="y")
    assert "total" in COMPUTED


def test_results_are_kept_during_a_round_of_checks(revision: Checks) -> None:
    revision.queries.begin_round()
    revision(total, a="x", b="y")
    for _ in range(MAX_UNUSED_ROUNDS + 1):
        revision(repr, a="x", b="y")
    for _ in range(MAX_UNUSED_ROUNDS + 1):
        revision.queries.begin_round()
    revision(total, a="x", b="y")
    assert COMPUTED == []


def test_work_is_counted(revision: Checks) -> None:
    revision(total, a="x", b="y")
    revision(total, a="z", b="y")
    assert dict(revision.queries.work) == {
        ("test_queries.length", Work.UNCHANGED): 1,
        ("test_queries.length", Work.VERIFIED): 1,
        ("test_queries.total", Work.VERIFIED): 1,
    }


def test_cycle_raises(revision: Checks) -> None:
    with pytest.raises(QueryCycleError, match=r"test_queries\.endless depends on itself"):
        revision(endless)


def test_query_uses_its_value_in_a_cycle(revision: Checks) -> None:
    words = {"a": "A b", "b": "B a"}
    for _ in range(2):
        assert revision(lambda found: definition(found, "a"), **words) == "A B (a)"
    assert revision(lambda found: definition(found, "a"), a="A b", b="B C") == "A B C"


def test_dependencies_may_become_a_cycle(revision: Checks) -> None:
    revision(lambda found: definition(found, "a"), a="A b", b="B c", c="C")
    changed = {"a": "A b", "b": "B c", "c": "C a"}
    fresh = Checks()(lambda found: definition(found, "a"), **changed)
    assert revision(lambda found: definition(found, "a"), **changed) == fresh == "A B C (a)"


def test_input_may_change_within_a_check(revision: Checks) -> None:
    def ask(words: Dictionary) -> list[int]:
        before = total(words)
        words.words["a"] = "xxx"
        words.queries.set_input(WORD, words.query_scope, "xxx", ("a",))
        return [before, total(words), length(words, "b")]

    assert revision(ask, a="x", b="y") == [2, 4, 1]
    assert Counter(COMPUTED) == {"total": 2, "length a": 2, "length b": 1}


def test_long_chain_is_verified_without_nested_calls(revision: Checks) -> None:
    count = 5000

    def ask(words: Dictionary) -> int:
        return [chain(words, at) for at in range(count)][-1]

    assert revision(ask, a="x") == count
    assert revision(lambda words: chain(words, count - 1), a="y") == count


def test_effect_at_the_end_takes_place_once_the_result_is_stored(revision: Checks) -> None:
    revision(lambda words: announced(words, "a"), a="hi")
    revision(lambda words: announced(words, "a"), a="hi")
    assert SAID == ["computing", "hi", "hi"]


def test_unrecorded_queries_do_not_count_as_dependencies(revision: Checks) -> None:
    def ask(words: Dictionary) -> int:
        with words.queries.unrecorded():
            length(words, "b")
        return length(words, "a")

    outer = query(is_kept=True)(ask)
    revision(outer, a="x", b="y")
    assert revision(outer, a="x", b="yy") == 1
    assert COMPUTED == []


def test_explanation_has_each_query_below_its_user(revision: Checks) -> None:
    revision(total, a="x", b="y")
    key = (total, Dictionary.query_scope, ())
    assert list(explanation(revision.queries, key)) == [
        "test_queries.total",
        "  test_queries.length('a')",
        "    word('a')",
        "  test_queries.length('b')",
        "    word('b')",
    ]


class Halves:
    def __init__(self) -> None:
        self.computed: list[int] = []

    @cached_method
    def half(self, number: int) -> int:
        self.computed.append(number)
        if number % 2:
            raise ValueError(number)
        return number // 2


def test_method_runs_once_for_each_object_and_argument() -> None:
    one, other = Halves(), Halves()
    assert [one.half(2), one.half(2), one.half(0), other.half(2)] == [1, 1, 0, 1]
    assert (one.computed, other.computed) == ([2, 0], [2])


def test_exception_of_a_method_is_not_kept() -> None:
    halves = Halves()
    for _ in range(2):
        with pytest.raises(ValueError, match="3"):
            halves.half(3)
    assert halves.computed == [3, 3]
