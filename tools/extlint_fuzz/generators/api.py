"""Names of the browsers' APIs for generated code, both existing and misspelled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from msgspec import Struct

from extlint.schema.model import Event, Function, Namespace
from extlint.schema.targets import schema_set
from extlint.schema.types import ArrayType, ChoicesType, FunctionType, ObjectType, StringType, Type

TARGETS = ("chrome", "firefox", "reference")
MAX_DEPTH = 4


class ApiNames(Struct, frozen=True):
    """The names for generated code: `functions` and `events` by path, and words for arguments."""

    functions: tuple[str, ...]
    events: tuple[str, ...]
    namespaces: tuple[str, ...]
    properties: tuple[str, ...]
    strings: tuple[str, ...]


@cache
def api_names() -> ApiNames:
    """Returns the names of all targets, sorted."""
    functions, events, words = set[str](), set[str](), set[str]()
    namespaces, strings = set[str](), set[str]()
    for target in TARGETS:
        schemas = schema_set(target)
        for name in schemas.names:
            namespace = schemas.namespace(name)
            if namespace is None or name == MANIFEST:
                continue
            namespaces.add(name)
            for path, member in _members(namespace):
                if isinstance(member, Function):
                    functions.add(path)
                    for each in member.parameters:
                        _collect_words(each.type, words, strings)
                elif isinstance(member, Event):
                    events.add(path)
    return ApiNames(
        tuple(sorted(functions)),
        tuple(sorted(events)),
        tuple(sorted(namespaces)),
        tuple(sorted(words)),
        tuple(sorted(strings)),
    )


MANIFEST = "manifest"
"""A namespace of the schemas that scripts cannot access."""


def _members(namespace: Namespace) -> Iterator[tuple[str, object]]:
    for name, members in namespace.members.items():
        for member in members:
            yield f"{namespace.name}.{name}", member


def _collect_words(kind: Type, words: set[str], strings: set[str], depth: int = 0) -> None:
    """Adds the keys of objects and the values of enumerations in a type."""
    if depth > MAX_DEPTH:
        return
    if isinstance(kind, ObjectType):
        for name, each in kind.properties.items():
            words.add(name)
            _collect_words(each.type, words, strings, depth + 1)
    elif isinstance(kind, ArrayType):
        _collect_words(kind.items, words, strings, depth + 1)
    elif isinstance(kind, ChoicesType):
        for choice in kind.choices:
            _collect_words(choice.type, words, strings, depth + 1)
    elif isinstance(kind, FunctionType):
        for parameter in kind.parameters or ():
            _collect_words(parameter.type, words, strings, depth + 1)
    elif isinstance(kind, StringType):
        strings.update(kind.enum or ())


COMMON = (
    "tabs.query tabs.create tabs.executeScript runtime.sendMessage runtime.getURL storage.local.get "
    "storage.local.set management.getAll management.getSelf management.get management.uninstallSelf "
    "scripting.executeScript i18n.getMessage test.assertTrue test.log permissions.request "
    "permissions.contains browserAction.setIcon action.setIcon alarms.create windows.create "
    "contextMenus.create declarativeNetRequest.updateDynamicRules runtime.connect extension.getURL "
    "notifications.create devtools.panels.create webRequest.handlerBehaviorChanged"
).split()
"""Members that most of the generated code uses, so that its parts interact."""


def random_function(chance: Random) -> str:
    """Returns the path of a function, sometimes misspelled."""
    path = chance.choice(COMMON) if chance.random() < 0.7 else chance.choice(api_names().functions)
    return misspelled(chance, path) if chance.random() < 0.1 else path


def random_event(chance: Random) -> str:
    """Returns the path of an event, sometimes misspelled."""
    path = chance.choice(api_names().events)
    return misspelled(chance, path) if chance.random() < 0.1 else path


def misspelled(chance: Random, name: str) -> str:
    """Returns a name with one letter removed, doubled or replaced."""
    at = chance.choice([i for i, letter in enumerate(name) if letter != "."])
    return chance.choice(
        (
            name[:at] + name[at + 1 :],
            name[:at] + name[at : at + 1] + name[at:],
            f"{name[:at]}x{name[at + 1 :]}",
        )
    )
