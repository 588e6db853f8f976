"""Finds the files that scripts load by names in strings, without the API: `fetch("part.html")`.

The Web platform resolves these names from the page, or from the service worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from extlint.analysis.facts.context import OWN_CONTEXTS
from extlint.analysis.facts.script_facts import LoadedAddress
from extlint.checks.reachability.each_script import in_each_script
from extlint.extension import Extension, Script
from extlint.package.references import paths_of
from extlint.project.contexts.called_files import CalledFile, files_named_in_call
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

if TYPE_CHECKING:
    from extlint.checks.calls.file_names import FileNameInCall

_NAMED_FILE = lazy(
    rb"([\"'`])((?:\.{0,2}/)?[\w@][\w./@-]{0,200}\."
    rb"(?:css|gif|html?|ico|jpe?g|json|mp[34]|ogg|otf|png|svg|ttf|wasm|wav|web[mp]|woff2?))\1"
)
"""A string that is the name of a file without code, relative to something."""

_PLATFORM = "the Web platform"


def named_loads(
    extension: Extension, script: Script, matters: Callable[[str], object]
) -> Iterator[LoadedAddress]:
    """Yields the certain loads of files by names that matter, except names in calls of the API.

    Check with `may_be_called` last.
    """
    named = _NAMED_FILE.finditer(script.index.text)
    spans = [each.span() for each in named if matters(each[2].decode("utf-8", "replace"))]
    if not spans:
        return
    from extlint.checks.calls.file_names import is_certain

    in_calls = {file.span for call in script.facts.calls for file in files_named_in_call(call)}
    for address in extension.searches.loads_of_strings(script, spans):
        if address.span not in in_calls and is_certain(extension, script, address.guards):
            yield address


@in_each_script
def missing_named_files(extension: Extension, script: Script) -> Iterator[FileNameInCall]:
    """Yields the names by which pages and workers load files that are neither there nor in other folders."""
    if not script.contexts or not OWN_CONTEXTS.issuperset(each.kind for each in script.contexts):
        return
    found = [*named_loads(extension, script, partial(_missing_name, extension, script))]
    if not found:
        return
    from extlint.checks.calls.file_names import may_be_called, reference_of

    for address in found:
        missing = _missing_name(extension, script, address.name, address.span)
        if missing is None or missing.elsewhere is not None:
            continue
        if may_be_called(extension, script, reference_of(address)):
            yield missing


def _missing_name(
    extension: Extension, script: Script, name: str, span: ByteSpan = (0, 0)
) -> FileNameInCall | None:
    """Returns the name of a file if it is in no folder that the name may be relative to."""
    if all(path in extension.package for path in paths_of(name)):
        return None
    from extlint.checks.calls.file_names import missing_name

    return missing_name(extension, script, CalledFile(name, span), _PLATFORM)
