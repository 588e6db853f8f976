from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from packages import package_of

from extlint.manifest.manifest import read_manifest
from extlint.package.files import Package, UnreadableError
from extlint.package.references import folder_of, matches_pattern, paths_of
from extlint.project.contexts.collector import MAX_PAGE_BYTES
from extlint.project.contexts.layout import lay_out
from extlint.project.contexts.script import LaidOutScript, Layout
from extlint.text.positions import Position

Files = dict[str, str | bytes]


def laid_out(manifest: Any, files: Files) -> Layout:
    text = manifest if isinstance(manifest, str) else json.dumps(manifest)
    package = package_of({"manifest.json": text, **files})
    return lay_out(package, read_manifest("manifest.json", package.read("manifest.json")))


def contexts(layout: Layout, files: Files) -> dict[str, list[str]]:
    """Returns the kinds of contexts of each script; an inline script is identified by its page and text."""
    return {
        _label(script, files): [context.kind.name for context in script.contexts] for script in layout.scripts
    }


def _label(script: LaidOutScript, files: Files) -> str:
    if script.body is None:
        return script.path
    content = files[script.path]
    data = content.encode() if isinstance(content, str) else content
    return f"{script.path} {data[slice(*script.body)].decode()}"


def named_files(layout: Layout) -> list[str]:
    """Returns each named file as `name -> path`, or just the path if the name is the same."""
    return [
        file.path if file.name == file.path else f"{file.name} -> {file.path}" for file in layout.named_files
    ]


JS: Files = {"a.js": "", "b.js": "", "c.js": ""}
PAGE: Files = {"p/page.html": "<script src='s.js'></script><script>inline</script>", "p/s.js": ""}


@pytest.mark.parametrize(
    ("manifest", "files", "expected"),
    [
        pytest.param(
            {"background": {"scripts": ["b.js", "a.js"]}},
            JS,
            {"b.js": ["BACKGROUND"], "a.js": ["BACKGROUND"], "c.js": []},
            id="background scripts, in their order",
        ),
        pytest.param(
            {"background": {"service_worker": "a.js"}},
            JS,
            {"a.js": ["SERVICE_WORKER"], "b.js": [], "c.js": []},
            id="a service worker",
        ),
        pytest.param(
            {"background": {"scripts": ["a.js"], "service_worker": "a.js"}},
            {"a.js": ""},
            {"a.js": ["BACKGROUND", "SERVICE_WORKER"]},
            id="a script for both kinds of background",
        ),
        pytest.param(
            {"content_scripts": [{"js": ["a.js"]}, {"js": ["b.js", "a.js"], "world": "ISOLATED"}]},
            {"a.js": "", "b.js": ""},
            {"a.js": ["CONTENT_SCRIPT"], "b.js": ["CONTENT_SCRIPT"]},
            id="content scripts",
        ),
        pytest.param(
            {"content_scripts": [{"js": ["a.js"], "world": "MAIN"}, {"js": ["a.js"]}]},
            {"a.js": ""},
            {"a.js": ["MAIN_WORLD", "CONTENT_SCRIPT"]},
            id="the main world",
        ),
        pytest.param(
            {"user_scripts": {"api_script": "a.js"}},
            {"a.js": ""},
            {"a.js": ["CONTENT_SCRIPT"]},
            id="Firefox's script for user scripts",
        ),
        pytest.param(
            {"background": {"page": "p/page.html"}},
            PAGE,
            {"p/s.js": ["BACKGROUND"], "p/page.html inline": ["BACKGROUND"]},
            id="a background page",
        ),
        pytest.param(
            {"devtools_page": "p/page.html"},
            PAGE,
            {"p/s.js": ["DEVTOOLS_PAGE"], "p/page.html inline": ["DEVTOOLS_PAGE"]},
            id="a page for the developer tools",
        ),
        pytest.param(
            {"sandbox": {"pages": ["p/page.html"]}},
            PAGE,
            {"p/s.js": ["SANDBOX"], "p/page.html inline": ["SANDBOX"]},
            id="a sandboxed page",
        ),
        pytest.param(
            {"options_page": "p/page.html", "sandbox": {"pages": ["p/page.html"]}},
            PAGE,
            {"p/s.js": ["SANDBOX"], "p/page.html inline": ["SANDBOX"]},
            id="a sandboxed page is sandboxed however else it is named",
        ),
        pytest.param(
            {"options_page": "p/page.html", "sandbox": {"pages": ["./p/page.html", "p/../p/*.html"]}},
            PAGE,
            {"p/s.js": ["EXTENSION_PAGE"], "p/page.html inline": ["EXTENSION_PAGE"]},
            id="names of sandboxed pages that match nothing",
        ),
        pytest.param(
            {"sandbox": {"pages": ["/p/*.html"]}},
            PAGE,
            {"p/s.js": ["SANDBOX"], "p/page.html inline": ["SANDBOX"]},
            id="a pattern of sandboxed pages",
        ),
        pytest.param(
            {
                "devtools_page": "p/page.html",
                "options_page": "/p/page.html",
                "content_scripts": [{"js": ["p/s.js"]}],
            },
            PAGE,
            {
                "p/s.js": ["CONTENT_SCRIPT", "EXTENSION_PAGE", "DEVTOOLS_PAGE"],
                "p/page.html inline": ["EXTENSION_PAGE", "DEVTOOLS_PAGE"],
            },
            id="one script in several contexts",
        ),
        pytest.param(
            {},
            {
                **PAGE,
                "x.ts": "",
                "y.JSX": "",
                "z.mjs": "",
                "types.d.ts": "",
                "data.json": "",
                "readme.txt": "",
            },
            {"p/page.html inline": [], "p/s.js": [], "x.ts": [], "y.JSX": [], "z.mjs": []},
            id="scripts that nothing loads",
        ),
        pytest.param(
            {"content_scripts": [{"js": ["script.txt"]}]},
            {"script.txt": "", "other.txt": ""},
            {"script.txt": ["CONTENT_SCRIPT"]},
            id="a script with another suffix, if it is listed",
        ),
        pytest.param(
            {"background": {"scripts": ["built.js", "a.js"]}},
            {"a.js": "", "src/built.ts": ""},
            {"a.js": ["BACKGROUND"], "src/built.ts": []},
            id="a missing script does not hide others",
        ),
        pytest.param(
            {"background": {"scripts": ["A.js"]}, "options_page": "P/Page.html"},
            {"a.js": "", **PAGE},
            {"a.js": ["BACKGROUND"], "p/s.js": ["EXTENSION_PAGE"], "p/page.html inline": ["EXTENSION_PAGE"]},
            id="names in other letter case",
        ),
        pytest.param(
            {"options_page": "a.js"},
            {"a.js": "'<script src=b.js></script>'", "b.js": ""},
            {"a.js": [], "b.js": []},
            id="a script in a page's place is not a page",
        ),
    ],
)
def test_contexts_of_scripts(manifest: dict[str, Any], files: Files, expected: dict[str, list[str]]) -> None:
    found = contexts(laid_out(manifest, files), files)
    assert found == expected
    assert list(found) == list(expected)


@pytest.mark.parametrize(
    "manifest",
    [
        {"action": {"default_popup": "p/page.html"}},
        {"browser_action": {"default_popup": "p/page.html"}},
        {"page_action": {"default_popup": "p/page.html"}},
        {"options_page": "p/page.html"},
        {"options_ui": {"page": "p/page.html"}},
        {"side_panel": {"default_path": "p/page.html"}},
        {"sidebar_action": {"default_panel": "p/page.html"}},
        {"chrome_url_overrides": {"newtab": "p/page.html"}},
        {"options_page": "p/page.html?tab=1#top"},
    ],
    ids=str,
)
def test_extension_pages(manifest: dict[str, Any]) -> None:
    assert contexts(laid_out(manifest, PAGE), PAGE) == {
        "p/s.js": ["EXTENSION_PAGE"],
        "p/page.html inline": ["EXTENSION_PAGE"],
    }


@pytest.mark.parametrize(
    ("page", "scripts"),
    [
        pytest.param("<script src='../a.js'></script>", ["a.js"], id="the folder above"),
        pytest.param("<script src='/a.js'></script>", ["a.js"], id="the root"),
        pytest.param("<script src='../../../a.js'></script>", ["a.js"], id="above the root is the root"),
        pytest.param("<script src='s.js?v=2#x'></script>", ["p/s.js"], id="a query and a hash"),
        pytest.param("<base href='/'><script src='a.js'></script>", ["a.js"], id="a base"),
        pytest.param("<base href='https://x.org/'><script src='s.js'></script>", [], id="a base elsewhere"),
        pytest.param("<script src='https://x.org/s.js'></script>", [], id="another site's script"),
        pytest.param("<script src='//x.org/s.js'></script>", [], id="another host's script"),
        pytest.param("<script src=''></script>", [], id="an empty src"),
        pytest.param("<script type=text/x-template src='s.js'></script>", [], id="no script"),
        pytest.param("<script> \n </script>", [], id="a script of white space"),
        pytest.param(
            "<script>1</script><script>2</script>", ["p/page.html 1", "p/page.html 2"], id="two scripts"
        ),
        pytest.param(
            "<script src=s.js></script><script src=s.js></script>", ["p/s.js"], id="one script twice"
        ),
    ],
)
def test_page_scripts(page: str, scripts: list[str]) -> None:
    files: Files = {"p/page.html": page, "a.js": "", "p/s.js": ""}
    found = contexts(laid_out({"options_page": "p/page.html"}, files), files)
    assert {script: kinds for script, kinds in found.items() if kinds} == {
        script: ["EXTENSION_PAGE"] for script in scripts
    }


def test_self_closing_scripts_in_xhtml() -> None:
    files: Files = {"page.xhtml": "<script src='a.js'/><script src='b.js'/>", "a.js": "", "b.js": ""}
    found = contexts(laid_out({"options_page": "page.xhtml"}, files), files)
    assert found == {"a.js": ["EXTENSION_PAGE"], "b.js": ["EXTENSION_PAGE"]}


def test_utf_16_page_is_read() -> None:
    page = "\n<script src='a.js'></script>".encode("utf-16")
    layout = laid_out({"options_page": "page.html"}, {"page.html": page, "a.js": ""})
    assert [script.path for script in layout.scripts if script.contexts] == ["a.js"]
    assert layout.named_files[1].span.start == Position(2, 14)


def test_context_explains_how_it_is_reached() -> None:
    manifest = {
        "background": {"scripts": ["a.js"], "service_worker": "a.js", "page": "p/page.html"},
        "content_scripts": [{"js": []}, {"js": ["b.js", "a.js"]}],
    }
    layout = laid_out(manifest, {"p/page.html": "<script src=/a.js></script>", "a.js": "", "b.js": ""})
    assert {
        script.path: [context.step and context.step.message for context in script.contexts]
        for script in layout.scripts
    } == {
        "a.js": [
            "the manifest names `a.js` as a background script",
            "the manifest names `a.js` as a service worker",
            "the manifest names `a.js` as a content script",
            "`p/page.html` loads `a.js`",
        ],
        "b.js": ["the manifest names `b.js` as a content script"],
    }


@pytest.mark.parametrize(
    ("manifest", "files", "is_module"),
    [
        pytest.param({"background": {"service_worker": "a.js"}}, {"a.js": ""}, False, id="a classic worker"),
        pytest.param(
            {"background": {"service_worker": "a.js", "type": "module"}},
            {"a.js": ""},
            True,
            id="a module worker",
        ),
        pytest.param(
            {"background": {"scripts": ["a.js"], "type": "module"}},
            {"a.js": ""},
            True,
            id="background modules",
        ),
        pytest.param(
            {"content_scripts": [{"js": ["a.mjs"]}]}, {"a.mjs": ""}, False, id="content scripts never are"
        ),
        pytest.param(
            {"background": {"service_worker": "a.ts"}}, {"a.ts": ""}, None, id="output of a build tool"
        ),
        pytest.param(
            {"options_page": "p.html"},
            {"p.html": "<script type=module src=a.ts></script>", "a.ts": ""},
            True,
            id="src",
        ),
        pytest.param(
            {"options_page": "p.html"}, {"p.html": "<script type=module>x</script>"}, True, id="inline"
        ),
        pytest.param(
            {"options_page": "p.html"}, {"p.html": "<script>x</script>"}, False, id="classic inline"
        ),
        pytest.param(
            {
                "background": {"service_worker": "a.js", "type": "module"},
                "content_scripts": [{"js": ["a.js"]}],
            },
            {"a.js": ""},
            None,
            id="both",
        ),
        pytest.param({}, {"a.js": ""}, None, id="nothing loads it"),
        pytest.param({}, {"a.mjs": ""}, True, id="unloaded, but with a module suffix"),
        pytest.param({}, {"a.cjs": ""}, False, id="the other suffix"),
    ],
)
def test_module_detection(manifest: dict[str, Any], files: Files, is_module: bool | None) -> None:
    assert [script.is_module for script in laid_out(manifest, files).scripts] == [is_module]


@pytest.mark.parametrize(
    ("manifest", "names"),
    [
        (
            {"background": {"scripts": ["a.js"], "page": "b.html", "service_worker": "c.js"}},
            ["a.js", "c.js", "b.html"],
        ),
        (
            {"content_scripts": [{"js": ["a.js"], "css": ["a.css"]}, {"js": ["b.js"]}]},
            ["a.js", "b.js", "a.css"],
        ),
        ({"action": {"default_popup": "a.html", "default_icon": "i.png"}}, ["a.html", "i.png"]),
        (
            {"browser_action": {"default_popup": "a.html", "default_icon": {"16": "i.png"}}},
            ["a.html", "i.png"],
        ),
        ({"page_action": {"default_popup": "a.html", "default_icon": {"16": "i.png"}}}, ["a.html", "i.png"]),
        ({"action": {"theme_icons": [{"light": "l.png", "dark": "d.png", "size": 16}]}}, ["l.png", "d.png"]),
        ({"sidebar_action": {"default_panel": "a.html", "default_icon": "i.png"}}, ["a.html", "i.png"]),
        ({"side_panel": {"default_path": "a.html"}}, ["a.html"]),
        ({"icons": {"16": "i.svg#small", "48": "/i.png"}}, ["i.svg#small -> i.svg", "/i.png -> i.png"]),
        ({"options_page": "a.html", "options_ui": {"page": "b.html?x"}}, ["a.html", "b.html?x -> b.html"]),
        ({"devtools_page": "a.html", "chrome_url_overrides": {"newtab": "b.html"}}, ["b.html", "a.html"]),
        ({"sandbox": {"pages": ["a.html", "*.html"]}}, ["a.html"]),
        (
            {"theme": {"images": {"theme_frame": "f.png", "additional_backgrounds": ["g.png"]}}},
            ["f.png", "g.png"],
        ),
        ({"declarative_net_request": {"rule_resources": [{"id": "r", "path": "r.json"}]}}, ["r.json"]),
        ({"storage": {"managed_schema": "s.json"}}, ["s.json"]),
        ({"user_scripts": {"api_script": "a.js"}}, ["a.js"]),
        ({"dictionaries": {"en": "en.dic"}}, ["en.dic", "en.aff"]),
        ({"default_locale": "en"}, []),
        ({"web_accessible_resources": ["a.png", {"resources": ["b.png"]}]}, []),
        ({"homepage_url": "https://x.org/", "name": "a.js", "commands": {"a": "b.js"}}, []),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_file_names_in_manifest(manifest: dict[str, Any], names: list[str]) -> None:
    assert named_files(laid_out(manifest, {})) == names


def test_named_files_have_spans() -> None:
    layout = laid_out(
        '{"icons":\n {"16": "é.png",\n "options_page": 1},\n "options_page": "p.html"}',
        {
            "p.html": "<p>é</p>\n<script src='gone.js'></script>",
        },
    )
    assert [(file.source, file.name, *file.span.start, *file.span.end) for file in layout.named_files] == [
        ("manifest.json", "p.html", 4, 18, 4, 26),
        ("manifest.json", "é.png", 2, 9, 2, 16),
        ("p.html", "gone.js", 2, 14, 2, 21),
    ]


def test_names_in_unloaded_pages_are_ignored() -> None:
    assert named_files(laid_out({}, {"p.html": "<script src='gone.js'></script>"})) == []


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a.js", "a.js"),
        ("/a.js", "a.js"),
        ("./a.js", "a.js"),
        ("x//./a.js", "x/a.js"),
        ("x/../a.js", "a.js"),
        ("../a.js", "a.js"),
        ("x/%2e%2E/a.js", "a.js"),
        (" a.js\n", "a.js"),
        ("a%20b.js", "a b.js"),
        ("%C3%A9.js", "é.js"),
        ("%zz.js", "%zz.js"),
        ("a.js?v=1", "a.js"),
        ("a.js#x?y", "a.js"),
        ("x/..a.js", "x/..a.js"),
        ("_generated_background_page.html.js", "_generated_background_page.html.js"),
    ],
)
def test_names_are_resolved_as_urls(name: str, path: str) -> None:
    assert paths_of(name)[0] == path


ELSEWHERE = """https://x.org/a.js HTTP:a.js data:text/javascript,1 //x.org/a.js blob:x C:/a.js chrome://a.js
moz-extension://__MSG_@@extension_id__/a.js chrome-extension://abc/a.js __MSG_icon__ img/__MSG_icon__.png
a\\b.js a%2Fb.js a%5cb.js a%00.js _generated_background_page.html /_generated_background_page.html?x
_modules/x/a.js / . .. a/ a/.. ?x #x"""


@pytest.mark.parametrize("name", [*ELSEWHERE.split(), "", " "])
def test_names_outside_the_package_have_no_path(name: str) -> None:
    assert paths_of(name) == ()


PLACEHOLDERS = """$NAME.js ${name}.js $(name).js {{x}}/a.js {name}.js __NAME__/a.js __BUILD_ID__.js %VAR%.js
<%=name%>.js js/*.js [name].[hash].js @VERSION@.js"""


@pytest.mark.parametrize("name", PLACEHOLDERS.split())
def test_build_placeholders_are_not_missing_files(name: str) -> None:
    manifest = {"content_scripts": [{"js": [name]}]}
    assert named_files(laid_out(manifest, {})) == []
    assert [script.path for script in laid_out(manifest, {name: ""}).scripts if script.contexts] == [name]


@pytest.mark.parametrize(
    "name", ["icon@2x.png", "jquery-3.7.1.min.js", "__init.js", "a_b__c.js", "100%.png", "a$.js"]
)
def test_unusual_file_names_are_not_placeholders(name: str) -> None:
    assert named_files(laid_out({"options_page": name}, {})) == [name]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a b.js", "a%20b.js"),
        ("a%20b.js", "a%20b.js"),
        ("c#.js", "c#.js"),
        ("a.js", "a.js?x"),
        ("é.js", "%c3%a9.js"),
    ],
)
def test_names_may_be_percent_encoded(file: str, name: str) -> None:
    layout = laid_out({"content_scripts": [{"js": [name]}]}, {file: ""})
    assert [each.path for each in layout.named_files] == [file]
    assert [script.path for script in layout.scripts if script.contexts] == [file]


@pytest.mark.parametrize(
    ("page", "base", "folder"),
    [
        ("a/b.html", None, "a"),
        ("b.html", None, ""),
        ("a/b.html", "", "a"),
        ("a/b.html", "/", ""),
        ("a/b.html", "lib", "a"),
        ("a/b.html", "lib/", "a/lib"),
        ("a/b.html", "..", ""),
        ("a/b.html", "../c/x.html?y/z", "c"),
        ("a/b.html", "my%20lib/", "a/my lib"),
        ("a/b.html", "https://x.org/", None),
        ("a/b.html", "//x.org/", None),
    ],
)
def test_base_folder_of_page(page: str, base: str | None, folder: str | None) -> None:
    assert folder_of(page, base) == folder


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("a.html", "a.html", True),
        ("a.html", "b.html", False),
        ("*", "x/a.html", True),
        ("x/*.html", "x/y/a.html", True),
        ("x/*.html", "y/a.html", False),
        ("a*a", "a", False),
        ("a*b*c", "axbxc", True),
        ("a*b*c", "acb", False),
        ("a*bb*b", "abb", False),
    ],
)
def test_path_patterns(pattern: str, path: str, expected: bool) -> None:
    assert matches_pattern(path, pattern) == expected


def test_unreadable_page_counts_as_empty() -> None:
    def unreadable() -> bytes:
        raise UnreadableError("p.html cannot be read")

    manifest = b'{"options_page": "p.html", "background": {"scripts": ["a.js"]}}'
    package = Package("ext", {"manifest.json": lambda: manifest, "p.html": unreadable, "a.js": lambda: b""})
    layout = lay_out(package, read_manifest("manifest.json", manifest))
    assert [script.path for script in layout.scripts] == ["a.js"]


def test_too_large_page_is_not_scanned() -> None:
    page = "<script>x</script>"
    large: Files = {"p.html": page + " " * MAX_PAGE_BYTES, "q.html": page}
    layout = laid_out({}, large)
    assert [script.path for script in layout.scripts] == ["q.html"]
    assert layout.large_pages == ("p.html",)


@pytest.mark.parametrize("manifest", ["", "{", "[]", "null", '"a.js"', "1", "{}"])
def test_nothing_is_loaded_without_a_valid_manifest(manifest: str) -> None:
    layout = laid_out(manifest, JS)
    assert [(script.path, script.contexts) for script in layout.scripts] == [
        ("a.js", ()),
        ("b.js", ()),
        ("c.js", ()),
    ]
    assert layout.named_files == ()


leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["a.js", "p.html", "MAIN", "module", "*", "", "/"])
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["js", "page", "pages", "scripts", "world", "type", "0", "~/"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)
KEYS = [
    "background",
    "content_scripts",
    "action",
    "icons",
    "options_ui",
    "options_page",
    "sandbox",
    "theme",
    "storage",
]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(st.sampled_from([*KEYS, "default_locale", "devtools_page"]), values),
    st.binary(max_size=30),
)
def test_any_manifest_and_page_can_be_laid_out(manifest: dict[str, Any], page: bytes) -> None:
    files: Files = {"a.js": "", "p.html": page + b"<script src=a.js></script><script>x</script>"}
    layout = laid_out(manifest, files)
    assert {script.path for script in layout.scripts} <= {"a.js", "p.html"}
    assert "a.js" in {script.path for script in layout.scripts}
    assert len({(script.path, script.body) for script in layout.scripts}) == len(layout.scripts)
    assert all(len(set(script.contexts)) == len(script.contexts) for script in layout.scripts)
