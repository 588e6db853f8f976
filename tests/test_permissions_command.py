"""`extlint permissions`: the requests, their uses, the prompts of browsers, and changes by an update."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from extlint.cli.program import extlint
from extlint.manifest.manifest import read_manifest
from extlint.schema.engine import Engine
from extlint.services.permissions.prompts import (
    is_every_site,
    prompts_at_installation,
    prompts_at_update,
    requests_of,
)

EVERYTHING = "read and change everything on every site"
A_SITE = "read and change everything on a.example"


def manifest(**keys: Any) -> dict[str, Any]:
    return {"manifest_version": 3, "name": "x", "version": "1", **keys}


def installation_prompts(engine: Engine, **keys: object) -> list[str]:
    read = read_manifest("manifest.json", json.dumps(manifest(**keys)).encode())
    return [*prompts_at_installation(engine, requests_of(read))]


@pytest.mark.parametrize(
    ("keys", "chrome", "firefox"),
    [
        ({"permissions": ["storage", "alarms"]}, [], []),
        (
            {"permissions": ["bookmarks"]},
            ["read and change bookmarks"],
            ["read and change bookmarks"],
        ),
        (
            {"permissions": ["webNavigation"]},
            ["see the addresses of visited pages"],
            ["follow the navigation of tabs"],
        ),
        (
            {"permissions": ["tabs", "history"]},
            ["read and change the browsing history"],
            ["read and change the browsing history", "see the addresses and titles of tabs"],
        ),
        ({"optional_permissions": ["history"], "optional_host_permissions": ["<all_urls>"]}, [], []),
        ({"host_permissions": ["<all_urls>", "https://a.example/*"]}, [EVERYTHING], [EVERYTHING]),
        (
            {"host_permissions": ["https://a.example/*", "*://*.b.example/x"]},
            [
                "read and change everything on a.example",
                "read and change everything on b.example and its subdomains",
            ],
            [
                "read and change everything on a.example",
                "read and change everything on b.example and its subdomains",
            ],
        ),
        (
            {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["a.js"]}]},
            [A_SITE],
            [A_SITE],
        ),
        ({"host_permissions": ["file:///*"]}, [], []),
        ({"devtools_page": "a.html"}, [EVERYTHING], ["read the data of tabs through the developer tools"]),
        ({"permissions": ["proxy"]}, [EVERYTHING], ["control the proxy of the browser"]),
    ],
)
def test_prompts_at_installation(keys: dict[str, object], chrome: list[str], firefox: list[str]) -> None:
    assert installation_prompts(Engine.CHROMIUM, **keys) == chrome
    assert installation_prompts(Engine.GECKO, **keys) == firefox


@pytest.mark.parametrize(
    ("before", "after", "chrome", "firefox"),
    [
        ({"permissions": ["storage"]}, {"permissions": ["storage", "alarms"]}, [], []),
        ({"permissions": ["history"]}, {"permissions": []}, [], []),
        (
            {"permissions": []},
            {"permissions": ["downloads"]},
            ["manage downloads"],
            ["manage downloads"],
        ),
        ({"permissions": ["history"]}, {"permissions": ["history", "topSites"]}, [], []),
        ({"host_permissions": ["<all_urls>"]}, {"host_permissions": ["https://a.example/*"]}, [], []),
        (
            {"host_permissions": ["https://a.example/*"]},
            {"host_permissions": ["https://a.example/*", "https://b.example/*"]},
            ["read and change everything on b.example"],
            [],
        ),
    ],
)
def test_prompts_at_an_update(
    before: dict[str, object], after: dict[str, object], chrome: list[str], firefox: list[str]
) -> None:
    old, new = (
        [*requests_of(read_manifest("manifest.json", json.dumps(manifest(**keys)).encode()))]
        for keys in (before, after)
    )
    assert [*prompts_at_update(Engine.CHROMIUM, 3, old, new)] == chrome
    assert [*prompts_at_update(Engine.GECKO, 3, old, new)] == firefox


@pytest.mark.parametrize(
    ("pattern", "is_every"),
    [
        ("<all_urls>", True),
        ("*://*/*", True),
        ("https://*/*", True),
        ("https://*.com/*", True),
        ("https://*.example.com/*", False),
        ("https://example.com/*", False),
        ("file:///*", False),
    ],
)
def test_patterns_that_match_every_site(pattern: str, is_every: bool) -> None:
    assert is_every_site(pattern) == is_every


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def running(*arguments: str) -> Result:
        return CliRunner().invoke(extlint, ["permissions", *arguments], standalone_mode=False)

    return running


def write(folder: Path, keys: dict[str, Any], script: str = "") -> None:
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps(keys, indent=2))
    (folder / "a.js").write_text(script)


BACKGROUND = {"background": {"service_worker": "a.js"}}
SCRIPT = "chrome.alarms.create('a', {periodInMinutes: 1});\nchrome.alarms.onAlarm.addListener(() => {});\n"


def test_complete_output(run: Run, tmp_path: Path) -> None:
    keys = manifest(
        permissions=["alarms", "cookies", "tabs"],
        optional_permissions=["history"],
        host_permissions=["https://*.example.com/*"],
        content_scripts=[{"matches": ["https://example.com/*"], "js": ["c.js"]}],
        **BACKGROUND,
    )
    write(tmp_path / "new", keys, SCRIPT)
    (tmp_path / "new" / "c.js").write_text("")
    write(tmp_path / "old", manifest(permissions=["alarms", "idle"], **BACKGROUND))
    found = run("new", "--against", "old")
    assert found.output == (
        "new: 6 requests (for chrome: the background is a service worker)\n"
        "  alarms                                  a.js:1:1 alarms.create,"
        " a.js:2:1 alarms.onAlarm.addListener\n"
        "  cookies                                 not used anywhere in the package: it could go\n"
        "  tabs                                    not used anywhere in the package: it could go\n"
        "  https://*.example.com/*                 not used anywhere in the package: it could go\n"
        "  history (optional)\n"
        "  https://example.com/* (content script)\n"
        "\n"
        "Chrome asks the user to let it:\n"
        "  - read and change everything on example.com\n"
        "  - read and change everything on example.com and its subdomains\n"
        "  - see the addresses of visited pages\n"
        "\n"
        "new against old: cookies, tabs, https://*.example.com/*, history (optional), https://example.com/*"
        " (content script)\n"
        "gone against old: idle\n"
        "Chrome turns the extension off until the user lets it:\n"
        "  - read and change everything on example.com\n"
        "  - read and change everything on example.com and its subdomains\n"
        "  - see the addresses of visited pages\n"
    )
    assert found.return_value == 1


def test_field_reads_use_the_tabs_permission(run: Run, tmp_path: Path) -> None:
    script = "chrome.tabs.query({}, ([tab]) => console.log(tab.id, tab.title));"
    write(tmp_path / "x", manifest(permissions=["tabs"], **BACKGROUND), script)
    assert "  tabs  a.js:1:58 tabs.Tab.title\n" in run("x").output


def test_json_output(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "x", manifest(permissions=["alarms"], **BACKGROUND), SCRIPT)
    found = json.loads(run("x", "--output-format", "json", "--against", "x").output)
    (extension,) = found["extensions"]
    assert extension["against"] == {"name": "x", "added": [], "removed": [], "prompts": {}}
    (row,) = extension["permissions"]
    assert row["name"] == "alarms"
    assert row["start"] == {"line": 6, "column": 5}
    assert [use["api"] for use in row["uses"]] == ["alarms.create", "alarms.onAlarm.addListener"]
    assert extension["prompts"] == {"chrome": []}


def test_comparison_with_a_revision(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "x", manifest(permissions=["alarms"], **BACKGROUND), SCRIPT)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@a.example"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], check=True)
    write(tmp_path / "x", manifest(permissions=["alarms", "history"], **BACKGROUND), SCRIPT)
    assert run("x", "--against", "HEAD").return_value == 1
    assert run("x", "--against", "HEAD", "--target", "firefox").output.endswith(
        "new against HEAD: history\n"
        "Firefox keeps the old version until the user lets the new one:\n"
        "  - read and change the browsing history\n"
    )


@pytest.mark.parametrize(
    ("against", "expected"),
    [
        ("v9", "v9 is not a file or folder, and not a revision that has the manifest.json of x in Git"),
        ("--output=y", "no such file or folder: --output=y"),
        (
            "x/b.js",
            "x/b.js is not a file or folder, and not a revision that has the manifest.json of x in Git",
        ),
        ("two", "two has 2 extensions; name the one to compare x with"),
    ],
)
def test_invalid_comparison_is_an_error(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], against: str, expected: str
) -> None:
    write(tmp_path / "x", manifest(permissions=["alarms"], **BACKGROUND))
    (tmp_path / "two").mkdir()
    for name in ("a", "b"):
        write(tmp_path / "two" / name, manifest())
    found = run("x", f"--against={against}")
    assert found.return_value == 2
    assert f"extlint: {expected}\n" == (found.stderr or capsys.readouterr().err)


def test_every_manifest_has_a_table(run: Run, tmp_path: Path) -> None:
    for folder, permissions in (("old", []), ("new", ["bookmarks"])):
        (tmp_path / folder).mkdir()
        for browser, own in (("chrome", []), ("firefox", permissions)):
            text = json.dumps(manifest(permissions=own))
            (tmp_path / folder / f"manifest.{browser}.json").write_text(text)
    names = "new/manifest.chrome.json", "new/manifest.firefox.json"
    found = run("new", "--against", "old")
    assert found.return_value == 1
    assert [line.split(":")[0] for line in found.output.splitlines() if line.startswith("new/")] == [*names]
    assert "against old: nothing new, and nothing is gone" in found.output
    assert "new against old: bookmarks\nFirefox keeps the old version" in found.output
    (only,) = json.loads(run("new", "--target", "chrome", "--output-format", "json").output)["extensions"]
    assert (only["path"], only["manifest"]) == ("new", "manifest.chrome.json")


def test_excluded_extension_has_no_table(run: Run, tmp_path: Path) -> None:
    for name in ("app", "copy"):
        write(tmp_path / name, manifest())
    (tmp_path / "extlint.toml").write_text('exclude = "copy"')
    assert run().output.startswith("app: requests no permissions")
    assert "copy" not in run().output
    assert run("copy").output.startswith("copy: requests no permissions")


def test_git_ignored_extension_has_no_table(run: Run, tmp_path: Path) -> None:
    for name in ("app", "dist"):
        write(tmp_path / name, manifest())
    (tmp_path / ".gitignore").write_text("dist")
    assert "dist" not in run().output
    assert "dist: requests no permissions" in run("--no-gitignore").output
    (tmp_path / "extlint.toml").write_text("gitignore = false")
    assert "dist: requests no permissions" in run().output


def test_explicit_configuration_file_is_used(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "app", manifest())
    (tmp_path / "team.toml").write_text('target = "firefox>=120"')
    assert run("--config", "team.toml").output.startswith("app: requests no permissions (for firefox")


def test_quiet_output_shows_only_prompts(run: Run, tmp_path: Path) -> None:
    write(tmp_path, manifest(permissions=["alarms", "bookmarks"]))
    assert run("--target", "chrome", "-q").output == (
        ".: 2 requests (for chrome: --target says so)\n\n"
        "Chrome asks the user to let it:\n  - read and change bookmarks\n"
    )


def test_unreadable_manifest_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "manifest.json").write_text('{"manifest_version": 3,,')
    found = run("x")
    assert found.return_value == 2
    assert found.stdout == ""
