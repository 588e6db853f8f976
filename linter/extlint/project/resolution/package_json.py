"""Resolves names that package.json defines: `imports`, and packages of the same repository.

Node.js documents them: https://nodejs.org/api/packages.html.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from posixpath import dirname

from extlint.project.resolution.project_files import ProjectFiles, joined
from extlint.text.json.values import JsonNode


def best_match(name: str, patterns: Iterable[str]) -> tuple[str, str] | None:
    """Returns the best matching pattern for a name, and the text that its `*` matches, or None.

    An exact match takes precedence, then the pattern with the longest text before `*`.
    """
    best: tuple[str, str] | None = None
    length = -1
    for pattern in patterns:
        before, star, after = pattern.partition("*")
        if not star:
            if pattern == name:
                return pattern, ""
        elif (
            len(before) > length
            and len(name) >= len(before) + len(after)
            and name.startswith(before)
            and name.endswith(after)
        ):
            best, length = (pattern, name[len(before) : len(name) - len(after)]), len(before)
    return best


CONFIG = "package.json"
_ACTIVE = frozenset({"browser", "default", "import", "module"})
_INACTIVE = frozenset({"bun", "deno", "electron", "node", "node-addons", "require", "types"})
MAX_DEPTH = 10
"""Nested conditions that are followed."""


def resolve_imports_entry(project: ProjectFiles, name: str, folder: str) -> str | None:
    """Returns the file that a name with `#` resolves to, by the nearest package.json, or None."""
    config = project.nearest((CONFIG,), folder)
    root = None if config is None else project.json(config)
    if config is None or root is None:
        return None
    return _resolve_mapping(project, root.get("imports"), name, dirname(config))


def resolve_package(project: ProjectFiles, name: str, folder: str) -> str | None:
    """Returns the file in a package of the tree for a name such as `@scope/package/part`, or None."""
    whole, part = package_and_path(name)
    return project.resolve_module(_subpath(project, folder, part)) if whole else None


def _subpath(project: ProjectFiles, folder: str, part: str) -> str | None:
    config = joined(folder, CONFIG)
    root = None if config is None else project.json(config)
    exports = None if root is None else root.get("exports")
    if exports is None:
        return joined(folder, part)
    if not any(key.startswith(".") for key, _ in exports.members()):
        target = _select_target(exports) if not part else None
        return None if target is None else joined(folder, target)
    return _resolve_mapping(project, exports, f"./{part}" if part else ".", folder)


def package_name(name: str) -> str:
    """Returns the package that an import names: `@scope/package` of `@scope/package/part`."""
    return package_and_path(name)[0]


def package_and_path(name: str) -> tuple[str, str]:
    """Returns the name of a package, which has two parts if it begins with `@`, and the path in it."""
    parts = name.split("/")
    count = 2 if name.startswith("@") else 1
    return "/".join(parts[:count]), "/".join(parts[count:])


def _resolve_mapping(project: ProjectFiles, table: JsonNode | None, name: str, folder: str) -> str | None:
    if table is None:
        return None
    members = dict(table.members())
    found = best_match(name, members)
    if found is None:
        return None
    pattern, middle = found
    target = _select_target(members[pattern].node)
    if target is None or not target.startswith("./"):
        return None
    return project.resolve_module(joined(folder, target.replace("*", middle)))


def _select_target(node: JsonNode, depth: int = 0) -> str | None:
    """Returns the target under the conditions of a bundler, or None if they do not determine it."""
    if isinstance(node.value, str):
        return node.value
    if depth < MAX_DEPTH:
        for decided, each in _options(node):
            target = _select_target(each, depth + 1) if decided else None
            if target is not None or not decided:
                return target
    return None


def _options(node: JsonNode) -> Iterator[tuple[bool, JsonNode]]:
    for condition, member in node.members():
        if condition not in _INACTIVE:
            yield condition in _ACTIVE, member.node
    for each in node.items():
        yield True, each
