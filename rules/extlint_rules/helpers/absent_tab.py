"""Finds reads of the tab that `tabs.getCurrent` does not give to a background or a popup.

It gives only the tab that the calling page is in: nothing in a service worker and in a popup of Chromium 156.
A popup that may also be opened in a tab is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import FailureHandling, FieldRead
from extlint.analysis.facts.values import Delivery
from extlint.extension import Extension, Script
from extlint.package.references import paths_of
from extlint.project.contexts.script import page_of
from extlint.queries.query import query
from extlint.text.positions import encode_name

_PATH = ("tabs", "getCurrent")
_BACKGROUND = frozenset({ContextKind.BACKGROUND, ContextKind.SERVICE_WORKER})


def reads_of_absent_tab(extension: Extension, script: Script) -> Iterator[FieldRead]:
    """Yields the reads in a script of a field of a tab that is certainly not there."""
    for read in script.facts.field_reads:
        of = read.of
        if of.path != _PATH or of.steps or of.delivery is Delivery.RETURN:
            continue
        is_handled = read.guards.failure >= FailureHandling.REPORTED or read.guards.unknown
        if is_handled or read.tested or read.of_tested or read.replaced:
            continue
        contexts = script.all_contexts or script.contexts
        if contexts and all(_is_in_no_tab(extension, script, each) for each in contexts):
            yield read


def _is_in_no_tab(extension: Extension, script: Script, context: Context) -> bool:
    if context.kind in _BACKGROUND:
        return True
    page = page_of(script.path, context) if context.kind is ContextKind.EXTENSION_PAGE else None
    return page is not None and page == _page_of_popup(extension)


@query(is_of_package=True)
def _page_of_popup(extension: Extension) -> str | None:
    """Returns the page of the popup if nothing else names it, so that it never opens in a tab."""
    for key in ("action", "browser_action"):
        popup = extension.manifest.get(key, "default_popup")
        if popup is None or not isinstance(popup.value, str):
            continue
        page = next((each for each in paths_of(popup.value) if each in extension.package), None)
        if page is None:
            return None
        name = encode_name(page.rpartition("/")[2])
        texts = [script.index.text for script in extension.scripts if not script.base]
        is_named = any(name in text for text in texts)
        return None if is_named or extension.manifest.index.text.count(name) > 1 else page
    return None
