"""Style sheets and images that API calls name, in addition to the scripts and pages of `injected`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.analysis.facts.script_facts import ApiPath, CallSite
from extlint.analysis.facts.values import ArrayValue, Kind, Literal, ObjectValue, Union, Value
from extlint.project.contexts.injected import files_injected_by
from extlint.text.positions import ByteSpan

URL_FUNCTIONS = frozenset({("extension", "getURL"), ("runtime", "getURL")})
"""Functions that convert a name to a URL; the name may be that of no file."""

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
    if call.path in URL_FUNCTIONS:
        return
    for injected in files_injected_by((call,)):
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
