"""Converts the tags in the comments of chrome-types to keys of the dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_TAG = re.compile(r"^\s*(?:/\*)?\*+\s*@([\w-]+)[ \t]*(.*?)\s*(?:\*/)?\s*$", re.MULTILINE)
_VERSION = re.compile(r"Chrome (\d+)")

UNRELEASED = "trunk"
"""The channel of members that no version of Chrome has yet."""


def tags(comment: str) -> dict[str, list[str]]:
    """Returns the texts after each tag, in order."""
    found: dict[str, list[str]] = {}
    for name, value in _TAG.findall(comment):
        found.setdefault(name, []).append(value)
    return found


def facts(comment: str) -> dict[str, Any]:
    """Returns the facts in the tags of one declaration.

    Permissions are alternatives; `manifest:key` is a key that the manifest must have.
    """
    tag_values = tags(comment)
    versions = {
        "min_manifest_version": _manifest(tag_values.get("chrome-min-manifest")),
        "max_manifest_version": _manifest(tag_values.get("chrome-max-manifest")),
        "since": _version(tag_values.get("since")),
        "deprecatedSince": _version(tag_values.get("chrome-deprecated-since")),
        "promiseSince": _version(tag_values.get("chrome-returns-extra")),
    }
    keys: dict[str, Any] = {key: version for key, version in versions.items() if version is not None}
    permissions = [
        *tag_values.get("chrome-permission", ()),
        *(f"manifest:{key}" for key in tag_values.get("chrome-manifest", ())),
    ]
    if permissions:
        keys["permissions"] = permissions
    if "deprecated" in tag_values or "chrome-deprecated-since" in tag_values:
        keys["deprecated"] = True
    if "chrome-platform" in tag_values:
        keys["platforms"] = tag_values["chrome-platform"]
    if "chrome-disallow-service-workers" in tag_values:
        keys["noServiceWorker"] = True
    for key, tag in (("channel", "chrome-channel"), ("installLocation", "chrome-install-location")):
        if tag in tag_values:
            keys[key] = tag_values[tag][0]
    if tag_values.get("since") == ["Pending"]:
        keys["channel"] = UNRELEASED
    return keys


def facts_of_overloads(comments: Iterable[str]) -> dict[str, Any]:
    """Returns the facts in the tags of all overloads of a function."""
    keys: dict[str, Any] = {}
    for comment in comments:
        keys = {**facts(comment), **keys}
    return keys


def is_for_apps(comment: str) -> bool:
    """Whether only Chrome's old packaged apps have the declaration, not extensions."""
    return "chrome-platform-apps" in tags(comment)


def _version(values: list[str] | None) -> str | None:
    found = _VERSION.search(values[0]) if values else None
    return found[1] if found else None


def _manifest(values: list[str] | None) -> int | None:
    return int(values[0].removeprefix("MV")) if values else None
