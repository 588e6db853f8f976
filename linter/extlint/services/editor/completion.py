"""Completion of the text at a position in an editor, in configurations as well."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from posixpath import basename

from extlint.analysis.values.stack import checking_package
from extlint.checking.report_of import Settings
from extlint.linting.configuration.keys import configuration_schema
from extlint.linting.suppression.comment import Directive
from extlint.package.files import Package
from extlint.registry import GROUPS, RULES
from extlint.report.reporter import page_url, summary
from extlint.services.editor.audience import audience_of
from extlint.services.editor.documents.loose_json import Offsets, place_at, read_loosely
from extlint.services.editor.documents.text_cursor import (
    Completion,
    TextCursor,
    cursor_at,
    may_begin,
    written,
)
from extlint.services.editor.documents.toml_place import TomlPlace, toml_place_at
from extlint.services.editor.schema_places import KnownKey, TargetSchema, described_types, keys_at, values_at
from extlint.text.patterns import lazy
from extlint.text.positions import Position


def rule_detail(name: str) -> str:
    """Returns the severity of a rule, or what a group is about; an empty text for other names."""
    if name in RULES:
        return str(RULES[name].severity)
    return f"rules about {GROUPS[name].about}" if name in GROUPS else ""


def rule_documentation(name: str) -> str:
    """Returns what a rule finds, in Markdown; an empty text for other names."""
    return f"{summary(name)}\n\n[{name}]({page_url(name)})" if name in RULES else ""


def all_names() -> tuple[str, ...]:
    """Returns the names of all rules and groups."""
    return (*RULES, *GROUPS)


_TABLES = {"extlint.toml": (), ".extlint.toml": (), "pyproject.toml": ("tool", "extlint")}
_JSON_FILE = "package.json"
_JSON_KEY = "extlint"


def is_configuration(path: str) -> bool:
    """Whether a file may contain a configuration, by its name."""
    return basename(path) in _TABLES or basename(path) == _JSON_FILE


def configuration_completions(cursor: TextCursor) -> Sequence[Completion]:
    """Returns the keys or values that fit at the cursor in a configuration."""
    name = basename(cursor.path)
    return _in_json(cursor) if name == _JSON_FILE else _in_toml(cursor, _TABLES[name])


@cache
def _schemas() -> Sequence[TargetSchema]:
    schema = configuration_schema()
    return (TargetSchema("", schema, schema),)


def _in_json(cursor: TextCursor) -> Sequence[Completion]:
    place = place_at(read_loosely(cursor.text), cursor.offset)
    if place is None or place.steps[:1] != (_JSON_KEY,):
        return ()
    own = None if place.token is None else place.token.content
    if (
        place.token is None
        and not may_begin(cursor, place)
        and (place.at_key or place.container.opening == "[")
    ):
        return ()
    if place.at_key:
        has_colon = place.member is not None and place.member.colon is not None
        present = {each for each in place.container.keys if each != own}
        return [
            _item(
                cursor,
                each.name,
                described_types(each),
                *written(cursor, place.token, each.name, ending),
                each,
            )
            for each in keys_at(_schemas(), place.steps[1:])
            if each.name not in present
            for ending in ["" if has_colon else ": "]
        ]
    present = {each for each in place.container.strings if each != own}
    return [
        _item(cursor, each.text, "", *written(cursor, place.token, each.text, ""))
        for each in values_at(_schemas(), place.value_steps[1:])
        if each.text not in present and each.is_string
    ]


def _in_toml(cursor: TextCursor, prefix: Sequence[str]) -> Sequence[Completion]:
    place = toml_place_at(cursor.text, cursor.offset)
    if place is None or place.steps[: len(prefix)] != tuple(prefix):
        return ()
    steps = place.steps[len(prefix) :]
    if place.at_key:
        return [
            _item(cursor, each.name, described_types(each), place.span, _toml_key(place, each.name), each)
            for each in keys_at(_schemas(), steps)
            if each.name not in place.present
        ]
    return [
        _item(cursor, each.text, "", place.span, _toml_value(place, each.text, is_string=each.is_string))
        for each in values_at(_schemas(), steps)
        if each.text not in place.present and (each.is_string or not place.quote)
    ]


def _toml_key(place: TomlPlace, name: str) -> str:
    return name + place.missing_quote + ("" if place.has_equals else " = ")


def _toml_value(place: TomlPlace, text: str, *, is_string: bool) -> str:
    if not is_string:
        return text
    return text + place.missing_quote if place.quote else f'"{text}"'


def _item(
    cursor: TextCursor, name: str, detail: str, at: Offsets, insert: str, key: KnownKey | None = None
) -> Completion:
    start, end = (cursor.position(each) for each in at)
    if rule_detail(name) and (key is None or not key.description):
        return Completion(name, "rule", rule_detail(name), rule_documentation(name), start, end, insert)
    kind, documentation = ("value", "") if key is None else ("key", key.description)
    return Completion(name, kind, detail, documentation, start, end, insert)


MAX_COMMENT = 4_000
"""The number of characters before the cursor in which the beginning of a comment is searched for."""

_NAMES = lazy(
    r"(?:(?<![:\w])//|/\*|<!--)[\s*]*(?P<word>extlint-(?:disable|enable)[\w-]*):?"
    r"(?P<names>(?:[\s,*]+[\w-]+)*?)[\s,*]+(?P<name>[\w-]*)\Z"
)
_WORD = lazy(r"(?:(?<![:\w])//|/\*|<!--)[\s*]*(?P<word>e[\w-]*)\Z")
_REST = lazy(r"[\w-]*")
_WORDS = lazy(r"[\w-]+")
_REASON = lazy(r"\s--")

_ABOUT = {
    Directive.NEXT_LINE: "suppresses findings in the next line",
    Directive.LINE: "suppresses findings in this line",
    Directive.DISABLE: "suppresses findings from here on",
    Directive.ENABLE: "ends `extlint-disable`",
}


def directive_completions(cursor: TextCursor) -> Sequence[Completion] | None:
    """Returns the words or names that fit in a comment at the cursor, or None elsewhere."""
    before = cursor.text[max(0, cursor.offset - MAX_COMMENT) : cursor.offset]
    rest = _REST.match(cursor.text, cursor.offset)
    end = cursor.position(cursor.offset if rest is None else rest.end())
    start_of_comment = max(before.rfind("//"), before.rfind("/*"), before.rfind("<!--"))
    comment = before[max(start_of_comment - 1, 0) :] if start_of_comment >= 0 else ""
    if _is_closed(comment):
        return None
    word = _WORD.search(comment)
    if word is not None and "extlint-".startswith(word["word"][: len("extlint-")]):
        start = cursor.position(cursor.offset - len(word["word"]))
        return [
            Completion(each.value, "directive", about, "", start, end, each.value)
            for each, about in _ABOUT.items()
        ]
    found = _NAMES.search(comment)
    if found is None or _REASON.search(found["names"]) or found["name"].startswith("--"):
        return None
    present = set(_WORDS.findall(found["names"]))
    start = cursor.position(cursor.offset - len(found["name"]))
    return [
        Completion(
            each,
            "rule",
            rule_detail(each),
            rule_documentation(each),
            start,
            end,
            each,
            sort=f"{int(not rule_documentation(each))}{each}",
        )
        for each in all_names()
        if each not in present
    ]


def _is_closed(comment: str) -> bool:
    """Whether a comment ends before the end of a text that begins with it."""
    if "/*" in comment[:3]:
        return "*/" in comment
    if "<!--" in comment[:5]:
        return "-->" in comment
    return "\n" in comment or "\r" in comment or not comment


@checking_package
def completions(
    package: Package, settings: Settings, path: str, text: str, position: Position
) -> Sequence[Completion]:
    """Returns members of the API, manifest keys, values, and rules in comments: whatever fits at a position.

    `path` is the file's path in the extension, and `text` its text as it is now. Waits for the
    end of a check in another thread.
    """
    cursor = cursor_at(path, text, position)
    in_comment = directive_completions(cursor)
    if in_comment is not None:
        return in_comment
    if is_configuration(path):
        return configuration_completions(cursor)
    audience = audience_of(package, settings)
    if path == package.manifest_path or path in package.variants:
        from extlint.services.editor.json_completion import manifest_completions

        return manifest_completions(audience, cursor)
    if path.endswith(".json"):
        from extlint.services.editor.json_completion import is_ruleset, ruleset_completions

        return ruleset_completions(audience, cursor) if is_ruleset(audience, path) else ()
    from extlint.services.editor.api_completion import api_completions

    return api_completions(audience, cursor)
