"""The settings of a user in the editor."""

from __future__ import annotations

import os
from typing import Any

from msgspec import Struct, ValidationError, convert

SECTION = "extlint"
"""The section of an editor's configuration that has the settings."""


class Settings(Struct, frozen=True, rename="camel"):
    """The settings for a folder. They override its configuration, as the options of `extlint check` do.

    `configuration` is the path of the configuration of all extensions, relative to the folder.
    """

    enable: bool = True
    configuration: str | None = None
    targets: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()

    def options(self, folder: str) -> dict[str, Any]:
        """Returns the arguments of a session for a folder."""
        return {
            "targets": self.targets,
            "select": self.select,
            "ignore": self.ignore,
            "extend_select": self.extend_select,
            "config": os.path.join(folder, self.configuration) if self.configuration else None,
        }


def settings_of(value: object) -> Settings:
    """Returns settings as an editor sends them: the members of the section, or null without any.

    A member that is null has its default. Unknown ones are ignored, as editors send settings of their own.
    Raises ValueError, with a sentence, for a member of a wrong type.
    """
    if not isinstance(value, dict):
        return Settings()
    own = value.get(SECTION, value)
    given = {key: each for key, each in own.items() if each is not None} if isinstance(own, dict) else {}
    try:
        return convert(given, Settings)
    except ValidationError as error:
        raise ValueError(f"the settings of extlint are not valid: {error}") from None
