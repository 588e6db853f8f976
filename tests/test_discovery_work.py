"""The part of a script that is visited for its uses of the API: unrelated code costs nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import extlint.analysis
from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.follow import evaluator_of
from extlint.analysis.modules.loads import loads_of
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.prefilter import candidates
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.analysis.trace.discover import Discovery
from extlint.analysis.values.api_results import TEXTS
from extlint.analysis.values.property_index import MAX_PLACES, is_written
from extlint.schema.model import Function
from extlint.schema.targets.target import schema_set
from extlint.schema.types import StringType
from extlint_schemas import TARGETS

USES = """
class Store { constructor() { this.area = browser.storage.local; } value(key) { return this.area.get(key); } }
const store = new Store();
store.value("a").then((found) => show(found.a));
"""

UNRELATED = """
class Pen%(n)d { constructor() { this.path = []; } value() { return this.path.join(""); } render() {
    const polygon = new Pen%(n)d(); draw%(n)d(polygon); const drawn = polygon.value(); this.drawn = drawn;
    return { end: drawn, of: unknown(drawn) }; } }
function draw%(n)d(pen) { return pen.value().split("M").map((each) => ({ each, end: each.end })); }
export const all%(n)d = items.map((item) => item.value());
"""


def count_visited(text: str) -> int:
    evaluator = evaluator_of(text.encode(), "a.js")
    assert evaluator is not None
    discovery = Discovery(evaluator)
    discovery.run(candidates(text.encode()))
    assert evaluator.omission is None
    return discovery.visited


@pytest.mark.parametrize("count", [1, 20])
def test_unrelated_code_with_the_same_names_is_not_followed(count: int) -> None:
    """A method of another class with the same name is visited, but its result is not followed."""
    unrelated = "".join(UNRELATED % {"n": at} for at in range(count))
    assert count_visited(USES + unrelated) <= count_visited(USES) + 2 * count


def test_visits_grow_linearly_with_the_uses() -> None:
    counts = [count_visited(USES + "store.value('b').then((b) => b.c);\n" * uses) for uses in (10, 20, 40)]
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    assert second == 2 * first > 0


STORED_RESULTS = ["tabs", "tabs || []", "tabs || other", "{ tabs, names: [] }", "[tabs, { own: 1 }]"]


@pytest.mark.parametrize("kept", STORED_RESULTS)
def test_stored_result_is_not_searched_at_each_property_of_that_name(kept: str) -> None:
    few, many = (
        budget_spent(
            f"browser.tabs.query({{}}).then((tabs) => {{ state.value = {kept}; }});" + "a(b.value());" * count
        )
        for count in (1, 200)
    )
    assert many < few + 1_000


@pytest.mark.parametrize("name", sorted(TEXTS), ids=".".join)
def test_strings_from_the_api_are_not_followed(name: ApiPath) -> None:
    """Neither the methods of a string nor the objects and functions that receive it belong to the API."""
    call = f"browser.{'.'.join(name)}('a')"
    uses = f"node.title = {call}.replace(a, b); show({call}); const text = {call}; text.trim();"
    assert count_visited(uses) == count_visited(f"{call}; {call}; {call};")


def test_strings_are_followed_to_callers_of_the_returning_function() -> None:
    function = "const text = (name) => browser.i18n.getMessage(name) || name;"
    assert count_visited(f"{function} show(text('a'), text('b'));") == count_visited(function) + 2


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_string_functions_return_strings_in_all_targets(target: str) -> None:
    schemas = schema_set(target)
    for namespace, name in TEXTS:
        owner = schemas.namespace(namespace)
        for member in () if owner is None else owner.members.get(name, ()):
            assert isinstance(member, Function)
            assert (member.async_, member.callback) == (None, None)
            assert isinstance(member.returns, StringType)


def budget_spent(text: str) -> int:
    evaluator = evaluator_of(text.encode(), "a.js")
    assert evaluator is not None
    Discovery(evaluator).run(candidates(text.encode()))
    return evaluator.tree.budget.spent


def test_words_that_load_nothing_are_not_examined() -> None:
    """`Array.from`, a variable `from` and a type `Worker` are neither imports nor workers."""
    words = "const from = Array.from(all); f({ from }, from.require, Worker.prototype);"
    assert load_search_cost(f"import './m.js'; {words * 20}") == load_search_cost("import './m.js';")


def load_search_cost(text: str) -> int:
    evaluator = evaluator_of(text.encode(), "a.js")
    assert evaluator is not None
    assert [each.name for each in loads_of(evaluator.tree, evaluator)] == ["./m.js"]
    return evaluator.tree.budget.spent


@pytest.mark.parametrize("other", ["node.title = text;", "node[0] = items[0] + 0;", 'f("0", title);'])
def test_writes_of_a_field_are_examined_only_until_one_is_unknown(
    other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One write to an unknown object is enough, and an index is a property name only in a string."""
    looked_up: list[int] = []
    find = SyntaxTree.leaf_at

    def leaf_at(tree: SyntaxTree, at: int) -> Node:
        looked_up.append(at)
        return find(tree, at)

    monkeypatch.setattr(SyntaxTree, "leaf_at", leaf_at)

    def count(repetitions: int) -> int:
        looked_up.clear()
        count_visited(
            "browser.tabs.query({}).then((tabs) => show(tabs[0].title));\n" + f"{other}\n" * repetitions
        )
        return len(looked_up)

    assert count(100) == count(1)


INDEX_WRITES = [
    'a["0"] = 1',
    "a[ '0' ] = 1",
    "a[/* */'0']++",
    'delete a["0"]',
    '[a["0"]] = b',
    'a["0\\\n"] = 1',
]
INDEX_READS = ['f(a["0"])', "a[0] = 1", 'a["0px"] = 1', 'a[" 0"] = 1', "({ 0: 1 })", 'a = "0"', "a[`0`] = 1"]


@pytest.mark.parametrize("code", INDEX_WRITES + INDEX_READS)
@pytest.mark.parametrize("others", [0, MAX_PLACES + 1], ids=["rare", "common"])
def test_index_write_is_recognized_by_its_name_in_a_string(code: str, others: int) -> None:
    evaluator = evaluator_of(f"{code};\n{'0;' * others}".encode(), "a.js")
    assert evaluator is not None
    assert is_written(evaluator, "0") == (code in INDEX_WRITES)


def test_code_does_not_read_the_text_of_parser_nodes() -> None:
    """Reading the text of a node scans all of a long text. A slice of the source costs next to nothing."""
    sources = Path(next(iter(extlint.analysis.__path__))).rglob("*.py")
    assert [each for each in sources if re.search(r"\bnode\.text\b", each.read_text())] == []
