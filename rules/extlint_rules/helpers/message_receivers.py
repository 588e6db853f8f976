"""Finds the contexts in which an extension listens to its own messages and connections.

Verified in Firefox 153 and Chromium 156, in each context: `runtime.sendMessage` reaches the background and
the pages of the extension, but not the sending document or worker, and no content script. `tabs.sendMessage`
reaches the content scripts of a tab, and the extension's page in it. Otherwise both fail with "Could not
establish connection. Receiving end does not exist." The same is true of `connect` in both namespaces, whose
port is then closed. (`receivers` of extlint_judge repeats the test.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.context import BACKGROUND_CONTEXTS, Context, ContextKind
from extlint.analysis.facts.script_facts import INJECTION, Reference
from extlint.analysis.facts.values import UNKNOWN, FunctionValue, ObjectValue, Value, options_of
from extlint.checks.reachability.closed_world import is_closed_world
from extlint.checks.reachability.possible_loads import may_be_injected, running_scripts
from extlint.extension import Extension, Script
from extlint.project.contexts.script import injects, page_of
from extlint.project.contexts.words import is_inside, merged, words_of
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, encode_name

_NAMESPACES = frozenset({"extension", "runtime"})
"""The namespaces of the events: the second has them now, the first had them in early versions of Chrome."""

_BY_RUNTIME = BACKGROUND_CONTEXTS | {
    ContextKind.DEVTOOLS_PAGE,
    ContextKind.EXTENSION_PAGE,
    ContextKind.OFFSCREEN,
    ContextKind.UNKNOWN,
}
"""The kinds of context that `runtime.sendMessage` may reach."""

_BY_TABS = frozenset({ContextKind.CONTENT_SCRIPT, ContextKind.EXTENSION_PAGE, ContextKind.UNKNOWN})
"""The kinds of context that `tabs.sendMessage` may reach."""

_OBJECT_BYTES = 100
"""The bytes around a name that show how it is used."""

_MEMBER = lazy(rb"\.\s*\Z")
_PORT = lazy(rb"(?i)port\d?\s*[?!]?\.\s*\Z")
"""Matches an object that is named like a port, before its member."""

_ASSIGNED = lazy(rb"\s*=(?!=)")
_IN_PATTERN_OR_TEXT = lazy(rb"[{,\"'`]\s*\Z")
_NEVER_IN_TABS = (
    ("action", "default_popup"),
    ("browser_action", "default_popup"),
    ("page_action", "default_popup"),
    ("side_panel", "default_path"),
    ("sidebar_action", "default_panel"),
)


_KindsOf: TypeAlias = "Callable[[Extension, Script, Reference], frozenset[ContextKind]]"


class ListenerContexts(Struct, frozen=True):
    """The kinds of context that have or may have listeners: all, and those that may be in a tab.

    `known` are those in which a reference to the event is known.
    """

    kinds: frozenset[ContextKind]
    known: frozenset[ContextKind]
    in_tabs: frozenset[ContextKind]

    @property
    def reachable_by_runtime(self) -> frozenset[ContextKind]:
        """The kinds that `runtime.sendMessage` may reach from another context."""
        return self.kinds & _BY_RUNTIME

    @property
    def reachable_by_tabs(self) -> frozenset[ContextKind]:
        """The kinds that `tabs.sendMessage` may reach."""
        return self.in_tabs & _BY_TABS


@query(is_kept=True)
def listener_contexts(extension: Extension, event: str) -> ListenerContexts | None:
    """The contexts with listeners to `runtime.onMessage` or `onConnect` in any target.

    None if not all code that runs is known.
    """
    return _find_listener_contexts(extension, event, kinds_of)


@query(is_kept=True)
def certain_listener_contexts(extension: Extension, event: str) -> ListenerContexts | None:
    """The part of `listener_contexts` that is known without a search for the callers of any function."""
    return _find_listener_contexts(extension, event, _certain_kinds_of)


def _find_listener_contexts(
    extension: Extension, event: str, kinds_of_reference: _KindsOf
) -> ListenerContexts | None:
    if not _is_all_code_known(extension):
        return None
    kinds: set[ContextKind] = set()
    known: set[ContextKind] = set()
    in_tabs: set[ContextKind] = set()
    for script in running_scripts(extension):
        named = references_to(script, event)
        found = frozenset(kind for each in named for kind in kinds_of_reference(extension, script, each))
        known |= found
        if has_other_mentions(extension, script, event, named):
            found |= own_kinds(extension, script)
        kinds |= found
        in_tabs |= found - {ContextKind.EXTENSION_PAGE} if _is_never_in_tabs(extension, script) else found
    return ListenerContexts(frozenset(kinds), frozenset(known), frozenset(in_tabs))


def references_to(script: Script, event: str) -> list[Reference]:
    """Returns the references to an event of the namespace `runtime` in a script."""
    return [
        each
        for each in script.facts.references
        if each.path[:1] and each.path[0] in _NAMESPACES and each.path[1:2] == (event,)
    ]


@query(is_kept=True)
def _is_all_code_known(extension: Extension) -> bool:
    return is_closed_world(extension) and not _may_inject_text(extension)


def own_kinds(extension: Extension, script: Script) -> frozenset[ContextKind]:
    """Returns the kinds of context in which a script itself runs."""
    found = frozenset(each.kind for each in _contexts(script))
    return found | {ContextKind.UNKNOWN} if not found or may_be_injected(extension, script.path) else found


def kinds_of(extension: Extension, script: Script, reference: Reference) -> frozenset[ContextKind]:
    """Returns the kinds of context in which a reference may be evaluated.

    They are those of its script, unless its function is only passed to another context.
    """
    own = own_kinds(extension, script)
    if not (reference.is_called and _any_injects(extension)):
        return own
    injected = extension.searches.injected_into(script, reference)
    if injected:
        return injected
    is_uncertain = injected is None or _may_be_injected(script, reference.span)
    return own | {ContextKind.UNKNOWN} if is_uncertain else own


def _may_be_injected(script: Script, place: ByteSpan) -> bool:
    """Whether a script injects the function around a place, or one that is not known."""
    options = (
        option
        for call in script.facts.calls
        if call.path == INJECTION
        for option in options_of(call.arguments[0] if call.arguments else UNKNOWN)
    )
    return any(_may_have_function(each, place) for each in options)


def _may_have_function(options: Value, place: ByteSpan) -> bool:
    """Whether the options of an injection may have the function around a place."""
    if not isinstance(options, ObjectValue):
        return True
    fields = options.fields
    named = [fields[key].value for key in ("func", "function") if key in fields]
    if not named:
        return options.open and "files" not in fields
    return any(
        not isinstance(each, FunctionValue)
        or each.span is None
        or (each.span[0] <= place[0] and place[1] <= each.span[1])
        for value in named
        for each in options_of(value)
    )


@query(is_kept=True)
def _any_injects(extension: Extension) -> bool:
    """Whether a script may inject functions into other contexts."""
    return any(map(injects, extension.scripts))


def _certain_kinds_of(extension: Extension, script: Script, reference: Reference) -> frozenset[ContextKind]:
    """Returns those of `kinds_of` that are known without a search."""
    return frozenset() if reference.is_called else own_kinds(extension, script)


def _contexts(script: Script) -> tuple[Context, ...]:
    """Returns the contexts of a script in all targets: a message to one of them may be sent only there."""
    return script.all_contexts or script.contexts


def has_other_mentions(extension: Extension, script: Script, event: str, named: list[Reference]) -> bool:
    """Whether a script may mean the event outside of known references: as a member, in a pattern or a text.

    Ports have an event of that name, too.
    """
    known = merged((*(each.span for each in named), *(each.span for each in script.facts.field_reads)))
    text = script.index.text
    return any(
        not is_inside(at - script.base, known) and _may_be_event(text, at, event)
        for at in words_of(extension).places_in(script.path, event)
    )


def _may_be_event(text: bytes, at: int, event: str) -> bool:
    """Whether a name is a member of something other than a port, or is part of a pattern or text.

    A variable, or a property that is assigned to, is not an event of the API.
    """
    before, after = text[max(0, at - _OBJECT_BYTES) : at], text[at + len(event) :][:_OBJECT_BYTES]
    if _MEMBER.search(before) is not None:
        return _PORT.search(before) is None and _ASSIGNED.match(after) is None
    return _IN_PATTERN_OR_TEXT.search(before) is not None


def _may_inject_text(extension: Extension) -> bool:
    """Whether a script injects, or may inject, code as text, which only Manifest V2 allows."""
    return extension.manifest_version == 2 and any(
        call.path == ("tabs", "executeScript") and b"code" in script.index.text
        for script in extension.scripts
        for call in script.facts.calls
    )


def _is_never_in_tabs(extension: Extension, script: Script) -> bool:
    """Whether a script does not run in any page of the extension that may be shown in a tab."""
    pages = [each for each in _contexts(script) if each.kind is ContextKind.EXTENSION_PAGE]
    return all(_is_only_in_popup(extension, script, each) for each in pages)


def _is_only_in_popup(extension: Extension, script: Script, context: Context) -> bool:
    """Whether a script runs in a page that only a button or a panel shows, because no other file names it."""
    page, first = page_of(script.path, context), context.step
    if page is None or first is None:
        return False
    nodes = [node for keys in _NEVER_IN_TABS if (node := extension.manifest.get(*keys)) is not None]
    if (first.first or first).span not in {node.span for node in nodes}:
        return False
    shown = {extension.manifest.span(node.span) for node in nodes}
    resources = extension.manifest.get("web_accessible_resources")
    if any(each.path == page and each.span not in shown for each in extension.named_files) or (
        resources is not None and page in str(resources.plain)
    ):
        return False
    name = encode_name(page.rpartition("/")[2])
    return not any(name in text for path, (text, _) in words_of(extension).texts.items() if path != page)
