"""Answers that depend on no upload: about rules, APIs, manifests, and the service itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from extlint.linting.configuration.usage_error import UsageError, check_name
from extlint.registry import RULES
from extlint.report.reporter import documentation, page_url, summary
from extlint.schema.model import NO_USER_SCHEMAS
from extlint.schema.targets import schema_set
from extlint.services.api_lookup.manifest_keys import editor_schema
from extlint.services.name_lookup import (
    DEFAULT_EDITOR_TARGETS,
    REFERENCE,
    find_name,
    result_as_json,
)
from extlint.services.serve.settings import Head, Task
from extlint_schemas import TARGETS

_NOT_FOUND = "not-found"


def look_up(task: Task) -> tuple[Head, bytes]:
    """Returns the answer to a task. Raises UsageError for an unknown target."""
    return _LOOKUPS[task.kind](task)


def _rules(_task: Task) -> tuple[Head, bytes]:
    return _answer({"version": 1, "rules": [_rule_summary(name) for name in RULES]})


def _rule(task: Task) -> tuple[Head, bytes]:
    name = task.name or ""
    if name not in RULES:
        return Head(problem=_NOT_FOUND, detail=f"no such rule: {name}"), b""
    return _answer({**_rule_summary(name), "documentation": documentation(name)})


def _rule_summary(name: str) -> dict[str, str]:
    rule = RULES[name]
    return {
        "name": name,
        "group": rule.group.name,
        "severity": str(rule.severity),
        "fixable": rule.fixable.value,
        "summary": summary(name),
        "url": page_url(name),
    }


def _schema(task: Task) -> tuple[Head, bytes]:
    targets = _targets(task)
    schema_sets = [schema_set(each, NO_USER_SCHEMAS) for each in targets or (REFERENCE,)]
    try:
        found = find_name(schema_sets, targets, NO_USER_SCHEMAS, task.name or "")
    except UsageError as error:
        return Head(problem=_NOT_FOUND, detail=str(error)), b""
    return Head(), result_as_json(schema_sets, found).encode()


def _manifest_schema(task: Task) -> tuple[Head, bytes]:
    targets = _targets(task)
    if REFERENCE in targets:
        raise UsageError(f"the target {REFERENCE} has no manifest of its own; name a browser")
    text = json.dumps(editor_schema(targets or DEFAULT_EDITOR_TARGETS), indent=1) + "\n"
    return Head("application/schema+json"), text.encode()


def _openapi(_task: Task) -> tuple[Head, bytes]:
    from extlint.services.serve.openapi import openapi

    return _answer(openapi())


def _targets(task: Task) -> tuple[str, ...]:
    for name in task.target:
        check_name("target", name, TARGETS)
    return task.target


def _answer(value: Mapping[str, Any]) -> tuple[Head, bytes]:
    return Head(), (json.dumps(value, indent=1) + "\n").encode()


_LOOKUPS: Mapping[str, Callable[[Task], tuple[Head, bytes]]] = {
    "rules": _rules,
    "rule": _rule,
    "schema": _schema,
    "manifest-schema": _manifest_schema,
    "openapi": _openapi,
}
