"""The entry points of a project of WXT or Plasmo: its background, scripts and pages, by file names."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, dirname, splitext

from extlint.package.discovery.made_manifest import (
    EntryPoints,
    Read,
    is_listed,
    text_of,
    without_comments,
)
from extlint.package.discovery.variants import BROWSERS
from extlint.package.suffixes import IMPLIED, is_page
from extlint.text.patterns import lazy

_FOLDER = lazy(r"\b(srcDir|entrypointsDir)\s*:\s*[\"']([\w./-]+)[\"']")
_LISTED = lazy(
    r"\b(include|exclude)\b[\"']?(?:\s*:|\s+content\s*=\s*[\"'])\s*+\[((?:\s*+[\"']\w++[\"']\s*+,?)*+)\s*+\]"
)
"""The browsers that an entry point names: `include: ["firefox"]`, or in a page, in the element `meta`."""

_WORD, _COMMENT = lazy(r"\w+"), lazy(r"(?s)<!--.*?-->")


def folders_of_wxt(text: str) -> dict[str, str]:
    """Returns the folders that a configuration of WXT names, by its keys."""
    return {key: name.strip("./") for key, name in _FOLDER.findall(text)}


def entry_points_of_wxt(paths: frozenset[str], read: Read, config: str | None, browser: str) -> EntryPoints:
    """Returns the entry points of a project of WXT: the files and folders in `entrypoints`.

    An entry point may name the only browsers that it is built for, or those that it is not built for.
    """
    text = "" if config is None else without_comments(text_of(read, config))
    folders = folders_of_wxt(text)
    inner = f"{folders.get('srcDir', '')}/{folders.get('entrypointsDir', 'entrypoints')}/".lstrip("/")
    entries = {name: path for name, path in _entries(paths, inner) if _is_for(text_of(read, path), browser)}
    scripts = {name: path for name, path in entries.items() if not is_page(path)}
    return EntryPoints(
        scripts.get("background"),
        tuple(path for name, path in scripts.items() if name.rpartition(".")[2] == "content"),
        {name: path for name, path in entries.items() if is_page(path)},
    )


def _is_for(text: str, browser: str) -> bool:
    """Whether an entry point of WXT is built for a browser, by its settings or the elements of its page."""
    for kind, names in _LISTED.findall(_COMMENT.sub("", without_comments(text))):
        listed = {*_WORD.findall(names)}
        if listed and listed <= BROWSERS and (browser in listed) is (kind == "exclude"):
            return False
    return True


def entry_points_of_plasmo(paths: frozenset[str]) -> EntryPoints:
    """Returns the entry points of a project of Plasmo: files at its top or in `src`.

    A name with a dot is that of a file for another browser or mode, or of a test. A page is the template of
    one that shows the script of the same name.
    """
    inner = "src/" if any(path.startswith("src/") for path in paths) else ""
    found = {
        f"{folder}{name}": path
        for folder in ("", "contents/", "sandboxes/", "tabs/")
        for name, path in reversed([*_entries(paths, f"{inner}{folder}")])
        if "." not in name
    }
    scripts = {name: path for name, path in found.items() if not is_page(path)}
    folders = tuple(f"{inner}background/{each}/" for each in ("messages", "ports"))
    return EntryPoints(
        scripts.get("background"),
        tuple(path for name, path in scripts.items() if name == "content" or name.startswith("contents/")),
        {
            name: path
            for name, path in found.items()
            if is_listed(name) or (name.startswith(("sandboxes/", "tabs/")) and not _is_index(path))
        },
        tuple(sorted(path for path in paths if path.startswith(folders) and path.endswith(".ts"))),
    )


def _entries(paths: frozenset[str], folder: str) -> Iterator[tuple[str, str]]:
    """Yields the names of the scripts and pages in a folder, or of those named `index` in folders there.

    A page comes after a script of the same name.
    """
    for path in sorted(paths, key=lambda path: (is_page(path), path)):
        if path.startswith(folder) and path.endswith((*IMPLIED, ".html")):
            inner = path[len(folder) :]
            if "/" not in inner:
                yield splitext(inner)[0], path
            elif _is_index(path) and "/" not in dirname(inner):
                yield dirname(inner), path


def _is_index(path: str) -> bool:
    return splitext(basename(path))[0] == "index"
