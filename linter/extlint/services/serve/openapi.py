"""The description of the service in OpenAPI, from its operations and the types of its answers."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.json import schema_components

from extlint import __version__
from extlint.services.api.results import Report
from extlint.services.serve.answers import MEDIA_TYPE, TITLES, Problem
from extlint.services.serve.operations import OPERATIONS, Operation, Parameter, all_problems

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
