"""Recognizes manifests by their text only, and files and folders that are only like those of an extension."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from extlint.package.files import Package, Surroundings, bytes_of
from extlint.text.json.reader import read_json
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.positions import decode

# An unterminated token ends at the end of the text, so that no text is read twice.
_TOKEN = lazy(
    rb"""
    "(?P<string>(?:[^"\\]|\\.)*+)(?:"(?P<key>\s*+:\s*+(?=["0-9$<%@_]|\{[{%]))?|\\?\Z)
    | //[^\r\n]*+
    | /\*.*?(?:\*/|\Z)
    | (?P<open>[\[{])
    | (?P<close>[\]}])
    """,
    re.VERBOSE | re.DOTALL,
)


_VERSION = lazy(rb"(?:__[\w|]+__|\{\{[\w|]+\}\}\.|[a-z]+:)?manifest_version")
_KNOWN_VERSION = lazy(
    rb"manifest_version(?<!m(?:ax|in)_manifest_version)\"\s*+:\s*+[23](?![\w.])", needs=(b"manifest_version",)
)
_LIKE_A_MANIFEST = lazy(
    r"manifest[._-].+\.json|.+[._-]manifest\.json|manifest[mM]?[vV][23]\.json", needs=("manifest",)
)


def is_named_like_a_manifest(name: str) -> bool:
    """Whether a file is named like a manifest other than `manifest.json`: `manifest.chrome.json`."""
    return name != "manifest.json" and _LIKE_A_MANIFEST.fullmatch(name) is not None


def names_manifest_version(data: bytes) -> bool:
    """Whether a text mentions `manifest_version` at all, which the `manifest.json` of a web app does not."""
    return b"manifest_version" in _utf8(data)


def names_version(around: Surroundings, path: str) -> bool:
    """Whether a file of a project mentions `manifest_version`."""
    data = bytes_of(around.read, path)
    return data is not None and names_manifest_version(data)


def has_known_manifest_version(data: bytes) -> bool:
    """Whether a text mentions a `manifest_version` that browsers support, at any depth."""
    return _KNOWN_VERSION.search(_utf8(data)) is not None


def has_manifest_version(data: bytes) -> bool:
    """Whether a text of any file looks like a manifest: its outermost object has a `manifest_version`.

    A JSON schema of manifests, or a list of them, has that key deeper or without a plain value. The value may
    be a template, and the key specific to some browsers (`__chrome__manifest_version`).
    """
    data = _utf8(data)
    if b"manifest_version" not in data:
        return False
    depth = 0
    for token in _TOKEN.finditer(data):
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
        elif depth == 1 and token["key"] and _VERSION.fullmatch(token["string"]):
            return True
    return False


def _utf8(data: bytes) -> bytes:
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data
    return data.decode("utf-16", "replace").encode("utf-8", "surrogatepass")


_ONLY_IN_EXTENSIONS = frozenset(
    {
        *(
            "action",
            "background",
            "background_page",
            "browser_action",
            "browser_specific_settings",
            "chrome_settings_overrides",
        ),
        *(
            "chrome_url_overrides",
            "converted_from_user_script",
            "content_scripts",
            "content_security_policy",
            "declarative_net_request",
        ),
        *(
            "default_locale",
            "devtools_page",
            "externally_connectable",
            "host_permissions",
            "manifest_version",
        ),
        *("minimum_chrome_version", "omnibox", "optional_host_permissions", "optional_permissions"),
        *("options_page", "options_ui", "page_action", "permissions", "side_panel", "sidebar_action"),
        *("theme", "update_url", "user_scripts", "web_accessible_resources"),
    }
)
"""Keys that identify an extension's manifest even without `manifest_version`."""

_SHARED_KEYS = frozenset(
    {
        *("author", "commands", "dependencies", "description", "developer", "file_handlers", "homepage_url"),
        *("icons", "key", "launch", "name", "permissions", "protocol_handlers", "requirements", "short_name"),
        *("storage", "version", "version_name"),
    }
)
"""Keys that occur in manifests of extensions and of other products."""

_WEB_APP = frozenset({"background_color", "display", "orientation", "scope", "start_url", "theme_color"})
_OWNERS = (
    ("an Obsidian plugin's or theme's manifest", frozenset({"minAppVersion"})),
    ("an Obsidian plugin's or theme's manifest", frozenset({"isDesktopOnly"})),
    ("a Home Assistant integration's manifest", frozenset({"codeowners", "domain"})),
    ("a Home Assistant integration's manifest", frozenset({"domain", "iot_class"})),
    ("a build's table of files", frozenset({"entrypoints", "files"})),
)
_OTHER = "the manifest of something else"
_EMPTY = "an empty object"
_JOPLIN = "a Joplin plugin's manifest"
_OWLBEAR = "a manifest of Owlbear Rodeo"
_TEAMS_OR_UXP = "a Microsoft Teams app's or Adobe UXP plugin's manifest"
_OTHER_SCHEME = lazy(r"\d+\.\d.*", re.DOTALL)
"""Versions of manifests as other products write them, in a string: `0.3`, `2.0.0`."""
_SCHEMA = "a JSON Schema"
_SCHEMA_DIALECT = "json-schema.org/"
_SCHEMA_KEYS = frozenset({"$defs", "definitions", "properties"})
_COMMENTS = ("_", "$", "//", "#")
_BUILT = frozenset({"file", "isDynamicEntry", "isEntry", "src"})


def foreign_manifest(data: bytes) -> str | None:
    """Returns a description of a manifest that is not an extension's, such as `a web app's manifest`.

    Returns None if it may be one.

    A manifest is foreign if its `manifest_version` is missing, even misspelled, or one of another product,
    and none of its keys occurs only in extension manifests. With the version 1, which browsers once
    supported, it must also have keys that extension manifests do not have.
    """
    if has_known_manifest_version(data) and not (b'"$schema"' in data and _is_json_schema(_object_of(data))):
        return None
    plain = plain_json(data)
    if isinstance(plain, list) and plain and all(isinstance(each, dict) for each in plain):
        return _OTHER
    if not isinstance(plain, dict):
        return None
    if _is_json_schema(plain):
        return _SCHEMA
    if not plain:
        return _EMPTY
    if "manifest_version" in plain or names_manifest_version(data):
        return _owner_of_version(plain)
    if plain.get("manifestVersion", 3) not in (2, 3):
        return _TEAMS_OR_UXP
    if _has_extension_key(plain):
        return None
    if not _WEB_APP.isdisjoint(plain) or _has_web_app_icons(plain.get("icons")):
        return "a web app's manifest"
    for owner, keys in _OWNERS:
        if keys <= plain.keys():
            return owner
    if all(map(_is_shared, plain)):
        return _OTHER if {"name", "version"} <= plain.keys() else None
    return "a build's table of files" if all(map(_is_build_output_entry, plain.values())) else _OTHER


def _owner_of_version(manifest: Mapping[str, object]) -> str | None:
    """Returns the owner of a manifest with a `manifest_version`, or None if it may be an extension's."""
    version = manifest.get("manifest_version")
    is_other = isinstance(version, str) and _OTHER_SCHEME.fullmatch(version) is not None
    if not is_other and (version != 1 or isinstance(version, bool)):
        return None
    if "app_min_version" in manifest:
        return _JOPLIN
    action = manifest.get("action")
    if isinstance(action, dict) and "popover" in action:
        return _OWLBEAR
    others = {key for key in manifest if key != "manifest_version"}
    return None if all(map(_is_shared, others)) or _has_extension_key(others) else _OTHER


def _is_shared(key: str) -> bool:
    """Whether a key occurs in manifests of extensions and of other products, or is a comment."""
    return key in _SHARED_KEYS or key.startswith(_COMMENTS)


def _is_json_schema(value: Mapping[str, object]) -> bool:
    """Whether an object is a JSON Schema itself, or one of the API, as Firefox has them, without a dialect.

    A document may name its schema for editors with the same key.
    """
    if _SCHEMA_DIALECT in str(value.get("$schema")):
        return not _SCHEMA_KEYS.isdisjoint(value)
    return "manifest_version" not in value and _describes_version(value)


def _describes_version(value: Mapping[str, object]) -> bool:
    """Whether an object, or one inside of it, is the schema of objects with a `manifest_version`."""
    waiting: list[object] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            properties = each.get("properties")
            if isinstance(properties, dict) and isinstance(properties.get("manifest_version"), dict):
                return True
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return False


def has_extension_keys(data: bytes) -> bool:
    """Whether a text, under any file name, is an object with keys that occur only in extension manifests."""
    value = _object_of(data)
    return len(_ONLY_IN_EXTENSIONS & value.keys()) > 1


def _object_of(data: bytes) -> Mapping[str, object]:
    plain = plain_json(data)
    return plain if isinstance(plain, dict) else {}


def plain_json(data: bytes) -> object:
    """Returns the value of a JSON text, or None if it has none."""
    root = read_json(decode(data)).root
    return None if root is None else root.plain


def _has_extension_key(keys: Collection[str]) -> bool:
    """Whether a key is only in extension manifests, or enough other keys are misspellings of such keys."""
    if not _ONLY_IN_EXTENSIONS.isdisjoint(keys):
        return True
    candidates = [key for key in keys if key not in _SHARED_KEYS and not key.startswith(_COMMENTS)]
    meant = [each for key in candidates if (each := nearest(key, _ONLY_IN_EXTENSIONS)) is not None]
    return "manifest_version" in meant or 0 < len(meant) >= len(candidates) - len(meant)


def _has_web_app_icons(icons: object) -> bool:
    return isinstance(icons, list) and any(isinstance(each, dict) and "src" in each for each in icons)


def _is_build_output_entry(value: object) -> bool:
    """Whether a value looks like a bundler's entry for an output file: its path, or a description of it."""
    if isinstance(value, str):
        return "/" in value or "." in value.strip(".")
    return isinstance(value, Mapping) and not _BUILT.isdisjoint(value)


def nested_extension_folders(package: Package) -> tuple[str, ...]:
    """Returns the folders below the top that are nearer to another manifest, each ending in `/`.

    They contain a manifest under another name (`firefox/manifest.v2.json`), or the folder of another
    extension: next to `platform/chrome/manifest.json`, the scripts in `platform/common/` do not belong to the
    manifest at the top, which is further away.
    """
    found = {
        folder
        for path in package.paths
        if is_named_like_a_manifest(path.rpartition("/")[2])
        and (folder := path.rpartition("/")[0])
        and not package.manifest_path.startswith(f"{folder}/")
        and has_manifest_version(package.read(path))
    }
    extension_folders = {parent for each in package.others if (parent := each.rstrip("/").rpartition("/")[0])}
    return tuple(sorted(f"{folder}/" for folder in found | extension_folders))
