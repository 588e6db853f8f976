"""A whole page of HTML, which loads nothing: its style sheet and its script are part of it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from pathlib import Path

from extlint.report.visible import visible
from extlint.text.patterns import lazy

_CODE = lazy(r"`([^`]+)`")

_NO_CHARACTERS = str.maketrans({"\ufffe": "\ufffd", "\uffff": "\ufffd"})


def text(value: str) -> str:
    """Escapes a text for one line, or for the value of an attribute."""
    return escape(visible(value).translate(_NO_CHARACTERS))


def message(value: str) -> str:
    """Renders a message, in which text in backticks becomes code."""
    return str(_CODE.sub(r"<code>\1</code>", text(value)))


def element(name: str, content: str, **attributes: str) -> str:
    """Returns an element.

    Its content is HTML, its attributes are text. A `_` at the end of their names is removed.
    """
    written = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>"


def document(title: str, body: Iterable[str], style: str, script: str) -> str:
    """Returns a page with a title, and the elements of its main part; empty ones are left out.

    Its policy allows only this style sheet and this script.
    """
    own = f"style-src {_policy_source(style)}; script-src {_policy_source(script)}"
    policy = f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"
    head = (
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        element("title", text(title)),
        f"<style>{style}</style>",
    )
    content = ("<body>", "<main>", *filter(None, body), "</main>")
    lines = (*head, *content, f"<script>{script}</script>", "</body>")
    return "\n".join(('<!doctype html>\n<html lang="en">', *lines, "</html>\n"))


def own_file(name: str) -> str:
    """Returns the text of a file in this folder."""
    return Path(__file__).with_name(name).read_text("utf-8")


def _policy_source(content: str) -> str:
    """Returns the policy's source expression for an element with this content."""
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
