"""The keys of a manifest that a project writes as plain data: in `wxt.config.ts`, `package.json` or a module.

Only an object literal that certainly becomes the manifest counts. A placeholder, as in a template, stands for
each part that code computes or may add.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import accumulate

from msgspec.structs import replace

from extlint.package.discovery.made_manifest import Read, text_of
from extlint.package.discovery.merged_manifest import (
    COMPUTED_MEMBER,
    KEYS_OF_CODE,
    MANIFEST_VERSION,
    MAX_MODULE,
    WrittenKeys,
)
from extlint.package.surroundings import PACKAGE_JSON
from extlint.text.json.object_literal import COMPUTED, Script
from extlint.text.json.reader import read_json
from extlint.text.json.values import JsonNode, Member
from extlint.text.patterns import lazy

_MAX_TYPE = 40
"""The number of tokens of the type of a variable that are read."""

_USED_ONCE = 2
"""How often the name of a constant is in a script that only declares it and uses it in one place."""

_MODULES_WITHOUT_KEYS = frozenset(
    {
        *("@wxt-dev/auto-icons", "@wxt-dev/i18n/module", "@wxt-dev/module-react", "@wxt-dev/module-solid"),
        *("@wxt-dev/module-svelte", "@wxt-dev/module-vue", "@wxt-dev/unocss"),
    }
)
"""The modules of WXT that request no permissions. Verified in their sources, as of August 2026."""

_LOCAL_MODULE = lazy(r"modules/[^/]+(?:/index)?\.[cm]?[jt]sx?")
_REMOVED_BY_WXT = frozenset(
    {
        *("automation", "browser_action", "content_capabilities", "converted_from_user_script"),
        *("current_locale", "differential_fingerprint", "event_rules", "file_browser_handlers"),
        *("file_system_provider_capabilities", "nacl_modules", "natively_connectable", "offline_enabled"),
        *("page_action", "platforms", "replacement_web_app", "system_indicator"),
        "user_scripts",
    }
)
"""The keys that WXT removes in Manifest V3."""

_IGNORED_BY_WXT = frozenset({"manifest_version"})
_PARTS_ELSEWHERE = frozenset({"extends", COMPUTED})
_VERSION, _OLD_VERSION = "manifestVersion", 2
"""The option of WXT for the manifest version, and the version that it builds for Firefox by default."""

_NO_KEYS = JsonNode({}, (0, 0))
_BACKGROUND, _SETTINGS, _BY_BROWSER = "background", "browser_specific_settings", "overrides"
"""The key with which Plasmo replaces others in some browsers."""


def keys_in_configuration(
    path: str, paths: Collection[str], read: Read, version: int | None = None
) -> WrittenKeys | None:
    """Returns the keys in the configuration of WXT, or None if a function makes them in some other way.

    A known `version` is that of all builds. Without one, the configuration must not name Manifest V2.
    """
    text = _text(read, path)
    script = Script(text[:MAX_MODULE])
    config = _configuration(script)
    if config is None:
        return None
    members = config.value if isinstance(config.value, dict) else {}
    if version is None and not _is_of_version_3(members):
        return None
    root = _NO_KEYS
    if "manifest" in members:
        at = _literal(script, script.index_at(members["manifest"].node.span[0]))
        if at is None:
            return None
        root = script.object_at(at)
    removed = _IGNORED_BY_WXT if version == _OLD_VERSION else _IGNORED_BY_WXT | _REMOVED_BY_WXT
    known = {key: each for key, each in root.members() if key not in removed}
    if _has_hooks(members, paths):
        known[COMPUTED] = COMPUTED_MEMBER
    return WrittenKeys(path, in_bytes(replace(root, value=known), text), is_of_version_3=_VERSION in members)


def default_version_for_firefox(path: str | None, read: Read) -> int | None:
    """Returns the manifest version that WXT builds for Firefox by a configuration, or None if unknown.

    It is version 2, unless the configuration names another one.
    """
    if path is None:
        return _OLD_VERSION
    config = _configuration(Script(_text(read, path)[:MAX_MODULE]))
    members = config.value if config is not None and isinstance(config.value, dict) else None
    if members is None or (_VERSION not in members and not _PARTS_ELSEWHERE.isdisjoint(members)):
        return None
    version = members[_VERSION].node.value if _VERSION in members else _OLD_VERSION
    return version if isinstance(version, int) else None


def has_default_version(path: str, paths: Collection[str], read: Read) -> bool:
    """Whether a configuration of WXT certainly keeps Manifest V3, and what WXT itself makes of it.

    Only hooks and modules change the keys that WXT adds for entry points.
    """
    config = _configuration(Script(_text(read, path)[:MAX_MODULE]))
    members = config.value if config is not None and isinstance(config.value, dict) else None
    return members is not None and _is_of_version_3(members) and not _has_hooks(members, paths)


def _is_of_version_3(config: Mapping[str, Member]) -> bool:
    version = config.get(_VERSION)
    return version is None or version.node.value == 3


def _configuration(script: Script) -> JsonNode | None:
    """Returns the argument of `defineConfig`, or an object that is exported by default."""
    for at in range(len(script.tokens)):
        if script.has(at, "defineConfig", "(", "{") or script.has(at, "export", "default", "{"):
            return script.object_at(at + 2)
    return None


def _has_hooks(config: Mapping[str, Member], paths: Collection[str]) -> bool:
    """Whether hooks or modules may change a manifest, or a part of the configuration is elsewhere."""
    modules = config.get("modules")
    named = {each.value for each in modules.node.items()} if modules is not None else set()
    is_list = modules is None or isinstance(modules.node.value, tuple)
    return (
        not is_list
        or not named <= _MODULES_WITHOUT_KEYS
        or any(key in config for key in ("hooks", "modulesDir", *_PARTS_ELSEWHERE))
        or any(map(_LOCAL_MODULE.fullmatch, paths))
    )


def keys_in_package(read: Read, *, is_for_firefox: bool) -> WrittenKeys | None:
    """Returns the keys of a manifest in `package.json`, as Plasmo reads them.

    For Firefox, it keeps only the settings in `gecko`.
    """
    root = read_json(_text(read, PACKAGE_JSON).encode()).root
    found = None if root is None else root.get("manifest") or _NO_KEYS
    if found is None or not isinstance(found.value, dict):
        return None
    known = {key: each for key, each in found.value.items() if key not in (_BY_BROWSER, MANIFEST_VERSION)}
    if _BY_BROWSER in found.value:
        known[COMPUTED] = COMPUTED_MEMBER
    settings = known.get(_SETTINGS)
    if is_for_firefox and settings is not None:
        own = {key: each for key, each in settings.node.members() if key == "gecko"}
        known[_SETTINGS] = Member(settings.key, replace(settings.node, value=own))
    return WrittenKeys(PACKAGE_JSON, replace(found, value=known))


def keys_in_module(path: str, read: Read) -> WrittenKeys | None:
    """Returns the keys of the only manifest in a module, or None if it is not certain which they are.

    With settings for Firefox, a build makes another background for it, as CRXJS does.
    """
    text = _text(read, path)
    script = Script(text[:MAX_MODULE])
    found = [*script.objects_with(MANIFEST_VERSION)]
    changed = _changed_keys(script, found[0]) if len(found) == 1 else None
    if changed is None:
        return None
    root = script.object_at(found[0])
    known = {key: each for key, each in root.members() if key not in changed}
    computed = {key: COMPUTED_MEMBER for key in changed if key not in KEYS_OF_CODE}
    background = known.get(_BACKGROUND)
    inner = {} if background is None or background.node.get("scripts") else dict(background.node.members())
    if _SETTINGS in known and background is not None and inner:
        inner[COMPUTED] = COMPUTED_MEMBER
        known[_BACKGROUND] = Member(background.key, replace(background.node, value=inner))
    return WrittenKeys(path, in_bytes(replace(root, value=known | computed), text))


def _changed_keys(script: Script, at: int) -> Collection[str] | None:
    """Returns the keys that code changes in an object literal that a module exports, or returns.

    Returns None for any other object, or if it may change any key.
    """
    before = [each[0] for each in script.tokens[max(at - 3, 0) : at]]
    if before[-2:] == ["export", "default"] or before[-3:] == [".", "exports", "="]:
        return ()
    if before[-3:] == ["=", ">", "("] or before[-1:] == ["return"]:
        return ()
    if before[-1:] == ["("] and before[-2:-1]:
        return () if before[-2].startswith("define") else (COMPUTED,)
    name = _variable(script, at)
    return None if name is None else _keys_changed_in(script, name)


def _variable(script: Script, at: int) -> str | None:
    """Returns the name of the constant whose value begins with a token, or None."""
    if not script.has(at - 1, "="):
        return None
    for start in range(at - 2, max(at - _MAX_TYPE, 0), -1):
        if script.has(start - 1, "const"):
            return script.tokens[start][0]
        if script.tokens[start][0] in ("=", ";", "{", "}"):
            break
    return None


def _keys_changed_in(script: Script, name: str) -> Collection[str] | None:
    """Returns the keys of a variable that code names, or None if it may change any key of it.

    Code may export the variable, and pass it on as a whole.
    """
    changed: dict[str, None] = {}
    for at, token in enumerate(script.tokens):
        if token[0] != name or script.has(at - 1, "const") or script.has(at + 1, ":"):
            continue
        is_end = at + 1 == len(script.tokens) or script.tokens[at + 1][0] in (
            ";",
            ")",
            "}",
            "export",
            "satisfies",
        )
        is_optional = script.has(at + 1, "?", ".")
        if (is_optional or script.has(at + 1, ".")) and not script.has(at - 1, "."):
            following = [each[0] for each in script.tokens[at + 2 + is_optional :][:1]]
            if not following or not following[0].isidentifier():
                return None
            changed.update(dict.fromkeys(following))
            continue
        is_whole = is_end or script.has(at - 2, "stringify", "(") or script.has(at - 2, "export", "default")
        if script.has(at - 1, ".") or not is_whole:
            return None
    return changed


def _literal(script: Script, at: int) -> int | None:
    """Returns the opening brace of an object literal that is a value, or what a function as value returns."""
    if script.has(at, "{"):
        return at
    end = script.end_of(at)
    name = script.tokens[at][0]
    if end == at + 1:
        braces = (each for each in range(len(script.tokens)) if script.has(each - 1, "=", "{"))
        declared = next((each for each in braces if _variable(script, each) == name), None)
        return declared if sum(each[0] == name for each in script.tokens) == _USED_ONCE else None
    arrow = next((each for each in range(at, end) if script.has(each, "=", ">")), None)
    if arrow is None:
        return None
    if script.has(arrow + 2, "(", "{"):
        return arrow + 3 if script.end_of(arrow + 3) == end - 1 else None
    returns = [each for each in range(arrow, end) if script.has(each, "return")]
    if not script.has(arrow + 2, "{") or len(returns) != 1 or not script.has(returns[0] + 1, "{"):
        return None
    return returns[0] + 1


def _text(read: Read, path: str) -> str:
    """Returns the text of a file, or no text if it is not UTF-8."""
    text = text_of(read, path)
    return "" if "\N{REPLACEMENT CHARACTER}" in text else text


def in_bytes(node: JsonNode, text: str) -> JsonNode:
    """Returns a value with the positions in the UTF-8 text for those in characters."""
    if text.isascii():
        return node
    offsets = [0, *accumulate(len(each.encode()) for each in text)]
    return _moved(node, offsets)


def _moved(node: JsonNode, offsets: list[int]) -> JsonNode:
    span = (offsets[node.span[0]], offsets[node.span[1]])
    if isinstance(node.value, dict):
        members = {
            key: Member((offsets[each.key[0]], offsets[each.key[1]]), _moved(each.node, offsets))
            for key, each in node.members()
        }
        return JsonNode(members, span)
    if isinstance(node.value, tuple):
        return JsonNode(tuple(_moved(each, offsets) for each in node.value), span)
    return JsonNode(node.value, span)
