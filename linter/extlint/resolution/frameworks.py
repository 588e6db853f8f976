"""The built-in import aliases of extension frameworks.

WXT's guide, https://wxt.dev/guide/essentials/config/typescript.html, and Plasmo's,
https://docs.plasmo.com/framework/customization/alias. The user's own configuration takes precedence.
"""

from __future__ import annotations

from posixpath import dirname

from extlint.resolution.bundler_config import settings_of
from extlint.resolution.package_json import CONFIG
from extlint.resolution.project_files import ProjectFiles, joined

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
