"""Finds possible reads of the tab fields that require the permission `tabs`."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.facts.values import ArrayValue, ObjectValue
from extlint.extension import Extension
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.text.patterns import isolated_word_offsets

_FIELDS = (b"url", b"title", b"urls", b"pendingUrl", b"favIconUrl")
_BEFORE_PROPERTIES = frozenset(b".[{,;'\"`")
_SPACE_BYTES = 64
"""The number of bytes before a name that are first searched for a character other than a space."""

_FILTERED = (("tabs", "query"), ("tabs", "onUpdated", "addListener"))
"""Calls whose arguments filter tabs by these fields."""


def reads_tab_fields(extension: Extension) -> bool:
    """Whether the name of such a field occurs where it may be a property that is read.

    A property in the arguments of an API call (`tabs.create({url})`) is not read.
    """
    in_arguments: set[tuple[str, int]] = set()
    for script in extension.scripts:
        keys = _keys_in_arguments(extension, *script.location)
        in_arguments.update((script.path, at + script.base) for at in keys)
    words = words_of(extension)
    return any(
        (path, at) not in in_arguments and _may_be_property(text, at)
        for path, (text, _) in words.texts.items()
        for field in _FIELDS
        for at in isolated_word_offsets(field, text)
    )


def _may_be_property(text: bytes, at: int) -> bool:
    """Whether the name at an offset may be a property's: it starts a line or follows a punctuation mark."""
    length = _SPACE_BYTES
    while not (stem := text[max(0, at - length) : at].rstrip()) and length < at:
        length *= 2
    space = text[max(0, at - length) + len(stem) : at]
    return not stem or stem[-1] in _BEFORE_PROPERTIES or b"\n" in space


@query(is_kept=True, is_of_package=True)
def _keys_in_arguments(extension: Extension, path: str, base: int) -> frozenset[int]:
    return frozenset(at for call in extension.facts_at(path, base).calls for at in _argument_keys(call))


def _argument_keys(call: CallSite) -> Iterator[int]:
    """Yields the positions of the object keys in the arguments of a call."""
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
