"""Resolves the name of a file in a manifest or page to paths in the package."""

from __future__ import annotations

import re
from functools import lru_cache

from extlint.text.patterns import lazy

_TRIMMED = "".join(map(chr, range(0x21)))
_LINE_BREAKS = str.maketrans("", "", "\t\n\r")
_NOT_A_FILE = lazy(
    r"//|[A-Za-z][A-Za-z0-9+.-]*:|.*(?:__MSG_|\\|%(?:2[fF]|5[cC]|00))",
    re.DOTALL,
    needs=("//", ":", "__MSG_", "\\", "%"),
)
_BROWSERS_OWN = lazy(
    r"/?(?:_generated_background_page\.html(?![^?#])|_modules/|_favicon/)",
    needs=("_generated_background_page.html", "_modules/", "_favicon/"),
)
_ESCAPED_BYTES = lazy(r"(?:%[0-9a-fA-F]{2})+")


@lru_cache(maxsize=256)
def paths_of(name: str, folder: str | None = "") -> tuple[str, ...]:
    """Returns the paths that a name in a folder may mean, the likeliest first.

    Returns an empty tuple if it does not name a file.

    `folder` is the path of the folder that the name is relative to, or None if that is not in the package.
    Firefox and pages read a name as a URL: `..` stops at the root, `%20` is a space, a query and a hash are
    cut off. Chromium reads some of a manifest's names as they are. These do not name a file: a URL, a
    localized name (`__MSG_icon__`), a folder's name, and names that browsers serve themselves. Names with a
    backslash or an escaped slash, which browsers treat differently, are ignored.
    """
    name = name.strip(_TRIMMED).translate(_LINE_BREAKS)
    if folder is None or _NOT_A_FILE.match(name) or _BROWSERS_OWN.match(name):
        return ()
    path = without_query(name)
    if path.rpartition("/")[2] in ("", ".", ".."):
        return ()
    unescaped = _ESCAPED_BYTES.sub(_unescaped, path) if "%" in path else path
    found = (_joined(folder, unescaped), _joined(folder, name))
    return tuple(dict.fromkeys(each for each in found if each))


def without_query(name: str) -> str:
    """Returns a URL without its query and hash."""
    return name.partition("?")[0].partition("#")[0]


def matches_pattern(path: str, pattern: str) -> bool:
    """Whether a path matches a pattern in which `*` matches any text, including `/`."""
    first, *rest = pattern.split("*")
    if not rest:
        return path == pattern
    *middle, last = rest
    at, end = len(first), len(path) - len(last)
    if not path.startswith(first) or not path.endswith(last):
        return False
    for part in middle:
        found = path.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return at <= end


def folder_of(path: str, base: str | None = None) -> str | None:
    """Returns the folder that names in a page are relative to, or None if it is not in the package.

    `base` is the `href` of the page's `<base>`, if it has one.
    """
    folder = path.rpartition("/")[0]
    if base is None:
        return folder
    base = base.strip(_TRIMMED).translate(_LINE_BREAKS)
    if _NOT_A_FILE.match(base):
        return None
    *parents, last = without_query(base).split("/")
    target = "/".join([*parents, last if last in (".", "..") else ""])
    return _joined(folder, _ESCAPED_BYTES.sub(_unescaped, target))


def _joined(folder: str, name: str) -> str:
    steps = [] if name.startswith("/") else [step for step in folder.split("/") if step]
    for step in name.split("/"):
        if step == "..":
            del steps[-1:]
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)


def _unescaped(escapes: re.Match[str]) -> str:
    return bytes.fromhex(escapes[0].replace("%", "")).decode("utf-8", "replace")
