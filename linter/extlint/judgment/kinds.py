"""Which namespaces and members each kind of script has."""

from __future__ import annotations

from extlint.contexts.model import Context, ContextKind
from extlint.extension import Extension
from extlint.schema.model import Member, Namespace
from extlint.script.facts import Path
from extlint_schemas import known_namespaces

NO_API = frozenset({ContextKind.MAIN_WORLD, ContextKind.SANDBOX, ContextKind.WORKER, ContextKind.WORKLET})
"""The worlds in which no extension API exists."""

OF_WEB_PAGES = frozenset({"app", "browser", "csi", "loadTimes", "webstore"})
"""What the `chrome` of web pages has, or had, that is no API of extensions."""

MESSAGING = frozenset({"connect", "sendMessage"})
"""The functions of `runtime` that may speak to another extension."""

_RUNTIME_OF_WEB_PAGES = MESSAGING | {"id", "lastError"}
"""What `runtime` has in web pages that some extension's `externally_connectable` matches."""


def exists_in(kind: ContextKind, namespace: Namespace, member: Member | None) -> bool:
    """Whether a namespace, and a member of it, are there in one kind of script."""
    return fits(kind, namespace.availability.contexts) and (
        member is None or fits(kind, member.availability.contexts)
    )


def fits(kind: ContextKind, allowed: tuple[str, ...]) -> bool:
    """Whether a member with these contexts is there in one kind of script.

    Chrome's offscreen documents have `runtime` alone.
    """
    if kind is ContextKind.UNKNOWN:
        return True
    if kind in NO_API:
        return False
    if kind is ContextKind.OFFSCREEN:
        return "offscreen" in allowed
    return ("content" in allowed) == (kind is ContextKind.CONTENT_SCRIPT)


def may_be_in_pages(extension: Extension, path: Path, contexts: tuple[Context, ...]) -> bool:
    """Whether something of this name may be there without the API, or is no API that is known."""
    if path[0] in OF_WEB_PAGES or path[0] not in known_namespaces():
        return True
    if path[0] != "runtime" or all(each.kind is not ContextKind.MAIN_WORLD for each in contexts):
        return False
    connectable = extension.manifest.get("externally_connectable") is not None
    return len(path) == 1 or (connectable and path[1] in _RUNTIME_OF_WEB_PAGES)
