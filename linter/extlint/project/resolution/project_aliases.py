"""Resolves names in imports by the configuration of bundlers, TypeScript and package managers.

TypeScript's handbook describes `baseUrl` and `paths`: https://www.typescriptlang.org/tsconfig/#paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname

from msgspec import Struct

from extlint.project.resolution import bundler_config
from extlint.project.resolution.bundler_config import settings_of
from extlint.project.resolution.project_files import (
    CONFIG,
    ProjectFiles,
    best_match,
    folders_above,
    joined,
    package_name,
    resolve_imports_entry,
    resolve_package,
)
from extlint.queries.query import cached_method
from extlint.text.json.values import JsonNode

TSCONFIG_NAMES = ("tsconfig.json", "jsconfig.json")
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
            named = (joined("", each.replace("*", middle, 1)) for each in (self.paths or {})[pattern])
            yield from (each for each in named if each is not None)
        elif self.base is not None and not name.startswith("/"):
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


_WXT = tuple(f"wxt.config.{suffix}" for suffix in ("ts", "js", "mjs", "mts", "cjs"))
_DEPENDENCIES = ("dependencies", "devDependencies")


def resolve_framework_alias(project: ProjectFiles, name: str, folder: str) -> str | None:
    """Returns the path of a framework's own alias, or None unless the project uses that framework."""
    if not name.startswith(("@", "~")):
        return None
    config = project.nearest(_WXT, folder)
    if config is None:
        config = project.nearest((CONFIG,), folder)
        if config is None or not _depends_on(project, config, "wxt"):
            return _resolve_plasmo_alias(project, name, config)
    return _resolve_wxt_alias(project, name, config)


def _resolve_wxt_alias(project: ProjectFiles, name: str, config: str) -> str | None:
    root = dirname(config)
    alias, _, rest = name.partition("/")
    if alias in ("@@", "~~"):
        return joined(root, rest)
    if alias not in ("@", "~"):
        return None
    source = settings_of(project, config).source_folder if config.endswith(_WXT) else ""
    return None if source is None else joined(root, f"{source}/{rest}")


def _resolve_plasmo_alias(project: ProjectFiles, name: str, config: str | None) -> str | None:
    if config is None or not name.startswith("~") or not _depends_on(project, config, "plasmo"):
        return None
    root = dirname(config)
    inner = joined(root, f"src/{name[1:]}")
    return inner if project.resolve_module(inner) is not None else joined(root, name[1:])


def _depends_on(project: ProjectFiles, config: str, name: str) -> bool:
    root = project.json(config)
    return root is not None and any(root.get(key, name) is not None for key in _DEPENDENCIES)


class ProjectAliases:
    """Resolves names to files of one project. Configuration is read on demand."""

    def __init__(self, project: ProjectFiles) -> None:
        self._project = project
        self._workspace_packages: dict[str, str] | None = None

    def resolve(self, name: str, folder: str) -> str | None:
        """Returns the script that a name in a folder of the project resolves to, or None."""
        module = self._project.resolve_module
        if name.startswith("/"):
            root = self._project.full("")
            found = module(joined(root, name)) or module(joined(self._root_of(folder), name))
            if found is not None:
                return found
        if name in (".", "..") or name.startswith(("./", "../")):
            return module(joined(folder, name))
        if name.startswith("#"):
            found = resolve_imports_entry(self._project, name, folder)
            if found is not None:
                return found
        for candidates in (*self._configured(name, folder), self._by_convention(name, folder)):
            existing = dict.fromkeys(found for each in candidates if (found := module(each)) is not None)
            if existing:
                return next(iter(existing))
        return self._resolve_workspace_package(name)

    def _root_of(self, folder: str) -> str:
        config = self._project.nearest((CONFIG,), folder)
        return "" if config is None else config.rpartition("/")[0]

    def _configured(self, name: str, folder: str) -> Iterator[Iterator[str]]:
        """Yields the candidate paths of a name for each configuration.

        The first configuration with an existing file wins.
        """
        yield from (each.candidates(name) for each in self._bundlers(folder))
        own, *other_configs = self._tsconfigs(folder) or [PathMapping()]
        yield own.candidates(name)
        found = {self._first_existing(each.candidates(name)) for each in other_configs} - {None}
        if len(found) == 1:
            yield (each for each in found if each is not None)

    def _first_existing(self, candidates: Iterator[str]) -> str | None:
        return next(
            (found for each in candidates if (found := self._project.resolve_module(each)) is not None), None
        )

    def _by_convention(self, name: str, folder: str) -> Iterator[str]:
        path = resolve_framework_alias(self._project, name, folder)
        if path is not None:
            yield path

    @cached_method
    def _tsconfigs(self, folder: str) -> list[PathMapping]:
        config = self._project.nearest(TSCONFIG_NAMES, folder)
        return [] if config is None else mappings(self._project, config)

    @cached_method
    def _bundlers(self, folder: str) -> list[bundler_config.Settings]:
        """Returns the settings of the nearest folder that configures a bundler."""
        for each in folders_above(folder):
            paths = (joined(each, name) for name in bundler_config.CONFIGS)
            configs = tuple(path for path in paths if path is not None and self._project.has(path))
            if configs:
                return self._settings(configs)
        return []

    @cached_method
    def _settings(self, configs: tuple[str, ...]) -> list[bundler_config.Settings]:
        return [bundler_config.settings_of(self._project, path) for path in configs]

    def _resolve_workspace_package(self, name: str) -> str | None:
        """Returns the file of another package of the same tree, or None."""
        if self._workspace_packages is None:
            self._workspace_packages = dict(self._packages())
        whole = package_name(name)
        if whole not in self._workspace_packages:
            return None
        return resolve_package(self._project, name, self._workspace_packages[whole])

    def _packages(self) -> Iterator[tuple[str, str]]:
        suffix = f"/{CONFIG}"
        for path in self._project.own_paths:
            if path.endswith(suffix) or path == CONFIG:
                full = self._project.full(path)
                root = self._project.json(full)
                name = None if root is None else root.get("name")
                if name is not None and isinstance(name.value, str):
                    yield name.value, full.removesuffix(CONFIG).rstrip("/")
