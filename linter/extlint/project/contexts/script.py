"""The layout of an extension: its scripts, their contexts, and the realms that they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.context import (
    EXTENSION_PAGES,
    WEB_PAGE_CONTEXTS,
    Context,
    ContextKind,
    NamedFile,
    PageWithCode,
)
from extlint.analysis.facts.script_facts import INJECTION
from extlint.extension import Script
from extlint.package.suffixes import is_page
from extlint.text.positions import ByteSpan

ScriptLocation: TypeAlias = tuple[str, ByteSpan | None]
"""A script file, or the byte range of an inline script in a page."""


class LaidOutScript(Struct, frozen=True):
    """A script file, or the inline script of a page that has the byte range `body`.

    In a page in UTF-16 the range is that of its text as UTF-8. `contexts` is empty for a script that
    is not known to be loaded. An unknown `is_module` is represented by None.
    """

    path: str
    body: ByteSpan | None
    contexts: tuple[Context, ...]
    is_module: bool | None


class Layout(Struct, frozen=True):
    """All scripts of an extension, and every name of a file.

    Scripts come in the order in which they load, then those that are not loaded, by path. `unreached_pages`
    are the pages that are not known to be opened, each with the script files that it loads;
    `unreached_realms` has all scripts of each such page that has several. `large_pages` are those that
    are too large to be read. `pages` are those with inline code that are known to be opened.
    """

    scripts: tuple[LaidOutScript, ...]
    named_files: tuple[NamedFile, ...]
    unreached_pages: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unreached_realms: tuple[tuple[ScriptLocation, ...], ...] = ()
    large_pages: Sequence[str] = ()
    pages: Sequence[PageWithCode] = ()


_SINGLE_REALM_KINDS = frozenset(
    {ContextKind.BACKGROUND, ContextKind.CONTENT_SCRIPT, ContextKind.SERVICE_WORKER}
)
"""The kinds of context with one realm per extension; content scripts of a frame share theirs."""


GlobalRealms: TypeAlias = "frozenset[tuple[ContextKind, str | None]] | None"
"""The realms of a script: kinds of context, each with the page that has the global object, if it is known.

None if the script is not known to be loaded.
"""


def shared_realms(layout: Layout) -> tuple[tuple[ScriptLocation, ...], ...]:
    """Returns the realms with more than one script, each in the order of loading."""
    groups = (realm for _, realm in _realms(layout) if len(realm) > 1)
    return (*groups, *layout.unreached_realms)


def page_realms(layout: Layout) -> tuple[tuple[ScriptLocation, ...], ...]:
    """Returns the realms of extension pages, which can reach one another's windows."""
    return tuple(realm for kind, realm in _realms(layout) if kind in EXTENSION_PAGES)


def _realms(layout: Layout) -> Iterator[tuple[ContextKind, tuple[ScriptLocation, ...]]]:
    """Yields each realm, with its kind."""
    found: dict[tuple[ContextKind, str], dict[ScriptLocation, None]] = {}
    for script in layout.scripts:
        for context in script.contexts:
            page = "" if context.kind in _SINGLE_REALM_KINDS else page_of(script.path, context)
            if page is not None:
                found.setdefault((context.kind, page), {})[script.path, script.body] = None
    for (kind, _), group in found.items():
        yield kind, tuple(group)


def object_realms(script: Script) -> frozenset[ContextKind] | None:
    """Returns where a script may hold objects: a kind of context for each group of shared realms.

    Pages of an extension can reach one another's windows. A function that a script injects is code of that
    script in another realm. Returns None for a script that is not known to be loaded, because its objects may
    be anywhere.
    """
    kinds = {each.kind for each in script.contexts}
    if not kinds or ContextKind.UNKNOWN in kinds:
        return None
    if injects(script):
        kinds |= WEB_PAGE_CONTEXTS
    return frozenset(ContextKind.EXTENSION_PAGE if each in EXTENSION_PAGES else each for each in kinds)


def share_objects(one: frozenset[ContextKind] | None, other: frozenset[ContextKind] | None) -> bool:
    """Whether the code in one of these realms may hold objects of the other, and so call its functions."""
    return one is None or other is None or not one.isdisjoint(other)


def injects(script: Script) -> bool:
    """Whether a script may inject functions into web pages."""
    return any(call.path[-1] == INJECTION[-1] for call in script.facts.calls)


def global_realms(path: str, contexts: Sequence[Context]) -> GlobalRealms:
    """Returns the realms whose global objects a script has, without those of the functions that it injects.

    Only the first of the pages that import a script is known, so any page may.
    """
    if not contexts or any(each.kind is ContextKind.UNKNOWN for each in contexts):
        return None
    return frozenset((each.kind, _own_page(path, each)) for each in contexts)


def share_global_object(one: GlobalRealms, other: GlobalRealms) -> bool:
    """Whether scripts in these realms may have the same global object."""
    if one is None or other is None:
        return True
    return any(kind is own and (None in (page, at) or page == at) for kind, page in one for own, at in other)


def _own_page(path: str, context: Context) -> str | None:
    """Returns the only page that contains a script inline or names it, or None."""
    if is_page(path):
        return path
    step = context.step if context.path_count == 1 else None
    return None if step is None or not is_page(step.path) else step.path


def page_of(path: str, context: Context) -> str | None:
    """Returns the page that contains a script inline or loads it, perhaps via other scripts, or None."""
    step = context.step
    while not is_page(path):
        if step is None:
            return None
        path, step = step.path, step.before
    return path
