"""Collects the scripts of a package and the contexts of each of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from functools import cached_property
from posixpath import basename
from typing import TYPE_CHECKING

from msgspec.structs import replace

from extlint.analysis.facts.context import (
    EXTENSION_PAGES,
    Context,
    ContextKind,
    NamedFile,
    PageCode,
    PageWithCode,
)
from extlint.manifest.manifest import Manifest
from extlint.package.files import Package, UnreadableError
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import (
    JAVASCRIPT,
    SCRIPTS,
    has_suffix,
    is_component,
    is_page,
    is_script,
)
from extlint.package.surroundings import COPIED_FOLDERS
from extlint.project.contexts.script import LaidOutScript, Layout, ScriptLocation
from extlint.project.resolution.project_files import folders_above
from extlint.project.resolution.resolver import ModuleResolver
from extlint.text.patterns import lazy
from extlint.text.placeholders import is_placeholder
from extlint.text.positions import Span, TextIndex, decode

if TYPE_CHECKING:
    from extlint.project.contexts.pages import Page, PageLink, PageScript


MAX_PAGE_BYTES = 4 * 1024 * 1024
"""The maximum size of a page that is read."""

_ROOT_OF_SOURCES = lazy(r"\A(?:~~?|@@?)?/(?!/)")


class LayoutCollector:
    """Collects the scripts of a package, the contexts of each, and the named files."""

    def __init__(self, package: Package, manifest: Manifest, resolver: ModuleResolver) -> None:
        self.package = package
        self.resolver = resolver
        self.manifest = manifest
        self.contexts: dict[ScriptLocation, dict[object, Context]] = {}
        self.modules: dict[ScriptLocation, bool | None] = {}
        self.named_files: list[NamedFile] = []
        self.sandboxed: Mapping[str, Context] = {}
        self._large_pages: dict[str, None] = {}
        self._code_of_pages: dict[str, tuple[PageCode, ...]] = {}
        self._unreached_pages: list[tuple[str, tuple[ScriptLocation, ...]]] = []
        self._pages_with_assets: set[str] = set()
        self._contexts_of_pages: dict[str, list[Context]] = {}
        self._fetched_pages: dict[str, bool] = {}
        """The pages that scripts read as a text, each with whether nothing does anything else with it."""
        self._scripts_of_pages: set[NamedFile] = set()

    def layout(self) -> Layout:
        """Returns the collected layout."""
        unreached = [location for location, contexts in self.contexts.items() if not contexts]
        unreached.sort(key=lambda location: (location[0], location[1] or ()))
        scripts = (
            LaidOutScript(*location, self.contexts_of(location), self.modules[location])
            for location in (*self.loaded_scripts(), *unreached)
        )
        unreached_realms = tuple(locations for _, locations in self._unreached_pages if len(locations) > 1)
        unreached_pages = tuple(
            (page, tuple(path for path, body in locations if body is None))
            for page, locations in self._unreached_pages
        )
        large_pages = tuple(self._large_pages)
        pages = tuple(
            PageWithCode(path, code, tuple(self._contexts_of_pages[path]))
            for path, code in self._code_of_pages.items()
        )
        templates = self._templates()
        named_files = tuple(
            each
            for each in self.named_files
            if each.source not in templates
            and not (each in self._scripts_of_pages and self._fetched_pages.get(each.source))
        )
        return Layout(tuple(scripts), named_files, unreached_pages, unreached_realms, large_pages, pages)

    def _templates(self) -> frozenset[str]:
        """Returns the pages that a script may read and write elsewhere: none of the files they name exists.

        Only a string in a script leads to such a page.
        """
        named: dict[str, set[str]] = {}
        for each in self.named_files:
            named.setdefault(each.source, set()).add(each.path)
        return frozenset(
            page
            for page, paths in named.items()
            if len(paths) > 1 and self._is_only_mentioned(page) and not any(map(self._exists, paths))
        )

    def _is_only_mentioned(self, page: str) -> bool:
        steps = [each.step for each in self._contexts_of_pages.get(page, ())]
        return bool(steps) and all(each is not None and each.may_read and each.before for each in steps)

    def _exists(self, path: str) -> bool:
        return path in self.package or self.package.other_case(path) is not None

    def add_script(
        self, location: ScriptLocation, contexts: Iterable[Context], is_module: bool | None
    ) -> None:
        """Records that a script runs in these contexts. Its first loader decides whether it is a module.

        Of several load paths from one file to one kind of context, as a module or as a classic script, only
        the first is stored.
        """
        known = location in self.contexts
        own = self.contexts.setdefault(location, {})
        for each in contexts:
            path = each.step and each.step.path
            key = (each.kind, each.certain, each.excluded_targets, path, each.is_module)
            own.setdefault(key, each)
        if not known:
            self.modules[location] = is_module
        elif contexts and self.modules[location] != is_module:
            self.modules[location] = None

    def file_of(self, name: str, span: Span, source: str, folder: str | None) -> str | None:
        """Returns the file in the package that a name refers to, or None. Records names that can be files."""
        paths = paths_of(name, folder)
        found = next((path for path in paths if self._has(path)), None)
        if not paths or (
            found is None and (is_placeholder(name) or self._resolves_in_parent(source, name, folder))
        ):
            return None
        renamed = self._renamed.get(paths[0])
        self.named_files.append(NamedFile(name, renamed or found or paths[0], source, span))
        return renamed or found or self.package.other_case(paths[0])

    @cached_property
    def _renamed(self) -> Mapping[str, str]:
        """The files of the package by the names that a command gives them when it packs the extension."""
        from extlint.project.contexts.renamed_files import renamed_files

        return renamed_files(self.package)

    def source_of(self, name: str, folder: str | None = "") -> str | None:
        """Returns the file in the package from which a build makes a missing script or page, or None."""
        paths = paths_of(name, folder)
        if not self._has_sources or is_placeholder(name) or any(map(self._has, paths)):
            return None
        from extlint.project.contexts.build_entries import build_entries_of

        return build_entries_of(self.package).source_of(paths[0]) if paths else None

    def _has(self, path: str) -> bool:
        """Whether a file is in the package, and no build writes another one in its place."""
        if path not in self.package:
            return False
        if not self._has_sources or not has_suffix(path, SCRIPTS):
            return True
        from extlint.project.contexts.build_entries import build_entries_of

        return not build_entries_of(self.package).is_replaced(path)

    @cached_property
    def _has_sources(self) -> bool:
        """Whether a build may make scripts and pages from files of the package."""
        package = self.package
        return not package.packed and package.around is not None and any(map(is_script, package.paths))

    def _resolves_in_parent(self, page: str, name: str, folder: str | None) -> bool:
        """Whether scripts may insert a page into one in a parent folder, from which a name in it resolves.

        Names in an inserted page are relative to the page that it is inserted into.
        """
        contexts = self._contexts_of_pages.get(page, ())
        is_read = all(each.step is not None and each.step.may_read for each in contexts)
        if not contexts or not folder or not is_read:
            return False
        above = folders_above(folder)[1:]
        return any(path in self.package for outer in above for path in paths_of(name, outer))

    def loaded_scripts(self) -> list[ScriptLocation]:
        """Returns the scripts that are known to be loaded."""
        return [location for location, contexts in self.contexts.items() if contexts]

    def contexts_of(self, location: ScriptLocation) -> tuple[Context, ...]:
        """Returns the contexts of a script; empty if it is not known to be loaded."""
        return tuple(self.contexts.get(location, {}).values())

    def add_page(self, path: str, contexts: list[Context]) -> list[ScriptLocation]:
        """Adds the scripts of a page that runs in these contexts; without contexts, nothing loads the page.

        Returns the added scripts, including those of the pages that it leads to. A page is added once for
        each kind of context.
        """
        placed: list[ScriptLocation] = []
        waiting = deque([(path, contexts)])
        while waiting:
            page, own = waiting.popleft()
            self._note_uses(page, own)
            new = self._new_contexts(page, [self.sandboxed[page]] if own and page in self.sandboxed else own)
            if new or not own:
                with self.package.failures.contained(page):
                    added = self._add_scripts(page, new, waiting)
                    if not added or self._gets_scripts(page):
                        added += self._add_built_script(page, new)
                    placed += added
        return placed

    def _note_uses(self, page: str, contexts: Iterable[Context]) -> None:
        """Records what these contexts show about the use of a page: whether scripts only read it as a text.

        A browser runs no script of a text that becomes a part of another page. That the manifest lets web
        pages open the page shows nothing.
        """
        for each in contexts:
            step = each.step
            if step is None or step.before is not None or not step.may_read:
                is_fetched = step is not None and step.is_fetched
                self._fetched_pages[page] = is_fetched and self._fetched_pages.get(page, True)

    def _add_built_script(self, page: str, contexts: list[Context]) -> list[ScriptLocation]:
        """Adds the source of the script that a build adds to a page, if it is known, and returns it."""
        if not self._has_sources or not contexts or not is_page(page):
            return []
        from extlint.project.contexts.build_entries import build_entries_of

        script = build_entries_of(self.package).script_of_page(page)
        if script is None:
            return []
        loaded = [each.then(each.kind, page, (0, 0), "is built with", script) for each in contexts]
        self.add_script((script, None), loaded, None)
        return [(script, None)]

    def _gets_scripts(self, page: str) -> bool:
        """Whether a build copies a page and adds scripts to those that the page has."""
        around = self.package.around
        if around is None or basename(around.folder.rstrip("/")) not in COPIED_FOLDERS:
            return False
        from extlint.package.discovery.outer_files import gets_scripts

        return gets_scripts(around, page, self._read_page(page))

    def _add_scripts(
        self, path: str, contexts: list[Context], waiting: deque[tuple[str, list[Context]]]
    ) -> list[ScriptLocation]:
        """Adds the scripts of one page, and appends the pages that it leads to to `waiting`."""
        placed: list[ScriptLocation] = []
        from extlint.project.contexts.pages import scan_page, script_of_component

        data = self._read_page(path)
        index = TextIndex(data)
        found = scan_page(data, path)
        for script in found.scripts:
            if script.kind == "other":
                continue
            is_module = script.kind == "module"
            if script.body and is_component(path):
                continue
            if script.body and data[slice(*script.body)].strip():
                own = [replace(each, is_module=is_module) for each in contexts]
                self.add_script((path, script.body), own, is_module)
                placed.append((path, script.body))
            elif script.src is not None and script.src_span is not None:
                name, folder = self._name_of_script(path, script)
                if not contexts:
                    names = paths_of(name, folder)
                    placed += [(name, None) for name in names if name in self.package][:1]
                    continue
                count = len(self.named_files)
                file = self._script_of_page(name, index.span(*script.src_span), path, folder)
                self._scripts_of_pages.update(self.named_files[count:])
                if file is not None:
                    span = script.src_span
                    known = is_module if has_suffix(file, JAVASCRIPT) else None
                    loaded = [
                        replace(each.then(each.kind, path, span, "loads", file), is_module=known)
                        for each in contexts
                    ]
                    self.add_script((file, None), loaded, is_module)
                    placed.append((file, None))
        body = script_of_component(found) if is_component(path) else None
        if body is not None:
            self.add_script((path, body), contexts, True)
            placed.append((path, body))
        if placed and is_page(path) and not self._contexts_of_pages.get(path):
            self._unreached_pages.append((path, tuple(placed)))
        if contexts and found.code and is_page(path):
            self._code_of_pages[path] = tuple(found.code)
        if contexts and is_page(path) and not path.startswith("../"):
            self._add_assets(path, found, index)
        for link in found.links if contexts and is_page(path) else ():
            names = paths_of(link.name, folder_of(path, link.base))
            page = next((each for each in names if each in self.package), None)
            if page is not None and is_page(page):
                waiting.append((page, [_linked_page_context(each, path, link, page) for each in contexts]))
        return placed

    def _name_of_script(self, page: str, script: PageScript) -> tuple[str, str | None]:
        """Returns the name of a script of a page, and the folder that it is relative to.

        That is the folder of the page, or of its copy if only that one has the script. Bundlers also read
        `/main.ts` and `@/main.ts` as relative to the folder of the sources, which is above the page.
        """
        folder, name = folder_of(page, script.base), script.src or ""
        if not self._has_sources or any(path in self.package for path in paths_of(name, folder)):
            return name, folder
        from extlint.project.contexts.build_entries import build_entries_of

        copied = folder_of(build_entries_of(self.package).copy_of(page), script.base)
        if any(path in self.package for path in paths_of(name, copied)):
            return name, copied
        inner = _ROOT_OF_SOURCES.sub("", name)
        if inner != name and (self.package.made or not has_suffix(inner, JAVASCRIPT)):
            for outer in folders_above(folder or ""):
                if any(path in self.package for path in paths_of(inner, outer)):
                    return inner, outer
        return name, folder

    def _script_of_page(self, name: str, span: Span, page: str, folder: str | None) -> str | None:
        """Returns the script that a page loads by a name, or the source of a script that a build makes.

        In a page outside of the extension's folder, names may be relative to any folder above it.
        """
        if not page.startswith("../"):
            return self.file_of(name, span, page, folder) or self.source_of(name, folder)
        own = (each for outer in folders_above(folder or "") for each in paths_of(f"./{name}", outer))
        return next((each for each in own if each in self.package), None)

    def _add_assets(self, path: str, page: Page, index: TextIndex) -> None:
        """Records the images, style sheets and similar files that a page loads, and the pages in frames."""
        if path in self._pages_with_assets:
            return
        self._pages_with_assets.add(path)
        for asset in page.assets:
            self.file_of(asset.name, index.span(*asset.span), path, folder_of(path, asset.base))
        for link in page.links:
            if link.in_frame and is_page(link.name):
                self.file_of(link.name, index.span(*link.span), path, folder_of(path, link.base))

    def _new_contexts(self, path: str, contexts: list[Context]) -> list[Context]:
        new: list[Context] = []
        known = self._contexts_of_pages.setdefault(path, [])
        for each in contexts:
            if not any(one.covers(each) for one in known):
                known.append(each)
                new.append(each)
        return new

    def _read_page(self, path: str) -> bytes:
        try:
            data = self.package.read(path)
        except UnreadableError:
            return b""
        if len(data) > MAX_PAGE_BYTES:
            self._large_pages[path] = None
            return b""
        return decode(data)


def _linked_page_context(context: Context, path: str, link: PageLink, target: str) -> Context:
    """Returns the context of a page that another page names; its kind is unknown inside a sandbox."""
    is_known = context.kind in EXTENSION_PAGES and not link.is_sandboxed
    kind = ContextKind.EXTENSION_PAGE if is_known else ContextKind.UNKNOWN
    verb = "shows" if link.in_frame else "leads to"
    return context.then(kind, path, link.span, verb, target, link.in_frame)
