"""Whether anything may read what of tabs is hidden without the permission `tabs`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.contexts.words import words_of
from extlint.extension import Extension
from extlint.script.facts.script_facts import CallSite
from extlint.script.facts.values import ArrayValue, ObjectValue
from extlint.text.patterns import lazy

_FIELD = lazy(
    rb"(?:(?P<after>[.\[{,;'\"`])\s*|^\s*)(?P<name>url|urls|pendingUrl|title|favIconUrl)(?![\w$])",
    re.MULTILINE,
)
_FILTERED = (("tabs", "query"), ("tabs", "onUpdated", "addListener"))
"""Calls whose arguments ask for tabs by these fields."""


def reads_tab_fields(extension: Extension) -> bool:
    """Whether the name of such a field stands where it may be that of a property which is read.

    A property that is given to a call of the API (`tabs.create({url})`) is none.
    """
    given: set[tuple[str, int]] = set()
    for script in extension.scripts:
        for call in script.facts.calls:
            given.update((script.path, at + script.base) for at in _given(call))
    words = words_of(extension)
    return any(
        (path, found.start("name")) not in given
        for path, (text, _) in words.texts.items()
        for found in _FIELD.finditer(text)
    )


def _given(call: CallSite) -> Iterator[int]:
    """Where the properties stand that are given to a call."""
    if call.path in _FILTERED:
        return
    waiting = [*call.arguments]
    while waiting:
        value = waiting.pop()
        if isinstance(value, ArrayValue):
            waiting += value.items
        elif isinstance(value, ObjectValue):
            yield from (field.key[0] for field in value.fields.values() if field.key is not None)
            waiting += [field.value for field in value.fields.values()]
