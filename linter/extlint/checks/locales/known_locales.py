"""The locales that browsers support: the folders of `_locales` that they read."""

from __future__ import annotations

from collections.abc import Mapping

from extlint.checks.locales.folders import default_locale, folders_of, is_same_tag, tag_of
from extlint.extension import Extension
from extlint.schema.engine import Engine
from extlint.schema.targets.request import engine_of
from extlint.text.formats.locale import chrome, has_known_script
from extlint.text.patterns import lazy

_TAG = lazy(
    r"([A-Za-z]{2,3})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*"
)

_FIREFOX = frozenset(
    """
    ach af an ar ast az be bg bn bo br brx bs ca cak ckb cs cy da de dsb el en eo es et eu fa ff fi fr
    fur fy ga gd gl gn gu he hi hr hsb hu hy hye ia id is it ja ka kab kk km kn ko lij lo lt ltg lv mai
    meh mk ml mr ms my nb ne nl nn oc or pa pl pt rm ro ru sat sc scn sco si sk skr sl son sq sr sv szl
    ta te tg th tl tr trs uk ur uz vi wo xh zh
    """.split()
)
"""The languages in which Firefox is published. https://www.mozilla.org/firefox/all"""

_CANONICAL = lazy(r"[a-z]{2,3}(?:_[A-Z][a-z]{3})?(?:_(?:[A-Z]{2}|[0-9]{3}))?")
"""Chromium's notation of a locale."""

_RENAMED_BY_ICU = frozenset({"en_UK", "in", "iw", "ji", "tl", "tw"})
"""Codes that ICU replaces: Chromium 156 looks for `en_GB`, `id`, `he`, `yi`, `fil`, `ak` instead."""

INVALID_CODES = frozenset({"cn", "cz", "dk", "es_SP", "gr", "jp", "ua", "us"})
"""Codes that are not languages or countries in ISO 639 and 3166: no user interface has such a locale."""

_CHINESE_LOCALES = {
    "zh-Hans": "zh_CN",
    "zh-Hans-CN": "zh_CN",
    "zh-Hant": "zh_TW",
    "zh-Hant-TW": "zh_TW",
}
"""The tags of written Chinese, with the locales of Chrome's user interface for them."""

_NORWEGIAN = frozenset({"no", "no-no"})
"""Chrome reads `no`, and Firefox `nb`, which Chrome reads too."""


def target_browser(extension: Extension) -> str | None:
    """Returns the browser of the target, or None for the reference target."""
    return None if extension.schemas.is_specification else extension.target.name


def is_read(folder: str, browser: str | None = None) -> bool:
    """Whether a browser, or with None any known browser, treats a folder as that of a locale.

    Chrome compares names exactly. Firefox accepts any tag of a language that it has, with `-` or `_`.
    """
    if engine_of(browser) is not Engine.GECKO and chrome(folder) is None:
        return True
    found = _TAG.fullmatch(tag_of(folder))
    return engine_of(browser) is not Engine.CHROMIUM and found is not None and found[1].lower() in _FIREFOX


def may_be_read(folder: str, browser: str | None = None) -> bool:
    """Whether a browser may read a folder.

    Chromium 156 reads each folder that is named exactly like the locale of its user interface, whatever that
    is (verified by `extlint_judge locales`). It can be any language in any country, except those to which ICU
    gives another name, and invalid language codes.
    """
    if is_read(folder, browser):
        return True
    found = _CANONICAL.fullmatch(folder)
    return (
        engine_of(browser) is not Engine.GECKO
        and found is not None
        and folder not in _RENAMED_BY_ICU
        and folder not in INVALID_CODES
    )


def ignored_messages(extension: Extension) -> Mapping[str, str]:
    """Returns the folders that the target's browser does not read, each with the path of its messages."""
    browser, stated = target_browser(extension), default_locale(extension) or ""
    return {
        folder: path
        for folder, path in folders_of(extension).with_messages.items()
        if not may_be_read(folder, browser) and not is_same_tag(folder, stated)
    }


def is_locale(folder: str) -> bool:
    """Whether a name can be that of a locale, known or not."""
    return _TAG.fullmatch(tag_of(folder)) is not None and has_known_script(folder)


def intended_locale(folder: str) -> str | None:
    """Returns the locale that the name of an ignored folder misspells, or None."""
    if tag_of(folder).lower() in _NORWEGIAN:
        return "nb"
    if tag_of(folder) in _CHINESE_LOCALES:
        return _CHINESE_LOCALES[tag_of(folder)]
    problem = chrome(folder)
    return None if problem is None else problem.suggestion
