"""The code that a page contains or loads, subject to the page's content security policy."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.context import Context, contexts_in_target
from extlint.text.positions import ByteSpan


class CodeKind(Enum):
    """The ways in which a page gets its code."""

    SCRIPT = "inline scripts"
    IMPORT_MAP = "inline import maps"
    HANDLER = "inline event handlers"
    ADDRESS = "`javascript:` addresses"
    SOURCE = "scripts of other hosts"


class PageCode(Struct, frozen=True):
    """Code of a page.

    `text` is the code, or the address of a `SOURCE`; `span` is the byte range of the text in the page, and
    `attribute` the name of the attribute that contains it, or empty for the text of an element.
    """

    kind: CodeKind
    text: str
    span: ByteSpan
    attribute: str = ""


class PageWithCode(Struct, frozen=True):
    """A page with such code, and the contexts in which the page is open."""

    path: str
    code: tuple[PageCode, ...]
    contexts: tuple[Context, ...]

    def in_target(self, target: str) -> PageWithCode:
        """Returns the page with its contexts in a target."""
        return replace(self, contexts=contexts_in_target(target, self.contexts))


def any_has_import_map(pages: Iterable[PageWithCode]) -> bool:
    """Whether any of the pages has an import map, which defines the meaning of module names."""
    return any(code.kind is CodeKind.IMPORT_MAP for page in pages for code in page.code)
