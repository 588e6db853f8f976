"""The file of the package that an import resolves to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from packages import package_in, package_of

from extlint.package.discovery.folder import open_folder
from extlint.project.resolution.resolver import ImportKind, ModuleResolver, import_kind

RELATIVE = {
    "the file itself": ("./b.js", ["b.js", "b.ts"], "b.js"),
    "a name without a suffix": ("./b", ["b.mjs"], "b.mjs"),
    "TypeScript before JavaScript": ("./b", ["b.js", "b.ts"], "b.ts"),
    "a component without its suffix": ("./B", ["B.svelte"], "B.svelte"),
    "a name with a dot in it": ("./b.user", ["b.user.ts"], "b.user.ts"),
    ".js that is built of .ts": ("./b.js", ["b.ts"], "b.ts"),
    ".js that is built of .tsx": ("./b.js", ["b.tsx"], "b.tsx"),
    ".js that is built of .jsx": ("./b.js", ["b.jsx"], "b.jsx"),
    ".mjs that is built of .mts": ("./b.mjs", ["b.mts"], "b.mts"),
    ".cjs that is built of .cts": ("./b.cjs", ["b.cts"], "b.cts"),
    "a folder's index": ("./lib", ["lib/index.tsx"], "lib/index.tsx"),
    "a file before a folder": ("./lib", ["lib/index.ts", "lib.ts"], "lib.ts"),
    "the folder itself": (".", ["index.ts"], "index.ts"),
    "from the extension's root": ("/b.js", ["b.js"], "b.js"),
    "a query": ("./b.js?v=2", ["b.js"], "b.js"),
    "a hash": ("./b#top", ["b.ts"], "b.ts"),
    "an escaped name": ("./a%20b.js", ["a b.js"], "a b.js"),
    "above the root, as browsers read it": ("../../b.js", ["b.js"], "b.js"),
    "above the root, as no compiler reads it": ("../../b", ["b.ts"], None),
    "a style sheet": ("./b.css", ["b.css"], None),
    "data": ("./b.json", ["b.json"], None),
    "only types": ("./b", ["b.d.ts"], None),
    "a package's name": ("b", ["b.ts", "b/index.ts"], None),
    "a built-in module": ("node:fs", ["fs.js"], None),
    "a URL": ("https://x.test/b.js", ["b.js"], None),
    "nothing": ("", ["index.js"], None),
}


@pytest.mark.parametrize(("name", "files", "meant"), RELATIVE.values(), ids=RELATIVE.keys())
def test_imports_without_configuration(name: str, files: Sequence[str], meant: str | None) -> None:
    package = package_of(dict.fromkeys(files, ""))
    assert ModuleResolver(package).find(name, "a.js") == meant


def tsconfig(
    paths: Mapping[str, Sequence[str]] | None = None, base: str | None = None, extends: object = None
) -> str:
    """Returns the text of a tsconfig.json."""
    options = {"baseUrl": base, "paths": paths}
    set_options = {key: value for key, value in options.items() if value is not None}
    return json.dumps({"extends": extends, "compilerOptions": set_options})


ALIASES = '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}'
CONFIGURED = {
    "a star that stands for a path with a slash": (
        "~/src/b",
        "a.ts",
        {"tsconfig.json": tsconfig({"~*": ["./*"]}, "."), "src/b.ts": ""},
        "src/b.ts",
    ),
    "a path with a star": ("@/b", "a.ts", {"tsconfig.json": ALIASES, "src/b.ts": ""}, "src/b.ts"),
    "a path by its whole name": (
        "api",
        "a.ts",
        {"tsconfig.json": tsconfig({"api": ["./lib/api.ts"]}), "lib/api.ts": ""},
        "lib/api.ts",
    ),
    "a polyfill that is a file of one's own": (
        "webextension-polyfill",
        "a.ts",
        {"tsconfig.json": tsconfig({"webextension-polyfill": ["./lib/api"]}), "lib/api.ts": ""},
        "lib/api.ts",
    ),
    "the second of two places": (
        "x/b",
        "a.ts",
        {"tsconfig.json": tsconfig({"x/*": ["./one/*", "./two/*"]}), "two/b.ts": ""},
        "two/b.ts",
    ),
    "the longest fitting pattern": (
        "lib/deep/b",
        "a.ts",
        {
            "tsconfig.json": tsconfig({"lib/*": ["./one/*"], "lib/deep/*": ["./two/*"]}),
            "one/deep/b.ts": "",
            "two/b.ts": "",
        },
        "two/b.ts",
    ),
    "paths for names from the root": (
        "/out/b.js",
        "a.ts",
        {"tsconfig.json": tsconfig({"/out/*": ["./src/*"]}), "src/b.ts": ""},
        "src/b.ts",
    ),
    "baseUrl, and a name from the root": (
        "/b",
        "a.ts",
        {"tsconfig.json": tsconfig(base="src"), "src/b.ts": ""},
        None,
    ),
    "paths below baseUrl": (
        "~b",
        "a.ts",
        {"tsconfig.json": tsconfig({"~*": ["lib/*"]}, "src"), "src/lib/b.ts": ""},
        "src/lib/b.ts",
    ),
    "only baseUrl": (
        "libs",
        "a.ts",
        {"tsconfig.json": tsconfig(base="./src"), "src/libs/index.ts": ""},
        "src/libs/index.ts",
    ),
    "a fitting path hides baseUrl": (
        "x/b",
        "a.ts",
        {"tsconfig.json": tsconfig({"x/*": ["./none/*"]}, "."), "x/b.ts": ""},
        None,
    ),
    "jsconfig.json": ("@/b", "a.js", {"jsconfig.json": ALIASES, "src/b.js": ""}, "src/b.js"),
    "comments and trailing commas": (
        "@/b",
        "a.ts",
        {
            "tsconfig.json": '{ // one\n "compilerOptions": { /* 2 */ "paths": {"@/*": ["./src/*",],}, }, }',
            "src/b.ts": "",
        },
        "src/b.ts",
    ),
    "the nearest configuration": (
        "@/b",
        "in/a.ts",
        {"tsconfig.json": ALIASES, "in/tsconfig.json": ALIASES, "src/b.ts": "", "in/src/b.ts": ""},
        "in/src/b.ts",
    ),
    "a configuration that extends another": (
        "@/b",
        "a.ts",
        {"tsconfig.json": tsconfig(extends="./conf/base"), "conf/base.json": ALIASES, "conf/src/b.ts": ""},
        "conf/src/b.ts",
    ),
    "the last of those that it extends": (
        "@/b",
        "a.ts",
        {
            "tsconfig.json": tsconfig(extends=["./one.json", "./two.json"]),
            "one.json": ALIASES,
            "two.json": ALIASES.replace("src", "lib"),
            "src/b.ts": "",
            "lib/b.ts": "",
        },
        "lib/b.ts",
    ),
    "${configDir}": (
        "@/b",
        "in/a.ts",
        {
            "base.json": ALIASES.replace("./src", "${configDir}/src"),
            "in/tsconfig.json": tsconfig(extends="../base.json"),
            "src/b.ts": "",
            "in/src/b.ts": "",
        },
        "in/src/b.ts",
    ),
    "a configuration that extends itself": (
        "@/b",
        "a.ts",
        {"tsconfig.json": tsconfig(extends="./tsconfig.json"), "src/b.ts": ""},
        None,
    ),
    "a configuration that is referred to": (
        "@/b",
        "a.ts",
        {
            "tsconfig.json": '{"references": [{"path": "./tsconfig.app.json"}]}',
            "tsconfig.app.json": ALIASES,
            "src/b.ts": "",
        },
        "src/b.ts",
    ),
    "two that are referred to and disagree": (
        "@/b",
        "a.ts",
        {
            "tsconfig.json": '{"references": [{"path": "./one"}, {"path": "./two"}]}',
            "one/tsconfig.json": ALIASES,
            "two/tsconfig.json": ALIASES,
            "one/src/b.ts": "",
            "two/src/b.ts": "",
        },
        None,
    ),
    "a broken configuration": ("@/b", "a.ts", {"tsconfig.json": "{", "src/b.ts": ""}, None),
    "a configuration of another shape": (
        "@/b",
        "a.ts",
        {"tsconfig.json": '[{"compilerOptions": {"paths": 1}}]', "src/b.ts": ""},
        None,
    ),
    "a name that package.json imports": (
        "#api",
        "in/a.js",
        {"package.json": '{"imports": {"#api": "./lib/api.js"}}', "lib/api.js": ""},
        "lib/api.js",
    ),
    "names that package.json imports by a pattern": (
        "#lib/b.js",
        "a.js",
        {
            "package.json": '{"imports": {"#lib/*": {"node": "./node/*", "default": "./lib/*"}}}',
            "lib/b.js": "",
        },
        "lib/b.js",
    ),
    "a condition that is not known": (
        "#api",
        "a.js",
        {
            "package.json": '{"imports": {"#api": {"development": "./dev.js", "default": "./b.js"}}}',
            "b.js": "",
            "dev.js": "",
        },
        None,
    ),
    "a folder's package.json": (
        "./lib",
        "a.js",
        {"lib/package.json": '{"main": "./out/main.js"}', "lib/out/main.js": "", "lib/index.js": ""},
        "lib/out/main.js",
    ),
    "another package of the tree": (
        "@me/shared",
        "packages/ext/a.ts",
        {
            "packages/shared/package.json": '{"name": "@me/shared", "main": "src/b.ts"}',
            "packages/shared/src/b.ts": "",
        },
        "packages/shared/src/b.ts",
    ),
    "an export of another package in the tree": (
        "shared/api",
        "a.ts",
        {
            "shared/package.json": '{"name": "shared", "exports": {"./api": {"import": "./b.ts"}}}',
            "shared/b.ts": "",
            "shared/api.ts": "",
        },
        "shared/b.ts",
    ),
    "an unexported file of another package in the tree": (
        "shared/other",
        "a.ts",
        {"shared/package.json": '{"name": "shared", "exports": {".": "./b.ts"}}', "shared/other.ts": ""},
        None,
    ),
    "WXT's own alias": ("@/b", "a.ts", {"wxt.config.ts": "export default {}", "b.ts": ""}, "b.ts"),
    "WXT's own alias, by its dependency": (
        "~/b",
        "in/a.ts",
        {"package.json": '{"devDependencies": {"wxt": "1"}}', "b.ts": ""},
        "b.ts",
    ),
    "WXT's own alias of a source folder": (
        "@/b",
        "src/a.ts",
        {"wxt.config.ts": 'export default defineConfig({ srcDir: "src" })', "b.ts": "", "src/b.ts": ""},
        "src/b.ts",
    ),
    "WXT's own alias of the root": (
        "~~/b",
        "src/a.ts",
        {"wxt.config.ts": 'export default defineConfig({ srcDir: "src" })', "b.ts": "", "src/b.ts": ""},
        "b.ts",
    ),
    "a source folder that is not known": (
        "@/b",
        "a.ts",
        {"wxt.config.ts": "export default { srcDir: folder() }", "b.ts": ""},
        None,
    ),
    "WXT's alias without WXT": ("@/b", "a.ts", {"package.json": "{}", "b.ts": ""}, None),
    "Plasmo's own alias": (
        "~b",
        "src/a.ts",
        {"package.json": '{"dependencies": {"plasmo": "1"}}', "src/b.ts": ""},
        "src/b.ts",
    ),
}


@pytest.mark.parametrize(("name", "importer", "files", "meant"), CONFIGURED.values(), ids=CONFIGURED.keys())
def test_imports_with_configuration(
    name: str, importer: str, files: dict[str, str], meant: str | None
) -> None:
    assert ModuleResolver(package_of(files)).find(name, importer) == meant


VITE = "export default defineConfig({ resolve: { alias: %s } });"
BUNDLED = {
    "a path next to the file": ("{ '@': path.resolve(__dirname, 'src') }", "src/b.ts"),
    "a path in parts": ("{ '@': path.join(__dirname, '.', 'src') }", "src/b.ts"),
    "a path from where the tool runs": ("{ '@': path.resolve('src') }", "src/b.ts"),
    "a URL next to the module": ("{ '@': fileURLToPath(new URL('./src', import.meta.url)) }", "src/b.ts"),
    "the path of a URL": ("{ '@': new URL('./src', import.meta.url).pathname }", "src/b.ts"),
    "a path in a template": ("{ '@': `${__dirname}/src` }", "src/b.ts"),
    "a sum": ("{ '@': __dirname + '/src' }", "src/b.ts"),
    "slashes at both ends": ("{ '@/': `${path.resolve(__dirname, 'src')}/` }", "src/b.ts"),
    "a relative path": ("{ '@': './src' }", "src/b.ts"),
    "a list": ("[{ find: '@', replacement: path.resolve(__dirname, 'src') }]", "src/b.ts"),
    "a call of something else": ("{ '@': where('src') }", None),
    "a pattern": ("[{ find: /^@/, replacement: path.resolve(__dirname, 'src') }]", None),
    "an alias for only the whole name": ("{ '@$': path.resolve(__dirname, 'src') }", None),
    "a longer alias": (
        "{ '@': path.resolve(__dirname, 'src'), '@/b': path.resolve(__dirname, 'c') }",
        "c.ts",
    ),
    "another alias": ("{ '@@': path.resolve(__dirname, 'src') }", None),
    "a path out of the project": ("{ '@': path.resolve(__dirname, '../src') }", None),
}


@pytest.mark.parametrize(("table", "meant"), BUNDLED.values(), ids=BUNDLED.keys())
def test_bundler_aliases(table: str, meant: str | None) -> None:
    files = {"vite.config.ts": VITE % table, "src/b.ts": "", "c.ts": ""}
    assert ModuleResolver(package_of(files)).find("@/b", "src/a.ts") == meant


TABLES = {
    "a variable": "const alias = { x: path.join(__dirname, 'src') }; exports.resolve = { alias };",
    "a variable of another name": "const t = { x: __dirname + '/src' }; exports.resolve = { alias: t };",
    "a variable in the table": "const s = __dirname + '/src'; exports.resolve = { alias: { x: s } };",
    "a folder to look in": "exports.resolve = { modules: [path.resolve(__dirname, 'src'), 'node_modules'] };",
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES.keys())
def test_webpack_alias_tables(text: str) -> None:
    files = {"webpack.config.js": text, "src/b.ts": "", "src/x/b.ts": ""}
    found = ModuleResolver(package_of(files)).find("x/b", "src/a.ts")
    assert found == ("src/x/b.ts" if "modules" in text else "src/b.ts")


def test_conflicting_alias_tables() -> None:
    text = (
        "const a = { alias: { '@': __dirname + '/one' } }; const b = { alias: { '@': __dirname + '/two' } };"
    )
    files = {"vite.config.js": text, "one/b.js": "", "two/b.js": ""}
    assert ModuleResolver(package_of(files)).find("@/b", "a.js") is None


AROUND = {
    "a configuration above the extension": ("@/b", {"tsconfig.json": ALIASES, "src/b.ts": ""}, "b.ts"),
    "a base that two folders share": (
        "@/b",
        {"src/tsconfig.json": tsconfig(extends="../base.json"), "base.json": ALIASES, "src/b.ts": ""},
        "b.ts",
    ),
    "a bundler's configuration above": (
        "@/b",
        {"vite.config.ts": VITE % "{ '@': path.resolve(__dirname, 'src') }", "src/b.ts": ""},
        "b.ts",
    ),
    "a path from the project's root": ("/src/b.ts", {"package.json": "{}", "src/b.ts": ""}, "b.ts"),
    "a file next to the extension": ("../lib/b", {"lib/b.ts": "", "src/lib/b.ts": ""}, None),
    "an alias for a folder next to the extension": (
        "@/b",
        {"tsconfig.json": ALIASES.replace('["', '["./lib/*", "'), "lib/b.ts": "", "src/b.ts": ""},
        None,
    ),
    "an alias that leads out of the project": (
        "@/b",
        {"tsconfig.json": ALIASES.replace("./src", "../src"), "src/b.ts": ""},
        None,
    ),
}


@pytest.mark.parametrize(("name", "files", "meant"), AROUND.values(), ids=AROUND.keys())
def test_configuration_above_the_extension(name: str, files: dict[str, str], meant: str | None) -> None:
    assert ModuleResolver(package_in(files, "src/")).find(name, "a.ts") == meant


QUERIES = {
    "./b.js": ImportKind.MODULE,
    "./b.js?v=1": ImportKind.MODULE,
    "./b.svg?component": ImportKind.MODULE,
    "./b.js?worker": ImportKind.WORKER,
    "./b.js?worker&inline": ImportKind.WORKER,
    "./b.js?sharedworker": ImportKind.WORKER,
    "./b.js?worker&url": ImportKind.TEXT,
    "./b.js?url": ImportKind.TEXT,
    "./b.js?raw": ImportKind.TEXT,
    "./b.js?script&module": ImportKind.TEXT,
    "url:./b.html": ImportKind.TEXT,
}


@pytest.mark.parametrize(("name", "gives"), QUERIES.items(), ids=QUERIES.keys())
def test_kind_of_an_import_with_a_query(name: str, gives: ImportKind) -> None:
    assert import_kind(name) is gives


def test_absolute_path_is_in_no_folder(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "b.ts").write_text("")
    package = open_folder(tmp_path, ".")
    assert "b.ts" in package
    assert "/b.ts" not in package
