"""The locales of a package, its default locale, and the locales that browsers support."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from extlint.extension import Extension
from extlint.project.builds import is_build_source
from extlint.project.contexts.json_files import LOCALES, JsonFile, locales_folder
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.formats.locale import chrome, has_known_script
from extlint.text.patterns import lazy

FOLDER = LOCALES.rstrip("/")
MESSAGES = "messages.json"


class LocaleFolders:
    """The contents of `_locales`, without hidden folders. Names are as in the package.

    `with_messages` has the path of the `messages.json` in each folder that has one. `sources` are the
    language tags (`pt-BR`) of locales with other files from which a build may generate messages: `en.yml`,
    `en/messages.yml`. `without_messages` are the folders that only contain other files, without such sources.
    """

    def __init__(self, paths: Iterable[str], top: str = LOCALES) -> None:
        """`top` is the path of the folder, with a `/` at its end."""
        self.with_messages: dict[str, str] = {}
        self.sources: set[str] = set()
        other_folders: dict[str, bool] = {}
        for path in paths:
            folder, _, name = path.removeprefix(top).partition("/")
            stem = (name or folder).partition(".")[0]
            if folder.startswith("."):
                continue
            if name == MESSAGES:
                self.with_messages[folder] = path
            elif not name or stem.lower() == "messages":
                self.sources.add(tag_of(folder if name else stem))
            else:
                other_folders[folder] = True
        known = self.sources.union(map(tag_of, self.with_messages))
        self.without_messages = tuple(folder for folder in other_folders if tag_of(folder) not in known)

    @property
    def only_file(self) -> str | None:
        """The only file of messages, or None."""
        return next(iter(self.with_messages.values())) if len(self.with_messages) == 1 else None

    @cached_property
    def _by_tag(self) -> dict[str, str]:
        return {tag_of(folder): folder for folder in self.with_messages}

    @cached_property
    def _by_folded_tag(self) -> dict[str, str]:
        return {tag_of(folder).casefold(): folder for folder in self.with_messages}

    def find(self, locale: str) -> str | None:
        """Returns the folder with messages of a locale, or None; like Firefox, equates `-` and `_`."""
        return locale if locale in self.with_messages else self._by_tag.get(tag_of(locale))

    def find_ignoring_case(self, locale: str) -> str | None:
        """Returns the folder with messages whose name differs from the locale's in letter case, or None."""
        return self._by_folded_tag.get(tag_of(locale).casefold())


def tag_of(locale: str) -> str:
    """Returns a locale as a language tag: Chrome writes `pt_BR` for `pt-BR`."""
    return locale.replace("_", "-")


def locale_of(file: JsonFile) -> str:
    """Returns the folder of a file of messages, which is named for its locale."""
    return file.path.split("/")[-2]


def is_same_tag(one: str, other: str) -> bool:
    """Whether two names denote the same locale, ignoring letter case, and with `-` or `_`."""
    return tag_of(one).casefold() == tag_of(other).casefold()


@query
def folders_of(extension: Extension) -> LocaleFolders:
    """Returns the locales of an extension."""
    top = locales_folder(extension)
    return LocaleFolders((path for path in extension.package.paths if path.startswith(top)), top)


def default_locale(extension: Extension) -> str | None:
    """Returns the default locale in the manifest, or None if it is not a string."""
    found = extension.manifest.get("default_locale")
    return found.value if found is not None and isinstance(found.value, str) else None


def may_have_locales(extension: Extension) -> bool:
    """Whether the package has a locale, states a default one, or may get one from a build."""
    return (
        not extension.package.complete
        or extension.manifest.get("default_locale") is not None
        or any(path.startswith(LOCALES) for path in extension.package.paths)
        or is_build_source(extension)
    )


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
