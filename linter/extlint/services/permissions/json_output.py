"""The tables of permissions as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from extlint.report.formats.json_output import span_as_json
from extlint.services.permissions.comparison import Comparison
from extlint.services.permissions.requests import Request
from extlint.services.permissions.table import PermissionTable, Row

VERSION = 1
"""Version of the format, incremented when programs that read the output have to change. New keys do not
count.
"""


def permissions_as_json(found: Sequence[tuple[PermissionTable, Comparison | None]]) -> dict[str, Any]:
    """Returns the whole output as JSON values."""
    return {"version": VERSION, "extensions": [_extension(table, change) for table, change in found]}


def _extension(table: PermissionTable, comparison: Comparison | None) -> dict[str, Any]:
    return {
        "path": table.name,
        "manifest": table.manifest_path,
        "targets": list(table.choice.names),
        "targets_from": table.choice.origin.value,
        "permissions": [_row(table, row) for row in table.rows],
        "prompts": table.prompts,
        "against": None if comparison is None else _comparison(comparison),
    }


def _row(table: PermissionTable, row: Row) -> dict[str, Any]:
    return {
        **_request(row.request),
        "path": table.manifest_path,
        **span_as_json(row.request.span),
        "unused": row.is_unused,
        "uses": [{"api": use.api, "path": use.path, **span_as_json(use.span)} for use in row.uses],
        "prompts": row.prompts,
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "name": comparison.against,
        "added": [_request(each) for each in comparison.added],
        "removed": [_request(each) for each in comparison.removed],
        "prompts": comparison.prompts,
    }


def _request(request: Request) -> dict[str, str]:
    return {"name": request.name, "kind": request.kind.value}
