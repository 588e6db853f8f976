"""Detects targets in the project around an extension: in its README, and in an Xcode project."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from extlint.package.files import Surroundings, UnreadableError
from extlint.package.surroundings import XCODE_PROJECT, is_xcode_folder
from extlint.project.resolution.project_files import folders_above
from extlint.schema.targets.request import CHROME, EDGE, FIREFOX
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

MAX_README_BYTES = 200_000
"""The maximum number of bytes searched in a README."""

_README = lazy(r"readme(?:\.(?:adoc|markdown|md|rst|txt))?\Z")
_PAGES = {
    FIREFOX: lazy(rb"about:debugging|addons\.mozilla\.org/(?:[\w-]{1,9}/)?(?:android|firefox)/addon/"),
    CHROME: lazy(rb"chrome://extensions|chrome(?:\.google\.com/webstore|webstore\.google\.com)/detail/"),
    EDGE: lazy(rb"edge://extensions|microsoftedge\.microsoft\.com/addons/detail/"),
}
"""The pages where users install an extension: a browser's own, and that of an extension in its store."""

_NEITHER = rb"\bsafari\b|\bthunderbird\b"
_NOT_CHROMIUM = lazy(rb"\bfirefox\b|" + _NEITHER)
_OTHERS = {
    FIREFOX: lazy(rb"\bchrome(?:webstore)?\b|\bchromium\b|\bmicrosoft ?edge\b|\bedge://|" + _NEITHER),
    CHROME: _NOT_CHROMIUM,
    EDGE: _NOT_CHROMIUM,
}
"""For each browser, the names of those that have other APIs."""

_SAFARI_CLASS = b"SafariWebExtensionHandler"
"""The class in Apple's template that receives the messages of the extension in an app."""


def browser_in_readme(around: Surroundings) -> tuple[str, str] | None:
    """Returns the browser in whose pages a README says to install the extension, or None.

    A clause with the reason comes with it. The nearest README that names such a page decides. If it also
    names a browser with other APIs, even in a sentence, the extension may be for both.
    """
    for name, text, pages in _installing_readmes(around):
        browser, page = next(iter(pages.items()))
        is_only = _OTHERS[browser].search(text) is None
        return (browser, f"{quoted(name)} names {quoted(page)}") if is_only else None
    return None


def chromium_browser_in_readme(around: Surroundings) -> tuple[str, str] | None:
    """Returns the same among the browsers with Chromium's API, whatever other browsers the README names."""
    for name, _, pages in _installing_readmes(around):
        found = next((each for each in (CHROME, EDGE) if each in pages), None)
        return None if found is None else (found, f"{quoted(name)} names {quoted(pages[found])}")
    return None


def browsers_in_readme(around: Surroundings) -> Collection[str]:
    """Returns the browsers whose pages for installing the extension the nearest README with any names."""
    return next((pages for _, _, pages in _installing_readmes(around)), ())


def _installing_readmes(around: Surroundings) -> Iterator[tuple[str, bytes, Mapping[str, str]]]:
    """Yields the name and text of each README that names pages where users install an extension.

    The pages come with them, by their browsers.
    """
    for name, text in _readmes(around):
        found = {
            browser: page[0].decode() for browser, pages in _PAGES.items() if (page := pages.search(text))
        }
        if found:
            yield name, text, found


def xcode_project_of_safari(around: Surroundings) -> str | None:
    """Returns the Xcode project that packs the extension into an app for Safari, as a clause, or None.

    A project may include whole folders, and then does not list the files of Apple's template.
    """
    is_in_template = is_xcode_folder(around.folder.rstrip("/"))
    for folder in folders_above(around.folder.rstrip("/")):
        for name in around.folders(folder):
            path = f"{folder}/{name}/project.pbxproj".lstrip("/")
            if name.endswith(XCODE_PROJECT) and (is_in_template or _SAFARI_CLASS in _read(around, path)):
                return f"{quoted(name)} is the project of an app for Safari"
    return None


def _readmes(around: Surroundings) -> Iterator[tuple[str, bytes]]:
    """Yields the names of the READMEs of a project, the nearest first, and their texts in lower case."""
    for folder in folders_above(around.folder.rstrip("/")):
        for name in around.files(folder):
            if _README.match(name.lower()):
                yield name, _read(around, f"{folder}/{name}".lstrip("/"))[:MAX_README_BYTES].lower()


def _read(around: Surroundings, path: str) -> bytes:
    """Returns the bytes of a file of the project, or no bytes if it is unreadable."""
    try:
        return around.read(path)
    except UnreadableError:
        return b""
