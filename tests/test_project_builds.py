"""Projects whose build generates the manifest or scripts, with the build command and its output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
from harness import manifest
from packages import write

from extlint.cli.main import main

PROGRAM = "export default { manifest_version: 3 }"
WORKER = manifest(background={"service_worker": "background.js"})


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is a repository."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return tmp_path


def package(*packages: str, **scripts: str) -> str:
    """Returns the text of a package.json, which has the key `scripts` only if some are given."""
    named = {"devDependencies": dict.fromkeys(packages, "1")}
    return json.dumps({**named, "scripts": scripts} if scripts else named)


GENERATED = {
    "WXT": (
        {"package.json": package("wxt", dev="wxt", build="wxt build"), "entrypoints/utils.ts": ""},
        "WXT makes it; run `npm run build`, then check .output/chrome-mv3",
    ),
    "WXT without scripts, with pnpm": (
        {"package.json": package("wxt"), "pnpm-lock.yaml": ""},
        "WXT makes it; run `pnpm exec wxt build`, then check .output/chrome-mv3",
    ),
    "WXT with another folder": (
        {"package.json": package("wxt"), "wxt.config.ts": "export default {\n  outDir: 'out',\n}"},
        "WXT makes it; run `npx wxt build`, then check out/chrome-mv3",
    ),
    "WXT that was run": (
        {
            "package.json": package("wxt"),
            ".output/firefox-mv2/manifest.json": WORKER,
            ".gitignore": ".output",
        },
        "WXT makes it; it has made .output/firefox-mv2: run `extlint check .output/firefox-mv2`",
    ),
    "Plasmo with yarn": (
        {"package.json": package("plasmo", build="plasmo build", package="plasmo package"), "yarn.lock": ""},
        "Plasmo makes it; run `yarn build`, then check build/chrome-mv3-prod",
    ),
    "Plasmo with a package manager that is stated": (
        {"package.json": json.dumps({"packageManager": "bun@1.2", "dependencies": {"plasmo": "1"}})},
        "Plasmo makes it; run `bunx plasmo build`, then check build/chrome-mv3-prod",
    ),
    "CRXJS": (
        {
            "package.json": package("@crxjs/vite-plugin", "vite", build="tsc -b && vite build"),
            "manifest.config.ts": "export default {}",
            "vite.config.ts": "export default {\n  plugins: [zip({ outDir: 'release' })],\n}",
        },
        "CRXJS makes it; run `npm run build`, then check dist",
    ),
    "a plugin of Vite with another folder": (
        {
            "package.json": package("vite-plugin-web-extension", **{"build:all": "vite build"}),
            "vite.config.ts": "export default {\n  root: 'src',\n  build: { outDir: '../out' },\n}",
        },
        "a plugin of Vite makes it; run `npm run build:all`, then check out",
    ),
    "a program of the project": (
        {
            "package.json": package("webpack", build="webpack"),
            "src/manifest.ts": PROGRAM,
            "webpack.config.js": "",
        },
        "src/manifest.ts makes it; run `npm run build`, then check its output",
    ),
    "a template": (
        {
            "package.json": package("ejs", build="node build.js"),
            "src/manifest.json.ejs": '{"name": "<%= n %>"}',
        },
        "the build that reads src/manifest.json.ejs makes it; run `npm run build`, then check its output",
    ),
    "a template without a known build": (
        {"manifest.json.in": '{"version": "@VERSION@"}', "Taskfile.yml": ""},
        "the build that reads manifest.json.in makes it; build it, then check its output",
    ),
    "several programs of the project": (
        {
            "package.json": package("rspack", build="rspack"),
            "src/manifest-firefox.ts": PROGRAM,
            "src/manifest.ts": PROGRAM,
        },
        "src/manifest.ts makes it; run `npm run build`, then check its output",
    ),
    "a script with another name": (
        {
            "package.json": package("webpack", dev="webpack -w", prod="webpack", prodtest="webpack"),
            "js/manifest.js": PROGRAM,
        },
        "js/manifest.js makes it; run `npm run prod`, then check its output",
    ),
    "webpack says where": (
        {
            "package.json": package("webpack", build="webpack"),
            "manifest.js": PROGRAM,
            "webpack/webpack.common.js": "x = { output: { path: path.join(__dirname, '../dist/js') }}",
        },
        "manifest.js makes it; run `npm run build`, then check dist",
    ),
    "parts of manifests": (
        {
            "package.json": package("webpack", build="webpack"),
            "webpack.config.js": "",
            "manifest/base.json": "{}",
            "manifest/chrome.json": '{"manifest_version": 3}',
        },
        "the build that reads manifest/base.json makes it; run `npm run build`, then check its output",
    ),
    "a build that contains it": (
        {
            "package.json": package("esbuild", build="node build.mjs"),
            "build.mjs": "const m = { manifest_version: 3 }; build({ outdir: 'dist' }); write(m);",
        },
        "build.mjs makes it; run `npm run build`, then check dist",
    ),
    "a script that says where": (
        {
            "package.json": package("rollup", build="node scripts/make-manifest.js && rollup"),
            "scripts/make-manifest.js": (
                "const m = { manifest_version: 3 };\n"
                "fs.writeFileSync(path.join(__dirname, '..', 'build', 'manifest.json'), JSON.stringify(m));"
            ),
        },
        "scripts/make-manifest.js makes it; run `npm run build`, then check build",
    ),
    "a script without a build": (
        {
            "package.json": package("left-pad", manifest="node tools/manifest.mjs"),
            "tools/manifest.mjs": "m.manifest_version = 3;",
        },
        "tools/manifest.mjs makes it; run `npm run manifest`, then check its output",
    ),
    "a configuration without the version": (
        {
            "package.json": package("vite", build="vite build"),
            "manifest.config.ts": "export default { background: { service_worker: 'b.js' } }",
        },
        "manifest.config.ts makes it; run `npm run build`, then check dist",
    ),
    "a program that reads another format": (
        {
            "package.json": package("gulp", build="gulp"),
            "gulpfile.js": "writeFile('out/manifest.json', read()); gulp.dest('out');",
            "src/manifest.yml": "manifest_version: 3",
        },
        "gulpfile.js makes it; run `npm run build`, then check out",
    ),
    "a program in another language": (
        {"build.py": "json.dump({'manifest_version': 3}, open('dist/manifest.json', 'w'))"},
        "build.py makes it; run it, then check dist",
    ),
    "an option of the command": (
        {
            "package.json": package("parcel", build="parcel build --dist-dir=target/x a.html"),
            "src/manifest.ts": PROGRAM,
        },
        "src/manifest.ts makes it; run `npm run build`, then check target",
    ),
    "the short option of Parcel": (
        {
            "package.json": package("parcel", build="parcel build a.js -d build/js -o b.js"),
            "src/manifest.ts": PROGRAM,
        },
        "src/manifest.ts makes it; run `npm run build`, then check build",
    ),
    "the short option of Parcel, for a folder of another name": (
        {
            "package.json": package("parcel", build="parcel build a.js -d extension/js/ -o b.js"),
            "src/manifest.ts": PROGRAM,
        },
        "src/manifest.ts makes it; run `npm run build`, then check its output",
    ),
    "a program outside of the project": (
        {
            "apps/ext/package.json": package("@crxjs/vite-plugin", build="node ../../tools/build.mjs"),
            "tools/build.mjs": "const root = resolve(__dirname, '..'); const out = resolve(root, 'dist');",
        },
        "CRXJS makes it; run `npm run build` in apps/ext, then check dist",
    ),
    "a program outside of the project with its own folder": (
        {
            "apps/ext/package.json": package("@crxjs/vite-plugin", build="node ../../tools/build.mjs"),
            "tools/build.mjs": "const out = path.join(__dirname, '../build');",
        },
        "CRXJS makes it; run `npm run build` in apps/ext, then check build",
    ),
    "a program outside of the project with an unknown root": (
        {
            "apps/ext/package.json": package("@crxjs/vite-plugin", build="node ../../tools/build.mjs"),
            "tools/build.mjs": "const distDir = resolve(root, 'dist');",
        },
        "CRXJS makes it; run `npm run build` in apps/ext, then check its output",
    ),
    "a program outside of the project with a folder in the current one": (
        {
            "apps/ext/package.json": package("@crxjs/vite-plugin", build="node ../../tools/build.mjs"),
            "tools/build.mjs": "const distDir = resolve(process.cwd(), 'dist');",
        },
        "CRXJS makes it; run `npm run build` in apps/ext, then check apps/ext/dist",
    ),
    "one of several projects": (
        {"package.json": package("turbo", build="turbo build"), "apps/ext/package.json": package("wxt")},
        "WXT makes it; run `npx wxt build` in apps/ext, then check apps/ext/.output/chrome-mv3",
    ),
}


@pytest.mark.parametrize(("files", "expected"), GENERATED.values(), ids=GENERATED.keys())
def test_generated_manifest_is_explained(
    files: Mapping[str, str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(files)
    assert main(["check"]) == 2
    assert capsys.readouterr().err == f"extlint: no manifest.json in or below .: {expected}\n"


def test_generated_manifest_is_explained_in_a_subfolder(capsys: pytest.CaptureFixture[str]) -> None:
    write({"a/package.json": package("wxt"), "a/entrypoints/background.ts": ""})
    assert main(["check", "a/entrypoints"]) == 2
    assert "run `npx wxt build` in a, then check a/.output/chrome-mv3\n" in capsys.readouterr().err


NOT_GENERATED = {
    "no project": {"a.js": ""},
    "a project of something else": {"package.json": package("vite", build="vite build"), "index.html": ""},
    "a project without a build": {"package.json": package("left-pad"), "manifest.ts": PROGRAM},
    "broken": {"package.json": "{", "manifest.ts": PROGRAM},
    "a program that checks a manifest": {
        "package.json": package("webpack", build="webpack"),
        "scripts/check-manifest.js": "const expected = { manifest_version: 3 };",
        "src/a.js": "if (m.manifest_version === 3) a();",
    },
    "a program that writes the manifest of a web page": {
        "package.json": package("vite", build="vite build"),
        "scripts/build.js": "fs.writeFileSync('dist/manifest.json', '{}');",
        "public/manifest.webmanifest.json": "{}",
    },
    "a program that nothing runs": {"manifest.ts": PROGRAM},
    "a manifest of another kind of program": {
        "package.json": package("vite", build="uni build"),
        "manifest.config.ts": "export default { appid: '', versionName: '1.0' }",
    },
}


@pytest.mark.parametrize("files", NOT_GENERATED.values(), ids=NOT_GENERATED.keys())
def test_missing_manifest_without_a_known_build(
    files: Mapping[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    write(files)
    assert main(["check"]) == 2
    assert capsys.readouterr().err == "extlint: no manifest.json in or below .\n"


VITE = {"package.json": package("vite", build="vite build"), "public/manifest.json": WORKER}

UNBUILT = {
    "a manifest that is copied": (
        {**VITE, "src/background.ts": ""},
        {"background.js": "../src/background.ts"},
        "background.js is not built, so its source was checked instead: run `npm run build`, then check dist",
    ),
    "it was built": (
        {
            **VITE,
            "src/a.ts": "",
            "dist/manifest.json": WORKER,
            "dist/background.js": "",
            ".gitignore": "dist",
        },
        {"background.js": None},
        "background.js is not built, so it was not checked: check dist, which the build has made",
    ),
    "scripts and pages": (
        {
            "package.json": package("webpack", build="webpack --mode production"),
            "src/manifest.json": manifest(
                background={"service_worker": "js/b.js"}, action={"default_popup": "popup.html"}
            ),
            "src/b.ts": "",
        },
        {"js/b.js": "b.ts", "popup.html": None},
        "popup.html is not built, so it was not checked, unlike the source of 1 more: "
        "run `npm run build`, then check its output",
    ),
    "a folder for each browser": (
        {
            "package.json": package("webextension-toolbox", build="webextension-toolbox build chrome"),
            "app/manifest.json": WORKER,
            "app/background.ts": "",
        },
        {"background.js": "background.ts"},
        "background.js is not built, so its source was checked instead: "
        "run `npm run build`, then check dist/chrome",
    ),
    "a script that the manifest itself names is not the source of another one": (
        {
            "package.json": package("webpack", build="webpack"),
            "src/manifest.json": manifest(background={"scripts": ["common/background.js", "background.js"]}),
            "src/background.js": "",
        },
        {"common/background.js": None},
        "common/background.js is not built, so it was not checked: "
        "run `npm run build`, then check its output",
    ),
    "a workspace whose own script only compiles": (
        {
            "package.json": json.dumps({"workspaces": ["apps/*"], "scripts": {"build": "webpack"}}),
            "webpack.config.js": "",
            "apps/a/package.json": package(build="tsc --build --verbose"),
            "apps/a/manifest.json": WORKER,
            "apps/a/src/index.ts": "",
        },
        {"background.js": None},
        "background.js is not built, so it was not checked: run `npm run build`, then check its output",
    ),
    "a build of another kind": (
        {
            "Rakefile": "task :build",
            "src/manifest.json": WORKER,
            "build.sh": "",
            "src/b.coffee": "",
        },
        {"background.js": None},
        "background.js is not built, so it was not checked: check what the build makes",
    ),
}


def not_checked(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Returns the lines of the output about code that was not checked."""
    lines = capsys.readouterr().out.splitlines()
    words = ("not built", "not there", "fills in", "not known where")
    return [line for line in lines if any(word in line for word in words)]


@pytest.mark.parametrize(("files", "sources", "expected"), UNBUILT.values(), ids=UNBUILT.keys())
def test_unbuilt_scripts_are_reported(
    files: Mapping[str, str],
    sources: Mapping[str, str | None],
    expected: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(files)
    assert main(["check"]) == 0
    assert not_checked(capsys) == [expected]
    main(["check", "--output-format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["extensions"]
    assert found["unbuilt"] == sorted(sources)
    assert found["unchecked"] == [
        {
            "reason": "unbuilt",
            "names": sorted(sources),
            "sources": {name: source for name, source in sources.items() if source is not None},
            "message": expected,
        }
    ]


def test_sources_of_checked_output_are_not_named(capsys: pytest.CaptureFixture[str]) -> None:
    files = {**VITE, "src/other.ts": "chrome.tabs.query({});", "public/other.js": "chrome.tabs.query({});"}
    write({**files, "dist/manifest.json": WORKER, "dist/background.js": ""})
    assert main(["check"]) == 0
    assert not_checked(capsys) == []
    assert main(["check", "public"]) == 0
    assert not_checked(capsys) == [
        "background.js is not built, so it was not checked: check dist, which the build has made",
        "it is not known where public/other.js and src/other.ts run, so they were checked only in part: "
        "check dist, which the build has made",
    ]


COMPLETE = {
    "all is there": {**VITE, "public/background.js": ""},
    "no build": {"manifest.json": WORKER},
    "tools read the names from the root": {
        "package.json": package("vite-plugin-web-extension"),
        "src/manifest.json": manifest(background={"service_worker": "src/background.ts"}),
        "src/background.ts": "",
    },
}


@pytest.mark.parametrize("files", COMPLETE.values(), ids=COMPLETE.keys())
def test_complete_project_has_no_unchecked_code(
    files: Mapping[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    write(files)
    main(["check", "--output-format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["extensions"]
    assert (found["unbuilt"], found["unchecked"]) == ([], [])


def test_unbuilt_scripts_are_grouped_by_build_command(capsys: pytest.CaptureFixture[str]) -> None:
    build = package("vite", build="vite build")
    write(
        {f"{each}/package.json": build for each in "ab"}
        | {f"{each}/public/manifest.json": WORKER for each in "ab"}
    )
    assert main(["check"]) == 0
    assert not_checked(capsys) == [
        "background.js is not built, so it was not checked: "
        f"run `npm run build` in {each}, then check {each}/dist"
        for each in "ab"
    ]


USE = "chrome.tabs.query({});"
NAMED = '"background": {"service_worker": "%s"}, "permissions": ["%s"]'
TEMPLATE = '{"manifest_version": 3, "name": "List", "version": "1", %s}'

UNCHECKED = {
    "a placeholder for a script": (
        {
            "package.json": package("webpack", build="webpack"),
            "manifest.json": TEMPLATE % NAMED % ("{{js}}", "tabs"),
        },
        "template",
        "a build fills in `{{js}}` in the manifest, so what depends on that was not checked: "
        "run `npm run build`, then check its output",
    ),
    "a placeholder for a permission": (
        {"manifest.json": TEMPLATE % NAMED % ("b.js", "__MORE__"), "b.js": "", "build.sh": ""},
        "template",
        "a build fills in `permissions` in the manifest, so what depends on that was not checked: "
        "check what the build makes",
    ),
    "a manifest that is no JSON": (
        {"manifest.json": '{"manifest_version": 3, "name": {{name}}}', "b.js": USE, "build.sh": ""},
        "template",
        "a build fills in the manifest, so what depends on that was not checked: check what the build makes",
    ),
    "an invalid manifest": ({"manifest.json": '{"manifest_version": 3, "name": }', "b.js": USE}, None, ""),
    "a placeholder for the version": (
        {
            "manifest.json": (TEMPLATE % NAMED % ("b.js", "tabs")).replace('"1"', '"{{v}}"'),
            "b.js": USE,
            "build.sh": "",
        },
        None,
        "",
    ),
    "a script that Git ignores": (
        {"manifest.json": TEMPLATE % NAMED % ("lib/b.js", "tabs"), ".gitignore": "lib"},
        "unresolved",
        "lib/b.js is not there, so it was not checked: build or fetch what is missing",
    ),
    "a script that npm fetches": (
        {"manifest.json": TEMPLATE % NAMED % ("node_modules/b.js", "tabs"), "build.sh": ""},
        "unresolved",
        "node_modules/b.js is not there, so it was not checked: build or fetch what is missing",
    ),
    "a script that is reported as missing": (
        {"manifest.json": TEMPLATE % NAMED % ("b.js", "tabs")},
        None,
        "",
    ),
    "a script that nothing loads": (
        {"manifest.json": TEMPLATE % NAMED % ("b.js", "tabs"), "b.js": USE, "old/a.js": f"a(); {USE}"},
        "unconnected",
        "it is not known where old/a.js runs, so it was checked only in part",
    ),
    "scripts with computed names, next to a missing one": (
        {
            "manifest.json": TEMPLATE % NAMED % ("b.js", "tabs"),
            "b.js": f"{USE} importScripts('./lib/c.js'); importScripts(name + '.js');",
            ".gitignore": "lib",
            "scripts/a.js": USE,
        },
        "unresolved unconnected",
        "lib/c.js is not there, so it was not checked: build or fetch what is missing\n"
        "it is not known where scripts/a.js runs, so it was checked only in part",
    ),
    "a module that Git ignores": (
        {
            "manifest.json": (TEMPLATE % NAMED % ("b.js", "tabs")).replace(
                'b.js"', 'b.js", "type": "module"'
            ),
            "b.js": f"import {{ key }} from './secrets.js'; {USE}",
            ".gitignore": "secrets.js",
        },
        "unresolved",
        "secrets.js is not there, so it was not checked: build or fetch what is missing",
    ),
    "a module that Git ignores, and whose source is there": (
        {
            "manifest.json": (TEMPLATE % NAMED % ("b.js", "tabs")).replace(
                'b.js"', 'b.js", "type": "module"'
            ),
            "b.js": f"import {{ key }} from '/lib/key.js'; {USE}",
            ".gitignore": "lib",
            "tsconfig.json": '{"compilerOptions": {"paths": {"/lib/*": ["./src/*"]}}}',
            "src/key.ts": "export const key = 1;",
        },
        None,
        "",
    ),
    "a module that Git ignores, in a folder that a build makes": (
        {
            "manifest.json": manifest(
                background={"scripts": ["lib/a.js", "b.js"], "type": "module"}, permissions=["tabs"]
            ),
            "b.js": f"import './lib/c.js'; import './other.js'; {USE}",
            ".gitignore": "lib\nother.js",
            "build.sh": "",
        },
        "unbuilt unresolved",
        "lib/a.js and lib/c.js are not built, so they were not checked: check what the build makes\n"
        "other.js is not there, so it was not checked: build or fetch what is missing",
    ),
    "a module that Git ignores, and that is there or has a source": (
        {
            "manifest.json": (TEMPLATE % NAMED % ("b.js", "tabs")).replace(
                'b.js"', 'b.js", "type": "module"'
            ),
            "b.js": f"import './secrets.js'; import './made.js'; import './folder'; {USE}",
            "secrets.js": "",
            "made.ts": "",
            "folder/index.ts": "",
            ".gitignore": "*.js\n!b.js\nfolder",
            "build.sh": "",
        },
        None,
        "",
    ),
    "sources and copies of scripts that are loaded": (
        {
            "manifest.json": TEMPLATE % NAMED % ("dist/b.js", "tabs"),
            "dist/b.js": USE,
            "src/b.js": f"// source\n{USE}",
            "src/a.ts": USE,
            "src/c.js": f"import './a';{USE}",
            "old/a.js": USE,
        },
        None,
        "",
    ),
    "a script that is no source of the output": (
        {
            "manifest.json": TEMPLATE % NAMED % ("dist/b.js", "tabs"),
            "dist/b.js": USE,
            "other.js": f"a(); {USE}",
        },
        "unconnected",
        "it is not known where other.js runs, so it was checked only in part",
    ),
    "a script in a folder for programs": (
        {"manifest.json": TEMPLATE % NAMED % ("b.js", "tabs"), "b.js": f"b(); {USE}", "scripts/a.js": USE},
        "unconnected",
        "it is not known where scripts/a.js runs, so it was checked only in part",
    ),
    "scripts that nothing loads, in a project with a build": (
        {
            "package.json": package("webpack", build="webpack"),
            "app/manifest.json": TEMPLATE % NAMED % ("b.js", "tabs"),
            "app/b.js": f"b(); {USE}",
            "app/a.ts": USE,
            "app/c.ts": USE,
        },
        "unconnected",
        "it is not known where app/a.ts and app/c.ts run, so they were checked only in part: "
        "run `npm run build`, then check its output",
    ),
    "scripts of a Chrome app": (
        {
            "manifest.json": TEMPLATE % '"app": {"background": {"scripts": ["a.js"]}}',
            "a.js": USE,
        },
        None,
        "",
    ),
    "scripts that use nothing, test something or are tools": (
        {
            "manifest.json": TEMPLATE % NAMED % ("b.js", "tabs"),
            "b.js": USE,
            "a.js": "a();",
            "tests/a.js": USE,
            "build.js": f"import fs from 'fs'; {USE}",
            "scripts/a.js": f"import puppeteer from 'puppeteer-core'; {USE}",
            "scripts/b.mjs": f"import {{ join }} from 'node:path'; {USE}",
            "scripts/c.js": f"{USE} process.exit(0);",
            "webpack.config.js": USE,
        },
        None,
        "",
    ),
}


@pytest.mark.parametrize(("files", "reason", "expected"), UNCHECKED.values(), ids=UNCHECKED.keys())
def test_unchecked_code_is_explained(
    files: Mapping[str, str], reason: str | None, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(files)
    main(["check"])
    assert not_checked(capsys) == expected.splitlines()
    main(["check", "--output-format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["extensions"]
    assert [each["reason"] for each in found["unchecked"]] == (reason or "").split()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({**VITE, "src/other.ts": ""}, "No findings in the checked part of 1 extension (2 files)."),
        ({**VITE, "src/background.ts": ""}, "No findings in 1 extension (2 files)."),
        ({"manifest.json": WORKER, "background.js": ""}, "No findings in 1 extension (2 files)."),
    ],
    ids=["nothing is built", "the source is known", "all is there"],
)
def test_no_findings_are_those_of_the_checked_part(
    files: Mapping[str, str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(files)
    assert main(["check"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == expected


@pytest.mark.parametrize("text", ["{", "[]"])
def test_invalid_manifest_without_the_rule_about_it(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    write({"manifest.json": text})
    main(["check", "manifest.json", "--select", "missing-permission"])
    assert capsys.readouterr().out.splitlines() == [
        "No findings in the checked part of 1 extension (1 file).",
        "checked for reference: nothing names a browser",
        "the manifest is not valid, so nothing was checked: select all rules to see why",
    ]
    main(["check", "manifest.json"])
    assert "so nothing was checked" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        pytest.param(
            {"manifest.json": WORKER, "background.js": ""},
            "a.zip/a/b.js and a.zip/a/p.html are not there, so they were not checked:"
            " add what is missing to the archive",
            id="an extension at the top",
        ),
        pytest.param(
            {},
            "b.js and p.html are not built, so they were not checked: check what the build makes",
            id="a project",
        ),
    ],
)
def test_missing_files_of_archives(
    top: Mapping[str, str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    inner = manifest(background={"service_worker": "b.js"}, action={"default_popup": "p.html"})
    with ZipFile("a.zip", "w") as archive:
        for name, text in {**top, "a/manifest.json": inner, "README": ""}.items():
            archive.writestr(name, text)
    main(["check", "a.zip"])
    assert not_checked(capsys) == [expected]


def test_missing_file_of_one_extension_is_named_with_its_path(capsys: pytest.CaptureFixture[str]) -> None:
    files = {"manifest.json": WORKER, "background.js": "", "other/manifest.json": WORKER}
    write({**files, "other/README": "", ".gitignore": "other/background.js"})
    main(["check"])
    assert not_checked(capsys) == [
        "other/background.js is not there, so it was not checked: build or fetch what is missing"
    ]
