"""Finds names of messages in pages, where browsers do not replace them.

Verified in Chromium 156 and Firefox 153: a page with `__MSG_title__` shows this text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from extlint.checks.locales.catalogs import MessageReference, Messages
from extlint.checks.reachability.closed_world import has_all_loaded_files
from extlint.extension import Extension
from extlint.package.suffixes import is_page
from extlint.project.builds import is_build_source
from extlint.project.contexts.words import words_of
from extlint.text.patterns import lazy
from extlint.text.positions import TextIndex

_SIGN = b"MSG_"
_REFERENCE = lazy(rb"__MSG_([A-Za-z0-9_@]+?)__")
_SCRIPT = lazy(rb"(?is)<script\b.*?</script\s*>")
_ATTRIBUTE = lazy(
    rb"(?i)\s(?:alt|aria-label|content|dir|label|lang|placeholder|title|value)\s*=\s*(?:\"[^\"<>]*|'[^'<>]*)\Z"
)
_ATTRIBUTE_BYTES = 300
"""The bytes before a name that are searched for the attribute with it."""


def unreplaced_messages(
    extension: Extension, pages: Iterable[str], messages: Messages
) -> Iterator[MessageReference]:
    """Yields the first such name in each of some pages, if no code may replace it, or shows the message."""
    texts = words_of(extension).texts
    if is_build_source(extension) or not has_all_loaded_files(extension):
        return
    code = [_code_of_page(text) if is_page(path) else text for path, (text, _) in texts.items()]
    if any(_SIGN in each for each in code):
        return
    for path in (each for each in pages if each in texts):
        text = texts[path][0]
        shown = _SCRIPT.sub(lambda found: b" " * len(found[0]), words_of(extension).code_of(path) or b"")
        for found in _REFERENCE.finditer(shown):
            name = found[1].decode()
            is_known = messages.has(name) and not any(found[1] in each for each in code)
            if is_known and _is_shown(shown, found.start()):
                yield MessageReference((name,), path, TextIndex(text).span(*found.span()))
                break


def _code_of_page(text: bytes) -> bytes:
    """Returns the code of the scripts in a page."""
    return b"\n".join(_SCRIPT.findall(text))


def _is_shown(text: bytes, at: int) -> bool:
    """Whether a place in a page is in a text, or in an attribute that browsers show or use as it is."""
    if text.rfind(b"<", 0, at) <= text.rfind(b">", 0, at):
        return True
    return _ATTRIBUTE.search(text, max(0, at - _ATTRIBUTE_BYTES), at) is not None
