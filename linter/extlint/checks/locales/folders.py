"""The locales of a package, and its default locale."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from extlint.extension import Extension
from extlint.project.builds import is_build_source
from extlint.project.contexts.json_files import JsonFile
from extlint.queries.query import query

FOLDER = "_locales"
MESSAGES = "messages.json"


class LocaleFolders:
    """The contents of `_locales`, without hidden folders. Names are as in the package.

    `with_messages` has the path of the `messages.json` in each folder that has one. `sources` are the
    language tags (`pt-BR`) of locales with other files from which a build may generate messages: `en.yml`,
    `en/messages.yml`. `without_messages` are the folders that only contain other files, without such sources.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self.with_messages: dict[str, str] = {}
        self.sources: set[str] = set()
        other_folders: dict[str, bool] = {}
        for path in paths:
            folder, _, name = path.removeprefix(f"{FOLDER}/").partition("/")
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
    return file.path.split("/")[1]


def is_same_tag(one: str, other: str) -> bool:
    """Whether two names denote the same locale, ignoring letter case, and with `-` or `_`."""
    return tag_of(one).casefold() == tag_of(other).casefold()


@query
def folders_of(extension: Extension) -> LocaleFolders:
    """Returns the locales of an extension."""
    return LocaleFolders(path for path in extension.package.paths if path.startswith(f"{FOLDER}/"))


def default_locale(extension: Extension) -> str | None:
    """Returns the default locale in the manifest, or None if it is not a string."""
    found = extension.manifest.get("default_locale")
    return found.value if found is not None and isinstance(found.value, str) else None


def may_have_locales(extension: Extension) -> bool:
    """Whether the package has a locale, states a default one, or may get one from a build."""
    return (
        not extension.package.complete
        or extension.manifest.get("default_locale") is not None
        or any(path.startswith(f"{FOLDER}/") for path in extension.package.paths)
        or is_build_source(extension)
    )
