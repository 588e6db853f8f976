"""Finds arguments that a browser refuses or loses, although the schema accepts them.

Chromium 156 and Firefox 153 refuse an item whose key and JSON text have more than 8,192 bytes together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from extlint.analysis.facts.script_facts import (
    CHECKED_CALLBACKS,
    MESSAGE_EVENTS,
    CallSite,
    PromiseUse,
    ResultCall,
)
from extlint.analysis.facts.values import (
    ArrayValue,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    options_of,
)
from extlint.checks.api.schema_path import schema_path_of
from extlint.checks.calls.types import matching_environment
from extlint.extension import Extension
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem, judge_call
from extlint.schema.matching.environment import Environment
from extlint.schema.matching.serialization import Copy, copy_problems
from extlint.schema.model import Event
from extlint.schema.types import FunctionType
from extlint.text.formats.match_pattern import unmatched_in_firefox
from extlint.text.formats.package_path import scheme_of
from extlint.text.formats.registry import Format
from extlint.text.placeholders import is_replaced
from extlint.text.wording import quoted

_Formats: TypeAlias = Mapping[str, str]
"""The checkers of formats, by the key in the first argument; an empty key is the argument itself.

A key with a dot leads to the objects in a list.
"""

_URL = ("url",)
_PATTERNS = ("documentUrlPatterns", "targetUrlPatterns")
_MATCHES = ("matches", "excludeMatches")
_TABS = ("tabs.create", "tabs.update", "windows.create")
_COOKIES = ("cookies.get", "cookies.getAll", "cookies.remove", "cookies.set")
_HISTORY = ("history.addUrl", "history.deleteUrl", "history.getVisits")
_REGISTRATION = (
    "scripting.registerContentScripts",
    "scripting.updateContentScripts",
    "scripting.unregisterContentScripts",
)
_REQUESTS = tuple(
    f"webRequest.on{name}"
    for name in (
        *("AuthRequired", "BeforeRedirect", "BeforeRequest", "BeforeSendHeaders", "Completed"),
        *("ErrorOccurred", "HeadersReceived", "ResponseStarted", "SendHeaders"),
    )
)
_NAVIGATIONS = tuple(
    f"webNavigation.on{name}"
    for name in (
        *("BeforeNavigate", "Committed", "Completed", "CreatedNavigationTarget", "DOMContentLoaded"),
        *("ErrorOccurred", "HistoryStateUpdated", "ReferenceFragmentUpdated"),
    )
)
_HOST_PARTS = tuple(f"url.host{name}" for name in ("Contains", "Equals", "Prefix", "Suffix"))
_PATHS = ("url.pathEquals", "url.pathPrefix")
_BOOKMARKS = tuple(
    f"bookmarks.{name}"
    for name in ("get", "getChildren", "getSubTree", "move", "remove", "removeTree", "update")
)
_MARKUP = "call_arguments.suggestion"
"""The format of markup, in which a word in angle brackets is not a placeholder."""

_BY_SCHEME = frozenset(
    f"call_arguments.{name}" for name in ("chrome_opened", "firefox_opened", "firefox_saved")
)
"""The formats of URLs that a scheme makes wrong, whatever follows, unless it is one of `_OPEN_SCHEMES`."""

_OPEN_SCHEMES = ("about", "http", "https")
_DOWNLOADED = ("downloads.download",)
_HEADERS = ("headers.name",)
_SEARCHED = ("downloads.search",)
_NATIVE = ("runtime.connectNative", "runtime.sendNativeMessage")
_SUBJECTS = {**dict.fromkeys(_BOOKMARKS, "the id"), **dict.fromkeys(_NATIVE, "the name of the application")}
"""The words for the first argument of functions that get a string other than a URL."""

_COLORS = ("action.setBadgeBackgroundColor", "action.setBadgeTextColor")


def _rows(apis: Sequence[str], keys: Sequence[str], format: str) -> Iterator[tuple[str, _Formats]]:
    yield from ((api, dict.fromkeys(keys, format)) for api in apis)


def _merged(*rows: Iterator[tuple[str, _Formats]]) -> Mapping[str, _Formats]:
    found: dict[str, dict[str, str]] = {}
    for each in rows:
        for api, formats in each:
            found.setdefault(api, {}).update(formats)
    return found


_MATCHING_NOTHING = frozenset({"call_arguments.host_part", "call_arguments.path_start"})
"""The formats of parts of addresses: browsers accept others, and then match nothing."""

_FILTERS = (
    *_rows(_NAVIGATIONS, _HOST_PARTS, "call_arguments.host_part"),
    *_rows(_NAVIGATIONS, _PATHS, "call_arguments.path_start"),
)
_FORMATS: Mapping[Engine, Mapping[str, _Formats]] = {
    Engine.CHROMIUM: _merged(
        _rows(("tabs.query",), _URL, "call_arguments.chrome_pattern"),
        _rows(("contextMenus.create",), _PATTERNS, "call_arguments.chrome_pattern"),
        _rows(_REGISTRATION[:1], _MATCHES, "match_pattern.chrome"),
        _rows(_REGISTRATION, ("id", "ids"), "call_arguments.script_id"),
        _rows(_TABS, _URL, "call_arguments.chrome_opened"),
        _rows((*_COOKIES, *_HISTORY), _URL, "call_arguments.absolute"),
        _rows(("cookies.get", "cookies.remove"), _URL, "call_arguments.cookie_site"),
        _rows(("cookies.set",), _URL, "call_arguments.website"),
        _rows(("bookmarks.create",), _URL, "call_arguments.absolute_or_empty"),
        _rows(_BOOKMARKS, ("",), "call_arguments.chrome_bookmark"),
        _rows(("bookmarks.create",), ("parentId",), "call_arguments.chrome_folder"),
        _rows(("browsingData.remove",), ("origins", "excludeOrigins"), "call_arguments.web_origin"),
        _rows(_SEARCHED, ("orderBy",), "call_arguments.search_order"),
        _rows(_DOWNLOADED, _HEADERS, "call_arguments.chrome_header"),
        _rows(("omnibox.setDefaultSuggestion",), ("description",), _MARKUP),
        _rows(("search.query",), ("text",), "call_arguments.not_empty"),
        _rows(_REQUESTS, ("urls",), "match_pattern.chrome_host_permission"),
        iter(_FILTERS),
        _rows(
            ("contentSettings.*.set",), ("primaryPattern", "secondaryPattern"), "match_pattern.chrome_content"
        ),
        _rows(("readingList.addEntry",), _URL, "call_arguments.website"),
        _rows(("runtime.setUninstallURL",), ("",), "call_arguments.web_scheme_or_empty"),
        _rows(_NATIVE, ("",), "call_arguments.chrome_native_host"),
        _rows(("identity.launchWebAuthFlow",), _URL, "call_arguments.web_scheme"),
        _rows(("offscreen.createDocument",), _URL, "call_arguments.own_page"),
        _rows(("action.setPopup",), ("popup",), "call_arguments.own_page"),
        _rows(_COLORS, ("color",), "color.chrome_color"),
        _rows(("action.setBadgeText",), ("text",), "call_arguments.badge_text"),
    ),
    Engine.GECKO: _merged(
        _rows(("tabs.query",), _URL, "call_arguments.firefox_pattern"),
        _rows(("contextMenus.create", "menus.create"), _PATTERNS[:1], "call_arguments.firefox_web_pattern"),
        _rows(_REGISTRATION[:1], _MATCHES, "call_arguments.firefox_web_pattern"),
        _rows(_REGISTRATION, ("id", "ids"), "call_arguments.script_id"),
        _rows(_TABS, _URL, "call_arguments.firefox_opened"),
        _rows(("cookies.set",), _URL, "call_arguments.website"),
        _rows(_HISTORY[1:], _URL, "call_arguments.absolute"),
        _rows(_HISTORY[:1], _URL, "call_arguments.firefox_visited"),
        _rows(_BOOKMARKS, ("",), "call_arguments.firefox_bookmark"),
        _rows(("bookmarks.create",), ("parentId",), "call_arguments.firefox_folder"),
        _rows(_SEARCHED, ("orderBy",), "call_arguments.search_order"),
        _rows(_DOWNLOADED, _HEADERS, "call_arguments.header"),
        _rows(_DOWNLOADED, _URL, "call_arguments.firefox_saved"),
        _rows(("commands.update",), ("shortcut",), "call_arguments.firefox_shortcut"),
        _rows(_REQUESTS, ("urls",), "call_arguments.firefox_web_pattern"),
        iter(_FILTERS),
        _rows(("bookmarks.create",), _URL, "call_arguments.absolute"),
        _rows(("runtime.setUninstallURL",), ("",), "call_arguments.website_or_empty"),
        _rows(("action.setPopup",), ("popup",), "call_arguments.own_page"),
        _rows(_COLORS, ("color",), "color.firefox_color"),
    ),
}
CHECKED_FORMATS = frozenset(api for each in _FORMATS.values() for api in each)
"""The functions whose strings are checked."""


_PATTERN_LISTS: Mapping[str, Sequence[str]] = {
    "tabs.query": _URL,
    **dict.fromkeys(("contextMenus.create", "menus.create"), _PATTERNS),
    _REGISTRATION[0]: _MATCHES,
    **dict.fromkeys(("permissions.contains", "permissions.request"), ("origins",)),
    **dict.fromkeys(_REQUESTS, ("urls",)),
}
"""The keys for lists of match patterns."""

PATTERN_FUNCTIONS = frozenset(_PATTERN_LISTS)


def filter_problems(api: str, filters: Sequence[Value], engine: Engine | None) -> Iterator[CallProblem]:
    """Yields the wrong patterns in the first argument of a function, or in the filter of an event."""
    if engine is not None:
        yield from format_problems(api, filters, engine)
    if engine is Engine.GECKO and filters:
        yield from _unmatched_patterns(api, filters[0])


def _unmatched_patterns(api: str, argument: Value) -> Iterator[CallProblem]:
    """Yields the patterns that Firefox accepts although they match nothing."""
    for each in _items(argument):
        for key in _PATTERN_LISTS.get(api, ()):
            field = each.fields.get(key) if isinstance(each, ObjectValue) else None
            values = () if field is None or field.maybe_absent else _items(field.value)
            texts = [item.value if isinstance(item, Literal) else None for item in values]
            if all(isinstance(text, str) for text in texts):
                for at, message, suggestion in unmatched_in_firefox([str(text) for text in texts]):
                    yield CallProblem(
                        "invalid-argument",
                        values[at].span,
                        f"{quoted(str(texts[at]))} {message}",
                        "does not accept every pattern here",
                        suggestion=suggestion,
                        is_ignored=True,
                    )


def repeated_ids(api: str, arguments: Sequence[Value]) -> Iterator[CallProblem]:
    """Yields the ids of registered scripts that an earlier script in the same call has."""
    found: set[str] = set()
    for value in string_values_at(arguments[0], "id") if api == _REGISTRATION[0] and arguments else ():
        if isinstance(value.value, str) and value.value in found:
            message = f"an earlier script also has the id {quoted(value.value)}"
            yield CallProblem("invalid-argument", value.span, message, "accepts each id only once")
        found.add(str(value.value))


def format_problems(api: str, arguments: Sequence[Value], engine: Engine) -> Iterator[CallProblem]:
    """Yields the strings in the first argument of a call that a browser certainly refuses."""
    formats = _FORMATS.get(engine, {}).get(api, {})
    for key, name in formats.items():
        for value in _values_at(arguments[0], key) if arguments else ():
            text = _known_text(value, name)
            if text is None or value.span is None or (is_replaced(text) and name != _MARKUP):
                continue
            problem = Format(name).problem(text)
            if problem is not None:
                subject = quoted(key) if key else _SUBJECTS.get(api, "the URL")
                shown = text if isinstance(value, Literal) else f"{text}…"
                wrong = f"{subject} cannot be {quoted(shown)}: {problem.message}"
                yield CallProblem(
                    "invalid-argument",
                    value.span,
                    wrong if text else f"{subject} must not be empty",
                    f"does not accept every string as {subject}",
                    suggestion=problem.suggestion,
                    is_ignored=name in _MATCHING_NOTHING,
                )


def _known_text(value: Value, format: str) -> str | None:
    """Returns a string, or the known beginning of one whose scheme decides whether it has a format."""
    if isinstance(value, Literal):
        return value.value if isinstance(value.value, str) else None
    if not isinstance(value, Typed) or format not in _BY_SCHEME:
        return None
    return None if scheme_of(value.prefix) in (None, *_OPEN_SCHEMES) else value.prefix


def string_values_at(argument: Value, key: str) -> Iterator[Literal]:
    """Yields the strings that an argument, or each object in it, certainly has at a key."""
    yield from (each for each in _values_at(argument, key) if isinstance(each, Literal))


def _values_at(argument: Value, key: str) -> Iterator[Value]:
    """Yields the values that an argument, or each object in it, certainly has at a key."""
    name, _, rest = key.partition(".")
    for each in _items(argument):
        if not key:
            yield each
        elif isinstance(each, ObjectValue) and name in each.fields and not each.fields[name].maybe_absent:
            found = each.fields[name].value
            yield from _values_at(found, rest) if rest else _items(found)


def _items(value: Value) -> Sequence[Value]:
    return value.items if isinstance(value, ArrayValue) else (value,)


_INJECT = "scripting.executeScript"
_SYNC = "storage.sync.set"
_STORED: Mapping[str, Copy] = {
    "storage.local.set": Copy.LOCAL,
    "storage.session.set": Copy.SESSION,
    _SYNC: Copy.SYNC,
}
COPYING_FUNCTIONS = frozenset({*_STORED, _INJECT})
"""The functions that copy values in their first argument; messages are checked with their other arguments."""


def problems_of_copies(api: str, call: CallSite, env: Environment) -> Iterator[CallProblem]:
    """Yields the values in the first argument of a call that are not copied as they are."""
    first = call.arguments[0] if call.arguments else None
    if first is None:
        return
    if api in _STORED:
        yield from copy_problems(_STORED[api], first, env)
        if api == _SYNC:
            yield from large_items(first)
    elif isinstance(first, ObjectValue):
        args = first.fields.get("args")
        if args is not None and not args.maybe_absent and isinstance(args.value, ArrayValue):
            yield from copy_problems(Copy.ARGUMENTS, args.value, env)
        if call.injected_result is not None and _is_result_used(call):
            yield from copy_problems(Copy.RESULT, call.injected_result, env)


def _is_result_used(call: CallSite) -> bool:
    """Whether the code at a call uses its result: it waits for it, or has a callback with a parameter."""
    callback: Value | None = call.arguments[1] if len(call.arguments) > 1 else None
    if isinstance(callback, FunctionValue):
        return bool(callback.parameters)
    return call.promise_use is PromiseUse.AWAITED


def problems_of_sent_values(call: ResultCall, env: Environment) -> Iterator[CallProblem]:
    """Yields the values in a message that a port or a response sends which are not copied as they are."""
    if call.arguments:
        copy = Copy.RESPONSE if call.of.path in MESSAGE_EVENTS else Copy.MESSAGE
        yield from copy_problems(copy, call.arguments[0], env)


MAX_ITEM_BYTES = 8192
"""The length of the key and the JSON text of an item above which `storage.sync` refuses it."""


def large_items(argument: Value) -> Iterator[CallProblem]:
    """Yields the items in an object that are certainly larger than `storage.sync` accepts."""
    fields = argument.fields if isinstance(argument, ObjectValue) else {}
    for key, field in fields.items():
        size = len(key) + _min_size(field.value)
        if size > MAX_ITEM_BYTES and not field.maybe_absent:
            yield CallProblem(
                "invalid-argument",
                field.value.span,
                f"{quoted(key)} has more than {MAX_ITEM_BYTES:,} bytes, too many for `storage.sync`",
                "accepts only small items",
                "use `storage.local`, or several keys",
            )


def _min_size(value: Value) -> int:
    """Returns the length that the JSON text of a value has at least, in characters."""
    match value:
        case Literal(kind=Kind.STRING):
            return len(str(value.value)) + 2
        case ArrayValue(items=items):
            return sum(_min_size(each) + 1 for each in items)
        case ObjectValue(fields=fields):
            certain = ((key, each.value) for key, each in fields.items() if not each.maybe_absent)
            return sum(len(key) + 4 + _min_size(each) for key, each in certain if not _is_undefined(each))
    return 0


def _is_undefined(value: Value) -> bool:
    return any(isinstance(each, Literal) and each.kind is Kind.UNDEFINED for each in options_of(value))


def result_call_problems(extension: Extension, call: ResultCall) -> Iterable[CallProblem]:
    """Returns the problems of a call of such a function.

    Of a function that is passed to a listener, Chromium checks the arguments; Firefox was not asked.
    """
    env, of = matching_environment(extension), call.of
    if of.steps or (of.path, of.index) not in CHECKED_CALLBACKS:
        return problems_of_sent_values(call, env)
    found = schema_path_of(extension, of.path)
    event = None if found is None else found.member
    listener = event.listener if isinstance(event, Event) else None
    if extension.schemas.engine is not Engine.CHROMIUM or listener is None or len(listener) <= of.index:
        return ()
    passed = listener[of.index]
    if not isinstance(passed.type, FunctionType) or passed.type.parameters is None:
        return ()
    return judge_call(passed.name, passed.type.parameters, call.arguments, call.open, env)
