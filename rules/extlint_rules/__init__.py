"""The rules of extlint, one module each.

`RULES` maps the name of each rule to the module that holds it. A module has `RULE`, which gives its
name and severity, `check`, which yields its findings, and a docstring, which is its documentation.
Modules are imported when they are needed, so that a run pays for the rules that it selects.
"""

from __future__ import annotations

RULES = {
    "callback-parameters": "extlint_rules.callback_parameters",
    "duplicate-key": "extlint_rules.duplicate_key",
    "invalid-argument": "extlint_rules.invalid_argument",
    "invalid-json": "extlint_rules.invalid_json",
    "invalid-syntax": "extlint_rules.invalid_syntax",
    "invalid-value": "extlint_rules.invalid_value",
    "missing-file": "extlint_rules.missing_file",
    "missing-key": "extlint_rules.missing_key",
    "missing-permission": "extlint_rules.missing_permission",
    "unknown-api": "extlint_rules.unknown_api",
    "unknown-permission": "extlint_rules.unknown_permission",
    "unsupported-api": "extlint_rules.unsupported_api",
    "wrong-argument-count": "extlint_rules.wrong_argument_count",
    "wrong-context": "extlint_rules.wrong_context",
}
