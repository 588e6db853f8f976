"""A configuration: the value of each key, for a project or for single extensions, and what it excludes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.finding import Severity
from extlint.schema.model import NO_USER_SCHEMAS, UserSchemas
from extlint.schema.targets import Target

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class PerFileIgnore(Struct, frozen=True):
    """Rules that report nothing in some files of an extension.

    `pattern` is the text as written. It consists of `glob`, in the syntax of .gitignore and relative to the
    extension's root, and an optional JSON pointer, whose parts are in `steps`: findings are ignored only at
    that value of a JSON file and in it. Without a pointer, `steps` is not set. `rules` are the names of rules
    and groups.
    """

    pattern: str
    glob: str
    steps: tuple[str, ...] | None
    rules: tuple[str, ...]


class Configuration(Struct, frozen=True):
    """The value of each key; one that is empty or None is not set.

    `extlint.linting.configuration.keys` describes each. Rules may be the names of groups. `file` is the file
    with the keys, as users call it, and `folder` is the absolute path of its folder, which globs and the
    names of other files are relative to. If the file extends others, `layers` are the configurations as
    written, from its own one down: the first that sets a key decides.
    """

    extends: tuple[str, ...] = ()
    target: tuple[Target, ...] = ()
    schemas: UserSchemas | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = {}
    per_file_ignores: tuple[PerFileIgnore, ...] = ()
    fail_level: str | None = None
    baseline: str | None = None
    exclude: tuple[str, ...] = ()
    gitignore: bool | None = None
    extension: tuple[ExtensionEntry, ...] = ()
    file: str = ""
    folder: str = ""
    layers: tuple[Configuration, ...] = ()

    def with_defaults(self, other: Configuration) -> Configuration:
        """Returns the values that are set here, and the values of the other configuration for all others."""
        fields = self.__struct_fields__
        return Configuration(
            *(getattr(self if self.has(field) else other, field) for field in fields),
        )

    def has(self, field: str) -> bool:
        """Whether a key is set, by the name of its field."""
        value = getattr(self, field)
        return value is False or bool(value)


class ExtensionEntry(Struct, frozen=True):
    """An entry of `[[extension]]`: the extensions that it applies to, and the keys that it sets for them.

    `path` is a glob of folders and archives, `manifest` one of files; an entry has one of the two. `root` is
    the folder that the paths in the manifest are relative to, or None for the manifest's own. All three are
    relative to the folder of the configuration.
    """

    path: str | None
    manifest: str | None
    root: str | None
    configuration: Configuration


NO_CONFIGURATION = Configuration()

DEFAULTS = Configuration(schemas=NO_USER_SCHEMAS, fail_level="error", gitignore=True)
"""The default values of keys."""


def excludes(configuration: Configuration, file: str) -> bool:
    """Whether a configuration excludes a file, by its absolute path, or a folder on the way to it."""
    if not configuration.exclude:
        return False
    from pathlib import Path

    parts = Path(os.path.relpath(file, configuration.folder)).parts
    if ".." in parts:
        return False
    spec = _spec(configuration.exclude)
    folders = ("/".join(parts[:count]) + "/" for count in range(1, len(parts)))
    return any(spec.check_file(each).include for each in (*folders, "/".join(parts)))


@cache
def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    from extlint.package.git_ignore import compile_patterns

    return compile_patterns(patterns)
