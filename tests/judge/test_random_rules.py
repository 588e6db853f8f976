"""The rules that real browsers are queried about: the same for the same seed, and of many kinds."""

from __future__ import annotations

import json
from collections import Counter

from extlint.checks.request_rules import mistakes_in
from extlint_judge.request_rules.random_patterns import random_pattern_rules
from extlint_judge.request_rules.random_rules import random_rules


def test_same_seed_returns_the_same_rules() -> None:
    assert list(random_rules(3, 20)) == list(random_rules(3, 20))
    assert list(random_rules(3, 20)) != list(random_rules(4, 20))


def test_pattern_rules_only_have_mistakes_in_patterns() -> None:
    assert list(random_pattern_rules(3, 20)) == list(random_pattern_rules(3, 20))
    found = [list(mistakes_in([rule], "chrome")) for rule in random_pattern_rules(1, 400)]
    assert sum(not mistakes for mistakes in found) > 50
    assert sum(any(each.reaction for each in mistakes) for mistakes in found) > 10
    places = {mistake.steps[-1] for mistakes in found for mistake in mistakes}
    assert places == {"regexFilter", "regexSubstitution"}


def test_rules_include_valid_and_variously_invalid_ones() -> None:
    rules = list(random_rules(1, 400))
    found = [list(mistakes_in([rule], "reference")) for rule in rules]
    assert sum(not mistakes for mistakes in found) > 50
    kinds = Counter(mistake.rule for mistakes in found for mistake in mistakes)
    assert {"invalid-value", "missing-key", "conflicting-keys"} <= kinds.keys()


def test_rules_only_contain_values_that_scripts_may_pass() -> None:
    for rule in random_rules(2, 400):
        assert "null" not in json.dumps(rule)
        assert rule.keys() <= {"id", "priority", "condition", "action"}
