"""The code in a page, or that it loads from elsewhere, on which its content security policy decides."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from extlint.script.facts.context import Context, contexts_in_target
from extlint.text.positions import ByteSpan


class CodeKind(Enum):
    """How a page comes to its code."""

    SCRIPT = "inline scripts"
    IMPORT_MAP = "inline import maps"
    HANDLER = "inline event handlers"
    ADDRESS = "`javascript:` addresses"
    SOURCE = "scripts of other hosts"


class PageCode(Struct, frozen=True):
    """Code of a page.

    `text` is the code, or the address of a `SOURCE`; `span` is the byte range of the text in the page, and
    `attribute` the name of the attribute with it, empty for the text of an element.
    """

    kind: CodeKind
    text: str
    span: ByteSpan
    attribute: str = ""


class PageWithCode(Struct, frozen=True):
    """A page with such code, and the contexts in which it is open."""

    path: str
    code: tuple[PageCode, ...]
    contexts: tuple[Context, ...]

    def in_target(self, target: str) -> PageWithCode:
        """The page with its contexts in a target."""
        return replace(self, contexts=contexts_in_target(target, self.contexts))


def have_import_map(pages: Iterable[PageWithCode]) -> bool:
    """Whether one of some pages says what the names of modules mean."""
    return any(code.kind is CodeKind.IMPORT_MAP for page in pages for code in page.code)
