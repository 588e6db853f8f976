"""The formats, by name. A format's module is imported when the format is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias

from extlint.formats.problem import Problem
from extlint.text.placeholders import is_replaced

Judge: TypeAlias = Callable[[str], Problem | None]

NAMES = {
    "firefox-match-pattern": ("match_pattern", "firefox"),
    "chrome-match-pattern": ("match_pattern", "chrome"),
    "chrome-host-permission": ("match_pattern", "chrome_host_permission"),
    "chrome-host-permission-2": ("match_pattern", "chrome_host_permission_2"),
    "chrome-connectable-pattern": ("match_pattern", "chrome_connectable"),
    "chrome-resource-pattern": ("match_pattern", "chrome_resource"),
    "glob": ("glob", "glob"),
    "firefox-version": ("version", "firefox"),
    "chrome-version": ("version", "chrome"),
    "gecko-application-version": ("application_version", "gecko_maximum"),
    "gecko-minimum-version": ("application_version", "gecko_minimum"),
    "gecko-maximum-version": ("application_version", "gecko_maximum"),
    "chrome-application-version": ("application_version", "chrome_minimum"),
    "gecko-id": ("extension_id", "gecko"),
    "chrome-extension-id": ("extension_id", "chrome"),
    "firefox-csp-2": ("csp", "firefox_2"),
    "firefox-csp-3": ("csp", "firefox_3"),
    "chrome-csp-2": ("csp", "chrome_2"),
    "chrome-csp-3": ("csp", "chrome_3"),
    "csp-sandbox": ("csp", "sandbox"),
    "locale": ("locale", "any_browser"),
    "chrome-locale": ("locale", "chrome"),
    "firefox-shortcut": ("shortcut", "firefox"),
    "chrome-shortcut": ("shortcut", "chrome"),
    "chrome-shortcut-or-none": ("shortcut", "chrome_or_none"),
    "chrome-shortcut-mac": ("shortcut", "chrome_mac"),
    "chrome-shortcut-chromeos": ("shortcut", "chrome_chromeos"),
    "color": ("color", "color"),
    "gradient": ("gradient", "gradient"),
    "image-data-or-path": ("url", "image_data_or_path"),
    "strict-relative-url": ("url", "strict_relative_url"),
    "firefox-file": ("url", "firefox_file"),
    "chrome-file": ("url", "chrome_file"),
    "chrome-page": ("url", "chrome_page"),
    "relative-url": ("url", "relative_url"),
    "url": ("url", "url"),
    "absolute-url": ("url", "absolute_url"),
    "any-url": ("url", "any_url"),
    "http-url": ("url", "http_url"),
    "secure-url": ("url", "secure_url"),
    "homepage-url": ("url", "homepage_url"),
    "chrome-homepage-url": ("url", "chrome_homepage_url"),
    "chrome-update-url": ("url", "chrome_update_url"),
    "origin": ("url", "origin"),
    "hostname": ("url", "hostname"),
    "canonical-domain": ("url", "canonical_domain"),
    "date": ("date", "date"),
    "icon-size": ("icon_size", "icon_size"),
}
"""The name of a format to its module in this package and the function there."""

MAX_TEXT_LENGTH = 250_000
"""Texts with more code points are not judged."""

_loaded: dict[str, Judge] = {}


def problem(name: str, text: str) -> Problem | None:
    """Why a text is not of the format with this name; None if it is, or if that cannot be told.

    Raises KeyError for a name that is no format's.
    """
    judge = _loaded.get(name)
    if judge is None:
        module, function = NAMES[name]
        judge = _loaded[name] = getattr(import_module(f"extlint.formats.{module}"), function)
    return None if len(text) > MAX_TEXT_LENGTH or is_replaced(text) else judge(text)
