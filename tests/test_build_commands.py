"""The command and the output folder of a build, in the line about code that is not built."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from harness import manifest
from packages import write
from test_project_builds import here, not_checked, package

from extlint.cli.main import main

__all__ = ["here"]

WORKER = manifest(background={"service_worker": "background.js"})


def scripts(**commands: str) -> dict[str, str]:
    """Returns a package.json with scripts, `_` in whose names is `:`."""
    return {"package.json": json.dumps({"scripts": {k.replace("_", ":"): v for k, v in commands.items()}})}


COMMANDS = {
    "a script that runs the others": (
        {
            "package.json": package(
                "vite", build="npm run ui && npm run content", ui="vite build", content="vite build"
            )
        },
        "run `npm run build`, then check dist",
    ),
    "a program instead of the bundler that it runs": (
        {
            "package.json": package("vite", **{"build:web": "vite build", "build": "node build.js"}),
            "vite.config.js": "export default { build: { outDir: 'dist-web' } }",
            "build.js": "const DIST_DIR = path.join(__dirname, 'dist'); copy('dist-web', DIST_DIR)",
        },
        "run `npm run build`, then check dist",
    ),
    "a build of something else": (
        {**scripts(build="tsc", build_extension="vite build"), "yarn.lock": ""},
        "run `yarn build:extension`, then check its output",
    ),
    "a build for a test": (
        scripts(build_integration="webpack --config config/webpack.test.js"),
        "check what the build makes",
    ),
    "builds of parts for the design": (
        scripts(build_dev="webpack --watch", build_tokens="themekit build", build_icons="svgo icons"),
        "run `npm run build:dev`, then check its output",
    ),
    "a build whose name starts like such a part": (
        scripts(build_iconset="webpack"),
        "run `npm run build:iconset`, then check its output",
    ),
    "a program that runs a server": (
        scripts(prod="pm2 start server.js", make="webpack"),
        "run `npm run make`, then check its output",
    ),
    "parts of a build": (
        scripts(build_popup="webpack --config a.js", build_content="webpack --config b.js"),
        "build it, then check its output",
    ),
    "builds for browsers": (
        scripts(build_chrome="webpack --env chrome", build_firefox="webpack --env firefox"),
        "run `npm run build:chrome`, then check its output",
    ),
    "a build that continues": (
        scripts(build_watch="webpack --watch", build_prod="webpack"),
        "run `npm run build:prod`, then check its output",
    ),
    "commands that name the folder": (
        scripts(
            prod="npm run common", common="webpack && cp -r other/. out", prodFf="webpack && cp -r app/. out"
        ),
        "run `npm run prodFf`, then check its output",
    ),
    "a program that names the folder": (
        {
            **scripts(build="node build/all.mjs", buildWeb="node build/web.mjs", buildAll="npm run buildWeb"),
            "build/all.mjs": "import './common.mjs'; bundle('src/main.ts')",
            "build/common.mjs": "",
            "build/web.mjs": "bundle('app/content.ts', 'dist/content.js')",
        },
        "run `npm run buildWeb`, then check its output",
    ),
    "a program whose module names the folder": (
        {
            **scripts(build="node build/all.mjs", buildWeb="node build/web.mjs"),
            "build/all.mjs": "import './common.mjs'",
            "build/common.mjs": "copy('app/content.ts')",
            "build/web.mjs": "copy('app/content.ts')",
        },
        "run `npm run build`, then check its output",
    ),
    "make": ({"Makefile": "all: a.zip\n"}, "run `make`, then check its output"),
    "make without a default": ({"Makefile": "lint:\n\teslint .\n"}, "check what the build makes"),
    "Grunt": (
        {"Gruntfile.js": "grunt.registerTask('default', ['copy']); copy('manifest.json')"},
        "run `npx grunt`, then check its output",
    ),
    "a script that only says which others to run": (
        scripts(
            **{"build": "echo 'run build:chrome'", "build:chrome": "webpack", "build:firefox": "webpack"}
        ),
        "run `npm run build:chrome`, then check its output",
    ),
    "a script that builds a website": (
        scripts(
            **{"build:ext": "webpack", "build:website": "parcel build web/index.html --dist-dir dist-web"}
        ),
        "run `npm run build:ext`, then check its output",
    ),
    "Grunt without a manifest": (
        {"Gruntfile.js": "grunt.registerTask('default', ['lint'])"},
        "check what the build makes",
    ),
}

OUTPUTS = {
    "webpack.config.js: a constant": "const OUT = resolve(__dirname, 'dist'); x = { output: { path: OUT } }",
    "webpack.config.js: a sum": 'let to = __dirname + "/dist/"; x = { output: {\n path: to,\n } }',
    "webpack.config.js: a part": "x = { output: { path: path.join(__dirname, 'dist', browser) } }",
    "rspack.config.ts: a template": "const dist = join(dirname, 'dist'); x = { path: `${dist}/ext/src` }",
    "rollup.config.js: a file": "const TO = 'dist'; x = { output: { file: `${TO}/a.js` } }",
}

NO_OUTPUTS = {
    "webpack.config.js: no output folder": "const to = resolve(__dirname, 'lib'); x = { path: to }",
    "vite.config.js: a template": "x = { build: { outDir: `dist-${target}` } }",
    "vite.config.js: a shorthand": "const outDir = dir(); x = { build: { outDir, minify } }",
    "webpack.config.js: a choice": "x = { output: { path: resolve(__dirname, FF ? 'dist' : 'out', 'a') } }",
}


@pytest.mark.parametrize(("files", "expected"), COMMANDS.values(), ids=COMMANDS.keys())
def test_command_that_makes_the_extension(
    files: Mapping[str, str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"build.sh": "", **files, "app/manifest.json": WORKER})
    assert main(["check"]) == 0
    assert not_checked(capsys) == [f"background.js is not built, so it was not checked: {expected}"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        *((each.partition(":")[0], text, "dist") for each, text in OUTPUTS.items()),
        *((each.partition(":")[0], text, "its output") for each, text in NO_OUTPUTS.items()),
    ],
    ids=[*OUTPUTS, *NO_OUTPUTS],
)
def test_output_that_a_configuration_states(
    name: str, text: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = name.partition(".")[0]
    write({"package.json": package(tool, build=tool), name: text, "app/manifest.json": WORKER})
    assert main(["check"]) == 0
    assert not_checked(capsys) == [
        f"background.js is not built, so it was not checked: run `npm run build`, then check {expected}"
    ]


INNER = {
    "package.json": package("esbuild", build="esbuild src/app.ts --outfile=modules/app.js"),
    "new.html": "<script src=modules/app.js></script>",
    "src/app.ts": "",
}
COPIED = {
    "package.json": package("gulp", bundle="gulp"),
    "gulpfile.js": "",
    "sources/add-on/manifest.json": WORKER,
    "add-on/background.js": "",
}
BUNDLE = "run `npm run bundle`, then check"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {**INNER, "manifest.json": manifest(chrome_url_overrides={"newtab": "new.html"})},
            "modules/app.js is not built, so its source was checked instead: "
            "run `npm run build`, then check again",
            id="output into a folder of the package",
        ),
        pytest.param(
            COPIED,
            f"background.js is not there, so it was not checked: {BUNDLE} add-on",
            id="a manifest that is copied next to its scripts",
        ),
        pytest.param(
            {**COPIED, "add-on/manifest.json": "{}"},
            f"background.js is not built, so it was not checked: {BUNDLE} its output",
            id="the folder of another extension",
        ),
        pytest.param(
            {
                **{path: text for path, text in COPIED.items() if path != "add-on/background.js"},
                "add-on/a.js": "",
            },
            f"background.js is not built, so it was not checked: {BUNDLE} its output",
            id="a folder without the script",
        ),
    ],
)
def test_folder_to_check(files: Mapping[str, str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(files)
    main(["check", "--target", "chrome"])
    assert expected in not_checked(capsys)
