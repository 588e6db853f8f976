"""Text that a build replaces before a browser reads it."""

from __future__ import annotations

import re

from extlint.patterns import lazy

_MARK = lazy(
    r"\{\{|\$\{|<%|\{%|#\{"  # Handlebars and its like, JavaScript and shells, EJS, Jinja, Ruby
    r"|%[A-Za-z_]{3,}%|@[A-Z][A-Z0-9_]*@|(?<!__MSG_)@@\w"
    r"|__(?!MSG_)[A-Z0-9](?:_?[A-Z0-9])*__"
)
_WHOLE = lazy(
    r"__(?!MSG_)[\s\S]*+(?<=__)|%[A-Za-z_]+%|\$(?!schema\b)[A-Za-z_]\w*|\$\w+\$|\{[A-Za-z_]\w*\}|\[\[\w+\]\]|#\w+#",
    re.ASCII,
)
_IN_BYTES = lazy(rb'\{\{|\$|<%|\{%|#\{|%[A-Za-z_]+%|@[A-Z@]|__(?!MSG_)|"(?:\{|\[\[|#)\w')
_IN_A_NAME = lazy(
    r"\$[A-Za-z_{(]|\{|<|\*|%[A-Za-z_]{3,}%|__(?!MSG_)[A-Za-z0-9]\w*?__|\[\w+\]|@\w+@|@@", re.ASCII
)
_MESSAGE = lazy(r"__MSG_(?:[A-Za-z0-9_@]+?|.*)__", re.DOTALL)
_UNQUOTED = lazy(rb"\{\{|\$\{|<%|\{%|#\{|%[A-Za-z_]+%|@@?[A-Za-z_]|__[A-Za-z0-9]|\$[A-Za-z_]")


def is_template(text: str) -> bool:
    """Whether a build replaces a part of a text, or all of it: `{{chrome}}.name`, `${version}`, `%NAME%`.

    The name of a message (`__MSG_name__`), which a browser replaces, is none.
    """
    return _MARK.search(text) is not None or _WHOLE.fullmatch(text) is not None


def is_template_key(text: str) -> bool:
    """Whether a build replaces a part of a key. A key in underscores (`__comment__`) may be for people."""
    return _MARK.search(text) is not None


def may_have_templates(text: bytes) -> bool:
    """Whether a JSON text may hold a string that is a template; this is fast."""
    return _IN_BYTES.search(text) is not None


def is_unquoted_template(text: bytes, at: int) -> bool:
    """Whether a template stands in a text at an offset, or begins one byte before it."""
    return any(_UNQUOTED.match(text, start) for start in (at, at - 1) if start >= 0)


def is_replaced(text: str) -> bool:
    """Whether a message, or what a build puts in, takes the place of a text before a browser judges it."""
    return _MESSAGE.search(text) is not None or is_template(text)


def is_placeholder(name: str) -> bool:
    """Whether the name of a file looks like one that a build fills in: `${name}.js`, `[hash].js`, `js/*.js`.

    Marks that other texts may well hold as they are count here.
    """
    return _IN_A_NAME.search(name) is not None or is_template(name)
