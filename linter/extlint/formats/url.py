"""Addresses: Firefox's formats of the same names, and Chrome's where the name says so.

Only what is sure to be refused is a problem. Which addresses an extension may not load was seen in
Firefox.
"""

from __future__ import annotations

from extlint.formats.problem import Problem
from extlint.text.patterns import lazy
from extlint.text.wording import listed, quoted

_SCHEME = lazy(r"[\x00-\x20]*+([A-Za-z][A-Za-z0-9+.\-]*+):")
_SITE = lazy(r"(?:[a-z0-9][a-z0-9-]*+\.)++[a-z]{2,}+(?::[0-9]{1,5}+)?+(?:[/?#][!-~]*+)?+")
_WEBSITE = lazy(r"https?://([^/?#:@\s]{1,250}+)(?:[/?#]|\Z)")
_NOT_LOADED = frozenset({"chrome", "data", "file", "javascript", "moz-extension", "resource"})
_QUERY_OR_FRAGMENT = lazy(r"[?#]")
_NO_FILE = "it does not name a file"
_WEB = ("https", "http")
_IMAGES = ("data:image/png;base64,", "data:image/jpeg;base64,")


def strict_relative_url(text: str) -> Problem | None:
    """A path in the package."""
    if ":" not in text and not text.startswith("//"):
        return None
    if not (
        _scheme(text) in _NOT_LOADED or _is("strictRelativeUrl", text) is False or _is_of_another_script(text)
    ):
        return None
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
    if text.startswith(_IMAGES):
        return None
    if _scheme(text) == "data":
        return Problem(
            f"a `data:` URL must begin with {listed([quoted(each) for each in _IMAGES], 'or')} here"
        )
    return strict_relative_url(text)


def relative_url(text: str) -> Problem | None:
    """A path in the package, or an address that an extension may load."""
    scheme = _scheme(text)
    return Problem(f"a `{scheme}:` URL cannot be loaded from here") if scheme in _NOT_LOADED else None


homepage_url = relative_url
"""The home page of a browser: one address, or a path in the package."""


def absolute_url(text: str) -> Problem | None:
    """An address with a scheme."""
    if _is("url", text) is not False:
        return None
    if not text.strip():
        return Problem("it is empty")
    if _scheme(text) is not None and _SITE.fullmatch(text) is None:
        return Problem("browsers cannot parse it")
    return Problem(
        "it has no scheme, such as `https://`", f"https://{text}" if _SITE.fullmatch(text) else None
    )


def any_url(text: str) -> Problem | None:
    """Any address, with a scheme or relative to another one."""
    return absolute_url(text) if _scheme(text) in _WEB else None


def url(text: str) -> Problem | None:
    """An address with a scheme that an extension may load."""
    return absolute_url(text) or relative_url(text)


def http_url(text: str) -> Problem | None:
    """An address that begins with `http://` or `https://`."""
    return url(text) or _other_scheme(text, _WEB)


def secure_url(text: str) -> Problem | None:
    """An address that begins with `https://`."""
    return url(text) or _other_scheme(text, _WEB[:1])


def chrome_homepage_url(text: str) -> Problem | None:
    """`homepage_url` in Chrome: the address of a website."""
    return _absolute_in_chrome(text) or _other_scheme(text, _WEB)


def chrome_update_url(text: str) -> Problem | None:
    """`update_url` in Chrome: any address without a fragment."""
    bare, fragment, _ = text.partition("#")
    problem = _absolute_in_chrome(bare)
    return Problem("it cannot contain a fragment (`#`)", bare) if fragment and problem is None else problem


def _absolute_in_chrome(text: str) -> Problem | None:
    """As in Firefox, but that hosts may have spaces in them."""
    return None if " " in text.strip() and _scheme(text) is not None else absolute_url(text)


def origin(text: str) -> Problem | None:
    """Scheme and host of a website, and nothing after them."""
    if _is("origin", text) is not False:
        return None
    problem = absolute_url(text) or _other_scheme(text, _WEB)
    if problem is not None:
        return problem
    scheme, _, rest = text.partition("://")
    host = rest.split("/", 1)[0].split("?", 1)[0].split("#", 1)[0].rpartition("@")[2]
    if "*" in host:
        return Problem("the host cannot contain `*` here")
    bare = f"{scheme}://{host}"
    return Problem("only a scheme and a host are allowed here", bare if _is("origin", bare) else None)


def hostname(text: str) -> Problem | None:
    """A host as URLs write it, with a port if there is one."""
    return _host("hostname", text)


def canonical_domain(text: str) -> Problem | None:
    """A host as URLs write it, without a port."""
    return _host("canonicalDomain", text)


def _host(name: str, text: str) -> Problem | None:
    if _is(name, text) is not False:
        return None
    if not text.strip():
        return Problem("it is empty")
    host = text.partition("://")[2] or text
    bare = host.partition("/")[0].strip().lower().removeprefix("*.")
    suggestion = bare if _is(name, bare) else None
    if "/" in text:
        return Problem("it is a URL, but only a host is allowed here", suggestion)
    if text != text.lower() and text.isascii():
        return Problem("the host must be lowercase here", suggestion)
    if "*" in text:
        return Problem("the host cannot contain `*` here; it includes its subdomains", suggestion)
    if not text.isascii():
        return Problem("the host must be ASCII (Punycode) here")
    if name == "canonicalDomain" and ":" in text:
        return Problem("a port is not allowed here")
    return Problem("it is not a host as URLs write it")


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


def _is(name: str, text: str) -> bool | None:
    """Whether a text is of a format of Firefox's schemas; manifests with paths alone never ask."""
    from extlint.matching.formats import has_format

    return has_format(name, text)


def _scheme(text: str) -> str | None:
    """The scheme of an address in lower case, None where there is none."""
    found = _SCHEME.match(text)
    return None if found is None else found[1].lower()


def _other_scheme(text: str, schemes: tuple[str, ...]) -> Problem | None:
    if _scheme(text) in schemes:
        return None
    return Problem(f"it must begin with {listed([quoted(f'{each}://') for each in schemes], 'or')}")
