"""Fixes of the places that load a script, so that browsers load it as a module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from extlint.analysis.facts.context import EXTENSION_PAGES, ContextKind, any_has_import_map
from extlint.analysis.facts.script_facts import LoadKind, Verdict
from extlint.checks.availability.wrong_imports import MisplacedImport
from extlint.checks.manifest_values.check import manifest_mistakes
from extlint.extension import Extension, Script
from extlint.finding import Edit, Fix
from extlint.linting.fixes import manifest_fixes
from extlint.manifest.edits.json_fixes import apply_fix
from extlint.manifest.manifest import read_manifest
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import JAVASCRIPT, has_suffix, is_page
from extlint.project.contexts.page_code import Tag, read_tags
from extlint.project.contexts.pages import scan_page
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, TextIndex, decode, encode_name

_RELATIVE = lazy(r"\.{0,2}/(?!/)")
_DECLARED = lazy(
    rb"^(?:export[ \t]+(?:default[ \t]+)?)?(?:(?:async[ \t]+)?function[ \t]*\*?[ \t]*|"
    rb"(?:class|const|let|var)[ \t]+)([\w$]+)"
)
_CLASSIC_ONLY = (b"currentScript", b"importScripts")
"""Names of what does not exist in modules."""

_TAG = b"<script"


def fix_as_module(extension: Extension, found: MisplacedImport) -> Fix | None:
    """Returns a fix that has a classic script with imports loaded as a module, or None if unsure.

    It has to run as a module, without changes for the other scripts that are loaded in the same places.
    """
    script = found.script
    if not _may_be_module(extension, script):
        return None
    kinds = {each.kind for each in found.contexts}
    sources = {None if each.step is None else each.step.path for each in found.contexts}
    if sources == {extension.manifest.path}:
        is_background = kinds <= {ContextKind.BACKGROUND, ContextKind.SERVICE_WORKER}
        return _fix_of_background(extension, kinds) if is_background else None
    if (
        found.word == "export"
        or not kinds <= EXTENSION_PAGES
        or not all(each and is_page(each) for each in sources)
    ):
        return None
    return _fix_of_pages(extension, script)


def _may_be_module(extension: Extension, script: Script) -> bool:
    """Whether a script runs as a module: it has the syntax of one, and its imports are found."""
    if script.base or not has_suffix(script.path, JAVASCRIPT) or any_has_import_map(extension.pages):
        return False
    if any(extension.script_searches.may_have_word(script, each) for each in _CLASSIC_ONLY):
        return False
    if not _imports_only_files(extension, script):
        return False
    return extension.script_searches.syntax_verdict(script, is_module=True) is Verdict.VALID


def _imports_only_files(extension: Extension, script: Script) -> bool:
    """Whether a script, and all that it imports, import scripts of the package by their addresses."""
    known = {each.path: each for each in extension.scripts if not each.base}
    seen, waiting = {script.path}, [script]
    while waiting:
        each = waiting.pop()
        for name in (load.name for load in each.facts.loads if load.kind is LoadKind.IMPORT):
            paths = paths_of(name, folder_of(each.path)) if _RELATIVE.match(name) else ()
            found = next((path for path in paths if path in known and has_suffix(path, JAVASCRIPT)), None)
            if found is None:
                return False
            if found not in seen:
                seen.add(found)
                waiting.append(known[found])
    return True


def _fix_of_background(extension: Extension, kinds: set[ContextKind]) -> Fix | None:
    """Returns a fix that makes all scripts of the background modules, if all have imports or exports."""
    manifest, fixes = extension.manifest, manifest_fixes(extension)
    background = manifest.get("background")
    if fixes is None or background is None or not isinstance(background.value, dict):
        return None
    if ContextKind.BACKGROUND in kinds and manifest.version != 3:
        return None
    scripts, worker = manifest.get("background", "scripts"), manifest.get("background", "service_worker")
    nodes = [*(() if scripts is None else scripts.items()), *(() if worker is None else [worker])]
    names = [each.value for each in nodes]
    if not names or not all(_is_module_script(extension, each) for each in names):
        return None
    kind = manifest.get("background", "type")
    if kind is not None and kind.value != "classic":
        return None
    after = "service_worker" if worker is not None else "scripts"
    fix = fixes.set_member(("background",), "type", "module", after)
    return None if fix is None or _causes_mistakes(extension, fix) else fix


def _is_module_script(extension: Extension, name: object) -> bool:
    """Whether a name in the manifest is that of a script that only runs as a module."""
    paths = paths_of(name) if isinstance(name, str) else ()
    scripts = [each for each in extension.scripts if each.path in paths and not each.base]
    return any(
        extension.script_searches.module_syntax(each) is not None and _may_be_module(extension, each)
        for each in scripts
    )


def _causes_mistakes(extension: Extension, fix: Fix) -> bool:
    """Whether a fix of the manifest causes a mistake in it, such as a key that is too new."""
    manifest = extension.manifest
    changed = read_manifest(manifest.path, apply_fix(manifest.index, fix)).for_target(extension.target)
    after = Counter((each.rule, each.message) for each in manifest_mistakes(extension.with_manifest(changed)))
    after.subtract((each.rule, each.message) for each in manifest_mistakes(extension))
    return max(after.values(), default=0) > 0


def _fix_of_pages(extension: Extension, script: Script) -> Fix | None:
    """Returns a fix that adds `type="module"` to every `<script>` that loads a script, or None if unsure."""
    unreached = {path for path, _ in extension.unreached_pages}
    edits: list[Edit] = []
    others: set[str] = set()
    for path in extension.package.paths:
        if not is_page(path) or path in unreached:
            continue
        data = decode(extension.package.read(path))
        own, others_there = _tags_in_page(extension, path, data, script)
        if not own:
            continue
        found = _edits_of_page(path, data, own)
        if found is None:
            return None
        edits += found
        others |= others_there
    if not edits or _shares_names(extension, script, others):
        return None
    return Fix(False, tuple(edits), f'Load "{script.path}" as a module')


def _tags_in_page(
    extension: Extension, path: str, data: bytes, script: Script
) -> tuple[list[ByteSpan], set[str]]:
    """Returns the spans of the names by which a page loads a script as a classic one.

    Returns also the other classic scripts that it loads.
    """
    own: list[ByteSpan] = []
    others: set[str] = set()
    if encode_name(script.path.rpartition("/")[2]) not in data:
        return own, others
    for each in scan_page(data, path).scripts:
        if each.kind != "classic" or each.src is None or each.src_span is None:
            continue
        paths = paths_of(each.src, folder_of(path, each.base))
        found = next((name for name in paths if name in extension.package), None)
        if found == script.path:
            own.append(each.src_span)
        elif found is not None:
            others.add(found)
    return own, others


def _edits_of_page(path: str, data: bytes, names: Sequence[ByteSpan]) -> list[Edit] | None:
    """Returns edits that load the scripts with names at these spans as modules, or None if they do not."""
    index, edits = TextIndex(data), list[Edit]()
    changed, moved = data, 0
    for tag in _tags_named(path, data, names):
        kind, start = tag.attributes.get(b"type"), tag.attributes[b"src"][0]
        at = data.lower().rfind(_TAG, 0, start) + len(_TAG) if kind is None else kind[0]
        end, text = (at, ' type="module"') if kind is None else (kind[1], "module")
        edits.append(Edit(path, index.span(at, end), text))
        changed = changed[: at + moved] + text.encode() + changed[end + moved :]
        moved += len(text) - (end - at)
    before, after = (_kinds(path, each) for each in (data, changed))
    is_changed = len(before) == len(after) and all(
        now == ("module" if span in names else was)
        for (span, was), (_, now) in zip(before, after, strict=True)
    )
    return edits if len(edits) == len(names) and is_changed else None


def _tags_named(path: str, data: bytes, names: Sequence[ByteSpan]) -> Iterator[Tag]:
    for tag in read_tags(data, path):
        if tag.name == b"script" and not tag.is_end and tag.attributes.get(b"src") in names:
            yield tag


def _kinds(path: str, data: bytes) -> list[tuple[ByteSpan | None, str]]:
    return [(each.src_span, each.kind) for each in scan_page(data, path).scripts]


def _shares_names(extension: Extension, script: Script, others: set[str]) -> bool:
    """Whether other classic scripts of the same pages may use a variable of a script."""
    declared = {found[1] for line in script.index.text.splitlines() if (found := _DECLARED.match(line))}
    for each in extension.scripts:
        if each.path not in others or each.base:
            continue
        names = [name for name in declared if extension.script_searches.may_have_word(each, name)]
        if names and extension.searches.uses_globals(
            each, [name.decode("utf-8", "replace") for name in names]
        ):
            return True
    return False
