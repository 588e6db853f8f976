"""Which locales a package has, and which of them is the default one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from extlint.extension import Extension, once_per_extension
from extlint.manifest.json_values import Node

FOLDER = "_locales"
MESSAGES = "messages.json"


class Folders:
    """The folders of `_locales`, hidden ones aside.

    `with_messages` has the path of each folder's `messages.json`; `without` are the folders that hold
    other files only. Names are as the package writes them.
    """

    def __init__(self, with_messages: Mapping[str, str], without: tuple[str, ...]) -> None:
        self.with_messages = with_messages
        self.without = without

    @cached_property
    def _by_tag(self) -> Mapping[str, str]:
        return {tag_of(folder): folder for folder in self.with_messages}

    @cached_property
    def _by_folded_tag(self) -> Mapping[str, str]:
        return {tag_of(folder).casefold(): folder for folder in self.with_messages}

    def exactly(self, locale: str) -> str | None:
        """The folder with messages of a locale; `-` and `_` are one, as they are for Firefox."""
        return locale if locale in self.with_messages else self._by_tag.get(tag_of(locale))

    def in_other_case(self, locale: str) -> str | None:
        """A folder with messages whose name differs from the locale's in letter case, if there is one."""
        return self._by_folded_tag.get(tag_of(locale).casefold())


def tag_of(locale: str) -> str:
    """A locale as a language tag: Chrome writes `pt_BR` for what is `pt-BR` elsewhere."""
    return locale.replace("_", "-")


@once_per_extension
def folders_of(extension: Extension) -> Folders:
    """The locales of an extension."""
    found: dict[str, str] = {}
    others: dict[str, None] = {}
    for path in extension.package.paths:
        top, _, rest = path.partition("/")
        folder, _, name = rest.partition("/")
        if top == FOLDER and name and not folder.startswith("."):
            if name == MESSAGES:
                found[folder] = path
            else:
                others[folder] = None
    return Folders(found, tuple(folder for folder in others if folder not in found))


def default_locale(extension: Extension) -> tuple[str, Node] | None:
    """The locale that the manifest states as the default one, with its node; None if it states no text."""
    found = extension.manifest.get("default_locale")
    return (found.value, found) if found is not None and isinstance(found.value, str) else None


def has_locales(extension: Extension) -> bool:
    """Whether the package has, or may have, any locale; so one that is not complete, or states a default."""
    return (
        not extension.package.complete
        or extension.manifest.get("default_locale") is not None
        or any(path.startswith(f"{FOLDER}/") for path in extension.package.paths)
    )
