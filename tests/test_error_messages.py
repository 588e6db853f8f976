"""The messages of browsers in `docs/errors/`: their examples cause them, and the rules find the causes."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import lint

from extlint.registry import RULES
from extlint_site.error_messages import COMMANDS, TARGETS, ErrorMessage, error_messages, recorded, topics

MESSAGES = [*error_messages()]
WITH_RULES = [each for each in MESSAGES if each.rules]


def address(message: ErrorMessage) -> str:
    return message.address


@pytest.mark.parametrize("message", WITH_RULES, ids=address)
def test_rules_find_the_causes_in_the_examples(message: ErrorMessage) -> None:
    for browser in message.browsers:
        found = [
            {finding.rule for finding in lint(each.files, tuple(RULES), TARGETS[browser])}
            for each in message.examples
        ]
        assert all(rules & set(message.rules) for rules in found)
        assert set(message.rules) <= set().union(*found)


@pytest.mark.parametrize("message", WITH_RULES, ids=address)
def test_each_browser_was_heard(message: ErrorMessage) -> None:
    lines = recorded()
    for browser in message.browsers:
        assert message.pattern.search(lines[COMMANDS[browser]][message.text])


def test_no_line_of_an_unknown_message_is_recorded() -> None:
    for browser, name in COMMANDS.items():
        assert set(recorded()[name]) == {each.text for each in WITH_RULES if browser in each.browsers}


def test_messages_without_a_rule_have_no_example() -> None:
    assert [each.text for each in MESSAGES if not each.rules] == ["Extension context invalidated."]
    assert all(bool(each.examples) is bool(each.rules) for each in MESSAGES)


def test_there_are_many_messages_with_different_addresses() -> None:
    assert len({each.address for each in MESSAGES}) == len(MESSAGES) > 100


def test_section_of_another_form_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\n## `message`\n\nFound by: `lost-message`\n")
    with pytest.raises(ValueError, match="a: message: the browsers and rules are missing"):
        list(topics(tmp_path))
