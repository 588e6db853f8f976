"""The files in which names are resolved, names in package.json, and sources of compiled scripts.

Paths here are relative to the project's root, with `/` between the parts.

Resolves names that package.json defines: `imports`, and packages of the same repository.

Node.js documents them: https://nodejs.org/api/packages.html.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from posixpath import dirname, normpath

from extlint.package.files import Package, bytes_of
from extlint.package.suffixes import (
    IMPLIED,
    JAVASCRIPT,
    RESOLVED_TO,
    TYPED,
    has_suffix,
    is_importable,
    suffix_of,
)
from extlint.queries.query import cached_method
from extlint.text.json.reader import read_json
from extlint.text.json.values import JsonNode
from extlint.text.positions import decode

_ENTRIES = ("module", "main")
MAX_CONFIG_BYTES = 1024 * 1024
"""Bytes of a configuration file. A larger one is ignored."""


class ProjectFiles:
    """The files of one package and of the project around it."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._around = package.around

    @cached_property
    def _prefix(self) -> str:
        return "" if self._around is None else self._around.folder

    def full(self, path: str) -> str:
        """Returns the path in the project of a file of the extension, even outside of its folder."""
        full = self._prefix + path
        if not f"{path}/".startswith("../"):
            return full
        outer = normpath(full)
        return "" if outer == "." else outer

    def inner(self, path: str) -> str | None:
        """Returns the path in the extension of a file of the project, or None if it is outside."""
        if path.startswith(self._prefix):
            return path[len(self._prefix) :]
        return self._outside.get(path)

    @cached_property
    def _outside(self) -> dict[str, str]:
        """The files of the extension outside of its folder, by their paths in the project."""
        return {self.full(path): path for path in self._package.paths if path.startswith("../")}

    def has(self, path: str) -> bool:
        """Whether the file exists."""
        inner = self.inner(path)
        if inner is not None:
            return inner in self._package
        return self._around is not None and self._around.has(path)

    @property
    def own_paths(self) -> Iterable[str]:
        """The paths of the extension's files, relative to the extension."""
        return self._package.paths

    @cached_property
    def _own_names(self) -> dict[str, list[str]]:
        """The names of the files in each folder of the extension, by the folder's path in the project."""
        found: dict[str, list[str]] = {}
        for path in self._package.paths:
            folder, _, name = self.full(path).rpartition("/")
            found.setdefault(folder, []).append(name)
        return found

    def names(self, folder: str) -> Sequence[str]:
        """Returns the names of the files in a folder, or only some of them in a very large folder."""
        if self.inner(f"{folder}/" if folder else "") is not None:
            return self._own_names.get(folder, ())
        return () if self._around is None else self._around.files(folder)

    def folders(self, folder: str) -> Sequence[str]:
        """Returns the names of a folder's subfolders that contain files; only some in a very large folder."""
        start = f"{folder}/" if folder else ""
        if self.inner(start) is not None:
            inner = (each[len(start) :] for each in self._own_names if each.startswith(start))
            return [each for each in inner if each and "/" not in each]
        return () if self._around is None else self._around.folders(folder)

    def read(self, path: str) -> bytes | None:
        """Returns the bytes of a configuration file, or None if it does not exist or cannot be read."""
        if not self.has(path):
            return None
        inner = self.inner(path)
        if inner is not None:
            data = bytes_of(self._package.read, inner)
        else:
            data = None if self._around is None else bytes_of(self._around.read, path)
        return data if data is not None and len(data) <= MAX_CONFIG_BYTES else None

    @cached_method
    def json(self, path: str) -> JsonNode | None:
        """Returns the contents of a JSON file, allowing comments and trailing commas.

        Returns None if it cannot be read.
        """
        data = self.read(path)
        return None if data is None else read_json(decode(data), trailing_commas=True).root

    def nearest(self, names: tuple[str, ...], folder: str) -> str | None:
        """Returns the first file of one of these names in a folder or the nearest one above it, or None."""
        for each in folders_above(folder):
            for name in names:
                path = joined(each, name)
                if path is not None and self.has(path):
                    return path
        return None

    def resolve_module(self, path: str | None) -> str | None:
        """Returns the script of an import path, adding an omitted suffix or index file, or None."""
        if path is None:
            return None
        if path and self.has(path):
            return path if is_importable(path) else None
        found = self._with_suffix(path) if path else None
        if found is not None:
            return found
        entry = self._entry(path)
        return entry or next(
            (each for suffix in IMPLIED if self.has(each := f"{path}/index{suffix}".lstrip("/"))), None
        )

    def _with_suffix(self, path: str) -> str | None:
        stem, dot, suffix = path.rpartition(".")
        candidates = [stem + built for built in RESOLVED_TO.get(dot + suffix, ())]
        candidates += [path + each for each in IMPLIED]
        return next((each for each in candidates if self.has(each)), None)

    def _entry(self, folder: str) -> str | None:
        """Returns the entry file that a folder's package.json defines, or None."""
        config = joined(folder, "package.json")
        document = None if config is None else self.json(config)
        for key in _ENTRIES:
            node = None if document is None else document.get(key)
            path = joined(folder, node.value) if node is not None and isinstance(node.value, str) else None
            if path and path != folder:
                found = path if self.has(path) else self._with_suffix(path)
                if found is not None and is_importable(found):
                    return found
        return None


def folders_above(folder: str) -> list[str]:
    """Returns a folder and those above it, nearest first, up to the project's root (the empty string)."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:count]) for count in range(len(parts), -1, -1)]


def path_suffixes(path: str) -> Iterator[str]:
    """Yields a path and its suffixes, folder by folder: `a/b/c`, `b/c`, `c`."""
    parts = path.split("/")
    return ("/".join(parts[at:]) for at in range(len(parts)))


def joined(folder: str, name: str) -> str | None:
    """Returns the path of a relative name in a folder, or None if it leads out of the project."""
    steps = folder.split("/") if folder else []
    for step in name.split("/"):
        if step == "..":
            if not steps:
                return None
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)


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


_CONFIG = "tsconfig.json"


def compiled_sources(package: Package, path: str) -> Iterator[str]:
    """Yields the sources from which the compiler makes a script.

    Without a `rootDir`, a source may be in any folder.
    """
    if package.around is None or not has_suffix(path, JAVASCRIPT):
        return
    project = ProjectFiles(package)
    full = _stem(project.full(path))
    for folder in folders_above(package.around.folder.rstrip("/")):
        config = joined(folder, _CONFIG) or _CONFIG
        output, root = (_folder(project, config, each) for each in ("outDir", "rootDir"))
        if not output or not full.startswith(f"{output}/"):
            continue
        rest = full.removeprefix(f"{output}/")
        for each in package.paths:
            stem = _stem(project.full(each)) if has_suffix(each, TYPED) else ""
            if stem == joined(root, rest) if root is not None else f"/{stem}".endswith(f"/{rest}"):
                yield each


def _stem(path: str) -> str:
    return path.removesuffix(suffix_of(path))


def _folder(project: ProjectFiles, config: str, option: str) -> str | None:
    """Returns the path in the project of a folder that is an option of the compiler, or None."""
    found = project.json(config)
    node = None if found is None else found.get("compilerOptions", option)
    stated = None if node is None else node.value
    return joined(dirname(config), stated) if isinstance(stated, str) else None
