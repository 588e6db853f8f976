"""Finds the names that a package gives to menu items, alarms, ports and others, and where it uses them.

In Chromium 156 and Firefox 153, a call with the id of a menu item or a script that does not exist fails;
`alarms` and `notifications` return `false` or nothing (`extlint_judge refused-calls`). Browsers handle the
commands that activate parts of an extension themselves: no listener gets them, in Firefox 153
(`extlint_judge reserved-commands`) and in Chrome according to its documentation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from extlint.analysis.facts.script_facts import ApiPath, CallSite
from extlint.analysis.facts.values import (
    ApiResult,
    ArrayValue,
    Delivery,
    Literal,
    ObjectValue,
    Value,
    options_of,
)
from extlint.checks.calls.argument_values import string_values_at
from extlint.checks.calls.types import PossibleType
from extlint.extension import Extension
from extlint.manifest.manifest import BUTTON_COMMANDS, COMMANDS
from extlint.project.builds import may_be_completed
from extlint.project.rewritten_keys import may_rewrite
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem
from extlint.schema.types import StringType
from extlint.text.nearest import nearest
from extlint.text.placeholders import is_replaced
from extlint.text.wording import after_semicolon, name_suggestion, quoted


class NameKind(Struct, frozen=True):
    """A kind of name, where it is given and where it is used. `missing` says that nothing has a name.

    `given` are the functions that give a name, each with the positions of the argument that has it, and
    `field` is its key in an object, or None if it is the argument itself. `key` is the key of the manifest
    whose members are such names. `passed` are the events that pass a name, each with the steps to it. `used`
    are the functions that fail if nothing has the name, each with its key in the first argument; an empty key
    is the argument itself. `removed` are functions, as in `given`, that remove what has a name: an older
    version of the package may have given it.
    """

    missing: str
    passed: Mapping[ApiPath, tuple[str, ...]] = {}
    given: Mapping[ApiPath, tuple[int, ...]] = {}
    field: str | None = None
    key: str | None = None
    used: Mapping[str, str] = {}
    removed: Mapping[ApiPath, tuple[int, ...]] = {}


_MENUS = ("contextMenus", "menus")
_KINDS = (
    NameKind(
        "no menu item has this id",
        {(each, "onClicked"): ("menuItemId",) for each in _MENUS},
        {(each, "create"): (0,) for each in _MENUS},
        "id",
        used={
            f"{each}.{name}": key
            for each in _MENUS
            for name, key in (("create", "parentId"), ("update", ""), ("remove", ""))
        },
    ),
    NameKind(
        "no alarm has this name",
        {("alarms", "onAlarm"): ("name",)},
        {("alarms", "create"): (0,)},
        removed={("alarms", "clear"): (0,)},
    ),
    NameKind("the manifest has no such command", {("commands", "onCommand"): ()}, key="commands"),
    NameKind(
        "no script connects with this name",
        {("runtime", "onConnect"): ("name",)},
        {("runtime", "connect"): (0, 1), ("tabs", "connect"): (1,)},
        "name",
    ),
    NameKind(
        "no notification has this id",
        {("notifications", name): () for name in ("onButtonClicked", "onClicked", "onClosed")},
        {("notifications", "create"): (0,)},
    ),
    NameKind(
        "no script is registered with this id",
        given={("scripting", "registerContentScripts"): (0,)},
        field="id",
        used={"scripting.unregisterContentScripts": "ids", "scripting.updateContentScripts": "id"},
    ),
)
_BY_SOURCE = {(path, steps): kind for kind in _KINDS for path, steps in kind.passed.items()}
_BY_WORDS = {kind.missing: kind for kind in _KINDS}
_BY_USE = {api: (kind, key) for kind in _KINDS for api, key in kind.used.items()}
USES_OF_NAMES = frozenset(_BY_USE)
"""The functions that fail if nothing has a name in their first argument."""


def unknown_names(extension: Extension, api: str, arguments: Sequence[Value]) -> Iterator[CallProblem]:
    """Yields the names in the first argument of a call that the package gives to nothing."""
    kind, key = _BY_USE[api]
    known = _given_names(extension, kind.missing)
    for value in string_values_at(arguments[0], key) if known and arguments else ():
        text = value.value
        if not isinstance(text, str) or text in (known or ()) or is_replaced(text):
            continue
        near = nearest(text, known or ())
        yield CallProblem(
            "invalid-argument",
            value.span,
            f"{quoted(key or 'id')} cannot be {quoted(text)}: {kind.missing}"
            + after_semicolon(name_suggestion(near)),
            "accepts only ids that exist",
            suggestion=near,
        )


def missing_name(extension: Extension, result: ApiResult, name: Value) -> str | None:
    """Returns why a result is never a name, if it is one that the package gives."""
    kind = _kind_of(result)
    if kind is None:
        return None
    is_handled = kind.key == "commands" and isinstance(name, Literal) and name.value in _handled(extension)
    return "the browser itself handles this command" if is_handled else kind.missing


def is_given_name(result: ApiResult) -> bool:
    """Whether a result is a name that the package gives."""
    return _kind_of(result) is not None


def with_given_names(
    extension: Extension, result: ApiResult, types: tuple[PossibleType, ...]
) -> tuple[PossibleType, ...]:
    """Returns the types of a result, in which a text that the package gives is one of the given ones."""
    kind = _kind_of(result)
    names = None if kind is None else _given_names(extension, kind.missing)
    return tuple(
        PossibleType(StringType(enum=names))
        if names is not None and isinstance(each.type, StringType)
        else each
        for each in types
    )


def _kind_of(result: ApiResult) -> NameKind | None:
    is_first = result.index == 0 and result.delivery is Delivery.LISTENER
    return _BY_SOURCE.get((result.path, result.steps)) if is_first else None


@query
def _given_names(extension: Extension, missing: str) -> tuple[str, ...] | None:
    """The names of the kind with these words that code may get.

    None if the package gives no name, or if some are unknown.
    """
    kind = _BY_WORDS[missing]
    if kind.key is not None and (may_be_completed(extension, kind.key) or may_rewrite(extension, kind.key)):
        return None
    found = [name for name, _ in extension.manifest.members(kind.key)] if kind.key else []
    for script in extension.scripts if kind.given else ():
        facts = script.facts
        if not facts.passed_on.isdisjoint(kind.given):
            return None
        for call in facts.calls:
            positions = kind.given.get(call.path)
            names = _names_in(call, positions or kind.removed.get(call.path, ()), kind.field)
            if names is None and positions is not None:
                return None
            found += names or ()
    if not found:
        return None
    handled = _handled(extension) if kind.key == "commands" else frozenset()
    return tuple(each for each in dict.fromkeys(found) if each not in handled)


def _handled(extension: Extension) -> frozenset[str]:
    """Returns the commands that the browser handles itself, so that no listener gets them."""
    engine, button = extension.target.engine, BUTTON_COMMANDS[extension.manifest.version]
    if engine is Engine.GECKO:
        return frozenset(COMMANDS).difference(BUTTON_COMMANDS.values()) | {button}
    return frozenset({button}) if engine is not Engine.WEBKIT else frozenset()


def _names_in(call: CallSite, positions: Sequence[int], field: str | None) -> list[str] | None:
    """Returns the names in a call's arguments at some positions, or None if it may have others."""
    found: list[str] = []
    if call.open:
        return None
    for index in positions:
        for option in options_of(call.arguments[index]) if index < len(call.arguments) else ():
            names = _names_of_option(option, field)
            if names is None:
                return None
            found += names
    return found


def _names_of_option(option: Value, field: str | None) -> list[str] | None:
    """Returns the names in a possible argument, or None if it may have others."""
    if isinstance(option, ArrayValue) and field is not None:
        parts = [_names_of_option(each, field) for item in option.items for each in options_of(item)]
        known = [each for each in parts if each is not None]
        return None if option.open or len(known) < len(parts) else [name for each in known for name in each]
    if isinstance(option, ObjectValue):
        if field is None:
            return []
        if field not in option.fields:
            return None if option.open else []
        values = options_of(option.fields[field].value)
    elif isinstance(option, Literal):
        values = (option,) if field is None else ()
    else:
        return None
    if not all(isinstance(each, Literal) for each in values):
        return None
    return [each.value for each in values if isinstance(each, Literal) and isinstance(each.value, str)]
