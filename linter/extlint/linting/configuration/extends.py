"""Configurations that extend others: the files that `extends` names, and the values that result."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from posixpath import normpath

from msgspec.structs import replace

from extlint.linting.configuration.configuration import Configuration, PerFileIgnore
from extlint.linting.configuration.source import Source, is_candidate, source_at, sources_in
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.disk import exists, is_folder, with_parents, with_slashes
from extlint.project.resolution.project_files import package_and_path
from extlint.text.wording import suggestion_question

MAX_DEPTH = 20
"""The maximum number of configurations that extend one another in a row."""

_PYTHON_PACKAGES = ("site-packages", "dist-packages")


def extended_sources(text: str, source: Source) -> Sequence[Source]:
    """Returns the files that may have the configuration that a file extends, in order of precedence.

    `text` is a path relative to the folder of the file if it begins with a dot or is absolute. Otherwise, it
    is the name of a package, which a path in the package may follow. A folder stands for the configuration in
    it. No program of a package runs. Raises UsageError.
    """
    if text.startswith(".") or os.path.isabs(text):
        found = _sources_at(os.path.join(source.folder, text), _joined(source.display_folder, text))
        if not found:
            raise UsageError(f"extends names a file that does not exist: {text}")
        return found
    name, rest = package_and_path(text)
    folders = list(dict.fromkeys(_package_folders(name, source)))
    for folder, called in folders:
        found = _sources_at(os.path.join(folder, rest), _joined(called, rest))
        if found:
            return found
    if folders:
        what = f"no file {rest}" if rest else "no configuration"
        raise UsageError(f"the package {name} has {what}: {folders[0][1]}")
    if exists(os.path.join(source.folder, text)):
        raise UsageError(f"no such package: {name}; {suggestion_question(f'./{text}')}")
    raise UsageError(
        f"no such package: {name}; it is neither in a node_modules folder above nor a package of Python"
    )


def _sources_at(path: str, called: str) -> Sequence[Source]:
    if is_folder(path):
        return tuple(sources_in(os.path.abspath(path), called))
    found = source_at(path)
    return (replace(found, display_folder=os.path.dirname(called)),) if is_candidate(found) else ()


def _joined(folder: str, path: str) -> str:
    joined = normpath(with_slashes(os.path.join(folder, path)))
    return "" if joined == "." else joined


def _package_folders(name: str, source: Source) -> Iterator[tuple[str, str]]:
    """Yields the folders of the packages with a name, and the folders as users write them: npm's first."""
    called = source.display_folder
    for depth, above in enumerate(with_parents(source.folder)):
        folder = os.path.join(above, "node_modules", name)
        if is_folder(folder):
            yield folder, _joined(os.path.join(called, *[".."] * depth), f"node_modules/{name}")
    for place in sys.path:
        folder = os.path.join(place, name.replace("-", "_"))
        if os.path.basename(place) in _PYTHON_PACKAGES and is_folder(folder):
            yield folder, with_slashes(folder)


def extended(own: Configuration, others: Sequence[Configuration]) -> Configuration:
    """Returns a configuration with the values of the ones that it extends where it sets none.

    Of these, the last one that sets a key decides. Tables are combined, entry by entry.
    """
    layers = {own.file: own}
    for other in reversed(others):
        layers |= {each.file: each for each in (other.layers or (other,)) if each.file not in layers}
    result = own
    for each in [*layers.values()][1:]:
        result = replace(
            result.with_defaults(each),
            severity={**each.severity, **result.severity},
            per_file_ignores=_combined(each, result),
        )
    return replace(result, layers=tuple(layers.values()))


def _combined(defaults: Configuration, own: Configuration) -> tuple[PerFileIgnore, ...]:
    by_pattern = {each.pattern: each for each in (*defaults.per_file_ignores, *own.per_file_ignores)}
    return tuple(by_pattern.values())
