"""The two names of one API: `menus`, and `contextMenus`, the only one in Chrome.

browser-compat-data lists both under `menus`, and is not consistent about `alternative_name`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from extlint_facts.version_ranges import BROWSERS, Range, Statement, statements, widest

NAMES = ("contextMenus", "menus")
COMPAT = "__compat"


def menus_by_name(menus: Mapping[str, Any]) -> dict[str, dict[str, dict[str, Range]]]:
    """Returns the members of each of the two names, by paths that begin with it."""
    found: dict[str, dict[str, dict[str, Range]]] = {name: {} for name in NAMES}
    if menus:
        _collect(menus, "", dict.fromkeys(BROWSERS, NAMES), found)
    return found


def _collect(
    node: Mapping[str, Any],
    path: str,
    named: Mapping[str, tuple[str, ...]],
    found: dict[str, dict[str, dict[str, Range]]],
) -> None:
    """Collects a node and its parts. `named` has the names that each browser uses for the parent."""
    names = dict(named)
    if COMPAT in node:
        for browser in BROWSERS:
            ranges = _ranges(statements(node[COMPAT], browser), named[browser])
            for name, each in ranges.items():
                if each is not None:
                    found[name].setdefault(name + path, {})[browser] = each
            names[browser] = tuple(name for name in named[browser] if ranges.get(name)) or named[browser]
    for key in node:
        if key != COMPAT:
            _collect(node[key], f"{path}.{key}", names, found)


def _ranges(compat_statements: tuple[Statement, ...], named: tuple[str, ...]) -> dict[str, Range | None]:
    """Returns the range of versions that support each name. Firefox has all of `menus` under both."""
    other = [
        each for each in compat_statements if each.get("alternative_name", "").startswith("contextMenus")
    ]
    plain = [each for each in compat_statements if "alternative_name" not in each]
    by_name = {"contextMenus": widest([*other, *plain]), "menus": widest(plain) if plain else False}
    return (
        {name: each if name in named else False for name, each in by_name.items()}
        if compat_statements
        else {}
    )
