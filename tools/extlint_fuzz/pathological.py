"""Files that are designed to be slow, deep, large or endless, by name.

Each is generated in any size. With one of them in a package, a mistake in another file must still be found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random

from msgspec import Struct

from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.oracles import MISTAKE, PLANTED

USE = b"browser.management.getAll();"


class Pathological(Struct, frozen=True):
    """A kind of file: `make` returns its bytes for a size, and `full` is the size that once caused trouble.

    `small` is the size for tests, which must be quick.
    """

    make: Callable[[int], bytes]
    full: int
    small: int
    file: str = "a.js"


def _nested(before: bytes, middle: bytes = b"browser", after: bytes = b"") -> Callable[[int], bytes]:
    """Returns a construct nested to a depth of `size`, between two uses of the API."""
    return lambda size: USE + b"\n" + before * size + middle + after * size + b"\n;" + USE


def _filled(before: bytes, filling: bytes, after: bytes = b"") -> Callable[[int], bytes]:
    """Returns a filling repeated `size` times, with its prefix and suffix, between two uses of the API."""
    return lambda size: USE + before + filling * size + after + USE


def _repeated(text: bytes) -> Callable[[int], bytes]:
    """Returns a text repeated `size` times, and nothing else."""
    return lambda size: text * size


def _in_utf_16(encoding: str) -> Callable[[int], bytes]:
    return lambda size: (USE.decode() * size).encode(encoding)


def _numbered(template: bytes, before: bytes = b"") -> Callable[[int], bytes]:
    """Returns a template repeated `size` times, with `#` for the number, and `@` for the previous one."""

    def make(size: int) -> bytes:
        parts = (template.replace(b"#", b"%d" % i).replace(b"@", b"%d" % (i - 1)) for i in range(1, size + 1))
        return before + b"".join(parts) + USE

    return make


def _rules(size: int) -> bytes:
    condition, action = {"urlFilter": "||example.com^"}, {"type": "block"}
    return json.dumps(
        [{"id": i, "condition": condition, "action": action} for i in range(1, size + 1)]
    ).encode()


def _messages(size: int) -> bytes:
    return json.dumps({f"name{i}": {"message": f"$A$ {i}", "placeholders": {}} for i in range(size)}).encode()


def _manifest(extra: bytes) -> bytes:
    return (
        b'{"manifest_version": 3, "name": "Test", "version": "1", "background": {"service_worker": "a.js"}, '
        + extra
        + b"}"
    )


PATHOLOGICAL: Mapping[str, Pathological] = {
    "nested parentheses": Pathological(_nested(b"(", b"browser", b")"), 100_000, 1500),
    "nested lists": Pathological(_nested(b"[", b"browser", b"]"), 100_000, 600),
    "nested objects": Pathological(_nested(b"({a:", b"browser", b"})"), 100_000, 500),
    "nested blocks": Pathological(_nested(b"{", USE, b"}"), 100_000, 3000),
    "nested functions": Pathological(_nested(b"(function(){", USE, b"})"), 100_000, 2000),
    "nested arrows": Pathological(_nested(b"a=>", b"browser.a()"), 100_000, 3000),
    "nested arrows that shadow": Pathological(_nested(b"browser=>", b"browser.a()"), 100_000, 800),
    "nested calls": Pathological(_nested(b"f(", b"browser", b")"), 100_000, 3000),
    "nested calls of the API": Pathological(_nested(b"browser.test.log(", b"1", b")"), 25_000, 500),
    "nested templates": Pathological(_nested(b"`${", b"browser", b"}`"), 100_000, 2000),
    "nested elements": Pathological(_nested(b"<a>", b"{browser}", b"</a>"), 100_000, 2000),
    "nested conditions": Pathological(_nested(b"if(browser.a){", USE, b"}"), 20_000, 500),
    "nested attempts": Pathological(_nested(b"try{", USE, b"}catch{}"), 20_000, 150),
    "nested classes": Pathological(_nested(b"class A{a(){", USE, b"}}"), 20_000, 500),
    "nested awaits": Pathological(_nested(b"await ", b"browser.a()"), 100_000, 3000),
    "else if": Pathological(_nested(b"if(x)browser.a();else ", b"y()"), 50_000, 500),
    "nested ternaries": Pathological(_nested(b"a?b:", b"browser"), 100_000, 1500),
    "nested ternaries of roots": Pathological(_nested(b"a?browser:", b"chrome"), 100_000, 1000),
    "unclosed parentheses": Pathological(_nested(b"("), 100_000, 3000),
    "unclosed calls": Pathological(_nested(b"f("), 100_000, 3000),
    "unclosed methods": Pathological(_nested(b"browser.a.bind("), 6000, 300),
    "unclosed brackets": Pathological(_nested(b"browser["), 20_000, 500),
    "a sum": Pathological(_nested(b"a+"), 500_000, 10_000),
    "a sum of uses": Pathological(_nested(b"browser.management.getAll()+", b"1"), 5000, 200),
    "a quotient without end": Pathological(_nested(b"a/"), 100_000, 3000),
    "fallbacks": Pathological(_nested(b"a||"), 100_000, 3000),
    "a sequence": Pathological(_nested(b"a,"), 100_000, 5000),
    "a chain of members": Pathological(_nested(b"", b"x=browser", b".a"), 500_000, 2000),
    "a chain of optional members": Pathological(_nested(b"", b"x=browser", b"?.a"), 100_000, 2000),
    "a chain of calls": Pathological(_nested(b"", b"browser.a", b"()"), 50_000, 1000),
    "a chain of then": Pathological(_nested(b"", b"browser.management.getAll()", b".then(f)"), 8000, 200),
    "many uses": Pathological(_nested(b"browser.tabs.foo();"), 21_000, 400),
    "many mentions": Pathological(_nested(b"x(browser);"), 21_000, 1000),
    "parameters that shadow": Pathological(_numbered(b"function f#(browser){browser.x}"), 30_000, 500),
    "aliases of aliases": Pathological(_numbered(b"const a#=a@;", b"const a0=browser;"), 20_000, 300),
    "an alias that moves on": Pathological(_nested(b"a=a.b;", b"let a=browser;", b"a.x();"), 20_000, 300),
    "aliases in a circle": Pathological(_nested(b"a=b;b=a;", b"var a=browser,b=a;"), 20_000, 300),
    "spreads that double": Pathological(_numbered(b"const o#={...o@,...o@};", b"const o0={a:1};"), 5000, 100),
    "functions that call each other": Pathological(
        _numbered(b"function f#(a){return x?f@(a):browser}", b"f0=f1;"), 10_000, 200
    ),
    "globals": Pathological(_numbered(b"window.g#=browser;g@.tabs.foo();"), 20_000, 200),
    "imports": Pathological(_numbered(b"import a# from './m#.js';a#.tabs.x();"), 10_000, 200),
    "exports": Pathological(_numbered(b"export const b#=browser;"), 10_000, 200),
    "a long string": Pathological(_filled(b"x='", b"a", b"';"), 20_000_000, 400_000),
    "a string of escapes": Pathological(_filled(b"x='", b"\\n", b"';"), 5_000_000, 50_000),
    "a long comment": Pathological(_filled(b"/*", b"*a", b"*/"), 10_000_000, 200_000),
    "a long name": Pathological(_filled(b"browser.", b"a", b"();"), 10_000_000, 100_000),
    "a long number": Pathological(_filled(b"browser.test.log(", b"9", b");"), 1_000_000, 20_000),
    "a long pattern": Pathological(_filled(b"x=/", b"[a-z]", b"/;"), 1_000_000, 20_000),
    "a long list": Pathological(_filled(b"browser.test.log([", b"1,", b"]);"), 1_000_000, 3000),
    "an unterminated template": Pathological(_filled(b"x=`", b"a b${c}"), 300_000, 3000),
    "an unterminated comment": Pathological(_filled(b"/*", b"a "), 1_000_000, 20_000),
    "random bytes": Pathological(lambda size: USE + Random(1).randbytes(size), 2_000_000, 30_000),
    "bytes that are not UTF-8": Pathological(_filled(b"x='", b"\xff\xfe\x80", b"';"), 1_000_000, 10_000),
    "UTF-16": Pathological(_in_utf_16("utf-16"), 43_000, 300),
    "UTF-16 without a mark": Pathological(_in_utf_16("utf-16-le"), 43_000, 300),
    "NUL bytes": Pathological(_filled(b"x='", b"\0", b"';"), 2_000_000, 20_000),
    "a style sheet": Pathological(_filled(b"", b".chrome > a { color: browser; }\n"), 100_000, 500),
    "a page": Pathological(_filled(b"<!DOCTYPE html>", b"<p class='browser'>chrome.x</p>\n"), 100_000, 300),
    "TSX that never ends": Pathological(_repeated(b"browser.x;(t:{\n,`,[[:'i\x05y';\n\\"), 1, 1, "a.tsx"),
    "TSX that never ends, shorter": Pathological(_repeated(b"browser.x;<a {{b:>c:d(e f)"), 1, 1, "a.tsx"),
    "nested types": Pathological(_nested(b"let a:Array<", b"browser", b">"), 20_000, 300, "a.ts"),
    "a page of open elements": Pathological(_repeated(b"<div browser>"), 500_000, 5000, "page.html"),
    "a page of scripts": Pathological(_repeated(b"<script>browser.x()</script>\n"), 20_000, 100, "page.html"),
    "a page of open scripts": Pathological(_repeated(b"<script><!--"), 200_000, 3000, "page.html"),
    "a deep manifest": Pathological(
        lambda size: _manifest(b'"a": ' + b"[" * size + b"]" * size), 1_000_000, 20_000, "manifest.json"
    ),
    "a wide manifest": Pathological(
        lambda size: _manifest(b'"permissions": [' + b",".join(b'"a%d"' % i for i in range(size)) + b"]"),
        *(100_000, 300),
        "manifest.json",
    ),
    "a manifest of unknown keys": Pathological(
        lambda size: _manifest(b",".join(b'"key%d": 1' % i for i in range(size))),
        100_000,
        100,
        "manifest.json",
    ),
    "a manifest with the same key": Pathological(
        lambda size: _manifest(b",".join([b'"icons": {}'] * size)), 100_000, 300, "manifest.json"
    ),
    "a deep file of rules": Pathological(_repeated(b"["), 1_000_000, 20_000, "rules.json"),
    "many rules": Pathological(_rules, 30_000, 300, "rules.json"),
    "many messages": Pathological(_messages, 50_000, 300, "_locales/en/messages.json"),
}
"""Inputs that once caused trouble for extlint or its dependencies, and similar ones."""


def pathological_case(name: str, size: int) -> Case:
    """Returns an extension with the named file, and a mistake in another file."""
    kind = PATHOLOGICAL[name]
    keys = {
        "manifest_version": 3,
        "name": "__MSG_name1__",
        "version": "1",
        "default_locale": "en",
        "background": {"service_worker": "a.tsx" if kind.file == "a.tsx" else "a.js"},
        "options_ui": {"page": "page.html"},
        "declarative_net_request": {"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
    }
    files = {
        "manifest.json": json.dumps(keys).encode(),
        "page.html": b"<p>",
        "rules.json": b"[]",
        "_locales/en/messages.json": b'{"name1": {"message": "a"}}',
        PLANTED: MISTAKE,
        kind.file: kind.make(size),
    }
    return Case(
        {f"{FOLDER}/{path}": data for path, data in files.items()}, (FOLDER,), f"pathological: {name}"
    )
