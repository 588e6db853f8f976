"""Files that are not in the package, because a build leaves them out, or that nothing there loads."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from harness import manifest
from packages import package_in

import extlint
from extlint.checker import check_package
from extlint.linting.unchecked_code import Cause
from extlint.package.discovery.find import stdin_package
from extlint.package.files import Package
from extlint.schema.targets import Target

MANIFEST = "{ from: 'public/manifest.json' }"
PAGE = '<button onclick="run()">x</button><script src="done.js"></script>'
OPENED = "chrome.tabs.create({ url: chrome.runtime.getURL('done.html') });"


def reported(
    config: str,
    *,
    keys: dict[str, object] | None = None,
    dependency: str = "webpack",
    build: str = "webpack",
    others: dict[str, str] | None = None,
) -> list[str]:
    """Returns the paths with findings in a project that copies files from `public`."""
    files = {
        "public/manifest.json": manifest(background={"service_worker": "background.js"}, **keys or {}),
        "public/background.js": OPENED,
        "public/done.html": PAGE,
        "public/done.js": "chrome.tabs.nope();",
        "package.json": json.dumps(
            {"devDependencies": {dependency: "1", "webpack": "5"}, "scripts": {"build": build}}
        ),
        "webpack.config.js": config,
        **(others or {}),
    }
    found = check_package(
        package_in(files, "public/"), [Target("chrome")], ["inline-script", "unknown-api"]
    ).findings
    return sorted({each.path for each in found})


def copying(*patterns: str, more: str = "") -> str:
    return f"""
    const CopyPlugin = require('copy-webpack-plugin');
    module.exports = {{
      entry: {{ background: './public/background.js' }},
      plugins: [new CopyPlugin({{ patterns: [{", ".join(patterns)}] }}), {more}],
    }};
    """


BOTH = ["done.html", "done.js"]


@pytest.mark.parametrize(
    ("config", "paths"),
    [
        pytest.param(copying(MANIFEST), [], id="only the manifest"),
        pytest.param(copying(MANIFEST, "{ from: 'public/icon.png' }"), [], id="other files"),
        pytest.param(copying(MANIFEST, "{ from: 'public/done.html' }"), BOTH, id="the page"),
        pytest.param(copying(MANIFEST, "{ from: 'public/*.html' }"), BOTH, id="a pattern"),
        pytest.param(copying(MANIFEST, "{ from: '*.html', context: 'public' }"), BOTH, id="a context"),
        pytest.param(copying(MANIFEST, "{ from: '*/*.{css,html}' }"), BOTH, id="alternatives"),
        pytest.param(copying(MANIFEST, "{ from: path.resolve(__dirname, 'public') }"), BOTH, id="the folder"),
        pytest.param(copying("{ from: 'public' }"), BOTH, id="only the folder"),
        pytest.param(
            copying(MANIFEST, more="...['done'].map((n) => new Page({ template: `public/${n}.html` }))"),
            BOTH,
            id="its name",
        ),
        pytest.param("module.exports = { entry: './public/background.js' };", BOTH, id="nothing is copied"),
    ],
)
def test_pages_that_no_build_copies_are_not_checked(config: str, paths: list[str]) -> None:
    assert reported(config) == paths


def test_page_in_the_manifest_counts_as_copied() -> None:
    assert reported(copying(MANIFEST), keys={"action": {"default_popup": "done.html"}}) == BOTH


def test_commands_and_tools_may_copy_the_folder() -> None:
    assert reported(copying(MANIFEST), build="webpack && cp -r public/* dist") == BOTH
    assert reported(copying(MANIFEST), build="webpack && cd dist && zip -r ../a.zip *") == []
    assert reported(copying(MANIFEST), dependency="vite") == BOTH
    copying_program = {"scripts/build.js": "require('fs').cpSync('public', 'dist')"}
    assert reported(copying(MANIFEST), others=copying_program) == BOTH
    other_program = {"scripts/query.js": "const fs = require('fs'); select('public', fs)"}
    assert reported(copying(MANIFEST), others=other_program) == []


VITE = {
    "package.json": '{"scripts": {"build": "vite build"}, "devDependencies": {"vite": "1"}}',
    "src/manifest.json": manifest(),
}


def copy_of(*sources: str) -> str:
    listed = ", ".join(f"{{ src: '{each}', dest: '.' }}" for each in sources)
    return f"export default {{ plugins: [viteStaticCopy({{ targets: [{listed}] }})] }};"


@pytest.mark.parametrize(
    ("text", "config", "is_reported"),
    [
        pytest.param("", copy_of("src/manifest.json"), False, id="an empty file"),
        pytest.param("{", copy_of("src/manifest.json"), False, id="half of an object"),
        pytest.param("", copy_of("src/manifest.json", "manifest.json"), True, id="both are copied"),
        pytest.param("", copy_of("src/manifest.json", "*.json"), True, id="a pattern"),
        pytest.param("", copy_of("src/other/manifest.json"), True, id="a file that does not exist"),
        pytest.param("", copy_of("src/icon.png"), True, id="another file"),
        pytest.param("", copy_of("src"), False, id="its folder"),
        pytest.param("", "write('manifest.json', require('./src/manifest.json'));", False, id="read by it"),
        pytest.param("", "write('manifest.json', require('./src/other.json'));", True, id="another is read"),
        pytest.param("", "export default {};", True, id="nothing is copied"),
    ],
)
def test_manifest_in_whose_place_a_build_copies_another(text: str, config: str, is_reported: bool) -> None:
    files = {**VITE, "manifest.json": text, "vite.config.ts": config}
    report = check_package(package_in(files, ""), [Target("chrome")], ["invalid-json"])
    assert [each.rule for each in report.findings] == ["invalid-json"] * is_reported
    assert [each.remedy for each in report.unchecked_code] == (
        [] if is_reported else ["run `npm run build` in ext, then check ext/dist"]
    )
    other = {**files, "src/manifest.json": "{"}
    found = check_package(package_in(other, "src/"), [Target("chrome")], ["invalid-json"]).findings
    assert [each.path for each in found] == ["manifest.json"]


@pytest.mark.parametrize(
    ("patterns", "path"),
    [
        pytest.param("{ from: 'manifest.json' }", "src/a.ts", id="the build leaves the old one out"),
        pytest.param("{ from: '.' }", "a.js", id="the build copies the folder"),
        pytest.param("{ from: 'manifest.json' }, { from: '*.js' }", "a.js", id="a pattern"),
        pytest.param("{ from: 'icon.png' }", "a.js", id="the manifest is made elsewhere"),
    ],
)
def test_script_in_whose_place_a_build_writes_another(patterns: str, path: str) -> None:
    files = {
        "webpack.config.js": copying(patterns)
        .replace("./public/background.js", "./src/a.ts")
        .replace("background", "a"),
        "manifest.json": manifest(background={"service_worker": "a.js"}),
        "a.js": "localStorage.a = 1;",
        "src/a.ts": "localStorage.b = 1;",
        "icon.png": "",
    }
    report = check_package(package_in(files, ""), [Target("chrome")], ["missing-file", "missing-global"])
    assert [each.path for each in report.findings] == [path]


@pytest.mark.parametrize(
    ("folder", "is_reported"), [("public", False), ("public/*", False), (".", True), ("images", True)]
)
def test_manifest_above_the_folder_that_a_build_copies(folder: str, is_reported: bool) -> None:
    old = manifest(background={"service_worker": "a.js"}, injects=True)
    files = {
        "package.json": '{"scripts": {"build": "webpack"}, "devDependencies": {"webpack": "1"}}',
        "webpack.config.js": copying(f"{{ from: '{folder}', to: '.' }}"),
        "manifest.json": old,
        "public/manifest.json": manifest(),
        "public/background.js": "",
    }
    found = check_package(package_in(files, ""), [Target("chrome")], ["unknown-key"]).findings
    assert [each.path for each in found] == ["manifest.json"] * is_reported


@pytest.mark.parametrize(("version", "is_reported"), [(0, False), (3, True)])
def test_manifest_whose_version_a_program_writes(version: int, is_reported: bool) -> None:
    write = (
        "const m = JSON.parse(fs.readFileSync('manifest.json')); m.manifest_version = 3; fs.writeFileSync(m)"
    )
    files = {
        "package.json": '{"scripts": {"manifest": "node make.js"}}',
        "make.js": f"const fs = require('fs'); {write}",
        "manifest.json": manifest(manifest_version=version, v3={}),
    }
    report = check_package(package_in(files, ""), [Target("chrome")], ["unknown-key"])
    assert [each.path for each in report.findings] == ["manifest.json"] * is_reported
    assert [each.cause for each in report.unchecked_code] == [Cause.REPLACED] * (not is_reported)


def npm(command: str, *packages: str) -> str:
    return json.dumps({"scripts": {"build": command}, "devDependencies": dict.fromkeys(packages, "1")})


@pytest.mark.parametrize(
    ("files", "folder", "is_reported"),
    [
        pytest.param({"package.json": npm("wxt build", "wxt")}, "", False, id="WXT"),
        pytest.param({"package.json": npm("plasmo build", "plasmo")}, "", False, id="Plasmo"),
        pytest.param(
            {"package.json": npm("wxt build", "wxt")}, "public/", False, id="a folder that is copied"
        ),
        pytest.param({"package.json": npm("wxt build", "wxt")}, "old/", True, id="another folder"),
        pytest.param({"package.json": npm("vite build", "wxt")}, "", True, id="another command"),
        pytest.param({"package.json": npm("vite build", "vite")}, "", True, id="another tool"),
    ],
)
def test_manifest_that_the_build_does_not_read(files: dict[str, str], folder: str, is_reported: bool) -> None:
    background = {"service_worker": "b.js"}
    own = {f"{folder}manifest.json": manifest(background=background), f"{folder}b.js": "chrome.tts.stop()"}
    package = package_in({**files, **own}, folder)
    rules = ["missing-key", "missing-permission"]
    report = check_package(package, [Target("firefox"), Target("chrome")], rules)
    assert [each.rule for each in report.findings] == ["missing-permission", "missing-key"] * is_reported
    assert (Cause.REPLACED in {each.cause for each in report.unchecked_code}) is not is_reported


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$.chromeManifest({ background: { exclude: ['scripts/reload.js'] } })", ["work"]),
        ("// $.chromeManifest({ background: { exclude: ['scripts/reload.js'] } })", ["reload", "work"]),
        ("$.chromeManifest({ buildnumber: true })", ["reload", "work"]),
        ("$.zip({ exclude: ['scripts/reload.js'] })", ["reload", "work"]),
    ],
)
def test_script_that_gulp_removes_from_the_background(text: str, expected: list[str]) -> None:
    files = {
        "app/manifest.json": manifest(background={"scripts": ["scripts/reload.js", "scripts/work.js"]}),
        "app/scripts.babel/reload.js": "chrome.tabz.query({});",
        "app/scripts.babel/work.js": "chrome.tabz.query({});",
        "package.json": json.dumps({"devDependencies": {"gulp": "1"}, "scripts": {"build": "gulp"}}),
        "gulpfile.babel.js": f"gulp.src('app/manifest.json').pipe({text}).pipe(gulp.dest('dist'));",
    }
    found = check_package(package_in(files, "app/"), [Target("firefox")], ["unknown-api"]).findings
    assert [each.path for each in found] == [f"scripts.babel/{each}.js" for each in expected]


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        pytest.param({}, False, id="neither it nor its folder"),
        pytest.param({"public/b.js": ""}, True, id="it has all of its scripts"),
        pytest.param({"package.json": VITE["package.json"]}, True, id="a tool copies the folder"),
        pytest.param({"pack.sh": "cp public/manifest.json out/"}, True, id="a program names it"),
        pytest.param({"pack.sh": "cp -r public/* out/"}, True, id="a program names its folder"),
        pytest.param({"pack.sh": "cp -r public out/"}, True, id="a program copies its folder"),
        pytest.param({"pack.sh": 'echo "Copying public..."\ncp a.js b.js'}, False, id="a text that is shown"),
        pytest.param({"build.js": "copy(`${browser}/manifest.json`);"}, True, id="a program with a pattern"),
        pytest.param({"build.js": "get(`${server}${path}`);"}, False, id="an address"),
        pytest.param({"manifest.json": "[]"}, True, id="the other one is a list"),
    ],
)
def test_stale_manifest_next_to_what_a_build_copies(files: dict[str, str], is_reported: bool) -> None:
    stale = {
        "package.json": '{"scripts": {"build": "webpack"}, "devDependencies": {"webpack": "1"}}',
        "webpack.config.js": copying("{ from: 'manifest.json' }", "{ from: 'public/a.html' }"),
        "manifest.json": manifest(background={"service_worker": "b.js"}),
        "public/a.html": "",
        "public/manifest.json": manifest(background={"service_worker": "b.js"}, injects=True),
    }
    package = package_in({**stale, **files}, "public/")
    found = check_package(package, [Target("chrome")], ["unknown-key"]).findings
    assert [each.path for each in found] == ["manifest.json"] * is_reported


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        pytest.param({}, False, id="nothing"),
        pytest.param({"src/index.ts": "// from './old'"}, False, id="a comment"),
        pytest.param({"src/index.ts": "import './old';"}, True, id="an import"),
        pytest.param({"src/index.ts": "import.meta.glob('./*.ts');"}, True, id="an import of a folder"),
        pytest.param({"build.mjs": "esbuild.build({ entryPoints: ['src/old.ts'] });"}, True, id="a program"),
        pytest.param({"build.mjs": "fs.readdirSync('src').map(build);"}, True, id="a program lists a folder"),
        pytest.param({"package.json": '{"scripts": {"build": "esbuild src/old.ts"}}'}, True, id="a command"),
        pytest.param({"src/gone.html": "<script src=old.js></script>"}, True, id="a page"),
        pytest.param(
            {"manifest.json": manifest(background={"service_worker": "w.js"})}, True, id="an unknown source"
        ),
    ],
)
def test_source_that_no_code_and_no_program_names(files: dict[str, str], is_reported: bool) -> None:
    package = {
        **VITE,
        "manifest.json": manifest(background={"service_worker": "background.js"}),
        "vite.config.ts": "export default {build: {rollupOptions: {input: {background: 'src/index.ts'}}}};",
        "src/index.ts": "chrome.runtime.reload();",
        "src/old.ts": "chrome.tab.query({});",
        **files,
    }
    found = check_package(package_in(package, ""), [Target("chrome")], ["unknown-api"]).findings
    assert [each.path for each in found] == ["src/old.ts"] * is_reported


HIDDEN = {
    "only itself, a test and a program": {
        "desk/main.js": "load('desk/view');",
        "tests/a.spec.js": "open('/desk/view/index.html');",
        "scripts/clean.js": "const fs = require('fs'); fs.rmSync('desk/view');",
        "package.json": '{"scripts": {"desk": "electron desk"}}',
    },
    "a comment": {"a.js": "import(name); // desk/view"},
}
NAMED = {
    "code": {"a.js": "import('desk' + '/view/' + name);"},
    "a page": {"b.html": "<p data-from=desk/view>"},
    "data": {"list.json": '["desk/view/old.js"]'},
    "a manifest": {"manifest.firefox.json": manifest(background={"scripts": ["desk/view/b.js"]})},
    "a script that is loaded from it": {
        "a.js": "import('./desk/view/a.js'); import(name);",
        "desk/view/a.js": "",
    },
}


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [(each, False) for each in HIDDEN.values()] + [(each, True) for each in NAMED.values()],
    ids=[*HIDDEN, *NAMED],
)
def test_computed_names_in_a_folder_that_is_named_by(files: dict[str, str], is_reported: bool) -> None:
    package = {
        "manifest.json": manifest(background={"service_worker": "a.js", "type": "module"}),
        "a.js": "import(name);",
        "desk/view/old.js": "chrome.tab.query({});",
        **files,
    }
    found = check_package(package_in(package, ""), [Target("chrome")], ["unknown-api"]).findings
    assert [each.path for each in found] == ["desk/view/old.js"] * is_reported


INJECTING = "const [file] = f(sender.url); chrome.scripting.executeScript({ target, files: [file] });"


@pytest.mark.parametrize(
    ("script", "files", "is_reported"),
    [
        pytest.param("f('a.js', 'b.js')", {}, False, id="whole names of others"),
        pytest.param("f('a.js', 'old.js')", {}, True, id="its name"),
        pytest.param("f('a', 'b')", {}, True, id="no names"),
        pytest.param("f('a.js'); f(`${name}.js`)", {}, True, id="a part of a name"),
        pytest.param("f('a.js', 'list.json')", {}, True, id="data that may name it"),
        pytest.param("f('a.js')", {"p.html": "<script src=old.js></script>"}, True, id="its page"),
    ],
)
def test_script_that_is_not_among_the_injected_ones(
    script: str, files: dict[str, str], is_reported: bool
) -> None:
    package = {
        "manifest.json": manifest(background={"service_worker": "w.js"}, action={"default_popup": "p.html"}),
        "w.js": f"{INJECTING} {script}",
        "old.js": "chrome.runtime.getUrl('a');",
        "p.html": "<script src=gone.js></script>",
        **files,
    }
    found = check_package(package_in(package, ""), [Target("chrome")], ["unknown-api"]).findings
    assert [each.path for each in found] == ["old.js"] * is_reported


GIVEN = {
    "manifest.json": manifest(background={"service_worker": "w.js"}),
    "w.js": "console.log(1);",
    "new.js": "chrome.tabs.nope();",
    "more.js": "chrome.tabs.nope();",
    "bad.js": "chrome.tabs.query({}); })();",
}


def paths_in(report: extlint.Report) -> list[str]:
    return [each.path for each in report.findings]


def test_file_that_the_user_names_is_checked_although_nothing_loads_it(tmp_path: Path) -> None:
    for name, text in GIVEN.items():
        (tmp_path / name).write_text(text)
    check = partial(extlint.check, targets=["chrome"])
    assert paths_in(check(tmp_path)) == []
    assert paths_in(check(tmp_path / "w.js")) == []
    assert paths_in(check(tmp_path / "new.js")) == ["new.js"]
    assert paths_in(check(tmp_path / "bad.js")) == ["bad.js"]
    assert paths_in(check([tmp_path / "w.js", tmp_path / "more.js"])) == ["more.js"]
    assert paths_in(check([tmp_path, tmp_path / "new.js"])) == ["new.js"]
    assert paths_in(check(tmp_path / "new.js", skip_foreign_files=True)) == []
    found = stdin_package(GIVEN["more.js"].encode(), str(tmp_path / "more.js"))
    assert isinstance(found, Package)
    assert [each.path for each in check_package(found, [Target("chrome")], ["unknown-api"]).findings] == [
        "more.js"
    ]


def test_file_that_is_open_is_checked_although_nothing_loads_it(tmp_path: Path) -> None:
    for name, text in GIVEN.items():
        (tmp_path / name).write_text(text)
    with extlint.Session(tmp_path, targets=["chrome"]) as session:
        assert paths_in(session.check().report) == []
        session.set_text(tmp_path / "new.js", GIVEN["new.js"])
        assert paths_in(session.check().report) == ["new.js"]
        session.set_text(tmp_path / "newer.js", GIVEN["new.js"])
        assert paths_in(session.check().report) == ["new.js", "newer.js"]
        session.remove_text(tmp_path / "new.js")
        assert paths_in(session.check().report) == ["newer.js"]
