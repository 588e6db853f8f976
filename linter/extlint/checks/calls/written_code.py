"""The code that scripts insert into extension pages, or load, and that their policy blocks.

Verified in Firefox 153 and Chromium 156 (`extlint_judge policies`): event handlers and `javascript:`
addresses in markup that is assigned to `innerHTML`, inserted or written are blocked like those in the page
itself, and so are scripts of other hosts that are imported, or loaded by an element that a script creates.
Scripts in `innerHTML` never run in any page, which is a separate problem. Event handlers that content scripts
add run in the main world of the web page, without the functions of content scripts (`extlint_judge
string-code`). So a handler that calls a function of the package does nothing in either place.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import EXTENSION_PAGES, CodeKind, ContextKind, PageCode
from extlint.analysis.facts.script_facts import Load, LoadKind, WrittenMarkup
from extlint.checks.blocked_code import allows, policy_in
from extlint.checks.calls.file_names import is_certain, may_be_called, reference_of
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.checks.reachability.unused_scripts import with_unknown_context
from extlint.extension import Extension, Script
from extlint.project.builds import is_build_source
from extlint.project.contexts.page_code import EVENT_HANDLERS, is_remote_url
from extlint.project.contexts.pages import scan_page
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_LOADED_IN = {
    LoadKind.IMPORT: EXTENSION_PAGES | {ContextKind.SERVICE_WORKER},
    LoadKind.DYNAMIC_IMPORT: EXTENSION_PAGES,
    LoadKind.IMPORT_SCRIPTS: frozenset({ContextKind.SERVICE_WORKER}),
    LoadKind.SCRIPT_ELEMENT: EXTENSION_PAGES,
    LoadKind.WORKER: EXTENSION_PAGES,
}
"""The loads that are subject to a policy, with the contexts in which they are."""

_SANDBOX = frozenset({ContextKind.SANDBOX})
_WEB_PAGES = frozenset({ContextKind.CONTENT_SCRIPT})
_WITH_SHARED_FUNCTIONS = EXTENSION_PAGES | _WEB_PAGES
_CALL = lazy(r"\s*(?:return\s+)?([A-Za-z_$][\w$]*)\s*\(")
_BUNDLED = frozenset({LoadKind.DYNAMIC_IMPORT, LoadKind.IMPORT})
_KINDS = frozenset({CodeKind.ADDRESS, CodeKind.HANDLER})


def blocked_written_code(extension: Extension) -> Iterator[tuple[Script, PageCode]]:
    """Yields the code that does not run, with spans in the script that writes it."""
    for script in checked_scripts(extension):
        if not script.facts.written_markup:
            continue
        is_in_pages = _runs_in_pages(extension, script)
        is_shared = not is_in_pages and _runs_in(extension, script, _WITH_SHARED_FUNCTIONS)
        policy = policy_in(extension, script.contexts) if is_in_pages or is_shared else None
        for markup in script.facts.written_markup if policy is not None else ():
            blocked = [
                each
                for each in _code_of(markup)
                if not allows(policy or "", each) and (is_in_pages or _calls_own_function(extension, each))
            ]
            if (
                blocked
                and is_certain(extension, script, markup.guards)
                and may_be_called(extension, script, reference_of(markup))
            ):
                yield from ((script, each) for each in blocked)


def blocked_remote_scripts(extension: Extension) -> Iterator[tuple[Script, PageCode]]:
    """Yields blocked scripts of other hosts that scripts load, with spans in the loading script."""
    for script in checked_scripts(extension):
        for load in script.facts.loads:
            kinds = _LOADED_IN.get(load.kind)
            if kinds is None or not _is_remote(load):
                continue
            if load.kind in _BUNDLED and is_build_source(extension):
                continue
            code = PageCode(CodeKind.SOURCE, load.name, load.span)
            is_known = _runs_in(extension, script, kinds) or (
                kinds == EXTENSION_PAGES and _runs_in(extension, script, _SANDBOX)
            )
            policy = policy_in(extension, script.contexts) if is_known else None
            if policy is not None and not allows(policy, code) and _happens(extension, script, load):
                yield script, code


def remote_scripts_of_web_pages(extension: Extension) -> Iterator[tuple[Script, Load]]:
    """Yields the scripts of other hosts that content scripts insert into web pages."""
    for script in checked_scripts(extension):
        for load in script.facts.loads:
            if (
                load.kind is LoadKind.SCRIPT_ELEMENT
                and _is_remote(load)
                and _runs_in(extension, script, _WEB_PAGES)
                and _happens(extension, script, load)
            ):
                yield script, load


def _is_remote(load: Load) -> bool:
    return load.is_remote and is_remote_url(load.name)


def _happens(extension: Extension, script: Script, load: Load) -> bool:
    """Whether a load certainly happens where the code around it runs, and that code may be called."""
    return is_certain(extension, script, load.guards) and may_be_called(extension, script, reference_of(load))


def _runs_in_pages(extension: Extension, script: Script) -> bool:
    """Whether a script runs only in pages of the extension, all or none of them sandboxed."""
    return any(_runs_in(extension, script, kinds) for kinds in (EXTENSION_PAGES, _SANDBOX))


def _runs_in(extension: Extension, script: Script, kinds: frozenset[ContextKind]) -> bool:
    """Whether a script runs, and only in contexts of these kinds."""
    return (
        bool(script.contexts)
        and kinds.issuperset(each.kind for each in script.contexts)
        and with_unknown_context(extension, script) is None
    )


def _calls_own_function(extension: Extension, code: PageCode) -> bool:
    """Whether an event handler begins with a call of a function of the package, not of the page."""
    called = _CALL.match(code.text) if code.kind is CodeKind.HANDLER else None
    if called is None:
        return False
    word = encode_name(called[1])
    declaring = [
        each
        for each in extension.scripts
        if word in each.index.text
        and any(one.name == called[1] for one in extension.searches.top_level(each).declarations)
    ]
    return bool(declaring) and all(_runs_in(extension, each, _WITH_SHARED_FUNCTIONS) for each in declaring)


def _code_of(markup: WrittenMarkup) -> Iterator[PageCode]:
    start = markup.span[0]
    if markup.attribute:
        if encode_name(markup.attribute.lower()) in EVENT_HANDLERS:
            text = markup.text[1:-1].decode("utf-8", "replace")
            yield PageCode(CodeKind.HANDLER, text, markup.span, markup.attribute)
        return
    for code in scan_page(markup.text).code:
        if code.kind in _KINDS:
            yield PageCode(code.kind, code.text, (start + code.span[0], start + code.span[1]), code.attribute)
