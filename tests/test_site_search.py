"""The search of the site for rules and error messages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from extlint.registry import RULES
from extlint_site.error_messages import error_messages
from extlint_site.search import FORM, other_words, search_data

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "docs" / "static" / "rule-search.js"


@cache
def data() -> str:
    return search_data({each.stem: each.read_text("utf-8") for each in (ROOT / "docs/outputs").iterdir()})


@cache
def found(query: str) -> list[str]:
    """Returns the titles of the results. Skips the test without Node.js."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    ask = f"searchRules(globalThis.ruleSearchEntries, {json.dumps(query)}).map((each) => each[0])"
    program = f"{data()}{SCRIPT.read_text('utf-8')}console.log(JSON.stringify({ask}));"
    done = subprocess.run([node, "-"], input=program, capture_output=True, encoding="utf-8", check=True)
    titles: list[str] = json.loads(done.stdout)
    return titles


def test_each_rule_and_message_has_an_entry() -> None:
    entries = json.loads(data().partition("=")[2].strip().removesuffix(";"))
    messages = [*error_messages()]
    assert [each[0] for each in entries] == [*RULES, *(each.text for each in messages)]
    addresses = [*(f"rules/{each}/" for each in RULES), *(f"errors/{each.address}/" for each in messages)]
    assert [each[2] for each in entries] == addresses


@pytest.mark.parametrize(
    ("query", "first"),
    [
        pytest.param("missing-permission", "missing-permission", id="a name"),
        pytest.param("MISSING perm", "missing-permission", id="parts of a name"),
        pytest.param("go off less often", "short-alarm", id="words of the sentence"),
        pytest.param("runtime.getBackgroundPage", "missing-background-page", id="an API"),
        pytest.param(
            "Uncaught (in promise) Error: Could not establish connection. Receiving end does not exist.",
            "Could not establish connection. Receiving end does not exist.",
            id="a whole line of the console",
        ),
        pytest.param(
            "Permission 'bookmrks' is unknown or URL pattern is malformed.",
            "URL pattern '…' is malformed.",
            id="a message with another value",
        ),
    ],
)
def test_first_result(query: str, first: str) -> None:
    assert found(query)[0] == first


def test_words_that_nothing_contains_have_no_results() -> None:
    assert found("zzzz") == []
    assert found("  .") == []


def test_message_finds_its_rules_after_it() -> None:
    assert "lost-message" in found("Receiving end does not exist")[:5]


def test_other_words_are_rare_parts_of_names() -> None:
    assert other_words("the chrome.tabs.onUpdated and tabs", "`tabs`") == "onupdated updated"


def test_form_is_hidden_without_scripts() -> None:
    assert re.search(r'<form class="rule-search" [^>]* hidden>', FORM)
    assert '<label for="rule-search">' in FORM
