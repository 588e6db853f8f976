"""Answers that depend on no upload: about rules, APIs, manifests, and the service itself, in OpenAPI."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.json import schema_components

from extlint import __version__
from extlint.linting.configuration.usage_error import UsageError, check_name
from extlint.registry import RULES
from extlint.report.reporter import documentation, page_url, summary
from extlint.schema.model import NO_USER_SCHEMAS
from extlint.schema.targets import schema_set
from extlint.services.api.results import Report
from extlint.services.api_lookup.manifest_keys import editor_schema
from extlint.services.name_lookup import (
    DEFAULT_EDITOR_TARGETS,
    REFERENCE,
    find_name,
    result_as_json,
)
from extlint.services.serve.answers import MEDIA_TYPE, TITLES, Problem
from extlint.services.serve.operations import OPERATIONS, Operation, Parameter, all_problems
from extlint.services.serve.settings import Head, Task
from extlint_schemas import TARGETS

_REFERENCES = "#/components/schemas/{name}"
_PAGE = "application/vnd.extlint.page+json"


class RuleSummary(Struct):
    """A rule in a list."""

    name: str
    group: str
    severity: Literal["error", "warning", "info"]
    fixable: Literal["no", "unsafely", "safely"]
    summary: str
    url: str


class RulePage(RuleSummary):
    """A rule with its documentation, in Markdown."""

    documentation: str


class Rules(Struct):
    """All rules."""

    version: Literal[1]
    rules: tuple[RuleSummary, ...]


class Permissions(Struct):
    """The JSON of `extlint permissions`."""

    version: Literal[1]
    extensions: tuple[dict[str, Any], ...]


class PageContent(Struct):
    """The content of the page: the report, the texts of files with findings, and the permissions."""

    report: Report
    files: dict[str, str]
    permissions: Permissions
    unchecked: tuple[str, ...]
    id: str | None


def openapi() -> dict[str, Any]:
    """Returns the description."""
    types = (Report, RulePage, Rules, Permissions, PageContent, Problem)
    _, components = schema_components(types, ref_template=_REFERENCES)
    for name in ("unchecked", "fails"):  # not in the JSON
        components["Report"]["properties"].pop(name)
    paths: dict[str, Any] = {}
    for each in OPERATIONS:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "extlint",
            "version": __version__,
            "description": "Checks browser extensions: the manifest, and every call of an extension API.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.about,
        "parameters": [_parameter(each) for each in operation.parameters],
        "responses": {"200": _success(operation)},
        "security": [{}] if operation.is_open else [{}, {"token": []}],
    }
    if operation.has_etag:
        found["responses"]["304"] = {"description": "What the client has is still correct."}
    for status in all_problems(operation):
        found["responses"][str(status)] = _problem(status)
    if operation.bodies:
        content = {each: _body(each, operation) for each in operation.bodies}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _parameter(parameter: Parameter) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    if parameter.choices:
        schema["enum"] = list(parameter.choices)
    if parameter.is_list:
        schema = {"type": "array", "items": {"type": "string", "minLength": 1}}
    found = {
        "name": parameter.name,
        "in": parameter.place,
        "description": parameter.about,
        "schema": schema,
    }
    return {**found, "required": True} if parameter.place == "path" else found


def _success(operation: Operation) -> dict[str, Any]:
    content = {each.partition(";")[0]: _content(each, operation) for each in operation.types}
    headers = {
        name: {"description": about, "schema": {"type": "string"}}
        for name, about in operation.headers.items()
    }
    if operation.has_etag:
        headers["ETag"] = {"description": "The version of the answer.", "schema": {"type": "string"}}
    found: dict[str, Any] = {"description": operation.about, "content": content}
    return {**found, "headers": headers} if headers else found


def _content(media_type: str, operation: Operation) -> dict[str, Any]:
    if media_type == _PAGE:
        return {"schema": {"$ref": _REFERENCES.format(name="PageContent")}}
    if media_type == "application/json" and operation.content is not None:
        return {"schema": {"$ref": _REFERENCES.format(name=operation.content)}}
    return {"schema": {"type": "object"} if media_type.endswith("json") else {"type": "string"}}


def _body(media_type: str, operation: Operation) -> dict[str, Any]:
    if media_type == "application/json":
        return {"schema": {}}  # a manifest that is not valid is reported
    if media_type != "multipart/form-data":
        return {"schema": {"type": "string", "format": "binary"}}
    fields = {"package": {"type": "string", "format": "binary"}}
    if operation.name == "permissions":
        fields["against"] = {"type": "string", "format": "binary"}
    return {
        "schema": {
            "type": "object",
            "properties": fields,
            "required": ["package"],
            "additionalProperties": False,
        }
    }


def _problem(status: int) -> dict[str, Any]:
    titles = [title for each, title in TITLES.values() if each == status]
    found: dict[str, Any] = {
        "description": "; ".join(titles),
        "content": {MEDIA_TYPE: {"schema": {"$ref": _REFERENCES.format(name="Problem")}}},
    }
    if status == 429:
        found["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "string"}}}
    return found


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
