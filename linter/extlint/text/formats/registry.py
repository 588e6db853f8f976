"""The formats, by name, and the reason why a text does not match one.

A format is imported on first use. It has one of three results for a text: it does not match, with the reason;
it matches; or unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from msgspec import Struct

from extlint.text.placeholders import is_replaced


class Problem(Struct, frozen=True):
    """A problem of a text.

    `message` continues a sentence after a colon ("`htp://x/*` is not a valid match pattern: …"), without a
    period. `suggestion` is the entire text as it was certainly intended, or None if unknown; it matches the
    format itself.
    """

    message: str
    suggestion: str | None = None


class Format(Struct, frozen=True):
    """A format, as two functions of this package, each named with its module: `url.origin`.

    `checker` returns why a text certainly does not match, and `recognizer` whether it certainly matches.
    Without the second, a text that is not rejected may still be wrong; without the first, no text is
    rejected.
    """

    checker: str = ""
    recognizer: str = ""

    @property
    def module(self) -> str:
        """The module of the function that rejects texts."""
        return self.checker.partition(".")[0]

    def problem(self, text: str) -> Problem | None:
        """Returns why a text does not match the format, or None if it does or if that is unknown."""
        found: Problem | None = _function(self.checker)(text) if self.checker else None
        return found

    def verdict(self, text: str) -> Problem | bool | None:
        """Returns why a text does not match the format, True if it certainly matches, or None if unknown."""
        found = self.problem(text)
        if found is not None:
            return found
        return True if self.recognizer and _function(self.recognizer)(text) else None


@cache
def _function(name: str) -> Callable[[str], Any]:
    module, _, function = name.partition(".")
    found: Callable[[str], Any] = getattr(import_module(f"extlint.text.formats.{module}"), function)
    return found


FORMATS: Mapping[str, Format] = {
    "firefox-match-pattern": Format("match_pattern.firefox"),
    "chrome-match-pattern": Format("match_pattern.chrome"),
    "chrome-host-permission": Format("match_pattern.chrome_host_permission"),
    "chrome-host-permission-2": Format("match_pattern.chrome_host_permission_2"),
    "chrome-connectable-pattern": Format("match_pattern.chrome_connectable"),
    "chrome-resource-pattern": Format("match_pattern.chrome_resource"),
    "glob": Format(recognizer="match_pattern.is_glob"),
    "firefox-version": Format("version.firefox"),
    "chrome-version": Format("version.chrome"),
    "gecko-application-version": Format("version.gecko_maximum"),
    "gecko-minimum-version": Format("version.gecko_minimum"),
    "gecko-maximum-version": Format("version.gecko_maximum"),
    "chrome-application-version": Format("version.chrome_minimum"),
    "gecko-id": Format("simple.gecko_id"),
    "chrome-extension-id": Format("simple.chrome_id"),
    "firefox-csp-2": Format("csp.firefox_2"),
    "firefox-csp-3": Format("csp.firefox_3"),
    "chrome-csp-2": Format("csp.chrome_2"),
    "chrome-csp-3": Format("csp.chrome_3"),
    "csp-sandbox": Format("csp.sandbox"),
    "locale": Format("locale.any_browser"),
    "chrome-locale": Format("locale.chrome"),
    "firefox-shortcut": Format("shortcut.firefox"),
    "chrome-shortcut": Format("shortcut.chrome"),
    "chrome-shortcut-or-none": Format("shortcut.chrome_or_none"),
    "chrome-shortcut-mac": Format("shortcut.chrome_mac"),
    "chrome-shortcut-chromeos": Format("shortcut.chrome_chromeos"),
    "color": Format("color.color"),
    "gradient": Format("color.gradient"),
    "image-data-or-path": Format("package_path.image_data_or_path"),
    "strict-relative-url": Format("package_path.strict_relative_url"),
    "firefox-file": Format("package_path.firefox_file"),
    "chrome-file": Format("package_path.chrome_file"),
    "chrome-page": Format("package_path.chrome_page"),
    "relative-url": Format("package_path.relative_url"),
    "url": Format("url.url"),
    "absolute-url": Format("url.absolute_url"),
    "any-url": Format("url.any_url"),
    "http-url": Format("url.http_url"),
    "secure-url": Format("url.secure_url"),
    "homepage-url": Format("package_path.homepage_url"),
    "chrome-homepage-url": Format("url.chrome_homepage_url"),
    "chrome-update-url": Format("url.chrome_update_url"),
    "origin": Format("url.origin", "host.is_origin"),
    "hostname": Format("url.hostname", "host.is_hostname"),
    "canonical-domain": Format("url.canonical_domain", "host.is_canonical_domain"),
    "date": Format("simple.date", "simple.is_date"),
    "icon-size": Format("simple.icon_size"),
}
"""The formats of texts in manifests and other JSON files."""

MAX_TEXT_LENGTH = 250_000
"""The maximum number of code points in a text that is checked."""


def problem(name: str, text: str) -> Problem | None:
    """Returns why a text does not match the format with this name, or None if it does or if that is unknown.

    A text that is replaced before a browser reads it, by a message or by a build, is unknown.
    Raises KeyError for an unknown format.
    """
    format = FORMATS[name]
    return None if len(text) > MAX_TEXT_LENGTH or is_replaced(text) else format.problem(text)
