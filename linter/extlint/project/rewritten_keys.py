"""Whether a tool of the project rewrites a key of the manifest before browsers read it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from extlint.extension import Extension, once_per_extension
from extlint.manifest.manifest import REQUESTS
from extlint.package.suffixes import PROGRAMS
from extlint.project.build_files import is_configuration
from extlint.project.key_edits import KeyEdits
from extlint.project.tools import Tool, manifest_tools
from extlint.schema.model import MANIFEST_KEY_PREFIX
from extlint.schema.validation.mistake import Mistake


class _Rewriter(Struct, frozen=True):
    """The text of a tool, and its edits to keys of any objects."""

    edits: KeyEdits
    text: bytes


@once_per_extension
def _rewriters(extension: Extension) -> tuple[_Rewriter, ...]:
    """Returns the tools that write keys.

    The configuration of a build does not change the build's own output again.
    """
    tools = (tool for tool in manifest_tools(extension) if not _is_already_applied(extension, tool))
    found = (_Rewriter(_edits(tool), tool.text) for tool in tools)
    return tuple(
        each for each in found if each.edits.written or each.edits.extended or each.edits.merges_objects
    )


def _is_already_applied(extension: Extension, tool: Tool) -> bool:
    if not is_configuration(tool.path):
        return False
    from extlint.project.output_folders import is_output_folder

    return is_output_folder(extension)


def _edits(tool: Tool) -> KeyEdits:
    if tool.path.endswith(PROGRAMS):
        from extlint.project.tool_scripts import edits_of_script

        return edits_of_script(tool.text, tool.path)
    from extlint.project.tool_texts import edits_of_text

    return edits_of_text(tool.text.decode("utf-8", "replace"), has_objects=tool.has_objects)


def may_add(extension: Extension, *keys: str) -> bool:
    """Whether a tool writes one of these keys of the manifest, or extends its list."""
    return any(
        not (each.edits.written - each.edits.removed).isdisjoint(keys)
        or not each.edits.extended.keys().isdisjoint(keys)
        for each in _rewriters(extension)
    )


def may_rewrite(extension: Extension, *keys: str) -> bool:
    """Whether a tool writes one of these keys of the manifest, so that its value may be replaced."""
    return any(not each.edits.written.isdisjoint(keys) for each in _rewriters(extension))


def merges_manifests(extension: Extension) -> bool:
    """Whether a tool merges objects, such as the manifest and another one with more keys."""
    return any(each.edits.merges_objects for each in _rewriters(extension))


def may_add_request(extension: Extension, required: Iterable[str]) -> bool:
    """Whether a tool may add one of these permissions or, for `manifest:KEY`, that key."""
    prefix, names = MANIFEST_KEY_PREFIX, frozenset(required)
    keys = [each.removeprefix(prefix).partition(".")[0] for each in names if each.startswith(prefix)]
    if keys:
        return may_add(extension, *keys)
    edits = [each.edits for each in _rewriters(extension)]
    added = (each.extended.get(key, frozenset()) for each in edits for key in REQUESTS)
    return any(not (each.written - each.removed).isdisjoint(REQUESTS) for each in edits) or any(
        items is None or not names.isdisjoint(items) for items in added
    )


def may_be_corrected(extension: Extension, mistake: Mistake) -> bool:
    """Whether a tool writes the manifest key that contains a mistake, or a key inside.

    If the inner key may also be a key of another object, the tool must also name the outer key.
    """
    if not mistake.steps:
        return may_rewrite(extension, *mistake.missing)
    top = str(mistake.steps[0])
    if may_rewrite(extension, top) or _may_be_filled_in(extension, mistake):
        return True
    holder = extension.manifest.get(*mistake.steps) if mistake.missing else None
    sibling_keys = () if holder is None else (key for key, _ in holder.members())
    inner = (*mistake.steps[1:], *mistake.missing, *sibling_keys)
    names = frozenset(each for each in inner if isinstance(each, str))
    word = re.compile(rb"(?<![\w$])" + re.escape(top.encode(errors="surrogatepass")) + rb"(?![\w$])")
    return any(
        any("_" in name or word.search(each.text) is not None for name in each.edits.written & names)
        for each in _rewriters(extension)
    )


def _may_be_filled_in(extension: Extension, mistake: Mistake) -> bool:
    """Whether a value is null, and a tool merges the manifest with an object that may have another value."""
    node = None if mistake.at_key else extension.manifest.get(*mistake.steps)
    return node is not None and node.value is None and merges_manifests(extension)
