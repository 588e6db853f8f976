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
    for name, said in _TAG.findall(comment):
        found.setdefault(name, []).append(said)
    return found


def facts(comment: str) -> dict[str, Any]:
    """Returns the facts in the tags of one declaration.

    Permissions are alternatives; `manifest:key` is a key that the manifest must have.
    """
    said = tags(comment)
    versions = {
        "min_manifest_version": _manifest(said.get("chrome-min-manifest")),
        "max_manifest_version": _manifest(said.get("chrome-max-manifest")),
        "since": _version(said.get("since")),
        "deprecatedSince": _version(said.get("chrome-deprecated-since")),
        "promiseSince": _version(said.get("chrome-returns-extra")),
    }
    keys: dict[str, Any] = {key: version for key, version in versions.items() if version is not None}
    permissions = [
        *said.get("chrome-permission", ()),
        *(f"manifest:{key}" for key in said.get("chrome-manifest", ())),
    ]
    if permissions:
        keys["permissions"] = permissions
    if "deprecated" in said or "chrome-deprecated-since" in said:
        keys["deprecated"] = True
    if "chrome-platform" in said:
        keys["platforms"] = said["chrome-platform"]
    if "chrome-disallow-service-workers" in said:
        keys["noServiceWorker"] = True
    for key, tag in (("channel", "chrome-channel"), ("installLocation", "chrome-install-location")):
        if tag in said:
            keys[key] = said[tag][0]
    if said.get("since") == ["Pending"]:
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


def _version(said: list[str] | None) -> str | None:
    found = _VERSION.search(said[0]) if said else None
    return found[1] if found else None


def _manifest(said: list[str] | None) -> int | None:
    return int(said[0].removeprefix("MV")) if said else None
