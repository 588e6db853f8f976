"""The fields of tabs that browsers show only with the permission `tabs`, or with access to the page."""

from __future__ import annotations

from extlint.analysis.facts.script_facts import FieldRead
from extlint.checks.calls.result_types import PossibleType, possible_types
from extlint.extension import Extension
from extlint.schema.types import ObjectType

TABS = "tabs"
"""The permission that reveals these fields of every tab."""

HIDDEN_FIELDS = frozenset({"favIconUrl", "title", "url"})
_MARKER_FIELD = "favIconUrl"
"""A field that only tabs and changes of tabs have."""

_TAB_NAMESPACES = frozenset({"tabs", "windows"})


def reads_hidden_field(extension: Extension, read: FieldRead) -> bool:
    """Whether a read field is such a field, in a value returned or passed by the API."""
    return (
        read.name in HIDDEN_FIELDS
        and read.of.path[0] in _TAB_NAMESPACES
        and any(map(_is_tab, possible_types(extension, read.of)))
    )


def _is_tab(possible: PossibleType) -> bool:
    return isinstance(possible.type, ObjectType) and _MARKER_FIELD in possible.type.properties
