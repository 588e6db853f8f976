"""Manifests for several browsers of one extension: each is checked, and shared mistakes are merged."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from harness import manifest

from extlint.analysis import follow as script_follow
from extlint.analysis.facts.script_facts import ScriptFacts
from extlint.cli.main import main
from extlint.package.discovery.find import find_packages
from extlint.package.discovery.variants import BROWSERS, VERSIONS, is_variant
from extlint.package.files import Package
from extlint.project.target_detection.build_names import is_variant_folder

CHROME = manifest(background={"service_worker": "bg.js"})
FIREFOX = manifest(background={"scripts": ["bg.js"]})
PART = json.dumps({"manifest_version": 3, "background": {"scripts": ["bg.js"]}})


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(files: Mapping[str, str]) -> None:
    for path, text in files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)


def find_manifests(*paths: str) -> list[tuple[str, Sequence[str]]]:
    """Returns the name and the manifests of each extension."""
    packages = [each for each in find_packages(paths) if isinstance(each, Package)]
    return [(each.name, [each.manifest_path, *each.variants]) for each in packages]


@pytest.mark.parametrize(
    "name",
    [
        *("manifest.chrome.json", "manifest-v2.json", "manifest_firefox_v3.json", "firefox_manifest.json"),
        *(
            "manifestv3.json",
            "manifestV2.json",
            "manifestmv3.json",
            "manifest-ff.json",
            "manifest_ff_v2.json",
        ),
        *("manifest.chromium-mv2.json", "edge-manifest.json", "manifest.Opera.json", "manifest.mv3.json"),
        *(
            "manifest.firefox.prod.json",
            "manifests/chrome.json",
            "manifest/firefox-mv2.json",
            "manifest/v3.json",
        ),
    ],
)
def test_variant_is_recognized_by_name(name: str) -> None:
    assert is_variant(name)
    assert is_variant(f"src/{name}")


@pytest.mark.parametrize(
    "name",
    [
        *("manifest.json", "manifest.dev.json", "manifest.chrome.dev.json", "manifest.common.json"),
        *("manifest-off.json", "manifest-diff.json", "manifestff.json"),
        *("manifestv1.json", "manifestv3old.json", "manifest3.json", "webmanifestv3.json"),
        *("manifest_old.json", "manifest.prod.json", "manifest.template.json", "chrome.json"),
        *("package.firefox.json", "manifest.firefox.json.bak", "asset-manifest.json", "data/firefox.json"),
        *("manifests/base.json", "manifests/development.json", "manifests/chrome.js", "manifests/en.json"),
    ],
)
def test_other_name_is_not_a_variant(name: str) -> None:
    assert not is_variant(name)


def test_browser_and_version_names_are_variant_folders() -> None:
    assert all(map(is_variant_folder, (*BROWSERS, *VERSIONS)))


def of_pages(popup: str, options: str | None = None) -> str:
    """Returns a manifest with these pages, and a script of a build."""
    pages: dict[str, object] = {"action": {"default_popup": popup}, "options_page": options or popup}
    return manifest(background={"service_worker": "dist/bg.js"}, **pages)


WEB_APP = '{"name": "a", "icons": [{"src": "a.ico"}], "start_url": "."}'

FOUND = {
    "two variants": (
        {"manifest.chrome.json": CHROME, "manifest.firefox.json": FIREFOX},
        [(".", ["manifest.chrome.json", "manifest.firefox.json"])],
    ),
    "next to a manifest": (
        {"src/manifest.json": CHROME, "src/manifest-v2.json": FIREFOX},
        [("src", ["manifest.json", "manifest-v2.json"])],
    ),
    "a part that a build merges": (
        {"manifest.json": CHROME, "manifest.firefox.json": PART},
        [(".", ["manifest.json"])],
    ),
    "parts that a build merges with another": (
        {"manifest.common.json": CHROME, "manifest.firefox.json": FIREFOX, "a/manifest.json": CHROME},
        [("a", ["manifest.json"])],
    ),
    "only parts that a build merges with another": (
        {"a/manifest.common.json": CHROME, "a/manifest.firefox.json": PART, "a/bg.js": ""},
        [("a", ["manifest.common.json"])],
    ),
    "a common manifest without parts": (
        {"manifest.common.json": CHROME, "a/manifest.json": CHROME},
        [("a", ["manifest.json"])],
    ),
    "without others, one for another purpose": (
        {"manifest.prod.json": CHROME, "manifest.dev.json": CHROME, "manifest.edge.json": PART},
        [(".", ["manifest.prod.json"])],
    ),
    "without others, those for developers": (
        {"a/manifest.dev.json": CHROME, "a/manifest.test.json": CHROME},
        [("a", ["manifest.dev.json", "manifest.test.json"])],
    ),
    "without others, a part": ({"a/manifest.v3.json": PART}, [("a", ["manifest.v3.json"])]),
    "without others, a template in a folder of manifests": (
        {"src/manifest/template-manifest.json": CHROME, "src/bg.js": "", "manifest.app.json": WEB_APP},
        [("src", ["manifest/template-manifest.json"])],
    ),
    "of an extension, in a folder of it": (
        {"manifest.json": CHROME, "configs/manifest.firefox.json": FIREFOX},
        [(".", ["manifest.json"])],
    ),
    "a single variant": ({"app/manifest.firefox.json": FIREFOX}, [("app", ["manifest.firefox.json"])]),
    "of a package that is installed": (
        {"manifest.json": CHROME, "node_modules/a/manifest.firefox.json": FIREFOX},
        [(".", ["manifest.json"])],
    ),
    "in a folder of manifests": (
        {"manifests/chrome.json": CHROME, "manifests/firefox.json": FIREFOX, "bg.js": ""},
        [(".", ["manifests/chrome.json", "manifests/firefox.json"])],
    ),
    "in a folder of manifests, next to the extension files": (
        {"manifest/chrome.json": CHROME, "manifest/firefox.json": FIREFOX, "src/bg.js": ""},
        [("src", ["../manifest/chrome.json", "../manifest/firefox.json"])],
    ),
    "in a folder of manifests, in the one with the files": (
        {"src/manifest/manifest.chrome.json": CHROME, "src/bg.js": "", "bg.js.map": ""},
        [("src", ["manifest/manifest.chrome.json"])],
    ),
    "in a folder of manifests, which has the files too": (
        {"manifests/chrome.json": CHROME, "manifests/bg.js": ""},
        [("manifests", ["chrome.json"])],
    ),
    "in a folder of manifests, and no file is there": (
        {"a/manifests/chrome.json": CHROME},
        [("a", ["manifests/chrome.json"])],
    ),
    "in a folder of manifests, some of them merged by a build": (
        {"manifests/base.json": CHROME, "manifests/chrome.json": CHROME, "b/manifest.json": CHROME},
        [("b", ["manifest.json"])],
    ),
    "in a folder of manifests next to a manifest": (
        {"manifest.json": CHROME, "manifests/firefox.json": FIREFOX, "bg.js": ""},
        [(".", ["manifest.json", "manifests/firefox.json"])],
    ),
    "parts in a folder of manifests": (
        {"manifest.json": CHROME, "manifests/firefox.json": PART, "bg.js": ""},
        [(".", ["manifest.json"])],
    ),
    "in folders for browsers, next to the extension files": (
        {"platform/chrome/manifest.json": CHROME, "platform/firefox/manifest.json": FIREFOX, "src/bg.js": ""},
        [("src", ["../platform/chrome/manifest.json", "../platform/firefox/manifest.json"])],
    ),
    "in folders for browsers, below a folder of manifests": (
        {
            "src/manifests/v2/manifest.json": FIREFOX,
            "src/manifests/v3/manifest.json": CHROME,
            "src/bg.js": "",
        },
        [("src", ["manifests/v2/manifest.json", "manifests/v3/manifest.json"])],
    ),
    "in a folder for a browser, of an extension": (
        {"src/manifest.json": CHROME, "src/bg.js": "", "firefox/manifest.json": FIREFOX},
        [("src", ["manifest.json", "../firefox/manifest.json"])],
    ),
    "in folders for browsers, and files that they share": (
        {"chrome/manifest.json": CHROME, "firefox/manifest.json": FIREFOX, "shared/bg.js": ""},
        [("shared", ["../chrome/manifest.json", "../firefox/manifest.json"])],
    ),
    "in folders for browsers that have files": (
        {"chrome/manifest.json": CHROME, "chrome/bg.js": "", "firefox/manifest.json": FIREFOX, "bg.ts": ""},
        [("chrome", ["manifest.json"]), ("firefox", ["manifest.json"])],
    ),
    "in a folder for a browser, and not all files are there": (
        {"chrome/manifest.json": manifest(content_scripts=[{"js": ["a.js", "b.js"]}]), "src/a.js": ""},
        [("chrome", ["manifest.json"])],
    ),
    "in a folder for a browser, next to the pages, and the scripts are not built": (
        {"platform/chrome/manifest.json": of_pages("pages/a.html"), "pages/a.html": ""},
        [(".", ["platform/chrome/manifest.json"])],
    ),
    "in a folder for a browser, next to some of the pages": (
        {"platform/chrome/manifest.json": of_pages("pages/a.html", "b.html"), "pages/a.html": ""},
        [("platform/chrome", ["manifest.json"])],
    ),
    "in a folder for a browser, next to a page that may be another one": (
        {"chrome/manifest.json": of_pages("index.html"), "index.html": ""},
        [("chrome", ["manifest.json"])],
    ),
    "in a folder of that name, which is for no browser": (
        {"tool/manifest.json": CHROME, "src/bg.js": ""},
        [("tool", ["manifest.json"])],
    ),
    "in a folder for a browser, inside of another extension": (
        {"manifest.json": CHROME, "a/chrome/manifest.json": CHROME, "a/src/bg.js": ""},
        [(".", ["manifest.json"]), ("a/chrome", ["manifest.json"])],
    ),
    "variants around the folder with the files": (
        {"manifest.chrome.json": CHROME, "manifest.firefox.json": FIREFOX, "src/bg.js": ""},
        [("src", ["../manifest.chrome.json", "../manifest.firefox.json"])],
    ),
    "variants around a folder of another name, which has all files": (
        {"manifest.v2.json": CHROME, "manifest.v3.json": CHROME, "package/bg.js": "", "other/a.js": ""},
        [("package", ["../manifest.v2.json", "../manifest.v3.json"])],
    ),
    "variants around a folder that has most files": (
        {
            "manifest.v3.json": manifest(content_scripts=[{"js": ["a.js", "b.js", "c.js"]}]),
            "my add-on/a.js": "",
            "my add-on/b.js": "",
        },
        [("my add-on", ["../manifest.v3.json"])],
    ),
    "variants around a folder that has half of the files": (
        {
            "manifest.v3.json": manifest(content_scripts=[{"js": ["a.js", "b.js"]}]),
            "x/a.js": "",
            "y/c.js": "",
        },
        [(".", ["manifest.v3.json"])],
    ),
    "variants around two folders with the files": (
        {"manifest.v2.json": CHROME, "one/bg.js": "", "two/bg.js": ""},
        [(".", ["manifest.v2.json"])],
    ),
    "variants around the output of a build": (
        {"manifest.v2.json": CHROME, "dist/bg.js": ""},
        [(".", ["manifest.v2.json"])],
    ),
    "next to the manifest of a web app": (
        {"manifest.chrome.json": CHROME, "manifest.json": WEB_APP, "bg.js": ""},
        [(".", ["manifest.chrome.json"])],
    ),
    "around the folder with the files, which has the manifest of a web app": (
        {"manifest.chrome.json": CHROME, "public/manifest.json": WEB_APP, "public/bg.js": ""},
        [("public", ["../manifest.chrome.json"])],
    ),
    "variants in a project next to the files": (
        {"a/manifest.chrome.json": CHROME, "a/package.json": "{}", "src/bg.js": ""},
        [("a", ["manifest.chrome.json"])],
    ),
    "variants next to the folder with the files": (
        {"config/manifest.chrome.json": CHROME, "config/manifest.firefox.json": FIREFOX, "src/bg.js": ""},
        [("src", ["../config/manifest.chrome.json", "../config/manifest.firefox.json"])],
    ),
    "two extensions": (
        {"a/manifest.chrome.json": CHROME, "b/manifest.json": CHROME, "b/manifest.edge.json": CHROME},
        [("a", ["manifest.chrome.json"]), ("b", ["manifest.json", "manifest.edge.json"])],
    ),
}


@pytest.mark.parametrize(("files", "expected"), FOUND.values(), ids=FOUND.keys())
def test_manifests_are_grouped_by_extension(
    files: Mapping[str, str], expected: Sequence[tuple[str, Sequence[str]]]
) -> None:
    write(files)
    assert find_manifests(".") == expected


def test_given_manifest_has_the_root_that_a_search_finds() -> None:
    write({"src/manifest/template-manifest.json": CHROME, "src/bg.js": ""})
    expected = [("src", ["manifest/template-manifest.json"])]
    assert find_manifests(".") == find_manifests("src/manifest/template-manifest.json") == expected


def test_file_belongs_to_manifests_in_a_manifest_folder() -> None:
    write({"manifests/chrome.json": CHROME, "manifests/firefox.json": FIREFOX, "src/bg.js": "", "a.txt": ""})
    both = ["../manifests/chrome.json", "../manifests/firefox.json"]
    assert find_manifests("src/bg.js") == [("src", both)]
    assert find_manifests("manifests/firefox.json") == [("src", both[1:])]
    assert find_manifests("src/bg.js", "manifests/firefox.json") == [("src", both)]
    assert [str(each) for each in find_packages(["a.txt"])] == ["a.txt belongs to no extension"]


@pytest.mark.parametrize(
    "names",
    [
        ("chrome/manifest.json", "firefox/manifest.json"),
        ("platform/chrome/manifest.json", "platform/firefox/manifest.json"),
        ("config/manifest.chrome.json", "config/manifest.firefox.json"),
        ("manifest.chrome.json", "manifest.firefox.json"),
    ],
)
def test_file_belongs_to_manifests_in_separate_folders(names: Sequence[str]) -> None:
    write({"src/bg.js": "", "src/lib/a.js": "", "docs/b.js": "", **dict.fromkeys(names, CHROME)})
    both = [f"../{each}" for each in names]
    assert find_manifests("src/bg.js") == [("src", both)]
    assert find_manifests("src/lib/a.js", names[1], ".") == [("src", both)]
    assert find_manifests(names[1]) == [("src", both[1:])]
    assert [str(each) for each in find_packages(["docs/b.js"])] == [
        "docs/b.js belongs to no extension: no folder above it has a manifest.json"
        if "/" in names[0]
        else "docs/b.js belongs to no extension"
    ]


def test_folder_of_a_separate_manifest_selects_its_extension(report: Run) -> None:
    names = ["platform/chrome/manifest.json", "platform/firefox/manifest.json"]
    write({names[0]: CHROME, names[1]: FIREFOX, "src/bg.js": ""})
    assert find_manifests("platform/firefox") == [("src", [f"../{names[1]}"])]
    assert find_manifests("src/bg.js", "platform/firefox") == [("src", [f"../{each}" for each in names])]
    write({"extlint.toml": '[[extension]]\npath = "platform/firefox"\ntarget = "firefox_android"\n'})
    assert report("--select", "unknown-api") == ([], ["chrome", "firefox_android"])


def test_manifest_in_a_browser_folder_targets_that_browser(report: Run) -> None:
    names = ["platform/chrome/manifest.json", "platform/firefox/manifest.json"]
    write({names[0]: CHROME, names[1]: FIREFOX, "src/bg.js": "browser.runtime.getBrowserInfo();"})
    assert report() == ([("bg.js", "unknown-api", "chrome")], ["chrome", "firefox"])
    assert find_manifests("platform/firefox/manifest.json") == [
        ("src", ["../platform/firefox/manifest.json"])
    ]
    assert find_manifests(*names) == [("src", [f"../{each}"]) for each in names]


def test_manifest_in_a_manifest_folder_is_reported_and_fixed_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    chrome = manifest(homepage_ulr="https://a.b", background={"service_worker": "bg.js"})
    write({"manifests/chrome.json": chrome, "manifests/firefox.json": FIREFOX, "src/bg.js": ""})
    main(["check", "--output-format", "concise"])
    output = capsys.readouterr().out
    assert "manifests/chrome.json:1:" in output
    assert "src/.." not in output
    main(["check", "--fix"])
    assert "homepage_url" in Path("manifests/chrome.json").read_text()


def test_file_selects_all_manifests_but_a_manifest_only_itself() -> None:
    write({"a/manifest.chrome.json": CHROME, "a/manifest.firefox.json": FIREFOX, "a/js/b.js": ""})
    both = ["manifest.chrome.json", "manifest.firefox.json"]
    assert find_manifests("a/js/b.js") == [("a", both)]
    assert find_manifests("a/manifest.firefox.json") == [("a", both[1:])]
    assert find_manifests("a/manifest.firefox.json", "a/js/b.js") == [("a", both)]
    write({"a/manifest.json": CHROME})
    assert find_manifests("a/manifest.json") == [("a", ["manifest.json"])]
    assert find_manifests("a/js/b.js") == [("a", ["manifest.json", *both])]


Run = Callable[..., tuple[list[tuple[object, ...]], list[str]]]


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that returns a run's findings (path, rule, targets) and the extension's targets."""

    def run(*options: str) -> tuple[list[tuple[object, ...]], list[str]]:
        main(["check", "--output-format", "json", *options])
        answer = json.loads(capsys.readouterr().out)
        (extension,) = answer["extensions"]
        findings: list[tuple[object, ...]] = [
            (each["path"], each["rule"], " ".join(each["targets"])) for each in answer["findings"]
        ]
        return findings, extension["targets"]

    return run


SHARED = {
    "manifest.chrome.json": CHROME,
    "manifest.firefox.json": FIREFOX,
    "bg.js": "chrome.runtime.getUrl('a'); chrome.tabs.query({active: 'yes'});",
}


def test_mistake_shared_by_variants_is_one_finding(report: Run) -> None:
    write(SHARED)
    findings, targets = report()
    assert targets == ["chrome", "firefox"]
    assert findings == [
        ("bg.js", "unknown-api", "chrome firefox"),
        ("bg.js", "invalid-argument", "chrome firefox"),
    ]


def test_mistake_in_one_variant_is_reported_only_there(report: Run) -> None:
    broken = manifest(background={"scripts": ["bg.js"]}, permissions=["tabz"])
    write({**SHARED, "bg.js": "", "manifest.firefox.json": broken})
    findings, _ = report()
    assert findings == [("manifest.firefox.json", "unknown-permission", "firefox")]
    write({"manifest.firefox.json": FIREFOX[:-1]})
    assert [each[:2] for each in report()[0]] == [("manifest.firefox.json", "invalid-json")]


@pytest.mark.parametrize(
    ("files", "options", "targets"),
    [
        (SHARED, ["--target", "firefox"], ["firefox"]),
        (SHARED, ["--target", "firefox_android,chrome"], ["chrome", "firefox_android"]),
        (SHARED, ["--target", "safari"], ["safari"]),
        ({"manifest.json": CHROME, "manifest.firefox.json": FIREFOX}, [], ["chrome", "firefox"]),
        (
            {"manifest.json": CHROME, "manifest.firefox.json": FIREFOX},
            ["--target", "firefox", "--target", "edge"],
            ["edge", "firefox"],
        ),
        ({"manifest.json": CHROME, "manifest-ff.json": FIREFOX}, [], ["chrome", "firefox"]),
        ({"extlint.toml": 'target = "chrome>=120"', **SHARED}, [], ["chrome"]),
    ],
)
def test_target_comes_from_the_manifest_name(
    report: Run, files: Mapping[str, str], options: Sequence[str], targets: Sequence[str]
) -> None:
    write(files)
    assert report(*options)[1] == targets


OLD = manifest(manifest_version=2, background={"scripts": ["bg.js"]}, minimum_chrome_version="88")


@pytest.mark.parametrize(
    ("old", "targets"),
    [
        pytest.param(OLD, ["chrome"], id="only for Chrome"),
        pytest.param(
            OLD.replace("{", '{"browser_specific_settings": {"gecko": {"id": "a@b.c"}},', 1),
            ["chrome", "firefox"],
            id="for Firefox, too",
        ),
    ],
)
@pytest.mark.parametrize("name", ["manifest.v2.json", "manifest.mv2.json"])
def test_old_manifest_next_to_a_new_one_does_not_target_chrome(
    report: Run, old: str, name: str, targets: Sequence[str]
) -> None:
    write({"manifest.json": CHROME, name: old, "bg.js": ""})
    findings, found_targets = report("--select", "invalid-value")
    assert found_targets == targets
    assert findings == []


@pytest.mark.parametrize(
    ("background", "count"),
    [({"scripts": ["bg.js"]}, 0), ({"page": "bg.html"}, 0), ({"service_worker": "bg.js"}, 2), (None, 1)],
)
def test_service_worker_next_to_background_for_firefox_does_not_target_firefox(
    report: Run, background: object, count: int
) -> None:
    settings = {"browser_specific_settings": {"gecko": {"id": "a@b.c", "strict_min_version": "140.0"}}}
    old = {"manifest_version": 2, **settings, **({"background": background} if background else {})}
    new = manifest(background={"service_worker": "bg.js"}, **settings)
    write({"manifest.json": manifest(**old), "manifest-v3.json": new, "bg.js": "", "bg.html": ""})
    findings, targets = report("--select", "missing-key")
    assert (len(findings), sorted(targets)) == (count, ["chrome", "firefox"])


@pytest.mark.parametrize(
    ("configuration", "targets"),
    [
        ('target = ["edge", "firefox"]', "edge and firefox"),
        ('[[extension]]\nmanifest = "manifest.chrome.json"\ntarget = ["chrome", "safari"]', "chrome, safari"),
    ],
)
def test_all_configured_targets_are_checked(
    configuration: str, targets: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"manifest.chrome.json": CHROME, "manifest.firefox.json": FIREFOX, "bg.js": ""})
    write({"extlint.toml": configuration})
    main(["check"])
    assert f"checked for {targets}" in capsys.readouterr().out


def test_each_variant_may_have_its_own_settings(report: Run) -> None:
    write(SHARED)
    write({"extlint.toml": '[[extension]]\nmanifest = "manifest.chrome.json"\nignore = "unknown-api"\n'})
    assert report()[0] == [
        ("bg.js", "unknown-api", "firefox"),
        ("bg.js", "invalid-argument", "chrome firefox"),
    ]


def test_suppression_used_by_one_variant_is_not_unused(report: Run) -> None:
    code = (
        "// extlint-disable-next-line invalid-argument\nchrome.notifications.create({type: 'image', %s});\n"
    )
    write({**SHARED, "bg.js": code % "title: '', message: '', iconUrl: 'a.png', nonsense: 1"})
    assert all(rule != "unused-suppression" for _, rule, _ in report()[0])


def test_output_explains_the_targets(capsys: pytest.CaptureFixture[str]) -> None:
    write(SHARED)
    assert main(["check", "--ignore", "uses"]) == 0
    assert capsys.readouterr().out == (
        "No findings in 1 extension (3 files).\n"
        "checked for chrome and firefox: the manifests are named `manifest.chrome.json` and "
        "`manifest.firefox.json`\n"
    )


def test_output_gives_each_reason_once(capsys: pytest.CaptureFixture[str]) -> None:
    settings = {"browser_specific_settings": {"gecko": {"id": "a@b.c"}}}
    old = manifest(manifest_version=2, minimum_chrome_version="88", **settings)
    write({"manifest.json": manifest(minimum_chrome_version="111"), "manifestv2.json": old})
    main(["check"])
    assert capsys.readouterr().out.splitlines()[-1] == (
        "checked for chrome and firefox: the manifest has `minimum_chrome_version`, "
        "and the manifest has settings for Firefox"
    )


def test_fix_changes_only_the_affected_manifest() -> None:
    misspelled = manifest(background={"scripts": ["bg.js"]}, homepage_ulr="https://example.com/")
    write({**SHARED, "bg.js": "", "manifest.firefox.json": misspelled})
    assert main(["check", "--fix"]) == 0
    assert "homepage_url" in Path("manifest.firefox.json").read_text()
    assert Path("manifest.chrome.json").read_text() == CHROME


ENTRIES = {
    "a folder for manifests": (
        {"src/manifests/chrome.json": CHROME, "src/manifests/firefox.json": FIREFOX},
        '[[extension]]\nmanifest = "src/manifests/*.json"\nroot = "src"\n',
        ["src/bg.js", "src/manifests/chrome.json", "src/manifests/firefox.json"],
    ),
    "manifests outside of the root": (
        {"config/chrome.json": CHROME, "config/firefox.json": FIREFOX},
        '[[extension]]\nmanifest = "config/*.json"\nroot = "src"\n',
        ["src/bg.js", "config/chrome.json", "config/firefox.json"],
    ),
    "targets of their own": (
        {"config/a.json": CHROME, "config/b.json": FIREFOX},
        '[[extension]]\nmanifest = "config/a.json"\nroot = "src"\ntarget = "chrome"\n'
        '[[extension]]\nmanifest = "config/b.json"\nroot = "src"\ntarget = "firefox"\n',
        ["src/bg.js", "config/a.json", "config/b.json"],
    ),
}


@pytest.mark.parametrize(("files", "configuration", "places"), ENTRIES.values(), ids=ENTRIES.keys())
def test_configuration_may_set_manifests_and_their_root(
    files: Mapping[str, str],
    configuration: str,
    places: Sequence[str],
    report: Run,
    capsys: pytest.CaptureFixture[str],
) -> None:
    misspelled = {
        path: text.replace("{", '{"homepage_ulr": "https://a.example/", ', 1) for path, text in files.items()
    }
    write({**misspelled, "extlint.toml": configuration, "src/bg.js": "chrome.runtime.getUrl('a');"})
    findings, targets = report()
    assert targets == ["chrome", "firefox"]
    assert ("bg.js", "unknown-api", "chrome firefox") in findings
    main(["check", "--output-format", "concise", "--quiet", "--select", "unknown-api,unknown-key"])
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.partition(":")[0] for line in lines) == sorted(places)


ROOT = '[[extension]]\nmanifest = "config/*.json"\nroot = "src"\n'


def test_manifest_with_a_root_is_always_checked_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    write({"config/manifest.chrome.json": CHROME, "config/manifest.firefox.json": FIREFOX})
    write({"src/bg.js": "", "src/lib/a.js": "", "extlint.toml": ROOT, "b/manifest.json": manifest()})
    files = {".": 4, "config": 4, "config/manifest.chrome.json": 3, "src/lib/a.js": 4, "src": 4, "b": 1}

    def checked(path: str) -> list[tuple[str, int]]:
        assert main(["check", path, "--output-format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)["extensions"]
        return [(each["path"], each["files"]) for each in found if path != "." or each["path"] != "b"]

    for path, count in files.items():
        assert checked(path) == [("b" if path == "b" else "src", count)]


@pytest.mark.parametrize("name", ["src/bg.js", "src/new.js", "config/manifest.chrome.json"])
def test_file_on_standard_input_uses_the_configured_root(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        {"config/manifest.chrome.json": CHROME, "src/bg.js": "importScripts('new.js');", "extlint.toml": ROOT}
    )
    text = CHROME.replace("{", '{"homepage_ulr": "", ', 1) if name.endswith("json") else "chrome.tabs.zz();"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    main(["check", "-", "--stdin-filename", name, "--output-format", "concise", "--quiet"])
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.startswith(f"{name}:1:")


def test_configured_manifests_outside_the_path_are_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    entry = '[[extension]]\nmanifest = "config/*.json"\nroot = "src"\n'
    write({"config/chrome.json": CHROME, "src/bg.js": "", "extlint.toml": entry, "other/a.txt": ""})
    assert main(["check", "other"]) == 2
    assert "no manifest.json in or below other" in capsys.readouterr().err
    assert main(["check", "src", "--quiet"]) == 0


def test_init_writes_an_entry_for_each_variant(report: Run, capsys: pytest.CaptureFixture[str]) -> None:
    write(SHARED)
    assert main(["init"]) == 0
    assert "extlint.toml" in capsys.readouterr().out
    text = Path("extlint.toml").read_text()
    assert [name in text for name in SHARED] == [True, True, False]
    assert report()[1] == ["chrome", "firefox"]


def test_scripts_are_analyzed_once_for_all_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    followed: list[str] = []
    follow = script_follow.follow

    def counted(text: bytes, path: str, *rest: Any) -> ScriptFacts:
        followed.append(path)
        return follow(text, path, *rest)

    monkeypatch.setattr(script_follow, "follow", counted)
    use = "chrome.runtime.getURL('a.png');"
    write({"manifest.chrome.json": CHROME, "manifest.firefox.json": FIREFOX, "bg.js": use})
    assert main(["check", "--no-cache", "--jobs", "1", "."]) == 0
    assert followed == ["bg.js"]


def test_reason_of_two_variants_is_not_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    write({"manifest.v2.json": manifest(manifest_version=2), "manifest.v3.json": manifest()})
    main(["check"])
    reason = "nothing names a browser; Chrome 139 and newer do not load Manifest V2"
    assert capsys.readouterr().out.endswith(f"\nchecked for reference: {reason}\n")


def test_other_complete_manifests_are_named_as_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    write({"a/manifest.json": CHROME, "a/manifest-app.json": FIREFOX, "a/bg.js": ""})
    main(["check"])
    line = "not checked: the manifest a/manifest-app.json; to check it, give its path\n"
    assert capsys.readouterr().out.endswith(f"\n{line}")
    write({"a/lite.manifest.json": FIREFOX})
    main(["check"])
    line = (
        "not checked: the manifests a/lite.manifest.json and a/manifest-app.json; to check one of them, give"
    )
    assert f"\n{line} its path\n" in capsys.readouterr().out
    main(["check", "--output-format", "json"])
    assert json.loads(capsys.readouterr().out)["skipped"] == [
        {"path": "a/lite.manifest.json", "reason": "name"},
        {"path": "a/manifest-app.json", "reason": "name"},
    ]
    main(["config"])
    assert (
        "# a/manifest-app.json is not checked, because no browser is in its name" in capsys.readouterr().out
    )


def test_manifests_without_others_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    write({"manifest_a.json": CHROME, "manifest_b.json": CHROME, "bg.js": ""})
    assert main(["check"]) == 0
    assert "not checked" not in capsys.readouterr().out


CHECKED_OR_NO_MANIFEST = {
    "a variant": ({"manifest-ff.json": FIREFOX}, ["."]),
    "a part": ({"manifest-app.json": PART}, ["."]),
    "for developers": ({"manifest.dev.json": FIREFOX, "manifest-chrome.local.json": CHROME}, ["."]),
    "an old one": ({"manifest.old.json": FIREFOX, "manifest-backup.json": FIREFOX}, ["."]),
    "a common one": ({"manifest.base.json": FIREFOX}, ["."]),
    "another name": ({"app.json": FIREFOX}, ["."]),
    "in another folder": ({"app/manifest-app.json": FIREFOX}, ["."]),
    "of a web app": ({"app.manifest.json": WEB_APP}, ["."]),
    "given by its path": ({"manifest-app.json": FIREFOX}, [".", "manifest-app.json"]),
    "next to a manifest that is given": ({"manifest-app.json": FIREFOX}, ["manifest.json"]),
}


@pytest.mark.parametrize(
    ("others", "paths"), CHECKED_OR_NO_MANIFEST.values(), ids=CHECKED_OR_NO_MANIFEST.keys()
)
def test_no_other_manifest_is_named(
    others: Mapping[str, str], paths: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write({"manifest.json": CHROME, "bg.js": "", **others})
    main(["check", *paths])
    assert "not checked" not in capsys.readouterr().out
