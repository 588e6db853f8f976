"""How much of a script is visited for its uses of the API: what it has beside them costs nothing."""

from __future__ import annotations

import pytest

from extlint.script.follow import evaluator_of
from extlint.script.syntax.prefilter import candidates
from extlint.script.trace.discover import Discovery

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


def visited(text: str) -> int:
    evaluator = evaluator_of(text.encode(), "a.js")
    assert evaluator is not None
    discovery = Discovery(evaluator)
    discovery.run(candidates(text.encode()))
    assert evaluator.omission is None
    return discovery.visited


@pytest.mark.parametrize("count", [1, 20])
def test_what_shares_only_names_with_the_uses_is_not_followed(count: int) -> None:
    """A method of another class is called by the same name: it is looked at, and its result goes nowhere."""
    unrelated = "".join(UNRELATED % {"n": at} for at in range(count))
    assert visited(USES + unrelated) <= visited(USES) + 2 * count


def test_visits_grow_with_the_uses() -> None:
    counts = [visited(USES + "store.value('b').then((b) => b.c);\n" * uses) for uses in (10, 20, 40)]
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    assert second == 2 * first > 0


@pytest.mark.parametrize("kept", ["tabs", "tabs || []", "{ tabs, names: [] }", "[tabs, { own: 1 }]"])
def test_a_result_is_not_looked_for_at_each_property_of_the_name_it_is_kept_by(kept: str) -> None:
    few, many = (
        spent(
            f"browser.tabs.query({{}}).then((tabs) => {{ state.value = {kept}; }});" + "a(b.value());" * count
        )
        for count in (1, 200)
    )
    assert many < few + 1_000


def spent(text: str) -> int:
    evaluator = evaluator_of(text.encode(), "a.js")
    assert evaluator is not None
    Discovery(evaluator).run(candidates(text.encode()))
    return evaluator.tree.budget.spent
