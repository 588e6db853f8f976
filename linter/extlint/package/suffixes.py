"""What a file is by the end of its name: a page, or a component of a framework."""

from __future__ import annotations

_PAGES = (".html", ".htm", ".xhtml", ".xht")
_XHTML = (".xhtml", ".xht")
_COMPONENTS = (".svelte", ".vue")


def is_page(path: str) -> bool:
    """Whether a file is a page."""
    return path.lower().endswith(_PAGES)


def is_xhtml(path: str) -> bool:
    """Whether a page is read as XML."""
    return path.lower().endswith(_XHTML)


def is_component(path: str) -> bool:
    """Whether a file has scripts in it as pages have, of which bundlers make modules."""
    return path.lower().endswith(_COMPONENTS)
