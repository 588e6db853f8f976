"""References to missing files that are mistakes, and those that are not."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from harness import Files, lint, manifest, text_under
from packages import package_in, package_of
from serving import archive
from test_ignored_extensions import git_index
from thorough import is_thorough

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets import Target

RULES = ["missing-file"]


def missing_files(package: Package) -> list[str]:
    """Returns the messages about a package, without their common prefix."""
    found = check_package(package, [Target("reference")], RULES).findings
    return [finding.message.removeprefix("the package has no file ") for finding in found]


@pytest.mark.parametrize(
    ("keys", "files"),
    [
        pytest.param({"icons": {"48": "a.png"}}, ["a.png"], id="an icon"),
        pytest.param(
            {"icon_variants": [{"any": "a.svg"}, {"16": "b.svg"}]}, ["a.svg", "b.svg"], id="variants"
        ),
        pytest.param(
            {"icon_variants": [{"any": "a.svg", "color_schemes": "dark"}]}, ["a.svg"], id="a scheme"
        ),
        pytest.param({"action": {"default_icon": "a.png"}}, ["a.png"], id="the icon of a button"),
        pytest.param({"page_action": {"default_icon": {"19": "a.png"}}}, ["a.png"], id="icons of a button"),
        pytest.param(
            {"browser_action": {"theme_icons": [{"light": "a.png", "dark": "b.png", "size": 16}]}},
            ["a.png", "b.png"],
            id="icons for themes",
        ),
        pytest.param({"content_scripts": [{"css": ["a.css"]}]}, ["a.css"], id="a style sheet"),
        pytest.param({"theme": {"images": {"theme_frame": "a.png"}}}, ["a.png"], id="a theme"),
        pytest.param(
            {"theme": {"images": {"additional_backgrounds": ["a.png", "b.png"]}}},
            ["a.png", "b.png"],
            id="backgrounds",
        ),
        pytest.param(
            {"theme": {"images": {"theme_frame": {"100": "a.png"}}}}, ["a.png"], id="an image by scale"
        ),
        pytest.param(
            {"theme": {"images": {"theme_frame": {"linear-gradient": "red, blue"}}}}, [], id="a gradient"
        ),
        pytest.param({"dark_theme": {"images": {"theme_frame": "a.png"}}}, ["a.png"], id="a dark theme"),
        pytest.param({"theme_experiment": {"stylesheet": "a.css"}}, ["a.css"], id="an experimental theme"),
        pytest.param({"storage": {"managed_schema": "a.json"}}, ["a.json"], id="a schema of storage"),
        pytest.param(
            {"declarative_net_request": {"rule_resources": [{"path": "a.json"}]}}, ["a.json"], id="rules"
        ),
        pytest.param({"dictionaries": {"de": "a.dic"}}, ["a.dic"], id="a dictionary"),
        pytest.param(
            {"chrome_settings_overrides": {"search_provider": {"favicon_url": "a.ico"}}},
            ["a.ico"],
            id="the sign of a search engine",
        ),
        pytest.param(
            {"chrome_settings_overrides": {"search_provider": {"favicon_url": "https://x.org/a.ico"}}},
            [],
            id="a sign elsewhere",
        ),
        pytest.param({"side_panel": {"default_path": "a.html"}}, ["a.html"], id="a side panel"),
        pytest.param({"sandbox": {"pages": ["a.html"]}}, ["a.html"], id="a sandbox"),
        pytest.param({"input_components": [{"options_page": "a.html"}]}, ["a.html"], id="a keyboard"),
        pytest.param(
            {"experiment_apis": {"x": {"schema": "a.json", "parent": {"script": "a.js"}}}},
            ["a.js", "a.json"],
            id="an experiment",
        ),
    ],
)
def test_files_named_by_manifest_keys(keys: Mapping[str, object], files: list[str]) -> None:
    found = missing_files(package_of({"manifest.json": manifest(**keys)}))
    assert sorted(found) == [f"`{name}`" for name in files]


def test_dictionary_requires_two_files() -> None:
    files: Files = {"manifest.json": manifest(dictionaries={"de": "d/de.dic"}), "d/de.dic": ""}
    assert missing_files(package_of(files)) == ["`d/de.aff`"]
    assert missing_files(package_of({**files, "d/de.aff": ""})) == []


@pytest.mark.parametrize(
    ("page", "names"),
    [
        pytest.param("<img src=a.png>", ["a.png"], id="an image"),
        pytest.param("<img src='a.png?x#y'>", ["a.png?x#y"], id="a query and a hash"),
        pytest.param(
            "<img srcset='a.png, b.png 2x,c.png 100w'>",
            ["a.png", "b.png", "c.png"],
            id="images of several sizes",
        ),
        pytest.param("<img srcset='there.png 1x, a.png 2x'>", ["a.png"], id="one of several"),
        pytest.param("<img srcset=',, a.png, '>", ["a.png"], id="more commas than images"),
        pytest.param("<img srcset='a.png (b,c.png) 2x'>", ["a.png"], id="commas in parentheses"),
        pytest.param("<picture><source srcset=a.webp></picture>", ["a.webp"], id="a source"),
        pytest.param("<video src=a.mp4 poster=b.jpg>", ["a.mp4", "b.jpg"], id="a video"),
        pytest.param("<audio src=a.ogg>", ["a.ogg"], id="sound"),
        pytest.param("<object data=a.svg>", ["a.svg"], id="an object"),
        pytest.param("<embed src=a.svg>", ["a.svg"], id="something embedded"),
        pytest.param("<input type=image src=a.png><input src=b.png>", ["a.png"], id="a button"),
        pytest.param("<svg><use href='a.svg#x'/><use xlink:href='#y'/></svg>", ["a.svg#x"], id="a symbol"),
        pytest.param("<svg><image href='a.png'/></svg>", ["a.png"], id="an image in SVG"),
        pytest.param("<link rel=stylesheet href=a.css>", ["a.css"], id="a style sheet"),
        pytest.param("<link rel='Shortcut Icon' href=a.ico>", ["a.ico"], id="an icon"),
        pytest.param("<link rel=modulepreload href=a.js>", ["a.js"], id="a module"),
        pytest.param("<link rel='apple-touch-icon icon' href=a.png>", ["a.png"], id="an icon for two uses"),
        pytest.param(
            "<link rel=apple-touch-icon href=a.png><link rel=mask-icon href=b.svg>",
            [],
            id="icons of web apps",
        ),
        pytest.param("<link rel=next href=a.html><link href=b.css>", [], id="links that load nothing"),
        pytest.param("<iframe src=a.html></iframe>", ["a.html"], id="a frame"),
        pytest.param("<a href=a.html>there</a>", [], id="a link to a page, which scripts may catch"),
        pytest.param("<img src='there.png'><img src='/there%2Epng'><img src=./there.png>", [], id="there"),
        pytest.param("<img src='https://x.org/a.png'><img src='//x.org/a.png'>", [], id="addresses"),
        pytest.param("<img src='data:image/png;base64,'><img src='blob:x'>", [], id="images in place"),
        pytest.param(
            "<img src='chrome://favicon/x'><img src='/_favicon/?x'>", [], id="addresses provided by browsers"
        ),
        pytest.param("<img src='{{ icon }}'><img src='${icon}'><img src='<%= icon %>'>", [], id="templates"),
        pytest.param("<link rel=icon href='%PUBLIC_URL%/favicon.ico'>", [], id="a placeholder"),
        pytest.param("<img src=''><img src='#'><img src='images/'><img>", [], id="no name of a file"),
        pytest.param("<template><img src=a.png></template><!-- <img src=a.png> -->", [], id="never shown"),
        pytest.param("<base href='https://x.org/'><img src=a.png>", [], id="a base elsewhere"),
    ],
)
def test_files_loaded_by_pages(page: str, names: list[str]) -> None:
    files: Files = {
        "manifest.json": manifest(options_ui={"page": "p/o.html"}),
        "p/o.html": page,
        "p/there.png": "",
        "there.png": "",
    }
    assert [text_under(files, finding) for finding in lint(files, RULES)] == names


@pytest.mark.parametrize(
    ("keys", "script", "names"),
    [
        pytest.param({}, "", [], id="a popup"),
        pytest.param({"options_page": "p.html"}, "", ["a.ico"], id="also the options"),
        pytest.param({}, "chrome.tabs.create({ url: 'p.html' });", ["a.ico"], id="also in a tab"),
        pytest.param({"options_page": "q.html"}, "", ["a.ico"], id="another page"),
    ],
)
def test_icon_of_a_page_that_is_only_a_popup(keys: dict[str, object], script: str, names: list[str]) -> None:
    page = "<link rel='icon' type='image/x-icon' href='a.ico'><script src=p.js></script>"
    files: Files = {
        "manifest.json": manifest(action={"default_popup": "p.html"}, **keys),
        "p.html": page,
        "q.html": page,
        "p.js": script,
    }
    assert [text_under(files, finding) for finding in lint(files, RULES)] == names


def test_image_of_a_popup_is_shown() -> None:
    files: Files = {
        "manifest.json": manifest(action={"default_popup": "p.html"}),
        "p.html": "<link rel='icon' href='a.ico'><img src='b.png'><link rel=stylesheet href=icon.css>",
    }
    assert [text_under(files, finding) for finding in lint(files, RULES)] == ["b.png", "icon.css"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["img/a.png", "img/b.png", "img/c.png"], ["no folder `img`, in which 3 files are named"]),
        (["img/a.png", "img/b.png"], ["no file `img/a.png`", "no file `img/b.png`"]),
        (["a.png", "b.png", "c.png"], ["no file `a.png`", "no file `b.png`", "no file `c.png`"]),
        (["there/a.png", "there/b.png", "there/c.png"], [f"no file `there/{x}.png`" for x in "abc"]),
    ],
)
def test_missing_folder_is_one_finding(names: list[str], expected: list[str]) -> None:
    page = "".join(f'<img src="{each}">' for each in names)
    files = {"manifest.json": manifest(options_page="a.html"), "a.html": page, "there/unlike.txt": ""}
    assert [each.message for each in lint(files, ["missing-file"])] == [
        f"the package has {each}" for each in expected
    ]


def test_unreachable_page_is_not_checked() -> None:
    files: Files = {"manifest.json": manifest(), "test.html": "<img src=a.png>"}
    assert lint(files, RULES) == []


@pytest.mark.parametrize(
    ("script", "page", "names"),
    [
        pytest.param("fetch('parts/a.html')", "<img src=img/b.png>", [], id="read for another page"),
        pytest.param("load({file: 'parts/a.html'})", "<script src=js/c.js></script>", [], id="by a script"),
        pytest.param(
            "fetch('parts/a.html')", "<img src=img/d.png>", ["img/d.png"], id="valid in neither folder"
        ),
        pytest.param("fetch('parts/a.html')", "<img src='/d.png'>", ["/d.png"], id="from the root"),
        pytest.param(
            "chrome.tabs.create({url: 'parts/a.html'})", "<img src=img/b.png>", ["img/b.png"], id="opened"
        ),
    ],
)
def test_page_fragment_loaded_by_a_script(script: str, page: str, names: list[str]) -> None:
    files: Files = {
        "manifest.json": manifest(options_ui={"page": "o.html"}),
        "o.html": "<script src=o.js></script>",
        "o.js": script,
        "parts/a.html": page,
        "img/b.png": "",
        "js/c.js": "",
    }
    assert [text_under(files, finding) for finding in lint(files, RULES)] == names


@pytest.mark.parametrize(
    ("page", "names"),
    [("<img src=img/b.png>", []), ("<img src=img/d.png>", ["img/d.png"])],
    ids=["right in the folder above", "missing in every folder"],
)
def test_accessible_page_may_be_a_fragment_of_another(page: str, names: list[str]) -> None:
    accessible = [{"resources": ["parts/a.html"], "matches": ["https://example.com/*"]}]
    files: Files = {
        "manifest.json": manifest(web_accessible_resources=accessible),
        "parts/a.html": page,
        "img/b.png": "",
    }
    assert [text_under(files, finding) for finding in lint(files, RULES)] == names


OPENERS: dict[str, tuple[Files, int, int]] = {
    "nothing": ({}, 0, 0),
    "a page that nothing opens": ({"lib/c.html": "<a href=a.html>"}, 0, 0),
    "a string": ({"b.js": 'const names = ["lib/a.html"];'}, 1, 0),
    "a call with the address": ({"b.js": 'fetch(chrome.runtime.getURL("/lib/a.html"));'}, 1, 0),
    "a string, and some of the files": ({"b.js": 'const names = ["lib/a.html"];', "lib/b.css": ""}, 0, 1),
    "a call that opens it": ({"b.js": 'chrome.tabs.create({url: "/lib/a.html"});'}, 1, 2),
    "a page that a call opens": (
        {"b.js": 'chrome.tabs.create({url: "c.html"});', "c.html": "<a href=lib/a.html>"},
        1,
        2,
    ),
    "the popup": ({"popup.html": "<iframe src=lib/a.html>"}, 1, 2),
}


@pytest.mark.parametrize(("files", "one", "two"), OPENERS.values(), ids=OPENERS.keys())
def test_page_of_a_pattern_may_be_read_as_text(files: Files, one: int, two: int) -> None:
    """A missing file of a page that a string names is reported, unless it names several and they all are."""
    accessible = [{"resources": ["lib/*"], "matches": ["https://example.com/*"]}]
    package: Files = {
        "manifest.json": manifest(
            web_accessible_resources=accessible,
            background={"service_worker": "b.js"},
            action={"default_popup": "popup.html"},
        ),
        "b.js": "",
        "popup.html": "",
        **files,
    }
    sheet = "<link rel=stylesheet href=b.css>"
    assert len([*lint({**package, "lib/a.html": sheet}, RULES)]) == one
    assert len([*lint({**package, "lib/a.html": f"{sheet}<script src=c.js></script>"}, RULES)]) == two


INSERT = "box.innerHTML = await response.text();"
FETCHED: dict[str, tuple[Files, int]] = {
    "fetched": ({"b.js": f"const response = await fetch(GET_URL); {INSERT}"}, 0),
    "fetched by a variable": (
        {"b.js": f"const url = GET_URL; const response = await fetch(url); {INSERT}"},
        0,
    ),
    "requested": ({"b.js": "request.open('GET', GET_URL); request.send();"}, 0),
    "fetched by two scripts": ({"b.js": "fetch(GET_URL)", "c.js": "fetch(GET_URL)"}, 0),
    "fetched by its name": ({"o.html": "<script src=o.js></script>", "o.js": "fetch('a.html')"}, 0),
    "a frame": ({"b.js": "frame.src = GET_URL;"}, 1),
    "fetched, and a frame": ({"b.js": "const url = GET_URL; fetch(url); frame.src = url;"}, 1),
    "fetched, and a frame of another script": ({"b.js": "fetch(GET_URL)", "c.js": "frame.src = GET_URL"}, 1),
    "fetched, and a frame of a page": ({"b.js": "fetch(GET_URL)", "o.html": "<iframe src=a.html>"}, 1),
    "fetched, and a link": ({"b.js": "fetch(GET_URL)", "o.html": "<a href=a.html>"}, 1),
    "fetched, and opened": ({"b.js": "fetch(GET_URL); chrome.tabs.create({url: 'a.html'})"}, 1),
    "passed to an own function": ({"b.js": "const fetch = (url) => open(url); fetch(GET_URL);"}, 1),
    "passed to unknown code": ({"b.js": "load(GET_URL);"}, 1),
    "only accessible": ({}, 1),
}


@pytest.mark.parametrize(("files", "count"), FETCHED.values(), ids=FETCHED)
@pytest.mark.parametrize("is_accessible", [True, False])
def test_script_of_a_page_that_is_only_read_as_text(files: Files, count: int, is_accessible: bool) -> None:
    resources = [{"resources": ["a.html"] * is_accessible, "matches": ["https://example.com/*"]}]
    keys = {"background": {"service_worker": "b.js"}, "options_ui": {"page": "o.html"}}
    content = [{"matches": ["https://example.com/*"], "js": ["c.js"]}]
    texts = {
        path: str(text).replace("GET_URL", "chrome.runtime.getURL('a.html')") for path, text in files.items()
    }
    package: Files = {
        "manifest.json": manifest(web_accessible_resources=resources, content_scripts=content, **keys),
        "b.js": "",
        "c.js": "",
        "o.html": "",
        **texts,
    }
    is_named = bool(files) or is_accessible
    assert len([*lint({**package, "a.html": "<script src=d.js></script>"}, RULES)]) == count * is_named
    assert len([*lint({**package, "a.html": "<img src=d.png>"}, RULES)]) == is_named


@pytest.mark.parametrize(
    ("there", "message"),
    [
        ("icons/icon-48.png", "`icons/icon48.png`; did you mean `icons/icon-48.png`?"),
        ("img/icon48.png", "`icons/icon48.png`; did you mean `img/icon48.png`?"),
        ("node_modules/a/icon48.png", "`icons/icon48.png`"),
        ("icons/icon48.svg", "`icons/icon48.png`; did you mean `icons/icon48.svg`?"),
        ("icons/icon16.png", "`icons/icon48.png`"),
        ("Icons/icon48.png", "`icons/icon48.png`, only `Icons/icon48.png`, which differs in letter case"),
    ],
    ids=[
        "misspelled",
        "in another folder",
        "of npm",
        "of another format",
        "another one",
        "in other letter case",
    ],
)
def test_similar_file_is_suggested(there: str, message: str) -> None:
    files: Files = {"manifest.json": manifest(icons={"48": "icons/icon48.png"}), there: ""}
    assert missing_files(package_of(files)) == [message]


SOURCES: Files = {
    "p/ext/manifest.json": manifest(
        icons={"48": "a.png", "96": "icons/tow.png"}, background={"service_worker": "out.js"}
    ),
    "p/ext/icons/two.png": "",
}
ALL = ["`a.png`", "`icons/tow.png`; did you mean `icons/two.png`?", "`out.js`"]
MISSPELLED = ALL[1:2]


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        pytest.param({}, ALL, id="nothing"),
        pytest.param({"p/package.json": "{}"}, ALL, id="a project without a build"),
        pytest.param({"p/package.json": '{"scripts": {"build": "web-ext build"}}'}, ALL, id="packing"),
        pytest.param({"p/package.json": '{"scripts": {"build": "node build"}}'}, MISSPELLED, id="a build"),
        pytest.param({"p/package.json": '{"scripts": {"build": "tsc -p ."}}'}, ALL, id="a compiler"),
        pytest.param({"p/package.json": '{"scripts": {"build": "tsc && npx zip a"}}'}, ALL, id="then a zip"),
        pytest.param(
            {"p/package.json": '{"scripts": {"build": "tsc && npm run copy"}}'}, MISSPELLED, id="copying then"
        ),
        pytest.param({"p/package.json": '{"devDependencies": {"webpack": "5"}}'}, MISSPELLED, id="a bundler"),
        pytest.param(
            {"p/ext/package.json": '{"dependencies": {"wxt": "1"}}'}, MISSPELLED, id="in the folder"
        ),
        pytest.param({"Makefile": ""}, MISSPELLED, id="a build at the top"),
        pytest.param({"other/Makefile": ""}, ALL, id="a build of something else"),
        pytest.param({"p/ext/src/out.tsx": ""}, MISSPELLED, id="a source to compile"),
        pytest.param({"p/ext/src/out.d.ts": ""}, ALL, id="only types"),
        pytest.param({"p/package.json": "{"}, ALL, id="a package.json that is invalid JSON"),
        pytest.param({"p/package.json": '{"scripts": ["build"], "dependencies": "wxt"}'}, ALL, id="oddities"),
    ],
)
def test_build_may_generate_missing_files(around: Files, expected: list[str]) -> None:
    assert sorted(missing_files(package_in({**SOURCES, **around}, "p/ext/"))) == expected


@pytest.mark.parametrize(
    "name",
    [
        *("build.xml", "pom.xml", "build.gradle.kts", "Makefile", "makefile", "CMakeLists.txt"),
        *("SConstruct", "Gruntfile.coffee", "gulpfile.esm.js", "Rakefile", "Cakefile"),
        *("brunch-config.coffee", "BUILD.bazel", "project.clj", "shadow-cljs.edn", "build.sbt"),
        *("elm.json", "Cargo.toml", "dune-project", "justfile", "Taskfile.yml", "meson.build"),
        *("Tupfile", "build.sh", "build.py", "scripts/build.mjs", "compile.sh", "webpack.dev.js"),
        *("config/webpack.common.js", "vue.config.js", "rollup.config.chrome.mjs"),
        *("Brocfile.js", "build.config.ts", "stencil.config.ts", "config-overrides.js"),
    ],
)
def test_build_files_are_recognized(name: str) -> None:
    for place in ("p/ext", "p", ""):
        files: Files = {**SOURCES, f"{place}/{name}".lstrip("/"): ""}
        assert sorted(missing_files(package_in(files, "p/ext/"))) == MISSPELLED


@pytest.mark.parametrize(
    "name",
    [
        *("README.md", "build.md", "build.txt", "rebuild.sh", "makefile.txt", "lib/Makefile", "lib/build.js"),
        *("jest.config.js", ".eslintrc.js", "tsconfig.json", "package.sh", "zip.sh", "builder.js"),
    ],
)
def test_other_files_are_not_build_files(name: str) -> None:
    for place in ("p/ext", "p", ""):
        files: Files = {**SOURCES, f"{place}/{name}".lstrip("/"): ""}
        assert sorted(missing_files(package_in(files, "p/ext/"))) == ALL


@pytest.mark.parametrize(("script", "expected"), [("build.js", ["`a.png`"]), ("a.js", [])])
def test_loaded_script_is_not_a_build_script(script: str, expected: list[str]) -> None:
    files: Files = {
        "manifest.json": manifest(icons={"48": "a.png"}, content_scripts=[{"js": [script]}]),
        "a.js": "",
        "build.js": "",
    }
    assert missing_files(package_in(files, "")) == expected


@pytest.mark.parametrize("folder", ["dist/", ".output/chrome-mv3/", "packages/build/"])
def test_build_output_must_be_complete(folder: str) -> None:
    files = {path.replace("p/ext/", folder): content for path, content in SOURCES.items()}
    assert sorted(missing_files(package_in({**files, "Makefile": ""}, folder))) == ALL


@pytest.mark.parametrize(("source", "expected"), [({"manifest.json": manifest()}, ALL), ({}, MISSPELLED)])
def test_tracked_build_output_must_be_complete_if_its_source_exists(
    source: Files, expected: list[str]
) -> None:
    files = {path.replace("p/ext/", "dist/"): content for path, content in SOURCES.items()}
    around = {"Makefile": "", ".gitignore": "node_modules", "dist/b.js": "", **source}
    assert sorted(missing_files(package_in({**files, **around}, "dist/"))) == expected


def test_build_may_generate_files_next_to_existing_scripts() -> None:
    files = {**SOURCES, "Makefile": "", "p/ext/out.js": ""}
    assert missing_files(package_in(files, "p/ext/")) == MISSPELLED


def test_build_that_reads_the_manifest_resolves_its_names() -> None:
    build = {"package.json": '{"devDependencies": {"@crxjs/vite-plugin": "2"}}'}
    files = {**SOURCES, **build, "p/ext/out.js": ""}
    assert missing_files(package_in(files, "p/ext/")) == MISSPELLED


def test_build_copies_public_files_to_the_root() -> None:
    files = {**SOURCES, "Makefile": "", "p/ext/out.js": "", "p/ext/public/a.png": ""}
    assert missing_files(package_in(files, "p/ext/")) == MISSPELLED


@pytest.mark.parametrize(
    ("config", "command", "is_written"),
    [
        ("module.exports = {entry: {content: './content_script.js'}}", "webpack", True),
        ("module.exports = (env) => ({entry: {content: [...glob.sync('*.js')]}})", "webpack", True),
        ("module.exports = {entry: './a.js', output: {filename: 'content.js'}}", "webpack", True),
        ("", "esbuild a.ts --outfile=dist/content.js", True),
        ("module.exports = {entry: {other: './content_script.js'}}", "webpack", False),
        ("module.exports = {entry: './a.js', output: {filename: 'my-content.js'}}", "webpack", False),
    ],
)
def test_name_that_a_bundler_writes_is_not_misspelled(config: str, command: str, is_written: bool) -> None:
    files = {
        "ext/manifest.json": manifest(content_scripts=[{"matches": ["<all_urls>"], "js": ["content.js"]}]),
        "ext/Consent.js": "",
        "ext/content_script.js": "",
        "webpack.config.js": config,
        "package.json": json.dumps({"scripts": {"build": command}}),
    }
    found = missing_files(package_in(files, "ext/"))
    assert found == [] if is_written else ["`content.js`; did you mean `Consent.js`?"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("g_background.js", []),
        ("background.g.js", []),
        ("xbackground.js", ["`background.js`; did you mean `xbackground.js`?"]),
        ("backgruond.js", ["`background.js`; did you mean `backgruond.js`?"]),
    ],
)
def test_source_whose_name_has_another_part_is_not_meant(source: str, expected: list[str]) -> None:
    own = manifest(background={"service_worker": "background.js"})
    files = {"manifest.json": own, "Makefile": "", source: ""}
    assert missing_files(package_in(files, "")) == expected


@pytest.mark.parametrize(
    ("folder", "source", "expected"),
    [
        ("./dist", "src/js/a.ts", []),
        ("dist/", "js/a.tsx", []),
        ("dist", "src/a.ts", ["`dist/js/a.js`"]),
        ("lib", "src/js/a.ts", ["`dist/js/a.js`"]),
        (None, "src/js/a.ts", ["`dist/js/a.js`"]),
    ],
)
def test_typescript_writes_scripts_into_its_folder(
    folder: str | None, source: str, expected: list[str]
) -> None:
    files = {
        "manifest.json": manifest(background={"service_worker": "dist/js/a.js"}),
        "package.json": '{"scripts": {"build": "tsc"}}',
        "tsconfig.json": json.dumps({"compilerOptions": {"outDir": folder}}),
        source: "",
    }
    assert missing_files(package_in(files, "")) == expected


def test_packed_extension_must_be_complete() -> None:
    files = {
        path.removeprefix("p/ext/"): content for path, content in {**SOURCES, "p/ext/Makefile": ""}.items()
    }
    package = package_in(files, "")
    package.packed = True
    assert sorted(missing_files(package)) == ALL


@pytest.mark.parametrize(
    ("source", "expected"),
    [("a.ts", []), ("a.tsx", []), ("a.scss", ["`a.js`"]), ("b/a.ts", ["`a.js`"]), ("a.js.map", ["`a.js`"])],
)
def test_adjacent_typescript_source_is_compiled(source: str, expected: list[str]) -> None:
    package = package_of({"manifest.json": manifest(background={"service_worker": "a.js"}), source: ""})
    assert missing_files(package) == expected
    package.packed = True
    assert missing_files(package) == ["`a.js`"]


@pytest.mark.parametrize(
    "repository",
    [
        pytest.param(
            {
                ".gitmodules": (
                    '[submodule "x"]\n\tpath = ext/lib\n\turl = ../x.git\n[submodule "y"]\n  path = y\n'
                )
            },
            id="named in a file",
        ),
        pytest.param({".git/index": git_index("ext/lib", mode=0o160000)}, id="only tracked"),
    ],
)
def test_files_of_submodules_and_npm_packages_may_be_missing(repository: Files) -> None:
    files: Files = {
        **repository,
        "ext/manifest.json": manifest(
            content_scripts=[
                {"js": ["lib/a.js", "library/a.js", "node_modules/x/a.js", "bower_components/a/a.js"]}
            ]
        ),
    }
    assert missing_files(package_in(files, "ext/")) == ["`library/a.js`"]


def test_file_in_a_folder_that_git_tracks_is_missing() -> None:
    files: Files = {
        ".git/index": git_index("ext/lib/b.js"),
        "ext/manifest.json": manifest(content_scripts=[{"js": ["lib/a.js"]}]),
    }
    assert missing_files(package_in(files, "ext/")) == ["`lib/a.js`"]


def test_style_sheets_of_submodules_may_be_missing() -> None:
    files: Files = {
        ".gitmodules": '[submodule "x"]\n\tpath = ext/lib\n',
        "ext/manifest.json": manifest(action={"default_popup": "p.html"}),
        "ext/p.html": "<link rel=stylesheet href=p.css>",
        "ext/p.css": '@import "/lib/a.css"; @import "/library/a.css";',
    }
    assert missing_files(package_in(files, "ext/")) == ["`library/a.css`"]


NESTED_PROJECT: Files = {
    "manifest.json": manifest(
        web_accessible_resources=[{"resources": ["in/index.html"], "matches": ["<all_urls>"]}]
    ),
    "in/index.html": '<link rel="icon" href="/a.svg"><script src="/src/main.ts"></script><script src="b.js">',
    "in/b.js": "",
    "in/src/main.ts": "",
}
VITE = '{"devDependencies": {"vite": "^5"}}'


@pytest.mark.parametrize(
    ("files", "count"),
    [
        ({}, 2),
        ({"in/package.json": "{}"}, 2),
        ({"in/package.json": VITE}, 0),
        ({"in/package.json": "{}", "in/vite.config.ts": ""}, 0),
        ({"other/package.json": VITE}, 2),
    ],
)
def test_page_of_a_nested_project_is_built(files: Files, count: int) -> None:
    assert len(missing_files(package_of({**NESTED_PROJECT, **files}))) == count


def test_archive_may_contain_its_folder() -> None:
    named = {"icons": {"48": "a/b/c.png"}}
    files: Files = {"manifest.json": manifest(**named), "a.zip": b"PK"}
    assert missing_files(package_of(files)) == []
    assert missing_files(package_of({**files, "a/d.png": ""})) == ["`a/b/c.png`"]
    assert missing_files(package_of({"manifest.json": manifest(**named), "c.zip": b"PK"})) == ["`a/b/c.png`"]


@pytest.mark.parametrize(
    ("archived", "own", "missing"),
    [
        pytest.param(["manifest.json", "a.js", "b.js"], [], [], id="most files"),
        pytest.param(["manifest.json", "a.js", "b.js"], ["a.js"], ["`b.js`"], id="few files"),
        pytest.param(["manifest.json", "a.js", "c.js"], [], ["`b.js`"], id="not this one"),
        pytest.param(["a.js", "b.js", "c.js"], [], ["`a.js`", "`b.js`"], id="no manifest"),
        pytest.param(["e/manifest.json", "e/a.js", "e/b.js"], [], ["`a.js`", "`b.js`"], id="in a folder"),
        pytest.param([], [], ["`a.js`", "`b.js`"], id="nothing"),
    ],
)
def test_finished_package_next_to_the_manifest_may_have_files(
    archived: list[str], own: list[str], missing: list[str]
) -> None:
    keys = {"content_scripts": [{"matches": ["<all_urls>"], "js": ["a.js", "b.js"]}]}
    files: Files = {"manifest.json": manifest(**keys), **dict.fromkeys(own, "")}
    packed = archive(dict.fromkeys(archived, ""))
    assert missing_files(package_of({**files, "x.zip": packed})) == missing
    assert len(missing_files(package_of({**files, "x.zip": packed[:-4]}))) == 2 - len(own)


SHARED = {"p/b/manifest.json": manifest(), "p/common/a.js": "", "p/icons/a.png": ""}
SHARED_KEYS = {
    "icons": {"48": "/icons/a.png"},
    "content_scripts": [{"js": ["own.js", "common/a.js", "b.js"]}],
}


@pytest.mark.parametrize(
    ("around", "keys", "expected"),
    [
        pytest.param(SHARED, SHARED_KEYS, [], id="files of the folder above, shared with another extension"),
        pytest.param(
            {"p/b/manifest.json": manifest(), "p/shared/icons/a.png": ""},
            SHARED_KEYS,
            [],
            id="files of a sibling folder",
        ),
        pytest.param(
            {"p/b/manifest.json": manifest(), "p/b/icons/a.png": ""},
            SHARED_KEYS,
            ["`b.js`", "`common/a.js`", "`icons/a.png`"],
            id="files of another extension",
        ),
        pytest.param(
            {"p/b/manifest.json": manifest()},
            SHARED_KEYS,
            ["`b.js`", "`common/a.js`", "`icons/a.png`"],
            id="none of the files is there",
        ),
        pytest.param(
            {"p/common/a.js": "", "p/icons/a.png": ""},
            SHARED_KEYS,
            ["`b.js`", "`common/a.js`", "`icons/a.png`"],
            id="no other extension",
        ),
        pytest.param(
            {"p/_locales/en/messages.json": "{}"},
            {"default_locale": "en", "icons": {"48": "a.png"}},
            [],
            id="messages of the folder above",
        ),
        pytest.param(
            SHARED,
            {"icons": {"48": "../icons/a.png"}},
            ["`icons/a.png`"],
            id="a name that leads out of the folder",
        ),
    ],
)
def test_build_may_copy_shared_files(around: Files, keys: dict[str, object], expected: list[str]) -> None:
    files = {"p/a/manifest.json": manifest(**keys), "p/a/own.js": "", **around}
    assert sorted(missing_files(package_in(files, "p/a/"))) == expected


LAID_OVER: Files = {
    "base/manifest.json": manifest(),
    "base/own.js": "",
    "base/a.js": "",
    "base/a.png": "",
    "tools/pack.py": "BASE, OVER = ROOT / 'base', ROOT / 'over' / 'old'",
}
OVERLAY = {"over/old/manifest.json": manifest(icons={"48": "a.png"}), "over/old/own.js": ""}


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        pytest.param({}, [], id="a program puts the folder over another extension"),
        pytest.param({"tools/pack.py": None, "Makefile": "cp -r base/* over/old/* out"}, [], id="make"),
        pytest.param({"tools/pack.py": "ROOT / 'base'"}, ["`a.png`"], id="it names one of the folders"),
        pytest.param({"tools/pack.py": "'base-a', 'older', 'old-b'"}, ["`a.png`"], id="it names others"),
        pytest.param({"tools/pack.py": None}, ["`a.png`"], id="no program"),
        pytest.param({"base/a.png": None}, ["`a.png`"], id="the other extension does not have the file"),
        pytest.param({"over/old/b.js": ""}, ["`a.png`"], id="a file that the other extension does not have"),
        pytest.param({"base/manifest.json": None}, ["`a.png`"], id="another folder without a manifest"),
    ],
)
def test_overlay_may_miss_files(around: dict[str, str | None], expected: list[str]) -> None:
    merged = {**LAID_OVER, **OVERLAY, **around}
    files: Files = {path: text for path, text in merged.items() if text is not None}
    assert missing_files(package_in(files, "over/old/")) == expected


def test_all_missing_files_are_reported() -> None:
    count = 3000 if is_thorough() else 300
    names = [f"icons/{number:x}icon.png" for number in range(count)]
    files = {f"icons/{number:x}-icon.png": "" for number in range(count)}
    scripts = [{"css": names}]
    found = missing_files(package_of({"manifest.json": manifest(content_scripts=scripts), **files}))
    assert len(found) == len(names)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        pytest.param(
            {"icons": {"48": "a%20b.png"}},
            "Chrome reads `a%20b.png` literally, and that file does not exist; did you mean `a b.png`?",
            id="an escaped space",
        ),
        pytest.param(
            {"content_scripts": [{"js": ["a%20b.js?x"]}]},
            "Chrome reads `a%20b.js?x` literally, and that file does not exist; did you mean `a b.js`?",
            id="an escaped space in a content script",
        ),
        pytest.param(
            {"action": {"default_icon": "a b.png?v=1"}},
            "Chrome does not accept `?` in this name; did you mean `a b.png`?",
            id="a query after an icon",
        ),
        pytest.param(
            {"action": {"default_icon": {"16": "x/../a b.png"}}},
            "Chrome does not accept `..` in this name; did you mean `a b.png`?",
            id="a way up",
        ),
        pytest.param(
            {"declarative_net_request": {"rule_resources": [{"path": "a.json#x"}]}},
            "Chrome does not accept `#` in this name; did you mean `a.json`?",
            id="a hash after rules",
        ),
        pytest.param(
            {"storage": {"managed_schema": "/a.json"}},
            "Chrome does not accept `/` in this name; did you mean `a.json`?",
            id="a schema from the root",
        ),
        pytest.param({"icons": {"48": "a b.png#x"}}, None, id="a hash after an icon"),
        pytest.param({"icons": {"48": "/100%25.png"}}, None, id="a file that is named so"),
        pytest.param({"action": {"default_popup": "a%20b.html?x#y"}}, None, id="pages are addresses"),
        pytest.param({"sidebar_action": {"default_icon": "a%20b.png"}}, None, id="a key of Firefox"),
    ],
)
def test_percent_encoded_file_names_in_chrome(keys: Mapping[str, object], message: str | None) -> None:
    there = ["a b.png", "a b.js", "a b.html", "a.json", "100%25.png"]
    files: Files = {"manifest.json": manifest(**keys), **dict.fromkeys(there, "")}
    expected = [] if message is None else [message]
    assert [finding.message for finding in lint(files, RULES, "chrome")] == expected
    assert lint(files, RULES, "firefox") == lint(files, RULES) == []


@pytest.mark.parametrize(
    ("styles", "expected"),
    [
        pytest.param("a {background: url(there.png)}", [], id="in the folder of the style sheet"),
        pytest.param("a {background: url(/images/bar.png)}", [], id="from the root"),
        pytest.param("a {background: url(images/bar.png)}", ["images/bar.png"], id="in another folder"),
        pytest.param("a {background: url('../Images/bar.png?x')}", ["../Images/bar.png?x"], id="other case"),
        pytest.param("a {background: url(nowhere.png)}", [], id="missing, for a rule that may match nothing"),
        pytest.param("a {background: url(data:,), url(https://x.org/bar.png), url(#bar)}", [], id="no files"),
        pytest.param("a {background: url(${path}/bar.png)}", [], id="a template"),
        pytest.param("/* url(images/bar.png) */ a {content: 'url(images/bar.png)'}", [], id="texts"),
        pytest.param("@import 'none.css'; @import url(other.css);", ["none.css"], id="a style sheet"),
        pytest.param("@charset 'utf-8'; @layer a; @import 'none.css';", ["none.css"], id="after statements"),
        pytest.param("a { top: 0 } @import 'none.css';", [], id="an import after a rule"),
        pytest.param("@media print { @import 'none.css'; }", [], id="an import in a block"),
        pytest.param("/* { */ @import 'none.css';", ["none.css"], id="an import after a comment"),
        pytest.param("a {} b {background: url(images/bar.png)}", ["images/bar.png"], id="a URL after a rule"),
        pytest.param("@import 'bad.css';", ["images/bar.png"], id="in a style sheet that is imported"),
        pytest.param("@font-face {src: url(bar.woff2), url(there.png)}", [], id="a font with another source"),
        pytest.param("@font-face {src: local('Bar'), url(bar.woff2)}", [], id="a font of the system"),
        pytest.param("@font-face {src: url(bar.eot); src: url(bar.woff2)}", ["bar.woff2"], id="a font"),
    ],
)
def test_files_loaded_by_style_sheets(styles: str, expected: list[str]) -> None:
    files: Files = {
        "manifest.json": manifest(options_ui={"page": "p/o.html"}),
        "p/o.html": "<link rel=stylesheet href=../css/a.css>",
        "css/a.css": styles,
        "css/bad.css": "@import 'a.css'; a {background: url(images/bar.png)}",
        **dict.fromkeys(("css/other.css", "css/there.png", "images/bar.png", "fonts/bar.woff2"), ""),
    }
    assert [text_under(files, finding) for finding in lint(files, RULES)] == expected


OWN = "chrome-extension://__MSG_@@extension_id__"


@pytest.mark.parametrize(
    ("styles", "expected"),
    [
        (f"@font-face {{src: url('{OWN}/fonts/a/a.woff2')}}", [f"{OWN}/fonts/a/a.woff2"]),
        (f"a {{background: url({OWN}/images/A.png)}}", [f"{OWN}/images/A.png"]),
        ("a {background: url(moz-extension://__MSG_@@extension_id__/gone.png)}", []),
        (f"a {{background: url({OWN}/images/a.png)}}", []),
        (f"a {{background: url({OWN}/__SIZE__/A.png)}}", []),
        ("a {background: url(chrome-extension://__MSG_id__/images/A.png)}", []),
        ("a {background: url(../images/A.png)}", ["../images/A.png"]),
    ],
)
@pytest.mark.parametrize("sheet", ["css/page.css", "css/content.css"])
def test_addresses_in_style_sheets(styles: str, expected: list[str], sheet: str) -> None:
    scripts = [{"matches": ["https://a.example/*"], "css": ["css/content.css"]}]
    files: Files = {
        "manifest.json": manifest(options_ui={"page": "o.html"}, content_scripts=scripts),
        "o.html": "<link rel=stylesheet href=css/page.css>",
        "css/page.css": "",
        "css/content.css": "",
        "fonts/A/A.woff2": "",
        "images/a.png": "",
        sheet: styles,
    }
    is_in_web_page = sheet == "css/content.css" and expected[:1] == ["../images/A.png"]
    found = [text_under(files, finding) for finding in lint(files, RULES)]
    assert found == ([] if is_in_web_page else expected)


def test_wrong_path_in_a_style_sheet_is_corrected() -> None:
    files = {
        "manifest.json": manifest(options_ui={"page": "o.html"}),
        "o.html": "<link rel=stylesheet href=css/a.css>",
        "css/a.css": "a {background: url(images/bar.png)}",
        "images/bar.png": "",
    }
    assert missing_files(package_of(files)) == ["`css/images/bar.png`; did you mean `images/bar.png`?"]


@pytest.mark.parametrize(
    ("files", "leads_out"),
    [
        pytest.param({"manifest.json": manifest(icons={"16": "../a.png"})}, True, id="the manifest"),
        pytest.param({"manifest.json": manifest(icons={"16": "../../i/a.png"})}, True, id="further"),
        pytest.param({"manifest.json": manifest(icons={"16": "i/../a.png"})}, False, id="back again"),
        pytest.param({"d/p.html": '<img src="../a.png">'}, False, id="a page to the top"),
        pytest.param({"d/p.html": '<img src="../../a.png">'}, True, id="a page beyond it"),
        pytest.param({"d/p.html": '<img src="/../a.png">'}, False, id="from the top"),
        pytest.param({"d/p.html": '<img src="../../a.png">', "A.png": ""}, False, id="another mistake"),
    ],
)
def test_path_that_leaves_the_package_is_explained(files: Files, leads_out: bool) -> None:
    (found,) = lint({"manifest.json": manifest(action={"default_popup": "d/p.html"}), **files}, RULES)
    assert (found.help is not None and "does not lead out" in found.help) == leads_out


WRITER = """
const fs = require("fs"), path = require("path");
for (const list of ["ads", "adult"]) {
  const file = path.join(__dirname, "..", "FOLDER", `${list}-domains.json`);
  fs.writeFileSync(file, JSON.stringify(read(list)));
}
"""
PYTHON_WRITER = """
from PIL import Image
for size in (16, 48):
    draw(size).save(f"icons/icon{size}.png")
"""


@pytest.mark.parametrize(
    ("program", "text", "missing"),
    [
        pytest.param("scripts/rules.js", WRITER.replace("FOLDER", "rules"), ["icons/icon16.png"], id="Node"),
        pytest.param("tools/rules.js", WRITER.replace("FOLDER", "lists"), None, id="another folder"),
        pytest.param("tools/rules.js", WRITER.replace("-domains", ""), None, id="any name"),
        pytest.param(
            "tools/rules.js",
            WRITER.replace("FOLDER", "rules").replace("writeFileSync", "readFileSync"),
            None,
            id="a reader",
        ),
        pytest.param("tools/icons.py", PYTHON_WRITER, ["rules/adult-domains.json"], id="Python"),
    ],
)
def test_programs_write_files(program: str, text: str, missing: list[str] | None) -> None:
    keys = {
        "icons": {"16": "icons/icon16.png"},
        "declarative_net_request": {
            "rule_resources": [{"id": "a", "enabled": True, "path": "rules/adult-domains.json"}]
        },
    }
    files = {"chrome/manifest.json": manifest(**keys), program: text}
    expected = ["icons/icon16.png", "rules/adult-domains.json"] if missing is None else missing
    found = missing_files(package_in(files, "chrome/"))
    assert sorted(found) == [f"`{each}`" for each in expected]
