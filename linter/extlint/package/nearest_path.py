"""Finds the existing file that the name of a missing file was meant to be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from extlint.package.suffixes import (
    INTERCHANGEABLE,
    KNOWN,
    SYNONYMS,
    UNREAD_BY_BROWSERS,
    is_script,
    suffix_of,
)
from extlint.text.nearest import MAX_SHORT_LENGTH, nearest
from extlint.text.patterns import lazy

MAX_PATH_LENGTH = 300
"""Characters of a name. Longer names are not compared."""

MAX_COMPARED = 20
"""Paths that are compared letter by letter with one name: those with the longest common prefix and suffix."""

_MAX_EDITS = 2
_SEPARATORS = ("-", ".", "_")
_NO_DIGITS = lazy(r"[^0-9]+")


class NearPaths:
    """An index of known paths by the properties that they share with a missing one."""

    def __init__(self, known: Iterable[str]) -> None:
        self._by_folder: dict[str, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        self._by_name: dict[str, list[str]] = {}
        for path in known:
            folder, _, name = path.rpartition("/")
            self._by_folder.setdefault(folder, []).append(path)
            self._by_stem.setdefault(path.rpartition(".")[0], []).append(path)
            self._by_name.setdefault(name, []).append(path)

    def find_misspelled(self, path: str) -> str | None:
        """Returns the known path that `path` is a misspelling of; see `misspelled_path`."""
        return misspelled_path(path, self._by_folder.get(path.rpartition("/")[0], ()))

    def find_other_format(self, path: str) -> str | None:
        """Returns the only known path that differs in its format (`icon.svg` for `icon.png`), or None."""
        group = next((each for each in INTERCHANGEABLE if suffix_of(path) in each), frozenset[str]())
        meant = group - UNREAD_BY_BROWSERS
        same = self._by_stem.get(path.rpartition(".")[0], ())
        return _only([each for each in same if suffix_of(each) in meant])

    def find_in_other_folder(self, path: str) -> str | None:
        """Returns the only known path with the same file name in another folder, or None.

        Files in `node_modules` do not count.
        """
        same = self._by_name.get(path.rpartition("/")[2], ())
        return _only([each for each in same if "node_modules/" not in each])


def _only(found: Sequence[str]) -> str | None:
    return found[0] if len(found) == 1 else None


def misspelled_path(path: str, known: Collection[str]) -> str | None:
    """Returns the known path in the same folder that `path` is a misspelling of, or None.

    All digits must be the same: `icon-16.png` is not `icon-48.png`, and `a.css` is not `a.js`. In a short
    name no letter may be wrong, whatever the length of its folder and suffix: `sw.js` is not `sb.js`. A name
    without a suffix may be that of the only file with one: `icon` is `icon.png`.
    """
    if len(path) > MAX_PATH_LENGTH:
        return None
    digits = _NO_DIGITS.sub(" ", path)
    folder = path.rpartition("/")[0]
    near = [
        each
        for each in known
        if abs(len(each) - len(path)) <= _MAX_EDITS
        and each.rpartition("/")[0] == folder
        and _NO_DIGITS.sub(" ", each) == digits
        and _may_mean_suffix(suffix_of(path), suffix_of(each))
        and _may_mean_stem(_stem(path), _stem(each))
    ]
    near.sort(key=lambda each: -shared_affix_length(path, each))
    return nearest(path, near[:MAX_COMPARED]) or _with_suffix(path, known)


def _with_suffix(path: str, known: Collection[str]) -> str | None:
    """Returns the only known path that consists of a path and a suffix, or None.

    Bundlers find scripts without their suffixes.
    """
    if suffix_of(path):
        return None
    found = [each for each in known if each.startswith(f"{path}.") and each.count(".", len(path)) == 1]
    return _only([] if any(map(is_script, found)) else found)


def adds_part(path: str, other: str) -> bool:
    """Whether the name of another path is that of a path with a part before or after it: `a.src.js`."""
    one, two = _stem(path), _stem(other)
    return (two.endswith(one) and two[-len(one) - 1 :][:1] in _SEPARATORS) or (
        two.startswith(one) and two[len(one) :][:1] in _SEPARATORS
    )


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(suffix_of(path))


def _may_mean_stem(written: str, known: str) -> bool:
    """Whether a name without its suffix may be meant where another is written."""
    is_short = min(len(written), len(known)) <= MAX_SHORT_LENGTH
    return not is_short or written == known or nearest(written, (known,)) is not None


def _may_mean_suffix(written: str, known: str) -> bool:
    """Whether a suffix may be meant where another is written: the same, a similar or a meaningless one."""
    return written == known or {written, known} in SYNONYMS or written not in KNOWN


def shared_affix_length(one: str, other: str) -> int:
    """Returns how many characters two texts share at the start and at the end."""
    shorter = min(len(one), len(other))
    start = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    end = next((at for at in range(shorter - start) if one[-1 - at] != other[-1 - at]), shorter - start)
    return start + end
