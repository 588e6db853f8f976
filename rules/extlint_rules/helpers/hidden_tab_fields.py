"""Reads of fields of tabs that browsers hide from extensions without the permission `tabs`.

Without it, without a host permission and without `activeTab`, Firefox 153 and Chromium 156 give the address
and the title of no tab but those with pages of the extension itself, and find none by them
(`extlint_judge host-access` asks them).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.availability.unguarded_references import is_never_called, unguarded_calls
from extlint.checks.calls.tab_fields import HIDDEN_FIELDS, TABS, reads_hidden_field
from extlint.checks.portability.other_browsers import is_browser_specific
from extlint.checks.portability.other_manifests import has_other_manifests
from extlint.checks.reachability.unreachable_code import checked_scripts, is_unreachable
from extlint.extension import Extension, Script
from extlint.script.facts.context import ContextKind
from extlint.script.facts.script_facts import HOSTS, ApiPath, FieldRead, Guards
from extlint.script.facts.values import ApiResult, ObjectValue
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint_rules.helpers.host_requests import are_web_patterns, may_access_hosts

_QUERY = ("tabs", "query")
_MAYBE_OWN = frozenset({"create", "duplicate", "getCurrent", "update"})
"""Functions that give tabs in which a page of the extension may well be."""

_OWN_PAGES = lazy(rb"getURL|-extension:|\b(?:location|self\.origin|window\.origin|runtime\??\.id)\b")
"""What a script has that looks for pages of the extension by their addresses."""


class HiddenField(Struct, frozen=True):
    """A place where a field is undefined, or where tabs are filtered by one that they do not have."""

    script: Script
    span: ByteSpan
    name: str
    api: ApiPath
    is_filter: bool = False


def hidden_fields(extension: Extension) -> Iterator[HiddenField]:
    """The places where a script depends on such a field of tabs that are not its own, for certain."""
    if _is_hidden(extension):
        yield from _filters(extension)
        for script, read in _reads(extension):
            yield HiddenField(script, read.span, read.name, read.of.path)


def _filters(extension: Extension) -> Iterator[HiddenField]:
    """The queries for tabs with addresses in the web."""
    for script, reference, call in unguarded_calls(extension):
        asked = call.arguments[0] if call.path == _QUERY and call.arguments else None
        field = asked.fields.get("url") if isinstance(asked, ObjectValue) else None
        if (
            field is not None
            and are_web_patterns(field.value)
            and script.contexts
            and not unavailabilities_of(extension, _QUERY, script.contexts)
            and not _may_show(extension, script, reference.guards)
            and _is_whole(extension)
            and not is_never_called(extension, script, reference)
        ):
            yield HiddenField(script, field.key or call.span, "url", _QUERY, is_filter=True)


def _reads(extension: Extension) -> Iterator[tuple[Script, FieldRead]]:
    """The first read of each field from each result in a script."""
    for script in checked_scripts(extension):
        seen: set[tuple[ApiResult, str]] = set()
        for read in script.facts.field_reads:
            if read.name not in HIDDEN_FIELDS or (read.of, read.name) in seen:
                continue
            seen.add((read.of, read.name))
            if _is_undefined(extension, script, read):
                yield script, read


def _is_hidden(extension: Extension) -> bool:
    """Whether the manifest requests nothing that shows the fields of other tabs."""
    manifest = extension.manifest
    return (
        not extension.schemas.is_specification
        and manifest.is_object
        and not manifest.is_template
        and TABS not in manifest.permissions
        and not may_access_hosts(extension)
    )


def _is_undefined(extension: Extension, script: Script, read: FieldRead) -> bool:
    return (
        bool(script.contexts)
        and read.of.path[-1] not in _MAYBE_OWN
        and not _may_show(extension, script, read.guards)
        and not unavailabilities_of(extension, read.of.path, script.contexts)
        and reads_hidden_field(extension, read)
        and not _OWN_PAGES.search(script.index.text)
        and _is_whole(extension)
        and not _is_dead(extension, script, read.of)
    )


def _may_show(extension: Extension, script: Script, guards: Guards) -> bool:
    """Whether a place does not run in this extension and browser, or only if a permission was granted."""
    return (
        guards.runs_in is ContextKind.UNKNOWN
        or guards.grant((TABS, HOSTS))
        or is_browser_specific(extension, guards)
        or is_unreachable(extension, script, guards)
    )


def _is_whole(extension: Extension) -> bool:
    """Whether nothing is missing that may complete the manifest or open pages of its own."""
    from extlint.checks.reachability.closed_world import has_all_loaded_files
    from extlint.project.rewritten_keys import may_add_request

    return (
        has_all_loaded_files(extension)
        and not has_other_manifests(extension)
        and not may_add_request(extension, (TABS,))
    )


def _is_dead(extension: Extension, script: Script, result: ApiResult) -> bool:
    """Whether nothing calls the functions in which a script asks for the result."""
    named = [each for each in script.facts.references if each.path[: len(result.path)] == result.path]
    return bool(named) and all(is_never_called(extension, script, each) for each in named)
