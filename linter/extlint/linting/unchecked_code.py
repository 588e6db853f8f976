"""Finds the code of an extension that was not checked, or only in part: not built, or nothing leads to it.

A sentence for each reason says so at the end of a run, with the remedy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from posixpath import basename, dirname, normpath

from msgspec import Struct, field

from extlint.analysis.facts.script_facts import LoadKind
from extlint.checks.reachability.closed_world import module_resolver
from extlint.extension import Extension, NamedFile, Script
from extlint.finding import Finding
from extlint.manifest.file_keys import FileUse, file_references
from extlint.manifest.manifest import REQUESTS
from extlint.manifest.vendor_keys import has_templates
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import CODE, COMPILED_SOURCES, IMPLIED, IMPORTED, has_suffix, suffix_of
from extlint.package.surroundings import OUTPUT_FOLDERS
from extlint.project.build_tools import FETCHED, is_generated, is_test_script
from extlint.project.builds import is_build_source, may_be_completed, may_be_stale, submodules
from extlint.project.output_folders import ignored_files
from extlint.project.resolution.bundler_entries import name_of_source
from extlint.project.resolution.project_files import ProjectFiles
from extlint.project.tools import is_tool_script
from extlint.text.placeholders import is_placeholder

_MODULE_LOADS = (LoadKind.IMPORT, LoadKind.REQUIRE)


def unconnected_scripts(extension: Extension) -> Iterator[str]:
    """Yields the scripts that use the API, but that nothing is known to load.

    Excluded are tests, tools and generated scripts, copies of scripts that are loaded, and the sources of
    scripts that a build has made, and that are loaded in their place.
    """
    loaded = [each for each in extension.scripts if each.contexts or each.is_for_other_targets]
    texts = {each.index.text for each in loaded}
    around = extension.package.around
    folder = "" if around is None else around.folder
    outputs = [each for each in loaded if _uses_api(each) and _is_output(each, folder)]
    for script in extension.scripts:
        if (
            not (script.contexts or script.is_for_other_targets)
            and _uses_api(script)
            and script.index.text not in texts
            and not is_test_script(script)
            and not is_tool_script(script)
            and not is_generated(script)
            and not _is_source(script, outputs)
        ):
            yield script.path


def _uses_api(script: Script) -> bool:
    return bool(script.facts.references or script.facts.calls)


def _is_output(script: Script, folder: str) -> bool:
    """Whether a build has made a script of the extension in a folder, by its own folder or its text."""
    folders = normpath(f"{folder}{script.path}").lower().split("/")[:-1]
    return not OUTPUT_FOLDERS.isdisjoint(folders) or is_generated(script)


def _is_source(script: Script, outputs: Sequence[Script]) -> bool:
    """Whether some of the outputs of a build may be made from a script."""
    if not outputs:
        return False
    is_module = any(each.kind in _MODULE_LOADS for each in script.facts.loads)
    name = name_of_source(script.path)
    return (
        is_module
        or has_suffix(script.path, COMPILED_SOURCES)
        or any(name_of_source(each.path) == name for each in outputs)
    )


class Cause(Enum):
    """The reason why code was not checked. JSON output has the value."""

    UNBUILT = "unbuilt"
    TEMPLATE = "template"
    UNRESOLVED = "unresolved"
    UNCONNECTED = "unconnected"
    INVALID = "invalid"
    REPLACED = "replaced"
    GENERATED = "generated"


class UncheckedCode(Struct, frozen=True):
    """Code of an extension that was not checked, or only in part, for one reason, and the remedy.

    `names` are the scripts and pages, or the placeholders in their place, and the keys of the manifest whose
    values are unknown; the list is empty for the entire manifest. `sources` maps scripts and pages that a
    build makes to the sources that were checked instead, and a manifest to the file with its keys. `remedy`
    is empty if nothing can be built. `output` is the folder with the built extension, or empty if it is
    missing or unknown.
    """

    cause: Cause
    names: tuple[str, ...]
    remedy: str
    sources: Mapping[str, str] = field(default_factory=dict)
    output: str = ""

    @property
    def hides_code(self) -> bool:
        """Whether code runs that was not checked."""
        if self.cause is Cause.UNBUILT:
            return len(self.sources) < len(self.names)
        return self.cause is not Cause.UNCONNECTED


def find_unchecked_code(
    extension: Extension, findings: Collection[Finding] | None
) -> Iterator[UncheckedCode]:
    """Yields the unchecked code of an extension, one item for each reason.

    A file that `findings` report as missing is not repeated. With None, no rule reports missing files.
    """
    manifest, is_replaced = extension.manifest, _is_replaced(extension)
    if not manifest.is_object:
        if manifest.is_unfilled_template:
            yield _left_to_build(extension, Cause.TEMPLATE, ())
        elif all(each.path != manifest.path for each in findings or ()):
            yield (
                _left_to_build(extension, Cause.INVALID, ())
                if is_replaced
                else UncheckedCode(Cause.INVALID, (), "select all rules to see why")
            )
        return
    if is_replaced:
        if manifest.path in extension.package.made:
            yield _made_manifest(extension)
        else:
            yield _left_to_build(extension, Cause.REPLACED, ())
    reported = {(each.path, each.span) for each in findings or ()}
    missing = [each for each in _missing_code(extension) if (each.source, each.span) not in reported]
    template = _unknown_names(extension)
    if template:
        yield _left_to_build(extension, Cause.TEMPLATE, template)
    ignored = [each for each in _ignored_imports(extension) if (each.source, each.span) not in reported]
    fetched = submodules(extension) if missing else ()
    built = {
        each.path
        for each in missing
        if not each.path.startswith(fetched) and FETCHED.isdisjoint(each.path.split("/"))
    }
    if built and not is_build_source(extension):
        built = {path for path in built if _source_of(extension, path) is not None}
    if built:
        folders = {*map(dirname, built)}
        imports = {each.path for each in ignored if dirname(each.path) in folders}
        yield _unbuilt_code(extension, sorted(built | imports))
        missing = [each for each in missing if each.path not in built]
        ignored = [each for each in ignored if each.path not in imports]
    missing += ignored
    paths = {each.path for each in missing if findings is not None}
    if paths:
        yield UncheckedCode(Cause.UNRESOLVED, tuple(sorted(paths)), "build or fetch what is missing")
    is_app = manifest.get("app") is not None
    if not (template or is_app) and extension.package.complete:
        scripts = sorted({*unconnected_scripts(extension)})
        if scripts and is_build_source(extension):
            yield _left_to_build(extension, Cause.UNCONNECTED, scripts)
        elif scripts:
            yield UncheckedCode(Cause.UNCONNECTED, tuple(scripts), "")


def _made_manifest(extension: Extension) -> UncheckedCode:
    """Returns the manifest that a build makes, with the keys that code computes in part, if any are known."""
    manifest, source = extension.manifest, extension.manifest_source
    if source == manifest.path:
        return _left_to_build(extension, Cause.GENERATED, ())
    computed = [key for key, each in manifest.members() if has_templates(each.node)]
    return _left_to_build(extension, Cause.GENERATED, computed, {manifest.path: source})


def _is_replaced(extension: Extension) -> bool:
    """Whether no browser reads the manifest, and the user does not name it."""
    path = extension.manifest.path
    if not may_be_stale(extension) or extension.package.is_given(path):
        return False
    from extlint.checks.reachability.packaged_files import is_left_out

    return is_left_out(extension, path)


def _unbuilt_code(extension: Extension, names: Sequence[str]) -> UncheckedCode:
    """Returns the scripts and pages that a build has yet to make, or that a finished archive is without."""
    if extension.package.in_packed:
        return UncheckedCode(Cause.UNRESOLVED, tuple(names), "add what is missing to the archive")
    from extlint.project.supplied_files import folder_with_files

    sources = {path: source for path in names if (source := _source_of(extension, path)) is not None}
    elsewhere = None if sources else folder_with_files(extension, names)
    if elsewhere is not None:
        return _left_to_build(extension, Cause.UNRESOLVED, names, output=elsewhere)
    return _left_to_build(extension, Cause.UNBUILT, names, sources)


def _source_of(extension: Extension, path: str) -> str | None:
    """Returns the source from which a build makes a missing script or page, or None."""
    from extlint.project.contexts.build_entries import build_entries_of

    return build_entries_of(extension.package).source_of(path)


def _missing_code(extension: Extension) -> Iterator[NamedFile]:
    """Yields the names of missing scripts and pages, except those relative to the root of the project."""
    package = extension.package
    project = ProjectFiles(package)
    for each in extension.named_files:
        is_missing = each.path not in package and not package.leads_out(each.path)
        if is_missing and has_suffix(each.path, CODE):
            inner = project.inner(each.path) if package.around is not None and package.around.folder else None
            if inner is None or inner not in package:
                yield each


def _ignored_imports(extension: Extension) -> Iterator[NamedFile]:
    """Yields the names of missing modules and scripts of a worker that Git ignores, such as secrets.

    Those with a known source are not missing.
    """
    package, ignored, resolver = extension.package, ignored_files(extension), module_resolver(extension)
    for script in extension.scripts:
        for load in script.facts.loads if script.contexts else ():
            is_address = load.name.startswith(("./", "../", "/"))
            is_one = load.kind is LoadKind.IMPORT_SCRIPTS or (load.kind is LoadKind.IMPORT and is_address)
            for path in paths_of(load.name, folder_of(script.path))[:1] if is_one else ():
                stem = path.removesuffix(suffix_of(path)) if has_suffix(path, IMPORTED) else path
                is_module = stem != path or "." not in basename(path)
                implied = (f"{stem}{inner}{each}" for inner in ("", "/index") for each in ("", *IMPLIED))
                is_missing = is_module and not any(each in package for each in (path, *implied))
                if is_missing and ignored.has(path) and resolver.find(load.name, script.path) is None:
                    yield NamedFile(load.name, path, script.path, script.span(load.span))


def _unknown_names(extension: Extension) -> tuple[str, ...]:
    """Returns the placeholders of scripts and pages in the manifest, and the requests that have some."""
    manifest = extension.manifest
    if not manifest.is_template or extension.package.packed or manifest.path in extension.package.made:
        return ()
    uses = (FileUse.SCRIPT, FileUse.PAGE)
    named = [
        each.name for each in file_references(manifest) if each.use in uses and is_placeholder(each.name)
    ]
    named += [key for key in REQUESTS if manifest.get(key) is not None and may_be_completed(extension, key)]
    return tuple(dict.fromkeys(named))


def _left_to_build(
    extension: Extension,
    cause: Cause,
    names: Sequence[str],
    sources: Mapping[str, str] | None = None,
    output: str | None = None,
) -> UncheckedCode:
    """Returns code that was not checked because it is not built, with the advice to build it.

    If it was built, the advice is to check the output. `output` is the folder of the project to which the
    build is known to copy the manifest.
    """
    from extlint.project.build_output import build_by_other_tool, build_of, display_path
    from extlint.project.generated_manifests import build_instruction

    around, name = extension.package.around, extension.package.name
    build = None
    if around is not None:
        build = build_of(around, around.folder) or build_by_other_tool(around, around.folder)
    remedy, existing = "check what the build makes", ""
    if around is not None and build is not None:
        found = build.output if output is None else output
        shown = None if found is None else display_path(found, around.folder, name)
        if build.is_built and output is None and shown is not None:
            remedy, existing = f"check {shown}, which the build has made", shown
        else:
            remedy = f"{build_instruction(build, around.folder, name)}, then "
            if build.only_compiles:
                remedy += "check again"
            elif found is None or not _is_part_of_package(extension, found):
                remedy += f"check {'its output' if shown is None else shown}"
            else:
                remedy += "check again" if found.startswith(around.folder) else "check its output"
    return UncheckedCode(cause, tuple(names), remedy, sources or {}, existing)


def _is_part_of_package(extension: Extension, folder: str) -> bool:
    """Whether a folder of the project is not a package, but a folder in it, according to its names."""
    own = "" if extension.package.around is None else extension.package.around.folder
    inner = folder.removeprefix(own) if folder.startswith(own) else basename(folder)
    return inner != "" and any(each.path.startswith(f"{inner}/") for each in extension.named_files)
