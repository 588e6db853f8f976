"""The possible files of a specifier whose alias no known configuration defines, as in `@/shared/api`."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.text.patterns import lazy

_SUFFIX = lazy(r"(?:/index)?(?:\.[cm]?[jt]sx?|\.vue|\.svelte)?$")
_NON_PACKAGE_PREFIXES = ("@/", "~", "#", "$")
"""Prefixes that names of npm packages do not have."""

_PACKAGE = lazy(r"(?:@[\w.-]+/)?[a-zA-Z0-9][\w.-]*(?:/[\w./-]+)?")


def stem(path: str) -> str:
    """Returns a path as specifiers may name it: without its suffix, and the folder of an `index` file."""
    return _SUFFIX.sub("", path)


def path_ends_of_alias(name: str) -> Iterator[str]:
    """Yields the possible ends of the path of a file that a specifier refers to by an alias, if any."""
    if name.startswith((".", "/")) or ":" in name:
        return
    plain = stem(name.partition("?")[0].lstrip("@~#$").lstrip("/"))
    first, _, rest = plain.partition("/")
    if rest or (first and name.startswith(_NON_PACKAGE_PREFIXES)):
        yield plain
    if "/" in rest:
        yield rest


def is_package_name(name: str) -> bool:
    """Whether a specifier may name an npm package, or a file in one."""
    return _PACKAGE.fullmatch(name.partition("?")[0]) is not None
