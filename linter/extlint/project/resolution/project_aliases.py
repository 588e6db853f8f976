"""Resolves names in imports by the configuration of bundlers, TypeScript and package managers.

Extension frameworks have aliases of their own: see WXT's guide,
https://wxt.dev/guide/essentials/config/typescript.html, and Plasmo's,
https://docs.plasmo.com/framework/customization/alias. The user's own configuration takes precedence.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname

from extlint.project.resolution import bundler_config, package_json, tsconfig
from extlint.project.resolution.bundler_config import settings_of
from extlint.project.resolution.package_json import CONFIG
from extlint.project.resolution.project_files import ProjectFiles, folders_above, joined
from extlint.queries.query import cached_method

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
            return module(joined(root, name)) or module(joined(self._root_of(folder), name))
        if name in (".", "..") or name.startswith(("./", "../")):
            return module(joined(folder, name))
        if name.startswith("#"):
            found = package_json.resolve_imports_entry(self._project, name, folder)
            if found is not None:
                return found
        for candidates in (*self._configured(name, folder), self._by_convention(name, folder)):
            existing = dict.fromkeys(found for each in candidates if (found := module(each)) is not None)
            if existing:
                return next(iter(existing))
        return self._resolve_workspace_package(name)

    def _root_of(self, folder: str) -> str:
        config = self._project.nearest((package_json.CONFIG,), folder)
        return "" if config is None else config.rpartition("/")[0]

    def _configured(self, name: str, folder: str) -> Iterator[Iterator[str]]:
        """Yields the candidate paths of a name for each configuration.

        The first configuration with an existing file wins.
        """
        yield from (each.candidates(name) for each in self._bundlers(folder))
        own, *other_configs = self._tsconfigs(folder) or [tsconfig.PathMapping()]
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
    def _tsconfigs(self, folder: str) -> list[tsconfig.PathMapping]:
        config = self._project.nearest(tsconfig.CONFIGS, folder)
        return [] if config is None else tsconfig.mappings(self._project, config)

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
        whole = package_json.package_name(name)
        if whole not in self._workspace_packages:
            return None
        return package_json.resolve_package(self._project, name, self._workspace_packages[whole])

    def _packages(self) -> Iterator[tuple[str, str]]:
        suffix = f"/{package_json.CONFIG}"
        for path in self._project.own_paths:
            if path.endswith(suffix) or path == package_json.CONFIG:
                full = self._project.full(path)
                root = self._project.json(full)
                name = None if root is None else root.get("name")
                if name is not None and isinstance(name.value, str):
                    yield name.value, full.removesuffix(package_json.CONFIG).rstrip("/")
