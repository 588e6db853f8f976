"""Recognizes wrong calls that fit an older signature of the function, or that of a similar API.

This module finds no mistakes: it only rewords those of such a call to show how to write it.

Each row of the table contains the signature (see `parse_signature`), the arguments that the function takes
instead, and how to write these, where `@` is the function. Tests compare the table with the schemas: they
reject each of the signatures, and accept the replacement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.values import ObjectValue, Value
from extlint.schema.matching.bases import bases
from extlint.schema.matching.call import CallProblem
from extlint.schema.matching.environment import Environment
from extlint.text.wording import quoted

Row: TypeAlias = tuple[str, str, str]

_ONE_OBJECT = "takes one object"
_OLD = "file", "code", "allFrames", "runAt", "frameId", "matchAboutBlank", "cssOrigin"
_OLD_INJECTION = "".join(f"+{each}" for each in _OLD)
_INJECTION = "takes one object, with the tab in `target`, unlike `tabs.executeScript`"
_CSS = "takes one object, with the tab in `target`, unlike `tabs.insertCSS`"
_NO_TAB = "takes the tab id first"
_AN_ID = "takes an id, not an object"
_FILTER = "requires a filter after the listener"
_ALL_FILTERED = '@(listener, { urls: ["<all_urls>"] })'
_NO_FIRST = "requires an object first, which may be empty"

_WRITTEN_AREAS = ("local", "sync", "session")
_AREAS = (*_WRITTEN_AREAS, "managed")
_ACTIONS = ("action", "browserAction")
_MENUS = ("contextMenus", "menus")
_REQUESTS = (
    "onBeforeRequest",
    "onBeforeSendHeaders",
    "onSendHeaders",
    "onHeadersReceived",
    "onAuthRequired",
    "onResponseStarted",
    "onBeforeRedirect",
    "onCompleted",
    "onErrorOccurred",
)


def _rows(shapes: str, takes: str, write: str) -> tuple[Row, ...]:
    """Returns a row for each of several signatures, which are separated by commas."""
    return tuple((shape, takes, write) for shape in shapes.split(","))


def _object_rows(names: Iterable[str], shapes: str, write: str) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """Yields the rows of functions that take one object, for calls with values that belong in it."""
    for name in names:
        yield name, _rows(shapes, _ONE_OBJECT, write)


def _members_of(owners: Iterable[str], *names: str) -> list[str]:
    return [f"{owner}.{name}" for owner in owners for name in names]


TABLE: Mapping[str, tuple[Row, ...]] = {
    "scripting.executeScript": (
        *_rows(
            f"n o,n s,s,o{_OLD_INJECTION}-target", _INJECTION, '@({ target: { tabId }, files: ["a.js"] })'
        ),
    ),
    **dict.fromkeys(
        ("scripting.insertCSS", "scripting.removeCSS"),
        _rows(f"n o,n s,s,o{_OLD_INJECTION}-target", _CSS, '@({ target: { tabId }, files: ["a.css"] })'),
    ),
    **dict.fromkeys(
        ("tabs.executeScript", "tabs.insertCSS", "tabs.removeCSS"),
        (
            *_rows("s,n s", "takes an object with `file` or `code`", '@(tabId, { file: "a.js" })'),
            *_rows(
                "o+target",
                "takes the tab id and an object with `file` or `code`, without `target`",
                '@(tabId, { file: "a.js" })',
            ),
        ),
    ),
    "scripting.registerContentScripts": _rows("o", "takes an array", "@([{ id, matches, js }])"),
    **dict(_object_rows(["scripting.unregisterContentScripts"], "s,a", '@({ ids: ["a"] })')),
    **dict.fromkeys(
        _members_of(("storage",), *(f"{area}.set" for area in _WRITTEN_AREAS)),
        _rows("s _,s", "takes one object, not a key and a value", "@({ [key]: value })"),
    ),
    **dict.fromkeys(
        _members_of(("storage",), *(f"{area}.get" for area in _AREAS)),
        _rows("s s/n/b/o/a", "takes default values in an object", "@({ [key]: fallback })"),
    ),
    **dict.fromkeys(
        _members_of(("storage",), *(f"{area}.remove" for area in _WRITTEN_AREAS)),
        _rows("s s,s s s", "takes several keys as an array", '@(["a", "b"])'),
    ),
    "alarms.create": (
        *_rows("s", "requires the time, in an object after the name", "@(name, { delayInMinutes: 1 })"),
        *_rows("s n,n,f n", "takes the time in an object after the name", "@(name, { delayInMinutes: 1 })"),
    ),
    **dict(_object_rows(["tabs.create"], "s,s b,s o", "@({ url })")),
    **dict(_object_rows(["windows.create"], "s,s o,s s,s s s", "@({ url })")),
    "tabs.query": _rows(",f", _NO_FIRST, "@({})"),
    "tabs.update": (
        *_rows("s", "takes the URL in an object", "@({ url })"),
        *_rows("n s", "takes the URL in an object", "@(tabId, { url })"),
    ),
    "tabs.move": _rows("n n,a n", "takes the index in an object", "@(tabId, { index })"),
    "tabs.sendMessage": _rows("o/s,o/s _", _NO_TAB, "@(tabId, message)"),
    "tabs.connect": _rows("n s", "takes the name in an object", "@(tabId, { name })"),
    "runtime.connect": _rows("s", "takes the name in an object", "@({ name })"),
    **dict.fromkeys(
        _members_of(("tabs",), "get", "remove", "reload", "duplicate"), _rows("o", _AN_ID, "@(tabId)")
    ),
    **dict.fromkeys(_members_of(("windows",), "get", "remove"), _rows("o", _AN_ID, "@(windowId)")),
    "windows.update": _rows("o", "takes the window id first", "@(windowId, { focused: true })"),
    "tabs.captureVisibleTab": (
        *_rows("s", "takes the format in an object", '@({ format: "png" })'),
        *_rows("n s", "takes the format in an object", '@(windowId, { format: "png" })'),
    ),
    **dict(_object_rows(["tabs.group"], "n,a", "@({ tabIds })")),
    **dict(_object_rows(["tabs.highlight"], "n,a", "@({ tabs })")),
    **dict(_object_rows(_members_of((*_ACTIONS, "sidebarAction"), "setIcon"), "s,n s", "@({ path })")),
    **dict(_object_rows(_members_of((*_ACTIONS, "sidebarAction"), "setTitle"), "s,n s", "@({ title })")),
    **dict(_object_rows(_members_of(_ACTIONS, "setPopup"), "s,n s", "@({ popup })")),
    **dict(_object_rows(["pageAction.setIcon"], "s,n s", "@({ tabId, path })")),
    **dict(_object_rows(["pageAction.setTitle"], "s,n s", "@({ tabId, title })")),
    **dict(_object_rows(["pageAction.setPopup"], "s,n s", "@({ tabId, popup })")),
    **dict(_object_rows(["sidebarAction.setPanel"], "s,n s", "@({ panel })")),
    **dict(_object_rows(_members_of(_ACTIONS, "setBadgeText"), "s,n,n s", '@({ text: "1" })')),
    **dict(
        _object_rows(
            _members_of(_ACTIONS, "setBadgeBackgroundColor", "setBadgeTextColor"), "s,a,n s", "@({ color })"
        )
    ),
    **dict(
        _object_rows(
            [
                *_members_of(_ACTIONS, "getBadgeText", "getTitle", "getPopup"),
                *_members_of(("pageAction",), "getTitle", "getPopup"),
            ],
            "n",
            "@({ tabId })",
        )
    ),
    **dict.fromkeys(_members_of(_ACTIONS, "enable", "disable"), _rows("o", _AN_ID, "@(tabId)")),
    **dict.fromkeys(_members_of(("pageAction",), "show", "hide"), _rows("o", _AN_ID, "@(tabId)")),
    "notifications.create": _rows(
        "s s,s s s,s s o,s o+body+icon-message,o+body+icon-message",
        "takes an object with `type`, `iconUrl`, `title` and `message`",
        '@({ type: "basic", iconUrl, title, message })',
    ),
    **dict(_object_rows(["cookies.get", "cookies.remove"], "s,s s", "@({ url, name })")),
    **dict(_object_rows(["cookies.set"], "s s,s s o,s s s", "@({ url, name, value })")),
    **dict(_object_rows(["cookies.getAll"], "s", "@({ domain })")),
    **dict(
        _object_rows(
            _members_of(("permissions",), "request", "contains", "remove"),
            "s,a",
            '@({ permissions: ["tabs"] })',
        )
    ),
    **dict(_object_rows(["downloads.download"], "s,s s", "@({ url, filename })")),
    **dict(_object_rows(["downloads.search"], "s", "@({ query: [text] })")),
    **dict(_object_rows(_members_of(_MENUS, "create"), "s,s f,s o,s s", "@({ id, title })")),
    **dict.fromkeys(_members_of(_MENUS, "update"), _rows("o", "takes the id first", "@(id, { title })")),
    **dict.fromkeys(_members_of(_MENUS, "remove"), _rows("o", _AN_ID, "@(id)")),
    **dict(_object_rows(["history.search"], "s", "@({ text })")),
    **dict(_object_rows(_members_of(("history",), "addUrl", "deleteUrl", "getVisits"), "s", "@({ url })")),
    **dict(_object_rows(["bookmarks.create"], "s,s s", "@({ title, url })")),
    "bookmarks.update": _rows("s s", "takes the changes in an object", "@(id, { title })"),
    "bookmarks.move": _rows("s s,s n", "takes the destination in an object", "@(id, { parentId })"),
    "i18n.getMessage": _rows(
        "s s s,s s s s", "takes several substitutions as an array", '@(name, ["a", "b"])'
    ),
    **dict(_object_rows(["identity.getAuthToken"], "b", "@({ interactive: true })")),
    **dict(_object_rows(["identity.launchWebAuthFlow"], "s,s b", "@({ url, interactive: true })")),
    **dict(_object_rows(["webNavigation.getFrame"], "n n,n", "@({ tabId, frameId })")),
    **dict(_object_rows(["webNavigation.getAllFrames"], "n", "@({ tabId })")),
    **dict(_object_rows(["offscreen.createDocument"], "s", "@({ url, reasons, justification })")),
    **dict(_object_rows(["sidePanel.open"], "n,", "@({ tabId })")),
    **dict(_object_rows(["sidePanel.setOptions"], "s", "@({ path })")),
    **dict(_object_rows(["sidePanel.setPanelBehavior"], "b", "@({ openPanelOnActionClick: true })")),
    **dict(
        _object_rows(
            _members_of(("declarativeNetRequest",), "updateDynamicRules", "updateSessionRules"),
            "a,a a",
            "@({ addRules, removeRuleIds })",
        )
    ),
    **dict(
        _object_rows(
            ["declarativeNetRequest.updateEnabledRulesets"],
            "a,a a",
            "@({ enableRulesetIds, disableRulesetIds })",
        )
    ),
    "idle.queryState": _rows(",f", "requires a number of seconds first", "@(60)"),
    **dict.fromkeys(
        (f"webRequest.{event}.addListener" for event in _REQUESTS),
        _rows("f,f a,f s", _FILTER, _ALL_FILTERED),
    ),
    "proxy.settings.set": _rows("o+mode-value", "takes the setting in `value`", "@({ value })"),
    "privacy.*.set": _rows("b,s", "takes the setting in `value`", "@({ value })"),
    **dict(_object_rows(["search.query"], "s", "@({ text })")),
    **dict(_object_rows(["omnibox.setDefaultSuggestion"], "s", "@({ description })")),
    **dict(_object_rows(["commands.update"], "s s", "@({ name, shortcut })")),
    "browsingData.remove": _rows(
        "a,s,o,o a",
        "takes the time in an object and the types of data in another",
        "@({ since: 0 }, { cache: true })",
    ),
    "debugger.attach": _rows("n s,n", "takes the tab in an object", '@({ tabId }, "1.3")'),
    "debugger.sendCommand": _rows("n s,n s o", "takes the tab in an object", "@({ tabId }, method)"),
    "debugger.detach": _rows("n", "takes the tab in an object", "@({ tabId })"),
    **dict(_object_rows(["pageCapture.saveAsMHTML"], "n", "@({ tabId })")),
    **dict(_object_rows(["tabCapture.getMediaStreamId"], "n", "@({ targetTabId })")),
}
"""The rows by function. A `*` matches all names between a namespace and a function."""


_KINDS: Mapping[str, frozenset[str]] = {
    "a": frozenset({"array"}),
    "b": frozenset({"boolean"}),
    "f": frozenset({"function"}),
    "n": frozenset({"integer", "number"}),
    "o": frozenset({"object"}),
    "s": frozenset({"string"}),
}


class ParameterShape(Struct, frozen=True):
    """A parameter of a signature: its types, and keys that an object has at least one of, or none of."""

    kinds: frozenset[str]
    required_keys: frozenset[str] = frozenset()
    excluded_keys: frozenset[str] = frozenset()

    def may_be(self, value: Value, env: Environment) -> bool:
        """Whether a value may be such an argument; its keys must be certain."""
        if not bases(value, env) & self.kinds:
            return False
        if not self.required_keys and not self.excluded_keys:
            return True
        if not isinstance(value, ObjectValue):
            return "object" not in bases(value, env)
        has_no_excluded_key = not value.open and self.excluded_keys.isdisjoint(value.fields)
        return has_no_excluded_key and (
            not self.required_keys or not self.required_keys.isdisjoint(value.fields)
        )


def parse_signature(shape: str) -> tuple[ParameterShape, ...]:
    """Parses a signature of the table into its parameters: `n s/a o+file-target`.

    `a` is an array, `b` a boolean, `f` a function, `n` a number, `o` an object, `s` a string, `_` any of
    these. `+` precedes keys that the object has at least one of, `-` keys that it does not have.
    """
    return tuple(map(_parse_parameter, shape.split()))


def _parse_parameter(text: str) -> ParameterShape:
    rest, *excluded = text.split("-")
    names, *required = rest.split("+")
    kinds = _KINDS.values() if names == "_" else [_KINDS[name] for name in names.split("/")]
    return ParameterShape(frozenset().union(*kinds), frozenset(required), frozenset(excluded))


def as_legacy_call(
    api: str, arguments: Sequence[Value], env: Environment, problems: tuple[CallProblem, ...]
) -> tuple[CallProblem, ...]:
    """Returns the problems of a call, or only one, with the way to write it, if a legacy signature fits.

    A callback may follow each signature.
    """
    family, *_, name = api.split(".")
    for shape, takes, write in TABLE.get(api) or TABLE.get(f"{family}.*.{name}") or ():
        if _fits(arguments, parse_signature(shape), env):
            return (
                replace(
                    problems[0],
                    message=f"{quoted(api)} {takes}",
                    refusal="cannot be called like this",
                    help=f"write {quoted(write.replace('@', api))}",
                ),
            )
    return problems


def _fits(arguments: Sequence[Value], shape: Sequence[ParameterShape], env: Environment) -> bool:
    more = len(arguments) - len(shape)
    ends = more == 0 or (more == 1 and "function" in bases(arguments[-1], env))
    return ends and all(part.may_be(value, env) for part, value in zip(shape, arguments, strict=False))
