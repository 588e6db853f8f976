"""The uses of each permission: namespaces of the dialect in, the table out."""

from __future__ import annotations

from typing import Any

import pytest

from extlint_facts.permission_index import members_by_permission

CASES: dict[str, tuple[list[dict[str, Any]], dict[str, list[str]]]] = {
    "a namespace": ([{"namespace": "n", "permissions": ["p"]}], {"p": ["n"]}),
    "either of two": ([{"namespace": "n", "permissions": ["q", "p"]}], {"p": ["n"], "q": ["n"]}),
    "both of two": ([{"namespace": "n", "permissionsAll": [["p"], ["q"]]}], {"p": ["n"], "q": ["n"]}),
    "call permissions": (
        [{"namespace": "n", "functions": [{"name": "f", "callPermissions": ["p"]}]}],
        {"p": ["n.f"]},
    ),
    "functions, events and properties": (
        [
            {
                "namespace": "n",
                "functions": [{"name": "f", "permissions": ["p"]}, {"name": "g"}],
                "events": [{"name": "onE", "permissions": ["p"]}],
                "properties": {"c": {"permissions": ["p"]}},
            }
        ],
        {"p": ["n.c", "n.f", "n.onE"]},
    ),
    "function permission equal to the namespace permission": (
        [{"namespace": "n", "permissions": ["p"], "functions": [{"name": "f", "permissions": ["p"]}]}],
        {"p": ["n"]},
    ),
    "a nested namespace": (
        [{"namespace": "n.m", "permissions": ["p"]}, {"namespace": "n", "permissions": ["p"]}],
        {"p": ["n"]},
    ),
    "a namespace whose name begins like another": (
        [{"namespace": "n", "permissions": ["p"]}, {"namespace": "nm", "permissions": ["p"]}],
        {"p": ["n", "nm"]},
    ),
    "a method of a type": (
        [{"namespace": "n", "types": [{"id": "T", "functions": [{"name": "f", "permissions": ["p"]}]}]}],
        {"p": ["n"]},
    ),
    "a field that is hidden without it": (
        [{"namespace": "n", "types": [{"id": "T", "properties": {"a": {"permissions": ["p"]}}}]}],
        {},
    ),
    "a key of the manifest, a pattern": (
        [{"namespace": "n", "permissions": ["manifest:action", "<all_urls>"]}],
        {},
    ),
}


@pytest.mark.parametrize(("namespaces", "expected"), CASES.values(), ids=CASES.keys())
def test_members_are_listed_by_permission(
    namespaces: list[dict[str, Any]], expected: dict[str, list[str]]
) -> None:
    assert members_by_permission(namespaces) == expected
