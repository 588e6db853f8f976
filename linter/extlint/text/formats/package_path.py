"""Paths of files in the package: Firefox's formats of the same names, and Chrome's where the name says so.

Only certain rejections are reported. Verified in Firefox: the URLs that an extension may not load.
"""

from __future__ import annotations

from extlint.text.formats.registry import Problem
from extlint.text.patterns import lazy
from extlint.text.wording import listed, quoted

IMAGES = ("data:image/png;base64,", "data:image/jpeg;base64,")
"""The prefixes of images that Firefox accepts in place of files."""

_SCHEME = lazy(r"[\x00-\x20]*+([A-Za-z][A-Za-z0-9+.\-]*+):")
_WEBSITE = lazy(r"https?://([^/?#:@\s]{1,250}+)(?:[/?#]|\Z)")
_NOT_LOADED = frozenset({"chrome", "data", "file", "javascript", "moz-extension", "resource"})
_QUERY_OR_FRAGMENT = lazy(r"[?#]")
_NO_FILE = "it does not name a file"


def strict_relative_url(text: str) -> Problem | None:
    """Checks a path in the package."""
    if ":" not in text and not text.startswith("//"):
        return None
    from extlint.text.formats.host import is_file

    if scheme_of(text) in _NOT_LOADED or is_file(text) is False or _is_website_url(text):
        return _not_in_package(text)
    return None


def file_argument(text: str) -> Problem | None:
    """Checks a path in the package as an argument of a call, where fewer rejections are known."""
    from extlint.text.formats.host import is_file

    return _not_in_package(text) if is_file(text) is False else None


def image_argument(text: str) -> Problem | None:
    """Checks a path in the package or an inline image as an argument of a call."""
    return None if text.startswith(IMAGES) else file_argument(text)


def is_image_or_file(text: str) -> bool | None:
    """Whether a text certainly is an image, or a path in the package."""
    from extlint.text.formats.host import is_file

    return True if text.startswith(IMAGES) else is_file(text)


def _not_in_package(text: str) -> Problem:
    if text.startswith("//"):
        return Problem("a host follows the two slashes, but the file must be in the package")
    return Problem("it is a URL, but the file must be in the package")


def firefox_file(text: str) -> Problem | None:
    """Checks the path of an icon in Firefox. An empty text is not reported here."""
    return strict_relative_url(text) or (Problem(_NO_FILE) if text.isspace() else None)


def chrome_file(text: str) -> Problem | None:
    """Checks the path of a file that Chrome loads. An empty text is not reported here."""
    return strict_relative_url(text) or _no_file(text, text.strip().rstrip("?#"))


def chrome_page(text: str) -> Problem | None:
    """Checks the URL of a page or worker in the package; Chrome loads its path.

    The path excludes query and fragment. An empty text is not reported here.
    """
    return strict_relative_url(text) or _no_file(text, _QUERY_OR_FRAGMENT.split(text.strip(), maxsplit=1)[0])


def _no_file(text: str, path: str) -> Problem | None:
    if not text or path.rpartition("/")[2] not in ("", ".", ".."):
        return None
    return Problem("it names a folder" if path else _NO_FILE)


def image_data_or_path(text: str) -> Problem | None:
    """Checks a path in the package, or a PNG or JPEG image as a `data:` URL in base64."""
    if text.startswith(IMAGES):
        return None
    if scheme_of(text) == "data":
        return Problem(
            f"a `data:` URL must begin with {listed([quoted(each) for each in IMAGES], 'or')} here"
        )
    return strict_relative_url(text)


def relative_url(text: str) -> Problem | None:
    """Checks a path in the package, or a URL that an extension may load."""
    scheme = scheme_of(text)
    return Problem(f"a `{scheme}:` URL cannot be loaded from here") if scheme in _NOT_LOADED else None


homepage_url = relative_url
"""Checks the home page of a browser: one URL, or a path in the package."""


def _is_website_url(text: str) -> bool:
    """Whether a text is the URL of a website named by letters and digits of any script, or in Punycode."""
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
    """Returns the scheme of a URL in lower case, or None without a scheme."""
    found = _SCHEME.match(text)
    return None if found is None else found[1].lower()
