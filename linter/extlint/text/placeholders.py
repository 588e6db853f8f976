"""Detects text that a build replaces before a browser reads it."""

from __future__ import annotations

import re

from extlint.text.nearest import nearest
from extlint.text.patterns import lazy

_ALL_URLS = "<all_urls>"
_PERCENT = r"%[A-Za-z_]\w*(?:[.-]\w+)*%"
"""A name between percent signs, like `%NAME%` and `%PACKAGE.NAME%`."""

_LONG_PERCENT = rf"(?=%[\w.-]{{3,}}%){_PERCENT}"
"""A longer one, unlike a part of `%E3%82%AF`."""

_MARK = lazy(
    r"\{\{|\$\{|<%|\{%|#\{"  # Handlebars and its like, JavaScript and shells, EJS, Jinja, Ruby
    r"|(?:/\*|<!--)\s*@(?:echo|exec|include)\b"  # comments that the npm package `preprocess` replaces
    rf"|{_LONG_PERCENT}|@[A-Z][A-Z0-9_]*@|(?<!__MSG_)@@\w"
    r"|__(?!MSG_)[A-Z0-9](?:_?[A-Z0-9])*__|\$[A-Za-z](?:[\w-]*\w)?\$"
    r"|\$[A-Z][A-Z0-9]*_[A-Z0-9_]*(?![\w$])",  # a variable of a shell
    needs=("{{", "<%", "{%", "#{", "%", "@", "__", "$"),
)
_WHOLE = lazy(
    rf"__(?!MSG_)[\s\S]*+(?<=__)|{_PERCENT}|\$(?!schema\b)[A-Za-z_]\w*|\$\w+\$"
    r"|\{[A-Za-z_]\w*\}|\[\[\w+\]\]|#\w+#"
    r"|[Xx]+(?:\.(?:\d+|[Xx]+)){1,3}|[Xx]+\.[Yy]+\.[Zz]+",  # a version: `X.X.X.9`, `x.y.z`
    re.ASCII,
    needs=("__", "%", "$", "{", "[[", "#", "X.", "x."),
)
_IN_ANGLES = lazy(r"<[A-Za-z][\w .-]*>", needs=("<",))
_WHOLE_IN_ANGLES = lazy(r"<[A-Za-z][^<>:/@]*>", needs=("<",))
_MARKS_IN_BYTES = (b"{{", b"$", b"<%", b"{%", b"#{", b'__"')
_IN_BYTES = lazy(
    rb'%[A-Za-z_][\w.-]*%|@[A-Z@]|(?:/\*|<!--)\s*@[a-z]|__(?!MSG_)|"(?:\{|\[\[|#)\w|"<(?!all_urls>)|"[Xx]+\.',
    needs=(b"%", b"@", b"__", b'"{', b'"[[', b'"#', b'"<', b'"X', b'"x'),
)
_IN_A_NAME = lazy(
    rf"\$[A-Za-z_{{(]|\{{|<|\*|{_LONG_PERCENT}|__(?!MSG_)[A-Za-z0-9]\w*?__|\[\w+\]|@\w+@|@@", re.ASCII
)
_TEMPLATE_NAME = lazy(
    r"(?:\A|[._-])(?:template|tmpl|tpl)(?:[._-]|\Z)|\.in(?:\.json)?\Z",
    needs=("template", "tmpl", "tpl", ".in"),
)
_MESSAGE = lazy(r"__MSG_(?:[A-Za-z0-9_@]+?|.*)__", re.DOTALL, needs=("__MSG_",))
_UNQUOTED = lazy(rb"\{\{|\$\{|<%|\{%|#\{|%[A-Za-z_][\w.-]*%|@@?[A-Za-z_]|__[A-Za-z0-9]|\$[A-Za-z_]")


def is_template(text: str) -> bool:
    """Whether a build replaces a part of a text, or all of it: `{{a}}.name`, `${name}`, `<name>`, `X.X.X`.

    The name of a message (`__MSG_name__`), which a browser replaces, is not a template.
    """
    if _is_message_name(text):
        return False
    if _MARK.search(text) is not None or _WHOLE.fullmatch(text) is not None:
        return True
    return _WHOLE_IN_ANGLES.fullmatch(text) is not None and not _is_like_all_urls(text)


def _is_message_name(text: str) -> bool:
    """Whether a text is only the name of a message, like most texts with underscores."""
    inner = text[len("__MSG_") : -len("__")]
    return text.startswith("__MSG_") and text.endswith("__") and inner.isalnum() and inner.isascii()


def _is_like_all_urls(text: str) -> bool:
    """Whether a text in angle brackets is, or was meant to be, the pattern of every host."""
    return text[1:].lstrip().casefold().startswith("all") or nearest(text, (_ALL_URLS,)) is not None


def has_template_part(value: str) -> bool:
    """Whether a build replaces a part of a value that cannot have angle brackets: `https://<host>/`.

    Human-readable texts may have them (`Jane <jane@example.org>`), so they do not make a manifest a template.
    """
    return is_template(value) or any(not _is_like_all_urls(found[0]) for found in _IN_ANGLES.finditer(value))


def is_named_template(name: str) -> bool:
    """Whether a file's name indicates that a build generates another from it: `manifest.template.json`."""
    return _TEMPLATE_NAME.search(name.lower()) is not None


def is_template_key(text: str) -> bool:
    """Whether a build replaces a part of a key. A key in underscores (`__comment__`) may be a comment."""
    return _MARK.search(text) is not None


def may_have_templates(text: bytes) -> bool:
    """Whether a JSON text may contain a string that is a template. This is fast."""
    return any(mark in text for mark in _MARKS_IN_BYTES) or _IN_BYTES.search(text) is not None


def is_unquoted_template(text: bytes, at: int) -> bool:
    """Whether a template in a text starts at an offset or one byte before it."""
    return any(_UNQUOTED.match(text, start) for start in (at, at - 1) if start >= 0)


def is_replaced(text: str) -> bool:
    """Whether a message or a build replaces a text before a browser validates it."""
    return _MESSAGE.search(text) is not None or has_template_part(text)


def is_placeholder(name: str) -> bool:
    """Whether the name of a file looks like one that a build fills in: `${name}.js`, `[hash].js`, `js/*.js`.

    Marks that may occur literally in other texts count here.
    """
    return _IN_A_NAME.search(name) is not None or is_template(name)
