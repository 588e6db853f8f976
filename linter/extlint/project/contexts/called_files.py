"""Files that API calls load: injected scripts and opened pages, style sheets and images."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.context import ContextKind, injection_context
from extlint.analysis.facts.script_facts import GET_URL, ApiPath, CallSite
from extlint.analysis.facts.values import (
    UNKNOWN,
    ApiResult,
    ArrayValue,
    Kind,
    Literal,
    ObjectValue,
    Union,
    Value,
    options_of,
)
from extlint.text.positions import ByteSpan


class InjectedFile(Struct, frozen=True):
    """A file that a call names: its name and span, the context in which it runs, and the called function.

    If an argument of the call is one of several, `choice` is the span of the callee.
    """

    name: str
    span: ByteSpan
    kind: ContextKind
    by: ApiPath = ()
    choice: ByteSpan | None = None


def files_injected_by(calls: Iterable[CallSite]) -> Iterator[InjectedFile]:
    """Yields the files that calls name by a known string, or by an address that one of them returns.

    A call with one of several arguments may name any of them.
    """
    known = list(calls)
    names = {call.span: call.arguments[0] for call in known if call.path in GET_URL and call.arguments}
    for call in known:
        read = _READERS.get(call.path)
        if read is not None:
            arguments = tuple(_with_names(each, names) for each in call.arguments)
            choice = call.callee if any(map(_is_choice, arguments)) else None
            yield from (replace(each, by=call.path, choice=choice) for each in read(arguments))


def certain_files_injected_by(call: CallSite) -> Sequence[InjectedFile]:
    """Returns the files that a call names each time, so none if an argument is one of several."""
    return [each for each in files_injected_by((call,)) if each.choice is None]


def _is_choice(value: Value) -> bool:
    """Whether a value, or a part of it, is one of several known texts, lists or objects."""
    match value:
        case Union(options=options):
            return any(map(_may_name_file, options))
        case ArrayValue(items=items):
            return any(map(_is_choice, items))
        case ObjectValue(fields=fields):
            return any(_is_choice(each.value) for each in fields.values())
    return False


def _may_name_file(value: Value) -> bool:
    if isinstance(value, Literal):
        return value.kind is Kind.STRING
    return isinstance(value, ArrayValue | ObjectValue)


def _with_names(value: Value, names: Mapping[ByteSpan, Value]) -> Value:
    """Returns an argument in which names of files replace the addresses that `getURL` returns for them."""
    match value:
        case ApiResult(path=path, call=call) if path in GET_URL and call is not None:
            name = names.get(call)
            if isinstance(name, Literal) and isinstance(name.value, str):
                return replace(name, value="/" + name.value.lstrip("/"))
        case ObjectValue(fields=fields) if any(isinstance(each.value, ApiResult) for each in fields.values()):
            found = {key: replace(each, value=_with_names(each.value, names)) for key, each in fields.items()}
            return replace(value, fields=found)
        case Union(options=options):
            return replace(value, options=tuple(_with_names(each, names) for each in options))
    return value


def _injection(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """`scripting.executeScript({files, world})` and the scripts of `registerContentScripts`."""
    for each in _items(arguments[:1]):
        for listed in _fields(each, "files", "js"):
            yield from _texts(listed, injection_context(each))


def _registration(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """`contentScripts.register({js: [{file}]})`."""
    for each in _items(_fields(arguments[0] if arguments else UNKNOWN, "js")):
        for name in _fields(each, "file"):
            yield from _texts(name, ContextKind.CONTENT_SCRIPT)


def _old_injection(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """`tabs.executeScript(tabId?, {file})`."""
    for argument in arguments[:2]:
        for name in _fields(argument, "file"):
            yield from _texts(name, ContextKind.CONTENT_SCRIPT)


def _page(
    *keys: str, at: int = 0, kind: ContextKind = ContextKind.EXTENSION_PAGE
) -> Callable[[tuple[Value, ...]], Iterator[InjectedFile]]:
    """Returns a reader for a page that is the argument at an index, or a property of that argument."""

    def read(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
        for argument in arguments[at : at + 1]:
            for value in _fields(argument, *keys) if keys else (argument,):
                yield from _texts(value, kind)

    return read


def _offscreen(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    for argument in arguments[:1]:
        for name in _fields(argument, "url"):
            yield from _texts(name, ContextKind.OFFSCREEN)


def _user_scripts(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """`userScripts.register([{js: [{file}], world}])`: user scripts run without the API."""
    for each in _items(arguments[:1]):
        worlds = (world.value for world in _fields(each, "world") if isinstance(world, Literal))
        kind = ContextKind.MAIN_WORLD if "MAIN" in worlds else ContextKind.UNKNOWN
        for script in _items(_fields(each, "js")):
            for name in _fields(script, "file"):
                yield from _texts(name, kind)


def _updated_tab(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """`tabs.update(tabId?, {url})`."""
    for argument in arguments[:2]:
        for name in _fields(argument, "url"):
            yield from _texts(name, ContextKind.EXTENSION_PAGE)


def _address(arguments: tuple[Value, ...]) -> Iterator[InjectedFile]:
    """The URL of a script, in an unknown context."""
    for argument in arguments[:1]:
        for each in _texts(argument, ContextKind.UNKNOWN):
            yield InjectedFile("/" + each.name.lstrip("/"), each.span, each.kind)


def _items(values: Iterable[Value]) -> Iterator[Value]:
    """Yields what values may be, with the items of lists in place of the lists."""
    for value in values:
        for option in options_of(value):
            yield from _items(option.items) if isinstance(option, ArrayValue) else (option,)


def _fields(value: Value, *names: str) -> Iterator[Value]:
    """Yields the values that some properties of an object may have."""
    for option in options_of(value):
        fields = option.fields if isinstance(option, ObjectValue) else {}
        yield from (fields[name].value for name in names if name in fields)


def _texts(value: Value, kind: ContextKind) -> Iterator[InjectedFile]:
    for each in _items((value,)):
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


_FILE_PROPERTIES: dict[ApiPath, tuple[str, ...]] = {
    ("scripting", "insertCSS"): ("files",),
    ("scripting", "removeCSS"): ("files",),
    ("scripting", "registerContentScripts"): ("css",),
    ("scripting", "updateContentScripts"): ("css",),
    ("tabs", "insertCSS"): ("file",),
    ("tabs", "removeCSS"): ("file",),
    ("contentScripts", "register"): ("css",),
    ("action", "setIcon"): ("path",),
    ("browserAction", "setIcon"): ("path",),
    ("pageAction", "setIcon"): ("path",),
    ("sidebarAction", "setIcon"): ("path",),
    ("notifications", "create"): ("iconUrl", "imageUrl"),
    ("notifications", "update"): ("iconUrl", "imageUrl"),
}
"""The properties of an argument that name files: a name, a list of names, or a name for each size."""

FILE_FUNCTIONS = frozenset(_FILE_PROPERTIES)
"""The functions whose calls name style sheets and images."""

_LIST_FUNCTIONS = frozenset({("scripting", "registerContentScripts"), ("scripting", "updateContentScripts")})
"""The functions whose argument is a list of such objects."""


class CalledFile(Struct, frozen=True):
    """The name of a file in a call, and its location."""

    name: str
    span: ByteSpan


def files_named_in_call(call: CallSite) -> Iterator[CalledFile]:
    """Yields the known names of files in the arguments of a call, including pages and scripts."""
    if call.path in GET_URL:
        return
    for injected in certain_files_injected_by(call):
        yield CalledFile(injected.name, injected.span)
    keys = _FILE_PROPERTIES.get(call.path)
    for argument in call.arguments if keys else ():
        listed = isinstance(argument, ArrayValue) and call.path in _LIST_FUNCTIONS
        for each in argument.items if isinstance(argument, ArrayValue) and listed else (argument,):
            for key in keys or ():
                found = each.fields.get(key) if isinstance(each, ObjectValue) else None
                if found is not None:
                    yield from _names(found.value)


def _names(value: Value) -> Iterator[CalledFile]:
    match value:
        case Literal(kind=Kind.STRING, value=str(name), span=span) if span is not None:
            yield CalledFile(name, span)
        case Union(options=options) if all(isinstance(each, Literal) for each in options):
            for each in options:
                yield from _names(each)
        case ArrayValue(items=items):
            for each in items:
                yield from _names(each)
        case ObjectValue(fields=fields):
            for field in fields.values():
                yield from _names(field.value)
