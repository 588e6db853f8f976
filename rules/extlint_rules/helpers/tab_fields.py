"""Whether anything may read the fields of tabs that require the permission `tabs`."""

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
"""Calls whose arguments filter tabs by these fields."""


def reads_tab_fields(extension: Extension) -> bool:
    """Whether the name of such a field occurs where it may be a property that is read.

    A property in the arguments of a call of the API (`tabs.create({url})`) is not read.
    """
    in_arguments: set[tuple[str, int]] = set()
    for script in extension.scripts:
        for call in script.facts.calls:
            in_arguments.update((script.path, at + script.base) for at in _argument_keys(call))
    words = words_of(extension)
    return any(
        (path, found.start("name")) not in in_arguments
        for path, (text, _) in words.texts.items()
        for found in _FIELD.finditer(text)
    )


def _argument_keys(call: CallSite) -> Iterator[int]:
    """The positions of the keys of objects in the arguments of a call."""
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
