"""Whether a key of the manifest is the one that browsers will read, or a tool of the project changes it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from extlint.extension import Extension, once_per_extension
from extlint.manifest.manifest import HOST_PERMISSIONS, PERMISSIONS
from extlint.package.suffixes import PROGRAMS
from extlint.project.key_edits import Edits
from extlint.project.tools import Tool, tools_of
from extlint.schema.model import MANIFEST_KEY_PREFIX
from extlint.validation.mistake import Mistake


class _Rewriter(Struct, frozen=True):
    """A tool, by what it does to keys of whatever object, and its text."""

    edits: Edits
    text: bytes


@once_per_extension
def _rewriters(extension: Extension) -> tuple[_Rewriter, ...]:
    found = (_Rewriter(_edits(tool), tool.text) for tool in tools_of(extension))
    return tuple(each for each in found if each.edits.written or each.edits.extended)


def _edits(tool: Tool) -> Edits:
    if tool.path.endswith(PROGRAMS):
        from extlint.project.tool_scripts import edits_of_script

        return edits_of_script(tool.text, tool.path)
    from extlint.project.tool_texts import edits_of_text

    return edits_of_text(tool.text.decode("utf-8", "replace"), has_objects=tool.has_objects)


def may_come(extension: Extension, *keys: str) -> bool:
    """Whether a tool writes one of these keys of the manifest, or adds to it, so that it may have more."""
    return any(
        not each.edits.written.isdisjoint(keys) or not each.edits.extended.isdisjoint(keys)
        for each in _rewriters(extension)
    )


def may_change(extension: Extension, *keys: str) -> bool:
    """Whether a tool writes one of these keys of the manifest, so that what stands there may go."""
    return any(not each.edits.written.isdisjoint(keys) for each in _rewriters(extension))


def may_be_granted(extension: Extension, needed: Iterable[str]) -> bool:
    """Whether a tool may add one of these permissions or, with `manifest:` before it, that key."""
    prefix = MANIFEST_KEY_PREFIX
    keys = [each.removeprefix(prefix).partition(".")[0] for each in needed if each.startswith(prefix)]
    return may_come(extension, *(keys or (*PERMISSIONS, *HOST_PERMISSIONS)))


def is_undone(extension: Extension, mistake: Mistake) -> bool:
    """Whether a tool writes the key of the manifest of a mistake, or one in it.

    Of a key in it that may as well be one of something else, the tool must name the outer key too.
    """
    if not mistake.steps:
        return may_change(extension, *mistake.missing)
    top = str(mistake.steps[0])
    if may_change(extension, top):
        return True
    holder = extension.manifest.get(*mistake.steps) if mistake.missing else None
    beside = () if holder is None else (key for key, _ in holder.members())
    inner = (*mistake.steps[1:], *mistake.missing, *beside)
    names = frozenset(each for each in inner if isinstance(each, str))
    word = re.compile(rb"(?<![\w$])" + re.escape(top.encode(errors="surrogatepass")) + rb"(?![\w$])")
    return any(
        any("_" in name or word.search(each.text) is not None for name in each.edits.written & names)
        for each in _rewriters(extension)
    )
