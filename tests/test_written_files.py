"""Files that a shell script or another command of the project copies, downloads or writes."""

from __future__ import annotations

import pytest
from harness import Files, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.project.copied_files import writing_commands
from extlint.schema.targets import Target

FILES = {
    "manifest.json": manifest(
        background={"service_worker": "b.js"},
        content_scripts=[{"matches": ["https://*/*"], "js": ["vendor/jquery.min.js", "c.js"]}],
    ),
    "b.js": "",
    "c.js": "",
    "src/other.js": "",
}
MISSING = ["vendor/jquery.min.js"]


def missing(files: Files, folder: str = "") -> list[str]:
    """Returns the missing files of an extension, with the other files of its project."""
    found = check_package(package_in(files, folder), [Target("reference")], ["missing-file"]).findings
    return [each.message.removeprefix("the package has no file ").strip("`") for each in found]


WRITES = {
    "a copy into a folder": "cp -v node_modules/jquery/dist/jquery.min.js vendor/",
    "a copy with options": "if true; then sudo cp -f node_modules/jquery/dist/jquery.min.js vendor; fi",
    "a copy of several files": "cp node_modules/a.js node_modules/jquery.min.js vendor 2>/dev/null || true",
    "a copy to another name": "cp node_modules/jquery/dist/jquery.js vendor/jquery.min.js",
    "a copy of a folder": "cp -r node_modules/jquery/dist vendor",
    "the content of a folder": "rsync -a node_modules/jquery/dist/ ./vendor/",
    "a variable": 'OUT="$PWD/vendor"\nmkdir -p $OUT\ncp "$JQUERY/jquery.min.js" "${OUT}"',
    "a name in a loop": "for f in jquery b; do cp node_modules/$f/dist/$f.min.js vendor/; done",
    "the folder of the script": 'ROOT=$(cd "$(dirname "$0")" && pwd)\ncp x/jquery.min.js $ROOT/vendor/',
    "another folder": "(cd vendor && curl -sLO https://example.org/jquery.min.js)",
    "a download": "curl -sL https://example.org/j.js -o vendor/jquery.min.js",
    "a download of its name": "wget -P vendor https://example.org/jquery.min.js?version=3",
    "a redirection": "cat node_modules/jquery/jquery.js | terser > vendor/jquery.min.js",
    "a joined line": "cp \\\n  node_modules/jquery/jquery.min.js \\\n  vendor/",
    "an archive": "curl https://example.org/a.tgz | tar -xz -C vendor",
    "another repository": "git clone https://example.org/jquery.git vendor",
    "a minifier": "npx terser jquery.js -o vendor/jquery.min.js",
}


@pytest.mark.parametrize("text", WRITES.values(), ids=WRITES.keys())
def test_file_that_a_command_writes_is_not_missing(text: str) -> None:
    assert missing({**FILES, "vendor.sh": f"#!/bin/sh\n{text}\n"}) == []


OTHERS = {
    "nothing": "echo vendor/jquery.min.js",
    "a comment": "# cp node_modules/jquery/jquery.min.js vendor/",
    "another file": "cp node_modules/jquery/jquery.js vendor/",
    "another folder": "cp node_modules/jquery/jquery.min.js dist/vendor/",
    "a folder only": "mkdir -p vendor",
    "a read": "zip -r out.zip vendor/jquery.min.js < vendor/jquery.min.js",
    "a copy elsewhere": "mkdir out; cp -r vendor b.js c.js out/; cp vendor/jquery.min.js out",
    "a copy of all": "cp -r . out; cp -r * $OUT; cp -r vendor $OUT/vendor",
    "a copy of its folder": "cp -r vendor/ $OUT/vendor",
    "a removal": "rm -rf vendor/jquery.min.js",
    "an output that is printed": "wget -qO- https://example.org/vendor/jquery.min.js",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS.keys())
def test_other_command_excuses_nothing(text: str) -> None:
    assert missing({**FILES, "vendor.sh": f"#!/bin/sh\n{text}\n"}) == MISSING


PLACES = {
    "npm": {"package.json": '{"scripts": {"postinstall": "cp node_modules/jquery/jquery.min.js vendor/"}}'},
    "a folder of scripts": {"scripts/fetch.sh": "cp node_modules/jquery/jquery.min.js ../vendor/"},
    "a script that runs in the root": {"tools/fetch.sh": "cp node_modules/jquery/jquery.min.js vendor/"},
    "Windows": {"fetch.bat": "copy /Y node_modules\\jquery\\jquery.min.js vendor\\"},
    "PowerShell": {"fetch.ps1": 'Invoke-WebRequest https://example.org/j -OutFile "vendor\\jquery.min.js"'},
    "CI": {".github/workflows/ci.yml": "steps:\n  - run: cp node_modules/jquery/jquery.min.js vendor/\n"},
}


@pytest.mark.parametrize("files", PLACES.values(), ids=PLACES.keys())
def test_command_may_be_anywhere_in_the_project(files: Files) -> None:
    assert missing({**FILES, **files}) == []


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("cp node_modules/jquery/jquery.min.js vendor/", False),
        ("cat node_modules/jquery/jquery.js > vendor/jquery.min.js", False),
        ("cp node_modules/jquery/jquery.min.js dist/", True),
    ],
)
def test_files_that_match_a_pattern(text: str, is_reported: bool) -> None:
    resources = [{"resources": ["vendor/*"], "matches": ["https://*/*"]}]
    files = {"manifest.json": manifest(web_accessible_resources=resources), "vendor.sh": text, "a.js": ""}
    package = package_in(files, "")
    found = check_package(package, [Target("chrome")], ["unmatched-resource"]).findings
    assert bool(found) is is_reported


@pytest.mark.parametrize(("output", "is_reported"), [("a.js", False), ("a.mjs", False), ("b.js", True)])
def test_compiler_writes_web_assembly_next_to_a_script(output: str, is_reported: bool) -> None:
    resources = [{"resources": ["wasm/build/a.wasm"], "matches": ["https://*/*"]}]
    text = f"wasm: main.cpp\n\tem++ -Os -o build/{output} main.cpp\n"
    files = {
        "manifest.json": manifest(web_accessible_resources=resources),
        "wasm/Makefile": text,
        "wasm/w.js": "",
    }
    found = check_package(package_in(files, ""), [Target("chrome")], ["unmatched-resource"]).findings
    assert bool(found) is is_reported


def test_command_outside_of_the_extension_writes_into_it() -> None:
    files = {f"ext/{path}": content for path, content in FILES.items()}
    copy = "cp node_modules/jquery/jquery.min.js %s/vendor/"
    assert missing({**files, "fetch.sh": copy % "ext"}, "ext/") == []
    assert missing({**files, "fetch.sh": copy % "other"}, "ext/") == MISSING


def test_hostile_script_takes_little_time() -> None:
    text = (
        "cp "
        + "a" * 50_000
        + "\n"
        + "$(" * 20_000
        + "\n"
        + "'" * 20_000
        + "\n"
        + "{," * 20_000
        + "=" * 20_000
    )
    (words,) = writing_commands(text)
    assert words[0] == "cp"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("cp src/p.html build/src/.", [], id="the file of the project"),
        pytest.param("cp -r src build", [], id="its folder"),
        pytest.param("cp src/q.html build/src/.", ["src/p.html"], id="another file"),
        pytest.param("cp build/src/p.html out/src/", ["src/p.html"], id="the missing file"),
        pytest.param("cp -r build out", ["src/p.html"], id="its own folder"),
    ],
)
def test_copy_from_the_same_path_in_the_project(command: str, expected: list[str]) -> None:
    files = {
        "build/manifest.json": manifest(action={"default_popup": "src/p.html"}),
        "build/src/b.js": "",
        "src/p.html": "",
        "release.sh": command,
    }
    assert missing(files, "build/") == expected
