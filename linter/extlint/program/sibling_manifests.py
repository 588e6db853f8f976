"""The sibling manifests of an extension: others that a build packs with the same scripts.

A folder may have `manifest.chrome.json` next to `manifest.firefox.json`, or `manifest.json.mv3`, or there is
a folder for each browser or manifest version, with the same scripts in all of them, or built from the same
sources.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.context import Context, distinct_contexts
from extlint.checks.api.schema_path import targets_without
from extlint.extension import Extension, Script
from extlint.manifest.manifest import Manifest, read_manifest, with_supported_versions
from extlint.package.discovery.variants import is_variant
from extlint.package.files import Package, UnreadableError, bytes_of
from extlint.package.sniff import has_manifest_version
from extlint.package.surroundings import OUTPUT_FOLDERS
from extlint.program.script_reader import ScriptReader
from extlint.project.contexts.layout import lay_out
from extlint.project.resolution.resolver import ModuleResolver
from extlint.project.target_detection.build_names import is_variant_folder
from extlint.project.target_detection.choice import Origin
from extlint.project.target_detection.detect import detect_targets
from extlint.queries.query import cached_method
from extlint.schema.targets import Target, schema_set
from extlint.text.patterns import lazy

MAX_SIBLINGS = 8
"""Sibling manifests that are read."""

_NAME = lazy(r".*manifest.*\.json(?:[-._]\w+)*")


class _Sibling(Struct, frozen=True):
    """A sibling manifest, and a package whose names determine its targets.

    `folder` is its folder in the project, or None if it is next to the manifest that is checked, so that all
    scripts belong to both.
    """

    manifest: Manifest
    naming_package: Package
    folder: str | None = None


class SiblingManifests:
    """Finds, on demand, the manifests that share scripts with a package's manifest."""

    def __init__(
        self, package: Package, files: Package, reader: ScriptReader, resolver: ModuleResolver
    ) -> None:
        """Reads manifests from `package`, and the files they load from `files`."""
        self._package = package
        self._files = files
        self._reader = reader
        self._resolver = resolver
        self._found: tuple[_Sibling, ...] | None = None

    def siblings_of(self, extension: Extension, script: Script) -> Iterator[tuple[Extension, Script]]:
        """Yields extensions that a script belongs to by other manifests, with the script as it runs there.

        Their targets are the browsers that their manifest and its name specify, or else the extension's
        target. If that is the reference, it is also theirs.
        """
        if self._found is None:
            self._found = tuple(islice(self._search(), MAX_SIBLINGS))
        for sibling in self._found:
            if sibling.folder is not None and not self._has_same_script(sibling.folder, script.path):
                continue
            contexts = distinct_contexts(
                self._contexts_by_script(sibling).get((script.path, script.base), ())
            )
            there = replace(script, contexts=contexts, all_contexts=contexts) if contexts else script
            for target in _targets(extension, sibling):
                target_script = there.in_target(target.name)
                if not target_script.is_for_other_targets:
                    yield _extension(extension, sibling.manifest, target), target_script

    def _search(self) -> Iterator[_Sibling]:
        """Yields the manifests in the folder of the package's own, then those in its sibling folders."""
        package, around = self._package, self._package.around
        if package.packed:
            return
        folder, own = posixpath.split(package.manifest_path)
        for path in package.paths:
            name = path.rpartition("/")[2]
            is_sibling_file = posixpath.dirname(path) == folder and path != package.manifest_path
            if is_sibling_file and (_NAME.fullmatch(name.lower()) or is_variant(path)):
                found = _manifest(path, partial(package.read, path))
                if found is not None:
                    yield _Sibling(found, Package(package.name, {}, path, around=around))
        if around is None or not around.folder or folder:
            return
        above, here = posixpath.split(around.folder.rstrip("/"))
        shares_sources = any(path.startswith("../") for path in package.paths)
        if shares_sources or is_variant_folder(here):
            for each in around.folders(above):
                sibling_folder = posixpath.join(above, each)
                path = f"{sibling_folder}/{own}"
                may_share = shares_sources and each not in OUTPUT_FOLDERS
                if each != here and (may_share or is_variant_folder(each)) and around.has(path):
                    found = _manifest(own, partial(around.read, path))
                    if found is not None:
                        yield _Sibling(found, Package(sibling_folder, {}, own), sibling_folder)

    @cached_method
    def _contexts_by_script(self, sibling: _Sibling) -> dict[tuple[str, int], list[Context]]:
        """Returns the contexts of each script according to a sibling manifest."""
        manifest = sibling.manifest.for_every_browser
        without = targets_without(manifest.version)
        layout = lay_out(self._files, manifest, self._reader.facts, self._resolver, without)
        return {(each.path, each.body[0] if each.body else 0): list(each.contexts) for each in layout.scripts}

    @cached_method
    def _has_same_script(self, folder: str, path: str) -> bool:
        """Whether a folder of the project contains the same script as the package."""
        around = self._package.around
        text = None if around is None else bytes_of(around.read, f"{folder}/{path}")
        return text is not None and text == bytes_of(self._package.read, path)


def _targets(extension: Extension, sibling: _Sibling) -> tuple[Target, ...]:
    choice = detect_targets(sibling.naming_package, sibling.manifest)
    is_open = extension.schemas.is_specification or choice.origin is Origin.DEFAULT
    return (extension.target,) if is_open else choice.targets


def _manifest(path: str, read: Callable[[], bytes]) -> Manifest | None:
    """Returns the manifest in a file, or None if it has none or cannot be read."""
    try:
        data = read()
    except UnreadableError:
        return None
    if not has_manifest_version(data):
        return None
    found = read_manifest(path, data)
    return found if found.is_object else None


def _extension(extension: Extension, manifest: Manifest, target: Target) -> Extension:
    own = manifest.for_target(target)
    schemas = schema_set(target.name, extension.schemas.user_schemas)
    return extension.sibling(own, schemas, with_supported_versions(target, own))
