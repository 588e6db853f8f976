"""Finds web pages in which a content script runs, but which may not load the files that it loads there."""

from __future__ import annotations

from extlint.analysis.facts.script_facts import LoadedAddress
from extlint.checks.resource_patterns import pages_with_access
from extlint.extension import Extension, Script
from extlint.manifest.host_patterns import may_match_origin, origins_in
from extlint.package.references import paths_of
from extlint.text.json.values import JsonNode

_NARROWING = ("exclude_globs", "exclude_matches", "include_globs")


def pages_without_access(
    extension: Extension, script: Script, address: LoadedAddress, path: str
) -> str | None:
    """Returns a match pattern of a content script with pages that may not load a file of the package.

    Returns None unless it is certain that the content script loads the file in all of its pages.
    """
    allowed = pages_with_access(extension, path) if address.on_load else None
    found = extension.manifest.get("content_scripts")
    if allowed is None or found is None:
        return None
    for entry in found.items():
        if any(entry.get(key) is not None for key in _NARROWING):
            continue
        if any(script.path in paths_of(name) for name in _strings(entry, "js")):
            for pattern in _strings(entry, "matches"):
                without = [
                    each.scheme
                    for each in origins_in(pattern)
                    if not may_match_origin(allowed, each, related=False)
                ]
                if without:
                    return _with_schemes(pattern, without)
    return None


def _with_schemes(pattern: str, schemes: list[str]) -> str:
    """Returns the part of a match pattern for pages with some web schemes."""
    if len(schemes) > 1:
        return pattern
    scheme, slashes, rest = pattern.partition("://")
    if not slashes:
        return f"{schemes[0]}://*/*"
    return f"{schemes[0]}://{rest}" if scheme == "*" else pattern


def all_paths_pattern(pattern: str) -> str:
    """Returns the match pattern for all paths of the same hosts, as `web_accessible_resources` requires."""
    scheme, slashes, rest = pattern.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}/*" if slashes else pattern


def _strings(entry: JsonNode, key: str) -> list[str]:
    listed = entry.get(key)
    return [each.value for each in (() if listed is None else listed.items()) if isinstance(each.value, str)]
