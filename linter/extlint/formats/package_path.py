"""Paths of files in the package: Firefox's formats of the same names, and Chrome's where the name says so.

Only what is sure to be refused is a problem. Which addresses an extension may not load was seen in
Firefox.
"""

from __future__ import annotations

from extlint.formats.problem import Problem
from extlint.text.patterns import lazy
from extlint.text.wording import listed, quoted

IMAGES = ("data:image/png;base64,", "data:image/jpeg;base64,")
"""How the images begin that Firefox takes in place of files."""

_SCHEME = lazy(r"[\x00-\x20]*+([A-Za-z][A-Za-z0-9+.\-]*+):")
_WEBSITE = lazy(r"https?://([^/?#:@\s]{1,250}+)(?:[/?#]|\Z)")
_NOT_LOADED = frozenset({"chrome", "data", "file", "javascript", "moz-extension", "resource"})
_QUERY_OR_FRAGMENT = lazy(r"[?#]")
_NO_FILE = "it does not name a file"


def strict_relative_url(text: str) -> Problem | None:
    """A path in the package."""
    if ":" not in text and not text.startswith("//"):
        return None
    from extlint.formats.address import is_file

    if scheme_of(text) in _NOT_LOADED or is_file(text) is False or _is_of_another_script(text):
        return _not_in_package(text)
    return None


def file_argument(text: str) -> Problem | None:
    """A path in the package, as an argument of a call: less is known of what is refused there."""
    from extlint.formats.address import is_file

    return _not_in_package(text) if is_file(text) is False else None


def image_argument(text: str) -> Problem | None:
    """A path in the package, or an image in the text itself, as an argument of a call."""
    return None if text.startswith(IMAGES) else file_argument(text)


def is_image_or_file(text: str) -> bool | None:
    """Whether a text certainly is an image, or a path in the package."""
    from extlint.formats.address import is_file

    return True if text.startswith(IMAGES) else is_file(text)


def _not_in_package(text: str) -> Problem:
    if text.startswith("//"):
        return Problem("a host follows the two slashes, but the file must be in the package")
    return Problem("it is a URL, but the file must be in the package")


def firefox_file(text: str) -> Problem | None:
    """The path of an icon in Firefox. An empty text is no problem here."""
    return strict_relative_url(text) or (Problem(_NO_FILE) if text.isspace() else None)


def chrome_file(text: str) -> Problem | None:
    """The path of a file that Chrome loads. An empty text is no problem here."""
    return strict_relative_url(text) or _no_file(text, text.strip().rstrip("?#"))


def chrome_page(text: str) -> Problem | None:
    """The address of a page or worker in the package, of which Chrome loads the path.

    A query and a fragment are no part of that. An empty text is no problem here.
    """
    return strict_relative_url(text) or _no_file(text, _QUERY_OR_FRAGMENT.split(text.strip(), maxsplit=1)[0])


def _no_file(text: str, path: str) -> Problem | None:
    if not text or path.rpartition("/")[2] not in ("", ".", ".."):
        return None
    return Problem("it names a folder" if path else _NO_FILE)


def image_data_or_path(text: str) -> Problem | None:
    """A path in the package, or a PNG or JPEG image as a `data:` URL in base64."""
    if text.startswith(IMAGES):
        return None
    if scheme_of(text) == "data":
        return Problem(
            f"a `data:` URL must begin with {listed([quoted(each) for each in IMAGES], 'or')} here"
        )
    return strict_relative_url(text)


def relative_url(text: str) -> Problem | None:
    """A path in the package, or an address that an extension may load."""
    scheme = scheme_of(text)
    return Problem(f"a `{scheme}:` URL cannot be loaded from here") if scheme in _NOT_LOADED else None


homepage_url = relative_url
"""The home page of a browser: one address, or a path in the package."""


def _is_of_another_script(text: str) -> bool:
    """Whether it is the address of a website whose name has letters beyond ASCII, or their Punycode."""
    found = _WEBSITE.match(text)
    return found is not None and all(map(_is_plain_label, found[1].split(".")))


def _is_plain_label(label: str) -> bool:
    from unicodedata import bidirectional

    try:
        name = label.removeprefix("xn--").encode().decode("punycode") if label.startswith("xn--") else label
    except UnicodeError:
        return False
    return name.isalnum() and all(bidirectional(letter) in ("L", "EN") for letter in name)


def scheme_of(text: str) -> str | None:
    """The scheme of an address in lower case, None where there is none."""
    found = _SCHEME.match(text)
    return None if found is None else found[1].lower()
