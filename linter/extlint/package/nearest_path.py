"""The file that somebody meant who named one that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extlint.text.nearest import nearest
from extlint.text.patterns import lazy

MAX_PATH_LENGTH = 300
"""Names with more characters are not compared."""

MAX_COMPARED = 20
"""Paths that are compared letter by letter with one name: those that begin and end alike for longest."""

_MAX_EDITS = 2
_NO_DIGITS = lazy(r"[^0-9]+")
_IMAGES = frozenset({"bmp", "gif", "ico", "jpeg", "jpg", "png", "svg", "webp"})
_KINDS = _IMAGES | {
    *("cjs", "css", "cts", "html", "js", "json", "jsx", "less", "mjs", "mts", "sass", "scss", "svelte"),
    *("ts", "tsx", "txt", "vue", "wasm", "woff", "woff2", "xhtml"),
}
_GROUPS = (
    _IMAGES,
    frozenset({"cjs", "cts", "js", "jsx", "mjs", "mts", "ts", "tsx"}),
    frozenset({"css", "less", "sass", "scss"}),
    frozenset({"htm", "html", "xhtml"}),
)
"""Suffixes of files that hold the same in another form."""

_SOURCES = frozenset({"cts", "jsx", "less", "mts", "sass", "scss", "ts", "tsx"})
"""Suffixes of what no browser reads, so that nobody means it who names something else."""

_ALIKE = ({"htm", "html"}, {"jpg", "jpeg"})


def misspelled_path(path: str, known: Iterable[str]) -> str | None:
    """The known path in the same folder that `path` is a misspelling of, or None.

    All digits must be the same: `icon-16.png` is not `icon-48.png`, and `a.css` is not `a.js`.
    """
    if len(path) > MAX_PATH_LENGTH:
        return None
    digits = _NO_DIGITS.sub(" ", path)
    folder = path.rpartition("/")[0]
    near = [
        each
        for each in known
        if each.rpartition("/")[0] == folder
        and abs(len(each) - len(path)) <= _MAX_EDITS
        and _NO_DIGITS.sub(" ", each) == digits
        and _is_of_kind(_suffix(path), _suffix(each))
    ]
    near.sort(key=lambda each: -alike(path, each))
    return nearest(path, near[:MAX_COMPARED])


def other_format(path: str, known: Sequence[str]) -> str | None:
    """The one known path that is the same in another format (`icon.svg` for `icon.png`), or None."""
    group = next((each for each in _GROUPS if _suffix(path) in each), frozenset[str]())
    stem = path.rpartition(".")[0]
    found = [each for each in known if each.rpartition(".")[0] == stem and _suffix(each) in group - _SOURCES]
    return found[0] if len(found) == 1 else None


def _is_of_kind(written: str, known: str) -> bool:
    """Whether one suffix may be meant where another is written: the same, nearly so, or for nonsense."""
    return written == known or {written, known} in _ALIKE or written not in _KINDS


def _suffix(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[2].lower()


def alike(one: str, other: str) -> int:
    """How many characters two texts have in common at the start and at the end."""
    shorter = min(len(one), len(other))
    start = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    end = next((at for at in range(shorter - start) if one[-1 - at] != other[-1 - at]), shorter - start)
    return start + end
