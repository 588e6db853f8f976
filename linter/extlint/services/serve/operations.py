"""The operations of the service, from which its routes and its description in OpenAPI are made."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

_TEXT = "text/plain; charset=utf-8"
_JSON = "application/json"


class Parameter(Struct, frozen=True):
    """A parameter of an operation. `choices` are the only values, if there are any."""

    name: str
    about: str
    place: str = "query"
    is_list: bool = False
    choices: tuple[str, ...] = ()


class Operation(Struct, frozen=True):
    """An operation: its name, address, parameters and answers.

    `bodies` are the media types of the body of a request, `types` those of the answer, and `problems` the
    statuses of its problem documents besides those of all operations. `content` names the type of a JSON
    answer. `is_open` is true if no token is required, and `has_etag` if clients may keep the answer.
    """

    name: str
    method: str
    path: str
    about: str
    parameters: tuple[Parameter, ...] = ()
    bodies: tuple[str, ...] = ()
    types: tuple[str, ...] = (_JSON,)
    problems: tuple[int, ...] = ()
    content: str | None = None
    is_open: bool = False
    has_etag: bool = False
    headers: dict[str, str] = field(default_factory=dict)


_ANY_TARGET = "Browser to check for, such as `firefox` or `chrome>=120`; repeatable, or separated by commas."
_TARGET = Parameter("target", _ANY_TARGET, is_list=True)
_BROWSER = Parameter("target", "Browser to look in; repeatable, or separated by commas.", is_list=True)
_FILENAME = Parameter("X-Filename", "The name of the package, percent-encoded.", "header")
_ARCHIVES = ("application/octet-stream", "application/zip", "application/x-xpinstall", _JSON)
_FORM = "multipart/form-data"
_WORK = (408, 413, 415, 422, 429, 503)
_LOOKUP = (429, 503)
_STATUS = {
    "Extlint-Exit-Status": "The exit status of `extlint check`: 0, 1, or 2 if something was not checked."
}

OPERATIONS = (
    Operation(
        "lint",
        "POST",
        "/v1/lint",
        "Check a package or a manifest.",
        (
            _TARGET,
            Parameter("select", "Rules and groups to run; repeatable, or separated by commas.", is_list=True),
            Parameter("ignore", "Rules and groups not to run, in the same form.", is_list=True),
            Parameter(
                "fail-level",
                "The lowest severity that makes the exit status 1.",
                choices=("error", "warning", "info"),
            ),
            _FILENAME,
        ),
        (*_ARCHIVES, _FORM),
        (
            _JSON,
            "application/sarif+json",
            "text/html; charset=utf-8",
            "text/markdown; charset=utf-8",
            "application/vnd.extlint.page+json",
        ),
        (400, 406, *_WORK),
        "Report",
        headers=_STATUS,
    ),
    Operation(
        "permissions",
        "POST",
        "/v1/permissions",
        "List the permissions of a package, or compare those of two packages.",
        (_TARGET, _FILENAME),
        (*_ARCHIVES, _FORM),
        problems=(400, *_WORK),
        content="Permissions",
    ),
    Operation(
        "rules", "GET", "/v1/rules", "List the rules.", problems=_LOOKUP, content="Rules", has_etag=True
    ),
    Operation(
        "rule",
        "GET",
        "/v1/rules/{name}",
        "Explain a rule.",
        (Parameter("name", "The name of the rule.", "path"),),
        problems=(404, *_LOOKUP),
        content="RulePage",
        has_etag=True,
    ),
    Operation(
        "schema",
        "GET",
        "/v1/schema/{name}",
        "Look up an API, a key of the manifest or a permission.",
        (Parameter("name", "The name, such as `tabs.query`.", "path"), _BROWSER),
        problems=(404, *_LOOKUP),
        has_etag=True,
    ),
    Operation(
        "manifest_schema",
        "GET",
        "/v1/manifest-schema",
        "A JSON Schema of manifests, for editors.",
        (_BROWSER,),
        types=("application/schema+json",),
        problems=_LOOKUP,
        has_etag=True,
    ),
    Operation(
        "result",
        "GET",
        "/v1/results/{id}",
        "A result that is kept.",
        (Parameter("id", "The identifier of the result.", "path"),),
        types=("application/vnd.extlint.page+json",),
        problems=(404,),
    ),
    Operation("openapi", "GET", "/v1/openapi.json", "This description.", problems=_LOOKUP, has_etag=True),
    Operation("metrics", "GET", "/metrics", "Counts, for Prometheus.", types=(_TEXT,)),
    Operation("healthz", "GET", "/healthz", "Whether the process works.", types=(_TEXT,), is_open=True),
    Operation(
        "readyz",
        "GET",
        "/readyz",
        "Whether a check would start.",
        types=(_TEXT,),
        problems=(503,),
        is_open=True,
    ),
)
"""The operations. The page is not among them."""


def all_problems(operation: Operation) -> list[int]:
    """Returns the statuses of all problem documents of an operation."""
    always = {400, 421, 403, *(() if operation.is_open else (401,))}
    return sorted({*always, *operation.problems})


def parameter_names(operation: Operation) -> Any:
    """Returns the names of the parameters in the address."""
    return frozenset(each.name for each in operation.parameters if each.place == "query")
