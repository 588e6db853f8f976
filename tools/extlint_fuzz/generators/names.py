"""Generates extensions whose files have odd names, and command lines with odd paths."""

from __future__ import annotations

import json
from random import Random

from extlint_fuzz.case import FOLDER, Case

ODD_NAMES = (
    *(
        "a b.js",
        "é.js",
        "e\u0301.js",
        "\u202ejs.exe.js",
        "\x1b[31mred.js",
        "new\nline.js",
        "tab\t.js",
        "'q'.js",
        '"q".js',
    ),
    *(
        "\udcff.js",
        "\udce9\udcff/a.js",
        "a\udc80b.js",
        "%41.js",
        "a?b.js",
        "a#b.js",
        "-x.js",
        "--help",
        "*.js",
        "[a].js",
    ),
    *(
        "\U0001f600.js",
        "\ufeff.js",
        "CON.js",
        "nul",
        "a\\b.js",
        "A.js",
        "a.JS",
        ".hidden.js",
        "x" * 200 + ".js",
        "a.js.map",
    ),
    *(
        "a/" * 60 + "b.js",
        "a/" * 110 + "c.js",
        "node_modules/x/a.js",
        "_metadata/a.js",
        "__proto__.js",
        "manifest.json/a.js",
    ),
)
ARGUMENTS = (
    *(
        (FOLDER,),
        (f"{FOLDER}/manifest.json",),
        (".",),
        (f"{FOLDER}/a.js",),
        (f"{FOLDER}/nothing.js",),
        ("nothing",),
    ),
    *(
        (FOLDER, FOLDER),
        (FOLDER, "nothing"),
        (f"./{FOLDER}/../{FOLDER}/",),
        (FOLDER, "--select", "uses"),
        ("",),
        ("/dev/null",),
    ),
    *(
        (FOLDER, "--target", "foo"),
        (FOLDER, "--select", "foo"),
        (FOLDER, "--fail-level", "x"),
        ("--skip-foreign-files", "."),
    ),
    *(
        (FOLDER, "--output-file", "/nothing/x"),
        (FOLDER, "--schemas", "["),
        ("\udcff",),
        ("a\0b",),
        ("-",),
        ("x" * 5000,),
    ),
    *(
        (FOLDER, "--extend-select", "stores"),
        (FOLDER, "--fail-level", "info", "-q"),
        (FOLDER, "--statistics"),
    ),
)


def odd_names(chance: Random) -> Case:
    """Returns files with odd names that the manifest or a page names, and odd arguments."""
    names = ["a.js", *chance.sample(ODD_NAMES, 4)]
    keys = {
        "manifest_version": 2,
        "name": "Test",
        "version": "1",
        "background": {"scripts": [name for name in names if chance.random() < 0.6]},
        "icons": {"16": chance.choice(ODD_NAMES)},
    }
    files = {f"{FOLDER}/{name}": b"browser.tabs.foo(); import('./a.js');" for name in names}
    page = "".join(f'<script src="{name}"></script>' for name in names)
    files[f"{FOLDER}/p.html"] = page.encode("utf-8", "surrogateescape")
    files[f"{FOLDER}/manifest.json"] = json.dumps(keys).encode()
    arguments = (FOLDER,) if chance.random() < 0.6 else chance.choice(ARGUMENTS)
    return Case(files, arguments, "odd names")
