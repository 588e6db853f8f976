"""The layout of an extension: its scripts, and the contexts in which each of them runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.context import Context, NamedFile
from extlint.analysis.facts.page_code import PageWithCode
from extlint.text.positions import ByteSpan

ScriptLocation: TypeAlias = tuple[str, ByteSpan | None]
"""A script file, or the byte range of an inline script in a page."""


class LaidOutScript(Struct, frozen=True):
    """A script file, or the inline script of a page that has the byte range `body`.

    In a page in UTF-16 the range is that of its text as UTF-8. `contexts` is empty for a script that
    is not known to be loaded. An unknown `is_module` is represented by None.
    """

    path: str
    body: ByteSpan | None
    contexts: tuple[Context, ...]
    is_module: bool | None


class Layout(Struct, frozen=True):
    """All scripts of an extension, and every name of a file.

    Scripts come in the order in which they load, then those that are not loaded, by path. `unreached_pages`
    are the pages that are not known to be opened, each with the script files that it loads;
    `unreached_realms` has all scripts of each such page that has several. `large_pages` are those that
    are too large to be read. `pages` are those with inline code that are known to be opened.
    """

    scripts: tuple[LaidOutScript, ...]
    named_files: tuple[NamedFile, ...]
    unreached_pages: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unreached_realms: tuple[tuple[ScriptLocation, ...], ...] = ()
    large_pages: Sequence[str] = ()
    pages: Sequence[PageWithCode] = ()
