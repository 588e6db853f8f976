"""Finds the spans of the values and keys of a manifest by JSON pointer."""

from __future__ import annotations

from extlint.manifest.manifest import read_manifest
from extlint.text.json.values import JsonNode
from extlint.text.positions import Span


class ManifestSpans:
    """The spans of one manifest."""

    def __init__(self, text: bytes) -> None:
        self._manifest = read_manifest("manifest.json", text)
        root = self._manifest.document.root
        assert root is not None
        self._root = root

    def value_span(self, pointer: str) -> Span | None:
        """Returns the span of a value, or None if the value is missing."""
        node = self._root.get(*self._steps(pointer))
        return None if node is None else self._manifest.span(node.span)

    def key_span(self, pointer: str) -> Span | None:
        """Returns the span of a value's key, or None for array items and missing values."""
        *parents, last = self._steps(pointer) or ("",)
        holder = self._root.get(*parents)
        members = dict(holder.members()) if holder is not None else {}
        return self._manifest.span(members[last].key) if last in members else None

    def _steps(self, pointer: str) -> tuple[str | int, ...]:
        steps: tuple[str | int, ...] = ()
        for step in pointer.split("/")[1:]:
            holder: JsonNode | None = self._root.get(*steps)
            steps += (int(step) if holder is not None and holder.items() else step,)
        return steps
