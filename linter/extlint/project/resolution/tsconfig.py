"""`baseUrl` and `paths` of tsconfig.json and jsconfig.json.

TypeScript's handbook describes them: https://www.typescriptlang.org/tsconfig/#paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname

from msgspec import Struct

from extlint.project.resolution.package_json import best_match
from extlint.project.resolution.project_files import ProjectFiles, joined
from extlint.text.json.values import JsonNode

CONFIGS = ("tsconfig.json", "jsconfig.json")
MAX_CONFIGS = 50
"""Configuration files that one of them may reference, directly or indirectly."""

_OWN_FOLDER = "${configDir}"


class PathMapping(Struct, frozen=True):
    """The mapping of one configuration for names that are not relative.

    `base` is the folder of `baseUrl`, or None without one. `paths` has the candidate paths of each pattern,
    in order.
    """

    base: str | None = None
    paths: dict[str, tuple[str, ...]] | None = None

    def candidates(self, name: str) -> Iterator[str]:
        """Yields the candidate paths of a name. The first one that exists wins."""
        found = best_match(name, self.paths or ())
        if found is not None:
            pattern, middle = found
            yield from (each.replace("*", middle, 1) for each in (self.paths or {})[pattern])
        elif self.base is not None:
            path = joined(self.base, name)
            if path is not None:
                yield path


def mappings(project: ProjectFiles, config: str) -> list[PathMapping]:
    """Returns the mapping of a configuration, then those of the configurations that it references."""
    reader = _Reader(project)
    found = [reader.mapping(config, dirname(config))]
    root = project.json(config)
    references = None if root is None else root.get("references")
    for each in () if references is None else references.items():
        path = _text(each.get("path"))
        target = None if path is None else joined(dirname(config), path)
        if target is not None:
            other = target if target.endswith(".json") else f"{target}/tsconfig.json".lstrip("/")
            found.append(reader.mapping(other, dirname(other)))
    return found


class _Reader:
    def __init__(self, project: ProjectFiles) -> None:
        self._project = project
        self._left = MAX_CONFIGS
        self._open: set[str] = set()

    def mapping(self, config: str, top: str) -> PathMapping:
        """Returns the mapping of a configuration, including those that it extends.

        `top` is `${configDir}`.
        """
        if config in self._open or self._left <= 0:
            return PathMapping()
        root = self._project.json(config)
        if root is None:
            return PathMapping()
        self._left -= 1
        self._open.add(config)
        base, paths = None, None
        for each in self._extended(root, dirname(config)):
            found = self.mapping(each, top)
            base = found.base if found.base is not None else base
            paths = found.paths if found.paths is not None else paths
        self._open.remove(config)
        own_base = _text(root.get("compilerOptions", "baseUrl"))
        if own_base is not None:
            base = _path(dirname(config), own_base, top)
        own_paths = root.get("compilerOptions", "paths")
        if own_paths is not None:
            folder = base if base is not None else dirname(config)
            paths = {
                pattern: tuple(_targets(member.node, folder, top)) for pattern, member in own_paths.members()
            }
        return PathMapping(base, paths)

    def _extended(self, root: JsonNode, folder: str) -> Iterator[str]:
        node = root.get("extends")
        for each in () if node is None else node.items() or (node,):
            name = _text(each)
            if name is None or not name.startswith("."):
                continue
            path = joined(folder, name)
            if path is not None:
                yield path if self._project.has(path) else f"{path}.json"


def _targets(node: JsonNode, folder: str, top: str) -> Iterator[str]:
    for each in node.items():
        name = _text(each)
        path = None if name is None else _path(folder, name, top)
        if path is not None:
            yield path


def _path(folder: str, name: str, top: str) -> str | None:
    if name.startswith(_OWN_FOLDER):
        return joined(top, name[len(_OWN_FOLDER) :])
    return None if name.startswith("/") else joined(folder, name)


def _text(node: JsonNode | None) -> str | None:
    return node.value if node is not None and isinstance(node.value, str) else None
