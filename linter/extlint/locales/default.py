"""The default locale: that it is stated where there are locales, and is there where it is stated."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.judgment.builds import is_built_from, submodules
from extlint.locales.folders import FOLDER, MESSAGES, Folders, default_locale, folders_of, tag_of
from extlint.locales.known import is_read
from extlint.near import nearest
from extlint.patterns import lazy
from extlint.wording import did_you_mean, quoted

_LOCALE = lazy(r"[A-Za-z0-9]+(?:[_@-][A-Za-z0-9]+)*")


def lacks_default(extension: Extension) -> bool:
    """Whether the package has messages, but its manifest no default locale: no browser loads it."""
    manifest = extension.manifest
    is_stated = manifest.get("default_locale") is not None
    return manifest.is_object and not is_stated and bool(folders_of(extension).with_messages)


def lost_messages(extension: Extension) -> Iterator[str]:
    """Each file of messages that browsers look for in vain, if a default locale is stated.

    They look for that of the default locale, and for one in each folder of a locale that they know. What a
    build may make, or Git would fetch, is taken to be there.
    """
    stated = default_locale(extension)
    if stated is None or not extension.package.complete or f"{FOLDER}/" in submodules(extension):
        return
    folders = folders_of(extension)
    browser = extension.target.name if extension.schemas.browser is not None else None
    if _LOCALE.fullmatch(stated) and folders.exactly(stated) is None:
        yield from _without_default(extension, folders, stated)
    for folder in () if is_built_from(extension) else folders.without:
        if folder != stated and is_read(folder, browser or "chrome"):
            yield f"the folder {quoted(f'{FOLDER}/{folder}')} has no file {quoted(MESSAGES)}"


def _without_default(extension: Extension, folders: Folders, locale: str) -> Iterator[str]:
    path = f"{FOLDER}/{locale}/{MESSAGES}"
    message = f"the package has no file {quoted(path)}"
    other = folders.in_other_case(locale)
    in_other_case = folders.with_messages[other] if other is not None else extension.package.other_case(path)
    if in_other_case is not None:
        yield f"{message}, only {quoted(in_other_case)}, which differs in letter case"
    elif tag_of(locale) not in folders.sources:
        near = nearest(locale, folders.with_messages) or _related(locale, folders)
        if near is not None:
            yield message + did_you_mean(near)
        elif not is_built_from(extension):
            yield message if folders.only is None else f"{message}, only {quoted(folders.only)}"


def _related(locale: str, folders: Folders) -> str | None:
    """The locale of the same language, if the package has one."""
    language = tag_of(locale).partition("-")[0]
    same = [each for each in folders.with_messages if tag_of(each).partition("-")[0] == language]
    return same[0] if len(same) == 1 else None
