"""Finds the files that scripts load by names in strings, without the API: `fetch("part.html")`.

The Web platform resolves these names from the page, or from the service worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from extlint.analysis.facts.context import OWN_CONTEXTS
from extlint.analysis.facts.script_facts import LoadedAddress
from extlint.checks.calls.file_names import (
    FileNameInCall,
    is_certain,
    may_be_called,
    missing_name,
    reference_of,
    runs_in,
)
from extlint.checks.reachability.each_script import in_each_script
from extlint.extension import Extension, Script
from extlint.project.contexts.called_files import CalledFile, files_named_in_call
from extlint.text.patterns import lazy

_NAMED_FILE = lazy(
    rb"([\"'`])((?:\.{0,2}/)?[\w@][\w./@-]{0,200}\."
    rb"(?:css|gif|html?|ico|jpe?g|json|mp[34]|ogg|otf|png|svg|ttf|wasm|wav|web[mp]|woff2?))\1"
)
"""A string that is the name of a file without code, relative to something."""

_LOADING_WORDS = (b"fetch", b".open", b"src", b"href")
"""Words of which each load of a file by its name has one."""

_PLATFORM = "the Web platform"


def named_loads(
    extension: Extension, script: Script, matters: Callable[[str], object]
) -> Iterator[LoadedAddress]:
    """Yields the certain loads of files by names that matter; `may_be_called` is to be checked last."""
    named = _NAMED_FILE.finditer(script.index.text)
    spans = [each.span() for each in named if matters(each[2].decode("utf-8", "replace"))]
    for address in extension.searches.loads_of_strings(script, spans) if spans else ():
        if is_certain(extension, script, address.guards):
            yield address


@in_each_script
def missing_named_files(extension: Extension, script: Script) -> Iterator[FileNameInCall]:
    """Yields the names by which pages and workers load files that are neither there nor in other folders."""
    if not runs_in(script, OWN_CONTEXTS) or not any(each in script.index.text for each in _LOADING_WORDS):
        return
    calls = script.facts.calls
    in_calls = {file.span for call in calls for file in files_named_in_call(call)}
    for address in named_loads(extension, script, partial(_is_missing, extension, script)):
        file = CalledFile(address.name, address.span)
        if address.span in in_calls:
            continue
        found = missing_name(extension, script, file, _PLATFORM)
        if found is None or found.elsewhere is not None:
            continue
        if may_be_called(extension, script, reference_of(address)):
            yield found


def _is_missing(extension: Extension, script: Script, name: str) -> bool:
    return missing_name(extension, script, CalledFile(name, (0, 0)), _PLATFORM) is not None
