"""Mistakes in the combination of manifest keys that are valid individually."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any, TypeAlias

from msgspec import Struct

from extlint.checks.manifest_values.load_messages import load_messages
from extlint.schema.engine import Engine
from extlint.schema.targets import FACTS_OF, browser_name, engine_of
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.schema.validation.schema_path import keys_of
from extlint.text.json.values import JsonValue
from extlint.text.nearest import nearest
from extlint.text.wording import cannot_be_combined, must_not_be_empty, quoted, unknown_key_message
from extlint_schemas import json_schema

Value: TypeAlias = Mapping[str, Any]


class _Pair(Struct, frozen=True):
    """Two keys of one object that exclude each other for an engine, in these manifest versions.

    With `inner` they do so only if both have that key.
    """

    engine: Engine
    versions: tuple[int, ...]
    holder: Steps
    keys: tuple[str, str]
    why: str
    inner: str = ""
    reaction: Reaction = Reaction.REJECTS


_PAIRS = (
    _Pair(Engine.CHROMIUM, (2,), (), ("browser_action", "page_action"), "{} refuses to load both"),
    _Pair(Engine.CHROMIUM, (2,), ("background",), ("page", "scripts"), "{} refuses to load both"),
    _Pair(Engine.CHROMIUM, (2,), ("background",), ("page", "service_worker"), "{} refuses to load both"),
    _Pair(Engine.CHROMIUM, (2,), ("background",), ("scripts", "service_worker"), "{} refuses to load both"),
    _Pair(Engine.CHROMIUM, (2, 3), (), ("export", "import"), "{} refuses to load both"),
    *(
        _Pair(
            Engine.CHROMIUM,
            (2, 3),
            ("chrome_url_overrides",),
            pages,
            "{} lets an extension replace only one page",
        )
        for pages in combinations(("bookmarks", "history", "newtab"), 2)
    ),
    _Pair(
        Engine.GECKO,
        (2, 3),
        ("background",),
        ("page", "scripts"),
        "{} loads only the page",
        reaction=Reaction.IGNORES,
    ),
    _Pair(
        Engine.GECKO,
        (2,),
        (),
        ("browser_specific_settings", "applications"),
        "{} ignores `applications`",
        "gecko",
        Reaction.IGNORES,
    ),
)
"""Verified in Firefox 153.7 and Chromium 156; Chrome's rules for Manifest V2 are from its documentation."""

_MAX_NAMES = 1_000
"""The maximum number of a theme's unknown names that are compared, and of commands that are reported."""

_MAX_SUGGESTED_KEYS = 4
"""The maximum number of commands with a suggested key in Chrome; Chromium 156 rejects a fifth."""


def relations(value: JsonValue, browser: str, version: int) -> Iterator[Mistake]:
    """Yields the mistakes of one browser in combinations of keys that are valid individually."""
    if not isinstance(value, dict):
        return
    engine = engine_of(browser)
    yield from load_messages(value, browser, version)
    for pair in _PAIRS:
        if pair.engine is engine and version in pair.versions:
            yield from _conflict(value, pair, browser_name(browser))
    if engine in FACTS_OF and "declarative_net_request" in value:
        from extlint.checks.rulesets import ruleset_mistakes

        yield from ruleset_mistakes(value)
    if engine in FACTS_OF and "theme" in value:
        yield from _theme_names(value, f"manifests/{browser}_{version}")
    if engine is Engine.GECKO:
        yield from _empty_background(value)
        yield from _split_incognito(value, browser_name(browser))
        yield from _patterns_with_ports(value)
        if version == 3:
            yield from _browser_styles(value)
    if engine is Engine.CHROMIUM:
        yield from _suggested_keys(value, browser_name(browser))
        yield from _shortcut_platforms(value)
        yield from _fallback_paths(value)
        yield from _inaccessible_resources(value)
        yield from _scripts_without_files(value, browser_name(browser))
        yield from _useless_connectable(value)
        yield from _ids_with_wildcard(value)
        yield from _fractional_colors(value)
        yield from _required_plugins(value, browser_name(browser))
        if version == 2:
            yield from _event_page_with_web_request(value)


def _conflict(value: Value, pair: _Pair, name: str) -> Iterator[Mistake]:
    holder: Any = value
    for step in pair.holder:
        holder = holder.get(step) if isinstance(holder, dict) else None
    if not isinstance(holder, dict) or not all(_is_set(holder.get(key), pair.inner) for key in pair.keys):
        return
    first, second = (key for key in holder if key in pair.keys)
    yield conflict((*pair.holder, second), (*pair.holder, first), name, pair.why, pair.reaction)


def conflict(steps: Steps, other: Steps, name: str, why: str, reaction: Reaction) -> Mistake:
    """Returns the mistake of a key that excludes another; `why` has the browser's name as `{}`."""
    general = cannot_be_combined(str(steps[-1]), str(other[-1]))
    return Mistake(
        "conflicting-keys",
        steps,
        f"{general}: {why.format(name)}",
        at_key=True,
        related_steps=other,
        reaction=reaction,
        general=general,
        reason=why.format("it"),
    )


def _is_set(value: Any, inner: str) -> bool:
    """Whether a key has a meaningful value, or the key `inner` in its value does."""
    if inner:
        return isinstance(value, dict) and bool(value.get(inner))
    return value not in (None, [], "")


def _empty_background(value: Value) -> Iterator[Mistake]:
    background = value.get("background")
    if isinstance(background, dict) and background.get("scripts") == [] and background.get("page") is None:
        message = must_not_be_empty("scripts")
        yield Mistake("invalid-value", ("background", "scripts"), message, reaction=Reaction.IGNORES)


def _split_incognito(value: Value, browser: str) -> Iterator[Mistake]:
    if value.get("incognito") == "split":
        message = f"{browser} does not support `split`, and keeps the extension out of private windows"
        yield Mistake("invalid-value", ("incognito",), message, reaction=Reaction.IGNORES)


_PATTERN_LISTS = (
    *("host_permissions", "optional_host_permissions", "optional_permissions", "permissions"),
    *(("content_scripts", "matches"), ("content_scripts", "exclude_matches")),
    ("web_accessible_resources", "matches"),
)
"""The keys with match patterns: lists, and lists in the items of a list."""


def _patterns_with_ports(value: Value) -> Iterator[Mistake]:
    """Yields the patterns that Firefox accepts although they match nothing."""
    for keys in _PATTERN_LISTS:
        key, inner = keys if isinstance(keys, tuple) else (keys, None)
        lists: list[tuple[Steps, Any]] = [((key,), value.get(key))]
        if inner is not None:
            lists = [
                ((key, at, inner), entry.get(inner))
                for at, entry in enumerate(_items(value, key))
                if isinstance(entry, dict)
            ]
        for steps, patterns in lists:
            listed = patterns if isinstance(patterns, list) else []
            texts = [each if isinstance(each, str) else "" for each in listed]
            if any(map(_may_be_unmatched, texts)):
                yield from _unmatched(steps, texts)


def _may_be_unmatched(pattern: str) -> bool:
    host = pattern.partition("://")[2].partition("/")[0]
    return ":" in host or not host.isascii()


def _unmatched(steps: Steps, patterns: Sequence[str]) -> Iterator[Mistake]:
    from extlint.text.formats.match_pattern import unmatched_in_firefox

    for at, message, meant in unmatched_in_firefox(patterns):
        found = f"{quoted(patterns[at])} {message}"
        place = (*steps, at)
        yield Mistake("invalid-value", place, found, suggestion=meant, reaction=Reaction.IGNORES)


_STYLED = ("action", "options_ui", "page_action", "sidebar_action")
"""The keys whose pages were styled by Firefox in Manifest V2."""


def _browser_styles(value: Value) -> Iterator[Mistake]:
    """Firefox 153.7 warns about each in Manifest V3, except for options that open in a tab of their own."""
    for key in _STYLED:
        page = value.get(key)
        if (
            isinstance(page, dict)
            and page.get("browser_style") is True
            and page.get("open_in_tab") is not True
        ):
            message = "`browser_style` with the value `true` was removed in Manifest V3"
            steps = (key, "browser_style")
            yield Mistake("wrong-manifest-version", steps, message, reaction=Reaction.IGNORES)


def _theme_names(value: Value, schema: str) -> Iterator[Mistake]:
    """Yields the misspelled names in a theme.

    Firefox accepts any color and image, for experiments; Chrome accepts any part, and has colors and images
    of other names.
    """
    for steps in (("theme",), ("theme", "colors"), ("theme", "images")):
        written: Any = value
        for step in steps:
            written = written.get(step) if isinstance(written, dict) else None
        known = frozenset(keys_of(json_schema(schema), steps)) if isinstance(written, dict) else frozenset()
        for key in islice((each for each in written if each not in known), _MAX_NAMES) if known else ():
            meant = nearest(key, known - written.keys())
            if meant is not None:
                message = unknown_key_message(key, quoted(steps[-1]))
                yield Mistake("unknown-key", (*steps, key), message, at_key=True, suggestion=meant)


def _event_page_with_web_request(value: Value) -> Iterator[Mistake]:
    background, requested = value.get("background"), value.get("permissions")
    if not isinstance(background, dict) or not isinstance(requested, list):
        return
    if background.get("persistent") is False and "webRequest" in requested:
        message = "`persistent` must be true for an extension with the permission `webRequest`"
        yield Mistake("invalid-value", ("background", "persistent"), message)


def _suggested_keys(value: Value, browser: str) -> Iterator[Mistake]:
    commands = value.get("commands")
    if not isinstance(commands, dict):
        return
    suggesting = [
        name for name, each in commands.items() if isinstance(each, dict) and each.get("suggested_key")
    ]
    for name in suggesting[_MAX_SUGGESTED_KEYS:_MAX_NAMES]:
        message = f"{browser} accepts suggested keys for at most {_MAX_SUGGESTED_KEYS} commands"
        yield Mistake("invalid-value", ("commands", name, "suggested_key"), message, at_key=True)


def _shortcut_platforms(value: Value) -> Iterator[Mistake]:
    """Chromium 156 does not load the extension on a platform without a key for a command."""
    commands = value.get("commands")
    for name, command in commands.items() if isinstance(commands, dict) else ():
        keys = command.get("suggested_key") if isinstance(command, dict) else None
        if isinstance(keys, dict) and keys and keys.keys() <= _PLATFORMS and not keys.keys() >= _EVERYWHERE:
            message = "`suggested_key` requires `default`, or a key for each of `linux`, `mac` and `windows`"
            yield Mistake("missing-key", ("commands", name, "suggested_key"), message, missing=("default",))


_EVERYWHERE = frozenset({"linux", "mac", "windows"})
_PLATFORMS = _EVERYWHERE | {"chromeos"}


def _fallback_paths(value: Value) -> Iterator[Mistake]:
    """Scripts that are matched by origin cannot select paths; Chromium 156 does not load them."""
    for at, script in enumerate(_items(value, "content_scripts")):
        if not isinstance(script, dict) or script.get("match_origin_as_fallback") is not True:
            continue
        patterns = script.get("matches")
        for place, pattern in enumerate(patterns if isinstance(patterns, list) else ()):
            rest = pattern.partition("://")[2] if isinstance(pattern, str) else ""
            if "/" in rest and rest.partition("/")[2] != "*":
                message = f"with `match_origin_as_fallback`, {quoted(pattern)} must end with the path `/*`"
                yield Mistake("invalid-value", ("content_scripts", at, "matches", place), message)


def _inaccessible_resources(value: Value) -> Iterator[Mistake]:
    """Chromium 156 treats a false `use_dynamic_url` as missing, and does not load the extension."""
    for at, entry in enumerate(_items(value, "web_accessible_resources")):
        if not isinstance(entry, dict) or "matches" in entry or "extension_ids" in entry:
            continue
        if entry.get("use_dynamic_url") is False:
            message = "an item of `web_accessible_resources` requires `matches` or `extension_ids`"
            yield Mistake(
                "missing-key", ("web_accessible_resources", at), message, missing=("matches", "extension_ids")
            )


def _scripts_without_files(value: Value, browser: str) -> Iterator[Mistake]:
    """Chromium 156 treats an empty list of files as missing, and does not load the extension."""
    for at, script in enumerate(_items(value, "content_scripts")):
        lists = [key for key in ("js", "css") if isinstance(script, dict) and key in script]
        if lists and all(script[key] == [] for key in lists):
            message = f"{must_not_be_empty(lists[0])}: {browser} requires a file in `js` or `css`"
            yield Mistake("invalid-value", ("content_scripts", at, lists[0]), message)


def _useless_connectable(value: Value) -> Iterator[Mistake]:
    """Chromium 156 warns if no list permits connections, and about a key that only concerns pages."""
    entry = value.get("externally_connectable")
    if not isinstance(entry, dict) or "matches" in entry:
        return
    if entry.get("ids") == []:
        message = "`ids` must not be empty without `matches`: nothing can connect"
        steps = ("externally_connectable", "ids")
        yield Mistake("invalid-value", steps, message, reaction=Reaction.IGNORES)
    if "accepts_tls_channel_id" in entry and entry.get("ids"):
        message = "`accepts_tls_channel_id` is ignored without `matches`"
        yield Mistake(
            "missing-key",
            ("externally_connectable",),
            message,
            missing=("matches",),
            reaction=Reaction.IGNORES,
        )


def _ids_with_wildcard(value: Value) -> Iterator[Mistake]:
    """Chromium 156 rejects an id next to `*`, which stands for all of them."""
    for at, entry in enumerate(_items(value, "web_accessible_resources")):
        ids = entry.get("extension_ids") if isinstance(entry, dict) else None
        if isinstance(ids, list) and len(ids) > 1 and "*" in ids:
            steps = ("web_accessible_resources", at, "extension_ids")
            yield Mistake("invalid-value", steps, "`extension_ids` must not contain other items besides `*`")


def _fractional_colors(value: Value) -> Iterator[Mistake]:
    """Chromium 156 requires whole numbers for the first three of the four numbers of a color."""
    theme = value.get("theme")
    colors = theme.get("colors") if isinstance(theme, dict) else None
    for name, color in colors.items() if isinstance(colors, dict) else ():
        for at, part in enumerate(color[:3] if isinstance(color, list) and len(color) == 4 else ()):
            if isinstance(part, float) and not part.is_integer():
                message = f"the first three numbers of {quoted(name)} must be whole numbers"
                yield Mistake("invalid-value", ("theme", "colors", name, at), message)


PLUGINS = ("requirements", "plugins", "npapi")


def _required_plugins(value: Value, browser: str) -> Iterator[Mistake]:
    """Chromium 156 rejects the requirement of plugins: "NPAPI plugins are not supported."."""
    found: Any = value
    for step in PLUGINS:
        found = found.get(step) if isinstance(found, dict) else None
    if found is True:
        yield Mistake("invalid-value", PLUGINS, f"{browser} does not support NPAPI plugins")


def _items(value: Value, key: str) -> Sequence[Any]:
    found = value.get(key)
    return found if isinstance(found, list) else ()
