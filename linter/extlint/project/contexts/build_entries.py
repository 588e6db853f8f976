"""Finds the sources from which a build makes the missing scripts and pages that a manifest names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cached_property
from posixpath import basename, dirname

from extlint.package.discovery.variants import BROWSERS
from extlint.package.files import MANIFEST, Package
from extlint.package.sniff import is_named_like_a_manifest
from extlint.package.suffixes import (
    JAVASCRIPT,
    PROGRAMS_WITH_OBJECTS,
    SCRIPTS,
    SHELL_SCRIPTS,
    has_suffix,
    is_page,
    is_script,
)
from extlint.package.surroundings import CONFIGURATION_FOLDERS, COPIED_FOLDERS
from extlint.project.resolution.bundler_entries import (
    copied_paths,
    entry_sources,
    name_of_source,
    names_output,
)
from extlint.project.resolution.project_files import ProjectFiles, compiled_sources, folders_above
from extlint.queries.query import cached_method
from extlint.text.patterns import lazy

_WORD = lazy(r"[a-z]+")
_SUFFIXES = lazy(r"\.[^/]*\Z")
_SUFFIX = lazy(r"\.[^./]*\Z")
_BUILT_SUFFIXES = lazy(r"(?:[.-](?:bundle|min|prod))?\.[^./]*\Z")
_SEPARATORS = lazy(r"[^a-z0-9]")
_TEST = lazy(r"(?:^|/)(?:tests?|__\w+__|mocks?|specs?|e2e)/|[.\-_](?:test|spec|mock|stories)s?\.\w+$")
_MAIN = lazy(r"/(?:index|main)\.\w+\Z")
_ENTRY_FOLDERS = frozenset(
    {
        *("app", "chrome", "chromeextension", "entries", "entry", "entrypoint", "entrypoints", "extension"),
        *("javascript", "js", "page", "pages", "script", "scripts", "scriptsbabel", "source", "src", "ts"),
        "typescript",
    }
)
"""Folders that contain entry points, and whose names do not describe them."""


_OF_BUILDS = (
    *("build", "bun", "deno", "esbuild", "grunt", "gulp", "just", "make", "pack", "rake", "rolldown"),
    *("rollup", "rspack", "tsup", "vite", "webpack"),
)
"""The starts of the names of programs and descriptions of builds, such as `package.json`."""

_PROGRAMS = (*SHELL_SCRIPTS, *PROGRAMS_WITH_OBJECTS, ".yaml", ".yml")


class BuildEntries:
    """The sources of the files that a build makes for one package."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._project = ProjectFiles(package)

    @cached_method
    def source_of(self, path: str) -> str | None:
        """Returns the source in the package of a missing script or page, or None unless exactly one fits.

        The source of a page may be a script, if a build makes the page around it.
        """
        is_known = self._package.complete and not self._package.packed
        return self._source_of(path) if is_known else None

    def _source_of(self, path: str) -> str | None:
        package = self._package
        outer = f"../{path}"
        if outer in package and (is_page(outer) or is_script(outer)):
            return outer
        if is_page(path):
            page = self._configured_source(path, is_page) or self._copied(path)
            page = page or _only(self._closest(path, filter(is_page, self._unnamed)))
            return page or self.script_of_page(path)
        if not has_suffix(path, SCRIPTS):
            return None
        found = (
            self._configured_source(path)
            or self._copied(path)
            or _only(compiled_sources(self._package, path))
        )
        return found or self._by_name(path)

    def _by_name(self, path: str) -> str | None:
        """Returns the only source with the name of a script.

        In a folder that certainly nothing builds, a script with the same name elsewhere does not count, nor
        does one in the same folder that may belong to another manifest.
        """
        found = _only(self._closest(path, filter(_may_be_entry, self._unnamed)))
        if found is None or self._may_have_build:
            return found
        is_copy = basename(found) == basename(path)
        is_next = dirname(found) == dirname(path) and has_suffix(found, JAVASCRIPT)
        return None if is_copy or (is_next and self._has_other_manifest) else found

    @cached_property
    def _unnamed(self) -> list[str]:
        """The files that the manifest does not name itself, so that they may be sources of others."""
        from extlint.package.discovery.manifest_folders import code_named_in

        named = {*code_named_in(self._package.peek(self._package.manifest_path))}
        return [each for each in self._package.paths if each not in named]

    @cached_property
    def _has_other_manifest(self) -> bool:
        """Whether a file with the name of a manifest is next to the manifest."""
        own = self._package.manifest_path
        return any(
            dirname(each) == dirname(own)
            and each != own
            and (basename(each) == MANIFEST or is_named_like_a_manifest(basename(each)))
            for each in self._package.paths
        )

    @cached_property
    def _may_have_build(self) -> bool:
        """Whether the project has a file with a usual name for builds, or a program that may build."""
        return self._package.around is None or any(
            name.lower().startswith(_OF_BUILDS) or has_suffix(name, _PROGRAMS)
            for folder in self._folders
            for inner in (*CONFIGURATION_FOLDERS, ".github/workflows")
            for name in self._project.names(f"{folder}/{inner}".strip("/"))
        )

    def _copied(self, path: str) -> str | None:
        """Returns the only file in a folder whose contents a build copies, without the folder's name."""
        found = (f"{folder}/{path}" for folder in self._copied_folders)
        return _only(each for each in found if each in self._package)

    def copy_of(self, path: str) -> str:
        """Returns the path of the copy of a file in a folder whose contents a build copies, or its own."""
        folders = (f"{each}/" for each in self._copied_folders)
        return path.removeprefix(max(filter(path.startswith, folders), key=len, default=""))

    @cached_property
    def copied(self) -> frozenset[str]:
        """The paths in the project, and the patterns, of the files and folders that a build copies."""
        return frozenset(each for folder in self._folders for each in copied_paths(self._project, folder))

    def copies(self, path: str) -> bool:
        """Whether a build copies a file: a path in the project."""
        return any(
            fnmatchcase(path, each) or f"{path}/".startswith(f"{each}/") or each in ("", ".")
            for each in self.copied
        )

    def is_replaced(self, path: str) -> bool:
        """Whether a build writes a script from another one, and copies the manifest without the old one."""
        source = self._configured_source(path) if self._package.complete else None
        return (
            source not in (None, path)
            and self._project.full(self._package.manifest_path) in self.copied
            and not self.copies(self._project.full(path))
        )

    @cached_property
    def _copied_folders(self) -> frozenset[str]:
        """The folders in the package whose contents a build copies, or some of their files."""
        inner = (self._project.inner(self._folder_of_copied(each)) for each in self.copied)
        return COPIED_FOLDERS | {each for each in inner if each}

    def _folder_of_copied(self, path: str) -> str:
        if "*" in path:
            return dirname(path.partition("*")[0])
        return dirname(path) if self._project.has(path) else path

    def script_of_page(self, page: str) -> str | None:
        """Returns the source of the script that a build adds to a page, or None unless exactly one fits.

        Only a configuration may say so if all sources are in the extension's folder, where a page may have no
        script.
        """
        configured = self._configured_source(page)
        outer = [each for each in self._package.paths if each.startswith("../") and _may_be_entry(each)]
        if configured is not None or not outer:
            return configured
        is_index = page.rpartition("/")[2].partition(".")[0] == "index"
        mains = [each for each in outer if each.count("/") == 2 and _MAIN.search(each)] if is_index else []
        return _only(mains or self._closest(page, outer))

    def _closest(self, output: str, sources: Iterable[str]) -> Iterator[str]:
        """Yields the sources that may be those of an output, except those for other browsers.

        A source is for a browser if there are others, in folders that only differ in the name of a browser.
        """
        place = self._project.full(self._package.manifest_path).lower()
        own = BROWSERS.intersection(_WORD.findall(place))
        known = [*sources]
        alternatives = Counter(map(_for_any_browser, known))
        yield from _closest(
            output,
            own,
            (
                each
                for each in known
                if alternatives[_for_any_browser(each)] < 2 or not own.isdisjoint(each.lower().split("/"))
            ),
        )

    def _configured_source(self, path: str, fits: Callable[[str], bool] = is_script) -> str | None:
        """Returns the source that the configuration of a bundler, or a command, gives a name, or None."""
        stem = _SUFFIXES.sub("", path)
        by_name = self._configured
        found = by_name.get(self._project.full(path)) or by_name.get(path)
        found = found or by_name.get(stem) or by_name.get(stem.rpartition("/")[2]) or frozenset()
        inner = [own for each in sorted(found) if (own := self._project.inner(each)) is not None]
        return inner[0] if len(inner) == 1 and inner[0] in self._package and fits(inner[0]) else None

    @property
    def are_configured(self) -> bool:
        """Whether the configuration of a bundler names entry points."""
        return bool(self._configured)

    def is_output(self, path: str) -> bool:
        """Whether the configuration of a bundler says that the build writes a file of this name."""
        stem, name = _SUFFIXES.sub("", path), path.rpartition("/")[2]
        if not {path, stem, _SUFFIXES.sub("", name)}.isdisjoint(self._configured):
            return True
        return any(names_output(self._project, each, name) for each in self._folders)

    @cached_property
    def _folders(self) -> list[str]:
        """The folders of the project around the package, or around the module with its manifest."""
        around, places = self._package.around, self._package.key_places
        own = "" if around is None else around.folder.rstrip("/")
        return folders_above(own if places is None else dirname(self._project.full(places.path)))

    @cached_property
    def _configured(self) -> dict[str, frozenset[str]]:
        """The sources of entry points in the nearest folder with configurations, by their names."""
        return next((found for each in self._folders if (found := entry_sources(self._project, each))), {})


@cached_method
def build_entries_of(package: Package) -> BuildEntries:
    """Returns the sources of the files that a build makes for a package."""
    return BuildEntries(package)


def _may_be_entry(path: str) -> bool:
    return is_script(path) and _TEST.search(path.lower()) is None


def _only(paths: Iterable[str]) -> str | None:
    found = [*paths]
    return found[0] if len(found) == 1 else None


def _for_any_browser(path: str) -> str:
    """Returns a path with a wildcard for each folder that is named for a browser."""
    return "/".join("*" if each.lower() in BROWSERS else each for each in path.split("/"))


def _closest(output: str, browsers: Iterable[str], sources: Iterable[str]) -> Iterator[str]:
    """Yields the sources with the name of an output, in folders that its path or convention explains.

    Those with all parts of its name come before those with only the first one: `a.b.js` before `a.js` for
    `a.b.min.js`. Only those in the fewest folders count.
    """
    name = _name(output)
    if not name:
        return
    explained = {*map(_plain, dirname(output).split("/")), *_ENTRY_FOLDERS, *browsers, name, ""}
    explained_sources = [
        each
        for each in sources
        if _name(each) == name
        and explained.issuperset(map(_plain, dirname(each).removeprefix("..").split("/")))
    ]
    stem = _BUILT_SUFFIXES.sub("", basename(output))
    same = [each for each in explained_sources if _SUFFIX.sub("", basename(each)) == stem]
    fitting = same or [each for each in explained_sources if _has_plain_name(each)]
    least = min((each.count("/") for each in fitting), default=0)
    yield from (each for each in fitting if each.count("/") == least)


def _name(path: str) -> str:
    """Returns the name of a file, or that of the nearest folder for an index, if it is not a usual one."""
    name = _plain(name_of_source(path))
    if name not in _ENTRY_FOLDERS:
        return name
    stem = _plain(_SUFFIXES.sub("", basename(path)))
    folders = map(_plain, reversed(dirname(path).split("/"))) if stem != name else ()
    return next((each for each in folders if each and each not in _ENTRY_FOLDERS), stem)


def _has_plain_name(source: str) -> bool:
    """Whether the name of a source has only one dot: `a.example.js` is not built as `a.js`."""
    return source.rpartition("/")[2].count(".") == 1


def _plain(name: str) -> str:
    """Returns a name in lower case without separators: `contentscript` for `content-script`."""
    return _SEPARATORS.sub("", name.lower())
