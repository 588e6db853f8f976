"""Rejections of objects that match their schemas: combinations of properties, and some values.

Browsers check these in their implementations. Verified in Chromium 156 and Firefox 153 by
`extlint_judge refused-calls`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from extlint.matching.call import CallProblem
from extlint.matching.environment import Environment
from extlint.matching.verdict import Problem
from extlint.schema.model import Function
from extlint.schema.types import ObjectType
from extlint.script.facts.values import (
    ArrayValue,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    options_of,
)
from extlint.text.patterns import lazy
from extlint.text.wording import listed, quoted


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
        if options and all(map(_is_nullish, options)):
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
        from extlint.words.values import described_value

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
    value = next((each for each in arguments if isinstance(each, ObjectValue)), None) if checks else None
    if value is None:
        return ()
    name = next(
        (each.name for each in function.parameters if isinstance(env.resolve(each.type), ObjectType)),
        "argument",
    )
    given = _PassedObject(value, env.is_gecko, background)
    return tuple(
        CallProblem("invalid-argument", each.span, each.message(name), each.refusal)
        for check in checks
        for each in check(given)
    )


def _is_nullish(value: Value) -> bool:
    return isinstance(value, Literal) and value.kind in {Kind.NULL, Kind.UNDEFINED}


def _is_not_nullish(value: Value) -> bool:
    """Whether a value is certainly neither null nor undefined."""
    known = isinstance(value, ArrayValue | FunctionValue | Literal | ObjectValue | Typed)
    return known and not _is_nullish(value)


def _menu(given: _PassedObject) -> Iterator[Problem]:
    if given.background is not None:
        name = given.background
        if given.has("id") is False or (given.is_gecko and given.text("id") == ""):
            yield Problem(given.value.span, "unexpected", ("id",), why=f"is required, as there is {name}")
        if given.has("onclick"):
            yield given.unexpected("onclick", f"does not work with {name}; use the event `onClicked`")
    has_type, has_title = given.has("type"), given.has("title")
    is_separator = has_type is not False and given.text("type") in (None, "separator")
    if not given.is_gecko and not is_separator and (has_title is False or given.text("title") == ""):
        yield Problem(given.value.span, "unexpected", ("title",), why="is required, except for separators")


def _notification(given: _PassedObject) -> Iterator[Problem]:
    if given.is_gecko:
        return
    for name in ("type", "iconUrl", "title", "message"):
        if given.has(name) is False:
            yield given.missing(name)
    if given.text("iconUrl") == "":
        yield given.wrong("iconUrl", "the address of an image")
    kind = given.text("type")
    if kind is None:
        return
    for name, only in (("imageUrl", "image"), ("items", "list")):
        if kind == only and given.has(name) is False:
            yield given.missing(name)
    for name, only in (("imageUrl", "image"), ("items", "list"), ("progress", "progress")):
        if kind != only and given.has(name):
            yield given.unexpected(name, f"is only for the type {quoted(only)}")
    progress = given.value_of("progress")
    if isinstance(progress, Literal) and isinstance(progress.value, float) and not 0 <= progress.value <= 100:
        yield given.wrong("progress", "from 0 to 100")


def _alarm(given: _PassedObject) -> Iterator[Problem]:
    if given.is_gecko:
        return
    times = ("when", "delayInMinutes", "periodInMinutes")
    if all(given.has(each) is False for each in times):
        yield _one_required(given, times)
    if given.has("when") and given.has("delayInMinutes"):
        yield given.unexpected("delayInMinutes", f"must not be beside {quoted('when')}")


def _exactly_one(*names: str) -> _Check:
    """Returns a check that exactly one of some properties exists."""

    def check(given: _PassedObject) -> Iterator[Problem]:
        there = [each for each in names if given.has(each)]
        if all(given.has(each) is False for each in names):
            yield _one_required(given, names[:2])
        elif len(there) > 1:
            yield given.unexpected(there[1], f"must not be beside {quoted(there[0])}")

    return check


def _injection(given: _PassedObject) -> Iterator[Problem]:
    if given.has("files") and given.has("args"):
        yield given.unexpected("args", f"must not be beside {quoted('files')}")
    files = given.value_of("files")
    if not given.is_gecko and isinstance(files, ArrayValue) and not files.items and not files.open:
        yield given.wrong("files", "a list of at least one file")


def _icon(given: _PassedObject) -> Iterator[Problem]:
    if not given.is_gecko and given.has("path") is False and given.has("imageData") is False:
        yield _one_required(given, ("path", "imageData"))


def _offscreen(given: _PassedObject) -> Iterator[Problem]:
    reasons = given.value_of("reasons")
    if isinstance(reasons, ArrayValue) and not reasons.items and not reasons.open:
        yield given.wrong("reasons", "a list of at least one reason")


_WITHOUT_SIZE = frozenset({"fullscreen", "maximized", "minimized"})
_SIZE = ("left", "top", "width", "height")


def _window(given: _PassedObject) -> Iterator[Problem]:
    state = given.text("state")
    if state in _WITHOUT_SIZE:
        for name in _SIZE:
            if given.has(name):
                yield given.unexpected(name, f"must not be beside the state {quoted(state)}")
                return


_INVALID_FILENAME = lazy(r"|/.*|.*:.*|(?:.*[\\/])?\.\.(?:[\\/].*)?")
_RELATIVE = lazy(r"[\w./-]*")


def _download(given: _PassedObject) -> Iterator[Problem]:
    name, address = given.text("filename"), given.text("url")
    if name is not None and _INVALID_FILENAME.fullmatch(name):
        yield given.wrong("filename", "a path in the folder for downloads")
    if not given.is_gecko and address is not None and _RELATIVE.fullmatch(address):
        yield given.wrong("url", "an absolute address")


def _one_required(given: _PassedObject, names: Sequence[str]) -> Problem:
    alternatives = listed([quoted(each) for each in names[1:]], "or")
    return Problem(
        given.value.span, "unexpected", (names[0],), why=f"is required, unless {alternatives} is there"
    )


_INJECTED = (_exactly_one("func", "files", "function"), _injection)
_STYLED = (_exactly_one("css", "files"),)
_CHECKS: Mapping[str, Sequence[_Check]] = {
    **dict.fromkeys(("contextMenus.create", "menus.create"), (_menu,)),
    **dict.fromkeys(("action.setIcon", "browserAction.setIcon", "pageAction.setIcon"), (_icon,)),
    "alarms.create": (_alarm,),
    "downloads.download": (_download,),
    "notifications.create": (_notification,),
    "offscreen.createDocument": (_offscreen,),
    "scripting.executeScript": _INJECTED,
    "scripting.insertCSS": _STYLED,
    "scripting.removeCSS": _STYLED,
    "windows.create": (_window,),
    "windows.update": (_window,),
}
CHECKED = frozenset(_CHECKS)
"""The functions whose objects are checked."""
