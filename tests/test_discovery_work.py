"""The part of a script that is visited for its uses of the API: unrelated code costs nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import extlint.analysis
from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.follow import evaluator_of
from extlint.analysis.syntax.prefilter import candidates
from extlint.analysis.trace.discover import Discovery
from extlint.analysis.values.api_results import TEXTS
from extlint.analysis.values.property_index import MAX_PLACES, is_written
from extlint.schema.model import Function
from extlint.schema.targets import schema_set
from extlint.schema.types import StringType
from extlint_schemas import TARGETS


def count_visited(text: str) -> int:
    evaluator = evaluator_of(text.encode(), "a.js")
    assert evaluator is not None
    discovery = Discovery(evaluator)
    discovery.run(candidates(text.encode()))
    assert evaluator.omission is None
    return discovery.visited


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


INDEX_WRITES = [
    'a["0"] = 1',
    "a[ '0' ] = 1",
    "a[/* */'0']++",
    'delete a["0"]',
    '[a["0"]] = b',
    'a["0\\\n"] = 1',
]
INDEX_READS = ['f(a["0"])', "a[0] = 1", 'a["0px"] = 1', 'a[" 0"] = 1', "({ 0: 1 })", 'a = "0"', "a[`0`] = 1"]


@pytest.mark.parametrize(
    ("code", "others"),
    [
        *((each, 0) for each in INDEX_WRITES + INDEX_READS),
        *((each, MAX_PLACES + 1) for each in (INDEX_WRITES[0], INDEX_READS[0])),
    ],
)
def test_index_write_is_recognized_by_its_name_in_a_string(code: str, others: int) -> None:
    evaluator = evaluator_of(f"{code};\n{'0;' * others}".encode(), "a.js")
    assert evaluator is not None
    assert is_written(evaluator, "0") == (code in INDEX_WRITES)


def test_code_does_not_read_the_text_of_parser_nodes() -> None:
    """Reading the text of a node scans all of a long text. A slice of the source costs next to nothing."""
    sources = Path(next(iter(extlint.analysis.__path__))).rglob("*.py")
    assert [each for each in sources if re.search(r"\bnode\.text\b", each.read_text())] == []
