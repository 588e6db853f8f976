"""Determines the namespaces and members that exist in each kind of context."""

from __future__ import annotations

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import ApiPath
from extlint.extension import Extension
from extlint.schema.engine import Engine
from extlint.schema.model import Availability
from extlint_schemas import known_namespaces

CONTEXTS_WITHOUT_API = frozenset(
    {ContextKind.MAIN_WORLD, ContextKind.SANDBOX, ContextKind.WORKER, ContextKind.WORKLET}
)
"""The kinds of context in which no extension API exists."""

WEB_PAGE_MEMBERS = frozenset({"app", "browser", "csi", "loadTimes", "webstore"})
"""Members of `chrome` in web pages, now or formerly, that are not extension APIs."""

MESSAGING_FUNCTIONS = frozenset({"connect", "sendMessage"})
"""The functions of `runtime` that can send messages to another extension."""

_WEB_PAGE_RUNTIME_MEMBERS = MESSAGING_FUNCTIONS | {"id", "lastError"}
"""The members of `runtime` in web pages that match `externally_connectable` of some extension."""


def is_available_in(engine: Engine | None, kind: ContextKind, availability: Availability) -> bool:
    """Whether a member exists in one kind of context, apart from permissions and versions.

    Without an `engine`, the specification applies: "content" means only content scripts. Firefox's rules are
    those of `shouldInject` in its ExtensionChild. Too little is known about the members that are missing in
    the developer tools pages of Chromium. Chrome's offscreen documents have only `runtime`.
    """
    allowed = availability.contexts
    if kind is ContextKind.UNKNOWN:
        return True
    if kind in CONTEXTS_WITHOUT_API:
        return False
    in_content = kind is ContextKind.CONTENT_SCRIPT
    in_offscreen = kind is ContextKind.OFFSCREEN and engine is not Engine.GECKO
    if engine is None:
        return "offscreen" in allowed if in_offscreen else ("content" in allowed) == in_content
    if "content_only" in allowed and not in_content:
        return False
    in_devtools = kind is ContextKind.DEVTOOLS_PAGE
    if "devtools_only" in allowed and not in_devtools:
        return False
    if in_content:
        return "content" in allowed or "content_only" in allowed
    if in_devtools:
        return engine is Engine.CHROMIUM or "devtools" in allowed or "devtools_only" in allowed
    if in_offscreen:
        return "offscreen" in allowed
    return not (kind is ContextKind.SERVICE_WORKER and "no_service_worker" in allowed)


def may_exist_in_web_pages(extension: Extension, path: ApiPath, contexts: tuple[Context, ...]) -> bool:
    """Whether a name may exist in web pages without the extension API, or is not a known API."""
    if path[0] in WEB_PAGE_MEMBERS or path[0] not in known_namespaces():
        return True
    if path[0] != "runtime" or all(each.kind is not ContextKind.MAIN_WORLD for each in contexts):
        return False
    connectable = extension.manifest.get("externally_connectable") is not None
    return len(path) == 1 or (connectable and path[1] in _WEB_PAGE_RUNTIME_MEMBERS)
