"""Module addresses in `import` and `export … from` that are mistakes, and those that are not."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from harness import Files, lint, manifest, reported

from extlint.cli.main import main

RULES = ["missing-file"]
MODULE = manifest(background={"service_worker": "d/b.js", "type": "module"})
CLASSIC = manifest(background={"service_worker": "d/b.js"})
FILES: Files = {"manifest.json": MODULE, "d/util.js": "", "lib/index.js": "", "root.js": ""}


@pytest.mark.parametrize(
    ("script", "missing"),
    [
        pytest.param("import './util.js'; import '../root.js'; import '/d/util.js?v=1';", [], id="there"),
        pytest.param("import { a } from './no.js';", ["'./no.js'"], id="not there"),
        pytest.param("import './util';", ["'./util'"], id="without a suffix"),
        pytest.param("import '../lib'; import '../lib/';", ["'../lib'"], id="a folder"),
        pytest.param("import './Util.js';", ["'./Util.js'"], id="in another case"),
        pytest.param("export * from '/util.js';", ["'/util.js'"], id="from the root"),
        pytest.param("import a from './a.json' with {type: 'json'};", ["'./a.json'"], id="data"),
        pytest.param("import 'util'; import 'https://a.b/c.js'; import '//a.b/c.js';", [], id="no files"),
        pytest.param("import './${name}.js'; import './__NAME__.js';", [], id="names that a build fills in"),
        pytest.param("if (a) import('./no.js').catch(f);", [], id="a call"),
    ],
)
@pytest.mark.parametrize("target", ["reference", "chrome", "firefox"])
def test_missing_imported_module_is_reported(script: str, missing: list[str], target: str) -> None:
    found = reported({**FILES, "d/b.js": script}, RULES, target)
    assert found == [("missing-file", each) for each in missing]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("./util", "the package has no file `d/util`; did you mean `d/util.js`?"),
        ("../lib", "the package has no file `lib`; did you mean `lib/index.js`?"),
        ("./utl.js", "the package has no file `d/utl.js`; did you mean `d/util.js`?"),
    ],
)
def test_similar_module_is_suggested(name: str, message: str) -> None:
    (found,) = lint({**FILES, "d/b.js": f"import '{name}';"}, RULES)
    assert found.message == message


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"manifest.json": CLASSIC}, id="a classic script, which may import nothing"),
        pytest.param({"manifest.json": manifest()}, id="a script that nothing loads"),
        pytest.param({"d/no.ts": ""}, id="a source that is built first"),
        pytest.param({"c.tsx": ""}, id="other sources that are built first"),
        pytest.param(
            {
                "p.html": "<script type=importmap>{}</script>",
                "manifest.json": MODULE.replace("{", '{"options_page": "p.html", ', 1),
            },
            id="a page with an import map",
        ),
    ],
)
def test_uncertain_import_is_not_reported(files: Files) -> None:
    assert reported({**FILES, "d/b.js": "import './no.js';", **files}, RULES) == []


def test_transitive_imports_of_a_page_are_checked() -> None:
    files = {
        "manifest.json": manifest(options_page="p.html"),
        "p.html": "<script type=module src=a.js></script>",
        "a.js": "import './b.js';",
        "b.js": "import './c';",
        "c.js": "",
    }
    assert reported(files, RULES) == [("missing-file", "'./c'")]


@pytest.mark.parametrize(("scripts", "status"), [({"build": "rollup -c"}, 0), ({"test": "mocha"}, 1)])
def test_build_may_resolve_imports_differently(tmp_path: Path, scripts: dict[str, str], status: int) -> None:
    (tmp_path / "d").mkdir()
    for name, text in {**FILES, "d/b.js": "import './util';", "lib/index.js": None}.items():
        if isinstance(text, str):
            (tmp_path / name).write_text(text)
    (tmp_path / "package.json").write_text(json.dumps({"scripts": scripts}))
    assert main(["check", str(tmp_path), "--select", "missing-file"]) == status


def test_archive_with_backslashes_in_names_is_not_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "a.zip"
    with ZipFile(archive, "w") as files:
        files.writestr("manifest.json", MODULE.replace("d/b.js", "b.js"))
        files.writestr("b.js", "import './assets/a.js';")
        files.writestr("assets\\a.js", "")
    main(["check", "--no-cache", "--select", "missing-file", str(archive)])
    assert "missing-file" not in capsys.readouterr().out
