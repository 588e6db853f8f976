"""What a configuration says: the value of each key, for a project and for single extensions of it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from extlint.finding import Severity
from extlint.schema.model import NO_USER_SCHEMAS, UserSchemas
from extlint.targets.request import Target


class PerFileIgnore(Struct, frozen=True):
    """Rules that report nothing in some files of an extension.

    `pattern` is as it is written, and consists of `glob`, in the syntax of .gitignore and relative to the
    extension's root, and maybe of a JSON pointer, whose parts `steps` has: findings count only at that value
    of a JSON file and in it. `steps` is None where the pattern has no pointer. `rules` are the names of rules
    and groups.
    """

    pattern: str
    glob: str
    steps: tuple[str, ...] | None
    rules: tuple[str, ...]


class Configuration(Struct, frozen=True):
    """The value of each key; one that is empty or None is not set.

    `extlint.configuration.keys` says what each means. Rules may be the names of groups. `file` is where they
    are set, as users call it, and `folder` is the absolute path of its folder, which globs and the names of
    other files are relative to.
    """

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

    def with_defaults(self, other: Configuration) -> Configuration:
        """What is set here, and for what is not set here the values of the other configuration."""
        fields = self.__struct_fields__
        return Configuration(
            *(getattr(self if self.has(field) else other, field) for field in fields),
        )

    def has(self, field: str) -> bool:
        """Whether a key is set, by the name of its field."""
        value = getattr(self, field)
        return value is False or bool(value)


class ExtensionEntry(Struct, frozen=True):
    """An entry of `[[extension]]`: which extensions it is about, and the keys that it sets for them.

    `path` is a glob of folders and archives, `manifest` one of files; an entry has one of the two. `root` is
    the folder that the paths in the manifest are relative to, None for the manifest's own. All three are
    relative to the folder of the configuration.
    """

    path: str | None
    manifest: str | None
    root: str | None
    configuration: Configuration


NO_CONFIGURATION = Configuration()

DEFAULTS = Configuration(schemas=NO_USER_SCHEMAS, fail_level="error", gitignore=True)
"""What holds where nothing else is said."""
