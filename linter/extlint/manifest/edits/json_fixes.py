"""Fixes of JSON files, made of text edits: also of disallowed commas and comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from extlint.finding import Edit, Fix
from extlint.manifest.edits.json_editor import JsonEditor, json_string
from extlint.text.json.values import Duplicate, JsonNode, JsonProblem, JsonValue, Step
from extlint.text.patterns import lazy
from extlint.text.positions import TextEdit, TextIndex

_CLOSING = lazy(rb"(?:[ \t\r\n]++|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+[\]}]")
_COMMENT = lazy(rb"//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/")
_STRING_OR_COMMENT = lazy(rb'"(?:[^"\\\r\n]|\\.)*+"|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+\*/')
_LINE_REST = lazy(rb"[ \t]*+(?=[\r\n]|\Z)")
_LINE_END = lazy(rb"\r\n|\r|\n")
_LINE = lazy(rb"([ \t]*+)(?:\*++(?!/))?[ \t]?(.*?)[ \t]*+")


def fix_problem(path: str, index: TextIndex, problem: JsonProblem) -> Fix | None:
    """Returns a fix that removes a trailing comma, or a comment from strict JSON, or None.

    Removing a comment discards information, so that fix is not safe.
    """
    text, (start, end) = index.text, problem.span
    if text[start:end] == b"," and _CLOSING.match(text, end):
        return Fix(True, (Edit(path, index.span(start, end), ""),), "Remove the comma after the last value")
    comment = _COMMENT.match(text, start)
    if comment is None or text[start:end] not in (b"//", b"/*"):
        return None
    return Fix(False, (Edit(path, index.span(*comment.span()), ""),), "Remove the comment")


def rewrite_block_comments(path: str, index: TextIndex) -> Fix | None:
    """Returns a fix that turns block comments into `//` comments, or None if text follows one on its line."""
    text = index.text
    edits = []
    for found in _STRING_OR_COMMENT.finditer(text):
        if found[0].startswith(b"/*"):
            if _LINE_REST.match(text, found.end()) is None:
                return None
            written = b"".join(_line_comments(found[0]))
            edits.append(Edit(path, index.span(*found.span()), written.decode("utf-8", "surrogateescape")))
    return Fix(True, tuple(edits), "Begin each line of the comments with `//`") if edits else None


def _line_comments(comment: bytes) -> Iterator[bytes]:
    """Yields a block comment as line comments, one per line, without blank lines at its start and end."""
    body = re.sub(rb"\A/\*+|\**/\Z", b"", comment)
    end = _LINE_END.search(body)
    lines = [found for line in re.split(rb"\r\n|\r|\n", body) if (found := _LINE.fullmatch(line))]
    while len(lines) > 1 and not lines[-1][2]:
        lines.pop()
    while len(lines) > 1 and not lines[0][2]:
        del lines[0]
    for at, line in enumerate(lines):
        if at and end:
            yield end[0] + line[1]
        yield b"// " + line[2] if line[2] else b"//"


_PERMISSIONS = "permissions"
_KEYS_BEFORE_PERMISSIONS = ("manifest_version", "name", "short_name", "version", "description", "icons")
"""The keys that usually precede the permissions in a manifest."""


class JsonFixes:
    """Creates fixes of a file that `read_json` could parse; `root` is its result or a strict reader's."""

    def __init__(self, path: str, index: TextIndex, root: JsonNode) -> None:
        self._path = path
        self._index = index
        self._root = root
        self._editor = JsonEditor(index.text, root)

    def replace(self, steps: tuple[Step, ...], value: JsonValue, *, safe: bool) -> Fix | None:
        """Returns a fix that replaces the value at a path, or None if it does not exist."""
        node = self._root.get(*steps)
        if node is None:
            return None
        was, becomes = _shown(node.plain), _shown(value)
        message = f"Replace {was} with {becomes}" if was and becomes else f'Rewrite "{steps[-1]}"'
        return self._fix(self._editor.replace(node, value), message, safe=safe)

    def rename(self, steps: tuple[Step, ...], name: str, *, safe: bool = True) -> Fix | None:
        """Returns a fix that renames the key of a member, or None if its object has the new key already."""
        *outer, last = steps
        holder = self._root.get(*outer)
        members = {} if holder is None else dict(holder.members())
        if name in members or last not in members:
            return None
        edits = self._editor.rename(members[str(last)], name)
        return self._fix(edits, f"Rename {json_string(str(last))} to {json_string(name)}", safe=safe)

    def set_member(
        self, steps: tuple[Step, ...], name: str, value: JsonValue, after: str | None = None
    ) -> Fix | None:
        """Returns an unsafe fix that sets a member of an object, or None if that does not exist.

        A new member comes after the one with the name `after`, or else last.
        """
        holder = self._root.get(*steps)
        if holder is None or not isinstance(holder.value, dict):
            return None
        found = holder.get(name)
        edits = (
            self._editor.add(holder, name, value, after=after)
            if found is None
            else self._editor.replace(found, value)
        )
        shown = _shown(value)
        added = f"Add {json_string(name)}: {shown}" if shown else f"Add {json_string(name)}"
        message = added if found is None else f'Rewrite "{name}"'
        return self._fix(edits, message, safe=False)

    def remove(self, steps: tuple[Step, ...], message: str, *, safe: bool) -> Fix | None:
        """Returns a fix that removes an item from its list, or a member from its object."""
        *outer, last = steps
        holder = self._root.get(*outer)
        part = None
        if holder is not None and isinstance(holder.value, dict):
            part = holder.value.get(str(last))
        elif holder is not None:
            part = holder.get(last)
        if holder is None or part is None:
            return None
        return self._fix(self._editor.remove(holder, part), message, safe=safe)

    def remove_repeated(self, duplicate: Duplicate) -> Fix | None:
        """Returns a fix that removes the first of two members with one key; safe if the values are equal."""
        first, second = duplicate.first[0], duplicate.second[0]
        holder = self._innermost_value(first, second)
        texts = [self._editor.text_at(holder, each) for each in (first, second)]
        if None in texts:
            return None
        message = f"Remove the first {json_string(duplicate.name)}, which browsers ignore"
        return self._fix(self._editor.remove_at(holder, first), message, safe=texts[0] == texts[1])

    def _innermost_value(self, *offsets: int) -> JsonNode:
        """Returns the innermost value that contains all of these offsets."""
        inner: JsonNode | None = self._root
        while inner is not None:
            found = inner
            parts = (*found.items(), *(member.node for _, member in found.members()))
            inner = next(
                (each for each in parts if all(each.span[0] <= at < each.span[1] for at in offsets)), None
            )
        return found

    def move_item(self, steps: tuple[Step, ...], key: str) -> Fix | None:
        """Returns a fix that moves a string from its list to another key's, or None if that is not a list."""
        *outer, _ = steps
        items, item, other = self._root.get(*outer), self._root.get(*steps), self._root.get(key)
        if items is None or item is None or not isinstance(item.value, str):
            return None
        edits = list(self._editor.remove(items, item))
        if other is None:
            edits += self._editor.add(self._root, key, [item.value], after=str(outer[-1]))
        elif not isinstance(other.value, tuple):
            return None
        elif item.value not in (each.value for each in other.items()):
            edits += self._editor.append(other, item.value)
        return self._fix(edits, f"Move {json_string(item.value)} to {json_string(key)}", safe=True)

    def scripts_to_worker(self, scripts: JsonNode) -> Fix | None:
        """Returns a fix that makes the only background script a service worker, or keeps only the worker."""
        background = self._root.get("background")
        members = {} if background is None else dict(background.members())
        if background is None or "scripts" not in members:
            return None
        if "service_worker" in members:
            edits = self._editor.remove(background, members["scripts"])
            return self._fix(edits, 'Remove "scripts" from "background"', safe=False)
        if len(scripts.items()) != 1:
            return None
        edits = [
            *self._editor.rename(members["scripts"], "service_worker"),
            *self._editor.replace(scripts, scripts.items()[0].plain),
        ]
        return self._fix(edits, 'Replace "scripts" with "service_worker"', safe=False)

    def add_permission(self, name: str, key: str, *, safe: bool) -> Fix | None:
        """Returns a fix that adds a permission to the list under a key, or None if that is not a list."""
        listed = self._root.get(key)
        if listed is None:
            before = (*_KEYS_BEFORE_PERMISSIONS, _PERMISSIONS)
            there = [each for each in before if each != key and self._root.get(each) is not None]
            edits = self._editor.add(self._root, key, [name], after=there[-1] if there else None)
        elif isinstance(listed.value, tuple):
            edits = self._editor.append(listed, name)
        else:
            return None
        return self._fix(edits, f'Add {json_string(name)} to "{key}"', safe=safe)

    def _fix(self, edits: Iterable[TextEdit], message: str, *, safe: bool) -> Fix:
        file_edits = (Edit(self._path, self._index.span(each.start, each.end), each.text) for each in edits)
        return Fix(safe, tuple(file_edits), message)


def _shown(value: JsonValue) -> str:
    """Returns a scalar as JSON, or an empty string for a list or an object."""
    import json

    if isinstance(value, str):
        return json_string(value)
    return "" if isinstance(value, list | dict) else json.dumps(value)


def apply_fix(index: TextIndex, fix: Fix) -> bytes:
    """Returns the text of the only file that a fix changes, after the fix."""
    text = index.text
    for edit in sorted(fix.edits, key=lambda each: each.span, reverse=True):
        start, end = (index.offset(each) for each in edit.span)
        text = text[:start] + edit.text.encode() + text[end:]
    return text
