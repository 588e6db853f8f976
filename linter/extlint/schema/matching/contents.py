"""Rejections of objects that match their schemas: combinations of properties, and some values.

Browsers check these in their implementations. Verified in Chromium 156 and Firefox 153 by
`extlint_judge refused-calls`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.values import (
    ArrayValue,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    is_nullish,
    options_of,
)
from extlint.schema.matching.call import CallProblem
from extlint.schema.matching.environment import Environment, Problem
from extlint.schema.model import Function
from extlint.schema.types import ObjectType
from extlint.schema.words.values import described_value
from extlint.text.patterns import lazy
from extlint.text.wording import listed, quoted, with_article


class _PassedObject(Struct, frozen=True):
    """A passed object, and the conditions under which it is checked."""

    value: ObjectValue
    is_gecko: bool
    background: str | None

    def has(self, name: str) -> bool | None:
        """Whether a property has a value other than null and undefined, or None if unknown."""
        field = self.value.fields.get(name)
        if field is None:
            return None if self.value.open else False
        options = options_of(field.value)
        if options and all(map(is_nullish, options)):
            return False
        is_certain = not field.maybe_absent and all(map(_is_not_nullish, options))
        return True if is_certain else None

    def value_of(self, name: str) -> Value | None:
        """Returns the value of a property that certainly exists, or None."""
        return self.value.fields[name].value if self.has(name) else None

    def text(self, name: str) -> str | None:
        """Returns the value of a property that is certainly a string, or None."""
        value = self.value_of(name)
        text = value.value if isinstance(value, Literal) else None
        return text if isinstance(text, str) else None

    def missing(self, name: str) -> Problem:
        return Problem(self.value.span, "missing", (name,))

    def unexpected(self, name: str, why: str) -> Problem:
        """Returns the problem of a forbidden property; `why` is the remainder of a sentence about it."""
        field = self.value.fields[name]
        return Problem(field.key or self.value.span, "unexpected", (name,), why=why)

    def wrong(self, name: str, expected: str) -> Problem:
        value = self.value.fields[name].value
        found = described_value(value)
        return Problem(value.span or self.value.span, "value", (name,), expected=expected, found=found)


_Check: TypeAlias = Callable[[_PassedObject], Iterator[Problem]]


def contents_problems(
    api: str,
    function: Function,
    arguments: Sequence[Value],
    env: Environment,
    background: str | None,
) -> tuple[CallProblem, ...]:
    """Returns the certain mistakes in the object among the arguments of a call of the function `api`.

    `background` is the name of the extension's background for messages, if it is stopped when idle.
    """
    checks = _CHECKS.get(api, ())
    passed = list(_passed_objects(arguments)) if checks else []
    if not passed:
        return ()
    objects = [each.name for each in function.parameters if isinstance(env.resolve(each.type), ObjectType)]
    name = next(iter(objects or [each.name for each in function.parameters]), "argument")
    return tuple(
        CallProblem("invalid-argument", each.span, each.message(name), each.refusal)
        for value in passed
        for check in checks
        for each in check(_PassedObject(value, env.is_gecko, background))
    )


def _passed_objects(arguments: Sequence[Value]) -> Iterator[ObjectValue]:
    """Yields the first object among the arguments, or the objects in the first list."""
    for each in arguments:
        if isinstance(each, ObjectValue):
            yield each
            return
        if isinstance(each, ArrayValue):
            yield from (item for item in each.items if isinstance(item, ObjectValue))
            return


def _is_not_nullish(value: Value) -> bool:
    """Whether a value is certainly neither null nor undefined."""
    known = isinstance(value, ArrayValue | FunctionValue | Literal | ObjectValue | Typed)
    return known and not is_nullish(value)


def _menu(argument: _PassedObject) -> Iterator[Problem]:
    if argument.background is not None:
        name = with_article(argument.background)
        if argument.has("id") is False or (argument.is_gecko and argument.text("id") == ""):
            yield Problem(argument.value.span, "unexpected", ("id",), why=f"is required, as there is {name}")
        if argument.has("onclick"):
            yield argument.unexpected("onclick", f"does not work with {name}; use the event `onClicked`")
    has_type, has_title = argument.has("type"), argument.has("title")
    is_separator = has_type is not False and argument.text("type") in (None, "separator")
    if not argument.is_gecko and not is_separator and (has_title is False or argument.text("title") == ""):
        yield Problem(argument.value.span, "unexpected", ("title",), why="is required, except for separators")


def _notification(argument: _PassedObject) -> Iterator[Problem]:
    if argument.is_gecko:
        return
    for name in ("type", "iconUrl", "title", "message"):
        if argument.has(name) is False:
            yield argument.missing(name)
    if argument.text("iconUrl") == "":
        yield argument.wrong("iconUrl", "the address of an image")
    kind = argument.text("type")
    if kind is None:
        return
    for name, only in (("imageUrl", "image"), ("items", "list")):
        if kind == only and argument.has(name) is False:
            yield argument.missing(name)
    for name, only in (("imageUrl", "image"), ("items", "list"), ("progress", "progress")):
        if kind != only and argument.has(name):
            yield argument.unexpected(name, f"is only for the type {quoted(only)}")
    progress = argument.value_of("progress")
    if isinstance(progress, Literal) and isinstance(progress.value, float) and not 0 <= progress.value <= 100:
        yield argument.wrong("progress", "from 0 to 100")


def _alarm(argument: _PassedObject) -> Iterator[Problem]:
    if argument.is_gecko:
        return
    times = ("when", "delayInMinutes", "periodInMinutes")
    if all(argument.has(each) is False for each in times):
        yield _one_required(argument, times)
    if argument.has("when") and argument.has("delayInMinutes"):
        yield argument.unexpected("delayInMinutes", f"must not be beside {quoted('when')}")


def _exactly_one(*names: str) -> _Check:
    """Returns a check that exactly one of some properties exists."""

    def check(argument: _PassedObject) -> Iterator[Problem]:
        there = [each for each in names if argument.has(each)]
        if all(argument.has(each) is False for each in names):
            yield _one_required(argument, names[:2])
        elif len(there) > 1:
            yield argument.unexpected(there[1], f"must not be beside {quoted(there[0])}")

    return check


def _is_true(argument: _PassedObject, name: str) -> bool:
    value = argument.value_of(name)
    return isinstance(value, Literal) and value.value is True


def _is_empty_list(argument: _PassedObject, name: str) -> bool:
    value = argument.value_of(name)
    return isinstance(value, ArrayValue) and not value.items and not value.open


def _is_without(argument: _PassedObject, name: str) -> bool:
    """Whether a list is certainly missing, or without items."""
    return argument.has(name) is False or _is_empty_list(argument, name)


def _registered_script(argument: _PassedObject) -> Iterator[Problem]:
    if _is_without(argument, "matches"):
        yield Problem(argument.value.span, "unexpected", ("matches",), why="requires at least one pattern")
    if _is_without(argument, "js") and _is_without(argument, "css"):
        yield Problem(argument.value.span, "unexpected", ("js",), why="is required, unless `css` is there")


def _frames(argument: _PassedObject) -> Iterator[Problem]:
    target = argument.value_of("target")
    if isinstance(target, ObjectValue):
        own = _PassedObject(target, argument.is_gecko, None)
        for name in ("frameIds", "documentIds"):
            if _is_true(own, "allFrames") and own.has(name):
                key = target.fields[name].key
                yield Problem(key, "unexpected", ("target", name), why="must not be beside `allFrames`")
    elif argument.is_gecko and _is_true(argument, "allFrames") and argument.has("frameId"):
        yield argument.unexpected("frameId", "must not be beside `allFrames`")


_NOT_IN_COOKIE_NAME = lazy(r"[^;=]*")
_NOT_IN_COOKIE_VALUE = lazy(r"[^;]*")
_SITE = lazy(r"(https?)://([^/:?#@]+)(?:[/:?#][\s\S]*)?")


def _cookie(argument: _PassedObject) -> Iterator[Problem]:
    secure = argument.value_of("secure")
    is_insecure = argument.has("secure") is False or (isinstance(secure, Literal) and secure.value is False)
    if argument.text("sameSite") == "no_restriction" and is_insecure:
        yield argument.unexpected(
            "sameSite", "is only for cookies that are `secure`, if it is `no_restriction`"
        )
    name, value = argument.text("name"), argument.text("value")
    if name is not None and not _NOT_IN_COOKIE_NAME.fullmatch(name):
        yield argument.wrong("name", "without `;` and `=`")
    if value is not None and not _NOT_IN_COOKIE_VALUE.fullmatch(value):
        yield argument.wrong("value", "without `;`")
    is_unnamed = argument.has("name") is False or (name == "" and not argument.is_gecko)
    if is_unnamed and (argument.has("value") is False or value == ""):
        yield Problem(
            argument.value.span, "unexpected", ("name",), why="is required, unless `value` is there"
        )
    yield from _site_of_cookie(argument)
    partition = argument.value_of("partitionKey")
    site = _PassedObject(partition, True, None) if isinstance(partition, ObjectValue) else None
    if site is not None and "://" not in (site.text("topLevelSite") or "://"):
        why = "must contain a URL such as `https://example.org` as `topLevelSite`"
        yield argument.unexpected("partitionKey", why)
    if argument.is_gecko:
        if name == "":
            yield argument.wrong("name", "the name of a cookie")
        return
    if name is not None and name.startswith(("__Secure-", "__Host-")) and is_insecure:
        yield argument.unexpected("name", "may only have this prefix in cookies that are `secure`")
    if name is not None and name.startswith("__Host-") and argument.has("domain"):
        yield argument.unexpected("domain", f"is not allowed in the cookie {quoted(name)}")
    if site is not None and site.has("topLevelSite") and is_insecure:
        yield argument.unexpected("partitionKey", "is only for cookies that are `secure`")
    path = argument.text("path")
    if path and not path.startswith("/"):
        yield argument.wrong("path", "a path that begins with `/`")


def _site_of_cookie(argument: _PassedObject) -> Iterator[Problem]:
    """Yields the properties of a cookie that contradict its URL."""
    site = _SITE.fullmatch(argument.text("url") or "")
    if site is None:
        return
    host, domain = site[2].lower(), (argument.text("domain") or "").lower().removeprefix(".")
    is_above = host.endswith(f".{domain}") and "." in domain
    if domain and host != domain and not is_above:
        yield argument.wrong("domain", f"the host of {quoted('url')} or a domain above it")
    if not argument.is_gecko and site[1] == "http" and _is_true(argument, "secure"):
        yield argument.unexpected("secure", "is only for `https:` URLs")


def _injection(argument: _PassedObject) -> Iterator[Problem]:
    if argument.has("files") and argument.has("args"):
        yield argument.unexpected("args", f"must not be beside {quoted('files')}")
    if not argument.is_gecko and _is_empty_list(argument, "files"):
        yield argument.wrong("files", "a list of at least one file")


def _icon(argument: _PassedObject) -> Iterator[Problem]:
    if argument.is_gecko:
        return
    for name, content in (("path", "an image"), ("imageData", "the data of an image")):
        value = argument.value_of(name)
        is_empty = isinstance(value, ObjectValue) and not value.fields and not value.open
        if is_empty or argument.text(name) == "":
            yield argument.wrong(name, content)
    if argument.has("path") is False and argument.has("imageData") is False:
        yield _one_required(argument, ("path", "imageData"))


def _offscreen(argument: _PassedObject) -> Iterator[Problem]:
    if _is_empty_list(argument, "reasons"):
        yield argument.wrong("reasons", "a list of at least one reason")
    reasons = argument.value_of("reasons")
    for each in reasons.items if isinstance(reasons, ArrayValue) else ():
        if isinstance(each, Literal) and each.value == "TESTING":
            why = "must not contain `TESTING`, which is for tests of Chrome"
            yield Problem(each.span, "unexpected", ("reasons",), why=why)


def _tab(argument: _PassedObject) -> Iterator[Problem]:
    if _number(argument, "windowId") == -1:
        yield argument.wrong("windowId", "the id of a window")
    if not argument.is_gecko:
        return
    if _is_true(argument, "discarded") and _is_true(argument, "active"):
        yield argument.unexpected("active", "must not be beside `discarded`")
    if argument.has("title") and argument.has("discarded") is False:
        yield argument.unexpected("title", "is only for tabs that are `discarded`")


def _number(argument: _PassedObject, name: str) -> float | None:
    """Returns the value of a property that is certainly a number, or None."""
    value = argument.value_of(name)
    number = value.value if isinstance(value, Literal) and value.kind is Kind.NUMBER else None
    return number if isinstance(number, int | float) else None


def _search(argument: _PassedObject) -> Iterator[Problem]:
    if argument.has("tabId") and argument.has("disposition"):
        yield argument.unexpected("disposition", "must not be beside `tabId`")


def _found_downloads(argument: _PassedObject) -> Iterator[Problem]:
    limit = _number(argument, "limit")
    if not argument.is_gecko and limit is not None and limit < 0:
        yield argument.wrong("limit", "at least 0")


def _removed_data(argument: _PassedObject) -> Iterator[Problem]:
    if argument.has("origins") and argument.has("excludeOrigins"):
        yield argument.unexpected("excludeOrigins", "must not be beside `origins`")


def _proxy(argument: _PassedObject) -> Iterator[Problem]:
    value = argument.value_of("value")
    own = _PassedObject(value, argument.is_gecko, None) if isinstance(value, ObjectValue) else None
    required = None if own is None or own.is_gecko else _REQUIRED_BY_PROXY.get(own.text("mode") or "")
    if own is not None and required is not None and own.has(required) is False:
        why = f"is required for the mode {quoted(str(own.text('mode')))}"
        yield Problem(own.value.span, "unexpected", ("value", required), why=why)


_REQUIRED_BY_PROXY = {"fixed_servers": "rules", "pac_script": "pacScript"}
_WITHOUT_SIZE = frozenset({"fullscreen", "maximized", "minimized"})
_SIZE = ("left", "top", "width", "height")


def _window(argument: _PassedObject) -> Iterator[Problem]:
    state = argument.text("state")
    if state in _WITHOUT_SIZE:
        for name in _SIZE:
            if argument.has(name):
                yield argument.unexpected(name, f"must not be beside the state {quoted(state)}")
                return
    if not argument.is_gecko and state == "minimized" and _is_true(argument, "focused"):
        yield argument.unexpected("focused", "must not be beside the state `minimized`")


_INVALID_FILENAME = lazy(r"|/.*|.*:.*|(?:.*[\\/])?\.\.(?:[\\/].*)?")
_RELATIVE = lazy(r"[\w./-]*")


def _download(argument: _PassedObject) -> Iterator[Problem]:
    name, address = argument.text("filename"), argument.text("url")
    if name is not None and _INVALID_FILENAME.fullmatch(name):
        yield argument.wrong("filename", "a path in the folder for downloads")
    if not argument.is_gecko and address is not None and _RELATIVE.fullmatch(address):
        yield argument.wrong("url", "an absolute address")


def _panel(argument: _PassedObject) -> Iterator[Problem]:
    if argument.has("tabId") is False and argument.has("windowId") is False:
        yield _one_required(argument, ("tabId", "windowId"))


def _one_required(argument: _PassedObject, names: Sequence[str]) -> Problem:
    alternatives = listed([quoted(each) for each in names[1:]], "or")
    return Problem(
        argument.value.span, "unexpected", (names[0],), why=f"is required, unless {alternatives} is there"
    )


_INJECTED = (_exactly_one("func", "files", "function"), _injection, _frames)
_STYLED = (_exactly_one("css", "files"), _frames)
_CHECKS: Mapping[str, Sequence[_Check]] = {
    **dict.fromkeys(("contextMenus.create", "menus.create"), (_menu,)),
    **dict.fromkeys(("action.setIcon", "browserAction.setIcon", "pageAction.setIcon"), (_icon,)),
    **dict.fromkeys(("tabs.executeScript", "tabs.insertCSS", "tabs.removeCSS"), (_frames,)),
    "alarms.create": (_alarm,),
    "browsingData.remove": (_removed_data,),
    "cookies.set": (_cookie,),
    "downloads.download": (_download,),
    "downloads.search": (_found_downloads,),
    "notifications.create": (_notification,),
    "offscreen.createDocument": (_offscreen,),
    "proxy.settings.set": (_proxy,),
    "scripting.executeScript": _INJECTED,
    "scripting.insertCSS": _STYLED,
    "scripting.registerContentScripts": (_registered_script,),
    "scripting.removeCSS": _STYLED,
    "search.query": (_search,),
    "sidePanel.open": (_panel,),
    "tabs.create": (_tab,),
    "windows.create": (_window,),
    "windows.update": (_window,),
}
CHECKED = frozenset(_CHECKS)
"""The functions whose objects are checked."""
