"""Finds reads of tab fields that browsers hide from extensions without the permission `tabs`.

Without it, without a host permission and without `activeTab`, Firefox 153 and Chromium 156 expose the address
and the title only for tabs with pages of the extension itself, and cannot find other tabs by them
(`extlint_judge host-access` verifies this).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import HOSTS, ApiPath, FieldRead, Guards
from extlint.analysis.facts.values import ApiResult, ObjectValue
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import is_never_called, is_never_used, unguarded_calls
from extlint.checks.calls.required_permissions import HIDDEN_FIELDS, TABS, reads_hidden_field
from extlint.checks.other_browsers import is_browser_specific
from extlint.checks.reachability.unreachable_code import checked_scripts, is_unreachable
from extlint.extension import Extension, Script
from extlint.manifest.manifest import REQUESTS
from extlint.project.rewritten_keys import may_add_request
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint_rules.helpers.host_access import are_web_patterns, has_all_requests, may_access_hosts

_QUERY = ("tabs", "query")
_MAYBE_OWN = frozenset({"create", "duplicate", "getCurrent", "update"})
"""Functions whose tabs may well contain a page of the extension."""

_OWN_PAGES = lazy(rb"getURL|-extension:|\b(?:location|self\.origin|window\.origin|runtime\??\.id)\b")
"""Text in a script that searches for pages of the extension by their addresses."""


class HiddenField(Struct, frozen=True):
    """A location where a field is undefined, or where tabs are filtered by a field that they do not have."""

    script: Script
    span: ByteSpan
    name: str
    api: ApiPath
    is_filter: bool = False


def hidden_fields(extension: Extension) -> Iterator[HiddenField]:
    """Yields the locations where a script certainly depends on such a field of tabs that are not its own."""
    if hosts_decide(extension) and not may_access_hosts(extension):
        yield from _hidden_filters(extension)
        for script, read in _hidden_reads(extension):
            yield HiddenField(script, read.span, read.name, read.of.path)


def _hidden_filters(extension: Extension) -> Iterator[HiddenField]:
    """Yields the queries for tabs with web addresses."""
    for script, reference, call in unguarded_calls(extension):
        query = call.arguments[0] if call.path == _QUERY and call.arguments else None
        field = query.fields.get("url") if isinstance(query, ObjectValue) else None
        if (
            field is not None
            and are_web_patterns(field.value)
            and script.contexts
            and not unavailabilities_of(extension, _QUERY, script.contexts)
            and not may_show(extension, script, reference.guards)
            and _is_complete(extension)
            and not is_never_called(extension, script, reference)
        ):
            yield HiddenField(script, field.key or call.span, "url", _QUERY, is_filter=True)


def _hidden_reads(extension: Extension) -> Iterator[tuple[Script, FieldRead]]:
    """Yields the first read of each field from each result in a script."""
    for script in checked_scripts(extension):
        seen: set[tuple[ApiResult, str]] = set()
        for read in script.facts.field_reads:
            if read.name not in HIDDEN_FIELDS or (read.of, read.name) in seen:
                continue
            seen.add((read.of, read.name))
            if _is_undefined(extension, script, read):
                yield script, read


def hosts_decide(extension: Extension) -> bool:
    """Whether only access to hosts exposes the fields of other tabs: `tabs` is certainly not requested."""
    manifest = extension.manifest
    return (
        not extension.schemas.is_specification
        and manifest.is_object
        and not manifest.may_be_filled_in(*REQUESTS)
        and TABS not in manifest.permissions
    )


def _is_undefined(extension: Extension, script: Script, read: FieldRead) -> bool:
    return (
        bool(script.contexts)
        and read.of.path[-1] not in _MAYBE_OWN
        and not may_show(extension, script, read.guards)
        and not unavailabilities_of(extension, read.of.path, script.contexts)
        and reads_hidden_field(extension, read)
        and not _OWN_PAGES.search(script.index.text)
        and _is_complete(extension)
        and not is_never_used(extension, script, read.of.path)
    )


def may_show(extension: Extension, script: Script, guards: Guards) -> bool:
    """Whether code does not run in this extension and browser, or only if a permission was granted."""
    return (
        guards.runs_in is ContextKind.UNKNOWN
        or guards.is_granted((TABS, HOSTS))
        or is_browser_specific(extension, guards)
        or is_unreachable(extension, script, guards)
    )


def _is_complete(extension: Extension) -> bool:
    """Whether no file is missing that may complete the manifest or open pages of its own."""
    return has_all_requests(extension) and not may_add_request(extension, (TABS,))
