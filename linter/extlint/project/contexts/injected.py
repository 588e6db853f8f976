"""Files that API calls load: injected scripts and opened pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.context import ContextKind, injection_context
from extlint.analysis.facts.script_facts import ApiPath, CallSite
from extlint.analysis.facts.values import ArrayValue, Kind, Literal, ObjectValue, Value
from extlint.text.positions import ByteSpan

WEB_PAGE_CONTEXTS = frozenset({ContextKind.CONTENT_SCRIPT, ContextKind.MAIN_WORLD})
"""The contexts of scripts that calls inject into web pages."""


class InjectedFile(Struct, frozen=True):
    """A file that a call names: its name and span, the context in which it runs, and the called function."""

    name: str
    span: ByteSpan
    kind: ContextKind
    by: ApiPath = ()


def files_injected_by(calls: Iterable[CallSite]) -> Iterator[InjectedFile]:
    """Yields the files that calls name by a known string."""
    for call in calls:
        read = _READERS.get(call.path)
        if read is not None:
            yield from (replace(each, by=call.path) for each in read(call.arguments))


def _injection(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """`scripting.executeScript({files, world})` and the scripts of `registerContentScripts`."""
    for argument in arguments[:1]:
        listed = argument.items if isinstance(argument, ArrayValue) else (argument,)
        for each in listed:
            for key in ("files", "js"):
                yield from _texts(_field(each, key), injection_context(each))


def _registration(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """`contentScripts.register({js: [{file}]})`."""
    for argument in arguments[:1]:
        listed = _field(argument, "js")
        for each in listed.items if isinstance(listed, ArrayValue) else ():
            yield from _texts(_field(each, "file"), ContextKind.CONTENT_SCRIPT)


def _old_injection(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """`tabs.executeScript(tabId?, {file})`."""
    for argument in arguments[:2]:
        yield from _texts(_field(argument, "file"), ContextKind.CONTENT_SCRIPT)


def _page(
    *keys: str, at: int = 0, kind: ContextKind = ContextKind.EXTENSION_PAGE
) -> Callable[[tuple[Value, ...]], Iterator[InjectedFile]]:
    """Returns a reader for a page that is the argument at an index, or a property of that argument."""

    def read(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
        for argument in arguments[at : at + 1]:
            for value in [_field(argument, key) for key in keys] or [argument]:
                yield from _texts(value, kind)

    return read


def _offscreen(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    for argument in arguments[:1]:
        yield from _texts(_field(argument, "url"), ContextKind.OFFSCREEN)


def _user_scripts(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """`userScripts.register([{js: [{file}], world}])`: user scripts run without the API."""
    for argument in arguments[:1]:
        for each in argument.items if isinstance(argument, ArrayValue) else (argument,):
            world = _field(each, "world")
            in_main = isinstance(world, Literal) and world.value == "MAIN"
            listed = _field(each, "js")
            for script in listed.items if isinstance(listed, ArrayValue) else ():
                kind = ContextKind.MAIN_WORLD if in_main else ContextKind.UNKNOWN
                yield from _texts(_field(script, "file"), kind)


def _updated_tab(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """`tabs.update(tabId?, {url})`."""
    for argument in arguments[:2]:
        yield from _texts(_field(argument, "url"), ContextKind.EXTENSION_PAGE)


def _address(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """The URL of a script, in an unknown context."""
    for each in _texts(arguments[0] if arguments else None, ContextKind.UNKNOWN):
        yield InjectedFile("/" + each.name.lstrip("/"), each.span, each.kind)


def _field(value: Value, name: str) -> Value | None:
    found = value.fields.get(name) if isinstance(value, ObjectValue) else None
    return None if found is None else found.value


def _texts(value: Value | None, kind: ContextKind) -> Iterator[InjectedFile]:
    for each in value.items if isinstance(value, ArrayValue) else (value,):
        if isinstance(each, Literal) and each.kind is Kind.STRING and isinstance(each.value, str):
            yield InjectedFile(each.value, each.span or (0, 0), kind)


_READERS: dict[ApiPath, Callable[[tuple[Value, ...]], Iterator[InjectedFile]]] = {
    ("scripting", "executeScript"): _injection,
    ("scripting", "registerContentScripts"): _injection,
    ("scripting", "updateContentScripts"): _injection,
    ("contentScripts", "register"): _registration,
    ("userScripts", "register"): _user_scripts,
    ("userScripts", "update"): _user_scripts,
    ("userScripts", "execute"): _user_scripts,
    ("tabs", "executeScript"): _old_injection,
    ("tabs", "create"): _page("url"),
    ("tabs", "update"): _updated_tab,
    ("windows", "create"): _page("url"),
    ("action", "setPopup"): _page("popup"),
    ("browserAction", "setPopup"): _page("popup"),
    ("pageAction", "setPopup"): _page("popup"),
    ("sidePanel", "setOptions"): _page("path"),
    ("sidebarAction", "setPanel"): _page("panel"),
    ("devtools", "panels", "create"): _page(at=2, kind=ContextKind.DEVTOOLS_PAGE),
    ("offscreen", "createDocument"): _offscreen,
    ("extension", "getURL"): _address,
    ("runtime", "getURL"): _address,
}

INJECTING_FUNCTIONS = frozenset(_READERS)
"""The functions whose calls name scripts and pages."""
