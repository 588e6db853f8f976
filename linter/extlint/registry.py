"""The rules, by name. A rule's module is imported when the rule is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from extlint.rule import RuleModule

RULES = {
    "missing-permission": "extlint_rules.missing_permission",
    "unsupported-api": "extlint_rules.unsupported_api",
    "unknown-api": "extlint_rules.unknown_api",
    "wrong-context": "extlint_rules.wrong_context",
    "invalid-argument": "extlint_rules.invalid_argument",
    "wrong-argument-count": "extlint_rules.wrong_argument_count",
    "callback-parameters": "extlint_rules.callback_parameters",
    "invalid-json": "extlint_rules.invalid_json",
    "duplicate-key": "extlint_rules.duplicate_key",
    "missing-key": "extlint_rules.missing_key",
    "invalid-value": "extlint_rules.invalid_value",
    "unknown-permission": "extlint_rules.unknown_permission",
    "missing-file": "extlint_rules.missing_file",
    "invalid-syntax": "extlint_rules.invalid_syntax",
}
"""Rule name to the module that holds it, in the order in which rules are listed."""


def load(name: str) -> RuleModule:
    """The module of a rule. Raises KeyError for a name that is no rule's."""
    return cast("RuleModule", import_module(RULES[name]))
