"""Generates scripts in the shape of each bundler's output, around generated modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from extlint_fuzz.bundle_shapes import (
    BROWSERIFY,
    ESBUILD_NAMED,
    PARCEL_1,
    UMD,
    WEBPACK_4,
    WEBPACK_5,
    WEBPACK_CHUNK,
    fill,
)
from extlint_fuzz.case import Case
from extlint_fuzz.generators.extensions import one_script
from extlint_fuzz.generators.statements import Statements

_USE = "entry.api.tabs.query({ actve: 1 });"
SHAPES: tuple[tuple[str, str, str], ...] = (
    (fill(WEBPACK_4, MODULES="[MODULES]"), "function(module, exports, require) {\nBODY\n}", ",\n"),
    (
        fill(WEBPACK_5, BODY=f"var entry = load(ENTRY); {_USE}"),
        "NUMBER: ((module, exports, require) => {\nBODY\n})",
        ",\n",
    ),
    (WEBPACK_CHUNK, "NUMBER: (e, t, require) => {\nBODY\n}", ",\n"),
    (BROWSERIFY, "NUMBER: [function(require, module, exports) {\nBODY\n}, { 0: OTHER, 1: 0 }]", ",\n"),
    (
        fill(ESBUILD_NAMED, BODY=f"var entry = __toESM(require_ENTRY()); {_USE}"),
        'var require_NUMBER = __commonJS({ "src/NUMBER.js"(exports, module) {\nBODY\n} });',
        "\n",
    ),
    (PARCEL_1, "NUMBER: [function(require, module, exports) {\nBODY\n}, {}]", ",\n"),
    (fill(UMD, BODY="Lib.api.tabs.query(1);"), "BODY", "\n"),
    ("(function () { 'use strict';\nMODULES\n})();\n", "(function (exports) {\nBODY\n})({});", "\n"),
)
"""The code around all modules, the code around each module, and the separator."""

EXPORTED = ("browser", "chrome", "{ api: browser }", "browser.tabs", "() => chrome", "require", "1")


def bundle(chance: Random) -> Case:
    """Returns a bundle of some modules, which may be truncated or repeat a part."""
    modules = [_module(chance) for _ in range(chance.choice((1, 2, 3, 8)))]
    shape, around, between = chance.choice(SHAPES)
    parts = [fill(around, BODY=each, NUMBER=i, OTHER=chance.randrange(9)) for i, each in enumerate(modules)]
    text = fill(shape, MODULES=between.join(parts), ENTRY=chance.randrange(len(modules)))
    if "__commonJS" in shape:
        text = text.replace("require(", "require_").replace(");//", "();//")
    change = chance.choice((*CHANGES, None, None, None, None))
    if change is not None:
        text = change(chance, text)
    return one_script(chance, text.encode(), generator="bundle", well_formed=change is None)


def _module(chance: Random) -> str:
    """Returns the body of a CommonJS module that may require others by number."""
    lines = [f"var dep = require({chance.randint(0, 3)});//"]
    lines += ["dep.management.getAll();", "dep.api.tabs.query({ actve: 1 });"]
    remaining = [line for line in lines if chance.random() < 0.7]
    body = Statements(chance).script(chance.choice((0, 1, 3)))
    export_template = chance.choice(
        ("module.exports = VALUE;", "exports.api = VALUE;", "exports.default = VALUE;", "")
    )
    return "\n".join([*remaining, body, fill(export_template, VALUE=chance.choice(EXPORTED))])


def _truncated(chance: Random, text: str) -> str:
    return text[: chance.randrange(len(text))]


def _doubled(chance: Random, text: str) -> str:
    start, end = sorted(chance.randrange(len(text)) for _ in range(2))
    return text[:end] + text[start:]


def _joined_lines(chance: Random, text: str) -> str:  # noqa: ARG001
    return " ".join(text.replace("//", "").split("\n"))


CHANGES: Sequence[Callable[[Random, str], str]] = (_truncated, _doubled, _joined_lines)
