"""Whether a `<script>` is a classic script, a module or no script."""

from __future__ import annotations

from typing import Literal, TypeAlias

from extlint.project.contexts.html import Tag, attribute_text

ScriptKind: TypeAlias = Literal["classic", "module", "other"]
"""The kind of a script element for browsers; `other` does not run."""

_JAVASCRIPT_TYPES = frozenset(
    [
        "application/ecmascript",
        "application/javascript",
        "application/x-ecmascript",
        "application/x-javascript",
        "text/ecmascript",
        "text/javascript",
        "text/javascript1.0",
        "text/javascript1.1",
        "text/javascript1.2",
        "text/javascript1.3",
        "text/javascript1.4",
        "text/javascript1.5",
        "text/jscript",
        "text/livescript",
        "text/x-ecmascript",
        "text/x-javascript",
    ]
)
"""The JavaScript MIME type essences of the WHATWG MIME Sniffing standard."""


def script_kind(data: bytes, tag: Tag) -> ScriptKind:
    """Returns the kind of a `<script>`, by its `type` or, without one, by its `language`."""
    language = attribute_text(data, tag, b"language")
    kind = attribute_text(data, tag, b"type")
    if kind is None and language:
        kind = f"text/{language}"
    kind = kind.strip("\t\n\f\r ").lower() if kind else "text/javascript"
    if kind == "module":
        return "module"
    return "classic" if kind in _JAVASCRIPT_TYPES and b"nomodule" not in tag.attributes else "other"
