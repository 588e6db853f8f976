"""Decides whether an extension may have access to a host, including uncertain requests in its manifest."""

from __future__ import annotations

from collections.abc import Container

from extlint.analysis.facts.values import ArrayValue, Literal, Value
from extlint.extension import Extension
from extlint.schema.engine import Engine
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy

_LISTS = ("permissions", "host_permissions", "optional_permissions")
_WEB_SCHEMES = ("*://", "<all_urls>", "http://", "https://", "ws://", "wss://")
NAME = lazy(r"[A-Za-z][A-Za-z.]*")
"""A permission name, as opposed to a match pattern."""


def may_access_hosts(extension: Extension, ignored: Container[str] = ()) -> bool:
    """Whether the manifest requests access to hosts, or anything that may be a match pattern.

    Build tools have keys of their own, such as `{{chrome}}.permissions`. Permissions in `besides` are
    ignored.
    """
    manifest = extension.manifest
    keys = [key for key, _ in manifest.members() if "permission" in key or nearest(key, _LISTS) is not None]
    listed = [(name, key) for key in keys for name, _ in manifest.strings(key)]
    return any(
        "host_permission" in key or name == "activeTab" or not NAME.fullmatch(name)
        for name, key in listed
        if name not in ignored
    ) or has_hosts_of_content_scripts(extension)


def has_hosts_of_content_scripts(extension: Extension) -> bool:
    """Whether the hosts of content scripts count as requested, as in Firefox's Manifest V3.

    Verified by `extlint_judge host-access`.
    """
    manifest = extension.manifest
    return (
        extension.schemas.engine is Engine.GECKO
        and manifest.version == 3
        and manifest.get("content_scripts") is not None
    )


def are_web_patterns(value: Value) -> bool:
    """Whether a value is a match pattern for the web, or a list of them that is not empty."""
    if isinstance(value, ArrayValue):
        return bool(value.items) and not value.open and all(map(_is_web_pattern, value.items))
    return _is_web_pattern(value)


def _is_web_pattern(value: Value) -> bool:
    return (
        isinstance(value, Literal) and isinstance(value.value, str) and value.value.startswith(_WEB_SCHEMES)
    )
