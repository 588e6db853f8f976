"""Which files a specifier may mean whose alias no known configuration defines, as in `@/shared/api`."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.text.patterns import lazy

_SUFFIX = lazy(r"(?:/index)?(?:\.[cm]?[jt]sx?|\.vue|\.svelte)?$")
_NO_PACKAGE = ("@/", "~", "#", "$")
"""Prefixes that no name of an npm package has."""

_PACKAGE = lazy(r"(?:@[\w.-]+/)?[a-zA-Z0-9][\w.-]*(?:/[\w./-]+)?")


def stem(path: str) -> str:
    """A path as specifiers may name it: without its suffix, and the folder of an `index` file."""
    return _SUFFIX.sub("", path)


def ends_by_alias(name: str) -> Iterator[str]:
    """The possible ends of the path of a file that a specifier means by an alias; empty if it has none."""
    if name.startswith((".", "/")) or ":" in name:
        return
    plain = stem(name.partition("?")[0].lstrip("@~#$").lstrip("/"))
    first, _, rest = plain.partition("/")
    if rest or (first and name.startswith(_NO_PACKAGE)):
        yield plain
    if "/" in rest:
        yield rest


def is_package_name(name: str) -> bool:
    """Whether a specifier may be that of an npm package, or of a file in one."""
    return _PACKAGE.fullmatch(name.partition("?")[0]) is not None
