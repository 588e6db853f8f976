"""Icons of pages that only the popup of a button shows, which no browser loads.

Chromium 156 and Firefox 153 load the icon of a page in a tab, and not that of a popup.
"""

from __future__ import annotations

import re
from posixpath import basename

from extlint.extension import Extension, NamedFile
from extlint.manifest.file_keys import file_references
from extlint.package.references import paths_of
from extlint.package.suffixes import is_page
from extlint.project.contexts.words import words_of
from extlint.text.patterns import lazy
from extlint.text.positions import TextIndex, decode, encode_name

_IS_ICON = lazy(rb"<link\b[^>]*\brel\s*=\s*[\"']?(?:shortcut\s+)?icon\b", re.IGNORECASE)
_POPUP = "/default_popup"


def is_icon_of_popup(extension: Extension, named: NamedFile) -> bool:
    """Whether a page names its icon, and only the manifest names the page, as a popup."""
    page = named.source
    if not is_page(page) or not _is_only_popup(extension, page):
        return False
    index = TextIndex(decode(extension.package.read(page)))
    start = index.text.rfind(b"<", 0, index.offset(named.span.start))
    return _IS_ICON.match(index.text[start : index.text.find(b">", start) + 1]) is not None


def _is_only_popup(extension: Extension, page: str) -> bool:
    references = [each for each in file_references(extension.manifest) if page in paths_of(each.name)]
    name = encode_name(basename(page))
    return (
        bool(references)
        and all(each.pointer.endswith(_POPUP) for each in references)
        and not any(name in text for path, (text, _) in words_of(extension).texts.items() if path != page)
    )
