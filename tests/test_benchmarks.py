"""The benchmarks run, and their planted mistakes are valid."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import fixed
import manifest_cost
import pytest
import rule_costs
import scan
import store
from costs.growth import rank_correlation
from costs.measure import SECTIONS, counts, times
from packages import package_of
from planting.browser_mistakes import BROWSER_PLANTERS
from planting.fields import reads_of
from planting.mistakes import Kind, apply_mistake, mistake_at
from planting.reasons import reason
from planting.trial import Trial

from extlint import checker
from extlint.schema.targets import Target

MANIFEST = json.dumps(
    {
        "manifest_version": 3,
        "name": "Test",
        "version": "1.0",
        "background": {"service_worker": "background.js"},
        "permissions": ["management"],
    }
)


def trial(script: str) -> Trial:
    return Trial(package_of({"manifest.json": MANIFEST, "background.js": script}))


@pytest.mark.parametrize(
    ("script", "roots"),
    [
        pytest.param("chrome.tabs.query({});", ["chrome"], id="a call"),
        pytest.param("(0, r.b)().tabs.query({});", ["(0, r.b)()"], id="any root"),
        pytest.param("a.b.runtime.onMessage.addListener(f);", ["a.b"], id="a listener"),
        pytest.param("/* chrome.tabs.query() */ 'chrome.tabs.query()';", [], id="no code"),
        pytest.param("function f() { return; chrome.tabs.query(); }", [], id="never runs"),
        pytest.param("const api = {}; api.tabs = {}; api.tabs.query();", [], id="a namespace of its own"),
    ],
)
def test_call_sites_are_found_syntactically(script: str, roots: list[str]) -> None:
    assert [site.tree.source(site.root) for site in trial(script).sites] == roots


@pytest.mark.parametrize(
    "script",
    [
        "const tabs = await chrome.tabs.query({}); tabs[0].FIELD;",
        "chrome.tabs.query({}, (tabs) => { for (const tab of tabs) use(tab.FIELD); });",
        "chrome.tabs.query({}).then(([tab]) => tab.FIELD);",
        "const { FIELD } = await chrome.tabs.get(1);",
        "(await chrome.tabs.query({})).map((tab) => tab.FIELD);",
    ],
)
def test_result_fields_are_found_syntactically(script: str) -> None:
    assert [site.tree.source(key) for site in trial(script).sites for key, _ in reads_of(site)] == ["FIELD"]


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
def test_each_mistake_kind_is_found_in_plain_code(kind: Kind) -> None:
    own = trial(
        "async function run() { const tabs = await chrome.tabs.query({}); use(tabs.length, tabs[0].id); }"
    )
    mistake = mistake_at(own.sites[0], kind, Random(1))
    assert mistake is not None
    assert own.is_new(mistake)
    assert own.finds(mistake)


@pytest.mark.parametrize("kind", BROWSER_PLANTERS, ids=lambda kind: kind.value)
def test_each_browser_mistake_kind_is_found_in_plain_code(kind: Kind) -> None:
    keys = {"manifest_version": 3, "name": "Test", "version": "1.0", "minimum_chrome_version": "120"}
    if kind is Kind.CONTEXT:
        keys["content_scripts"] = [{"matches": ["*://*/*"], "js": ["a.js"]}]
    else:
        keys["background"] = {"service_worker": "a.js"}
    files = {"manifest.json": json.dumps(keys), "a.js": "chrome.runtime.sendMessage(1);"}
    own = Trial(package_of(files), [Target("chrome")])
    mistake = mistake_at(own.sites[0], kind, Random(1), BROWSER_PLANTERS)
    assert mistake is not None
    assert own.is_new(mistake)
    assert own.finds(mistake)


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("chrome[name()].x; roots[name()].tabs.query({});", "the root is not followed: the root is dynamic"),
        ("other.tabs.query({});", "the root is not followed: a global of another script"),
    ],
)
def test_missed_mistake_has_a_reason(script: str, why: str) -> None:
    own = trial(script)
    mistake = mistake_at(own.sites[0], Kind.TYPE, Random(1))
    assert mistake is not None
    assert not own.finds(mistake)
    assert reason(own, mistake).startswith(why)


def test_edit_preserves_surrounding_code() -> None:
    own = trial("before; chrome.tabs.query({}); after;")
    mistake = mistake_at(own.sites[0], Kind.CONTEXT, Random(1))
    assert mistake is not None
    data, (start, end) = apply_mistake(own.data("background.js"), mistake)
    assert data.startswith(b"before; chrome.test.")
    assert data.endswith(b"('here'); after;")
    assert data[start:end].startswith(b"test.")


def test_costs_are_counted_and_measured() -> None:
    groups = {
        "one": [package_of({"manifest.json": MANIFEST, "background.js": "chrome.management.getSelf();"})]
    }
    done, spent = counts(groups)["one"], times(groups, 1)["one"]
    assert (done["extensions"], done["scripts"], done["parsed"], done["uses"]) == (1, 1, 1, 3)
    assert done["steps"] > 0
    assert spent["total"] == pytest.approx(sum(spent[section] for section in SECTIONS))


def test_cost_measurement_restores_the_checker() -> None:
    before = checker.check_package
    counts({})
    times({"none": []}, 1)
    assert checker.check_package is before


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param([1, 2, 3], [10, 20, 400], 1.0, id="together"),
        pytest.param([1, 2, 3], [3, 2, 1], -1.0, id="against each other"),
        pytest.param([1, 1, 1], [1, 2, 3], 0.0, id="one constant series"),
    ],
)
def test_rank_correlation(one: list[float], other: list[float], expected: float) -> None:
    assert rank_correlation(one, other) == pytest.approx(expected)


def test_manifest_cost_is_printed_for_each_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manifest.json").write_text(MANIFEST)
    manifest_cost.main([str(tmp_path)])
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("1 manifests, ")
    assert [line.split()[0] for line in lines] == [name for name in manifest_cost.TARGETS for _ in range(2)]


def test_misspelled_manifest_has_one_unknown_key() -> None:
    text = manifest_cost.misspelled(MANIFEST.encode())
    package = package_of({"manifest.json": text, "background.js": ""})
    found = checker.check_package(package, [Target("chrome")], ["unknown-key"]).findings
    assert [each.rule for each in found] == ["unknown-key"]


def test_fixes_repair_only_planted_mistakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    permissions = {"permissions": ["bookmarks", "tabs", "storage"]}
    manifest = {"description": "D", **json.loads(MANIFEST), **permissions}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest, indent=2))
    script = (
        "chrome.bookmarks.search('a');\nchrome.tabs.query({ active: true });\nchrome.storage.local.clear();\n"
    )
    (tmp_path / "background.js").write_text(script)
    monkeypatch.setattr("sys.argv", ["fixed.py", str(tmp_path)])
    fixed.main()
    *_, last = out = capsys.readouterr().out.splitlines()
    assert sorted(line.split("  ")[0] for line in out if "mended, 0 left" in line) == [
        "comma after the last value",
        "missing permission",
        "misspelled key",
        "misspelled key in a call",
        "misspelled member",
        "misspelled permission",
    ]
    assert last == "1 extensions; not clean, or changed again: none"


def test_unrelated_changes_are_detected() -> None:
    before = {"a.js": b"one(two);three", "b.js": b"x"}
    planted = fixed.Planted("kind", "a.js", 4, 7, b"tow")
    assert fixed.judge(before, before, [planted]) == ([("kind", "mended")], True)
    assert fixed.judge(before, {**before, "a.js": b"one(tow);three"}, [planted]) == (
        [("kind", "left")],
        True,
    )
    for wrong in (b"one(four);three", b"one(two);thre", b"one (two);three"):
        assert not fixed.judge(before, {**before, "a.js": wrong}, [planted])[1]
    assert not fixed.judge(before, {**before, "b.js": b"y"}, [planted])[1]


def test_store_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    known = list(store.extensions([Path(__file__).parents[1] / "examples"]))
    assert len(known) > 1
    for folder in ("one", "two"):
        store.write_store(tmp_path / folder, known, 3, seed=1)
    paths = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.zip")]
    contents = {(tmp_path / "one" / path).read_bytes() for path in paths}
    assert len(contents) == 3
    assert contents == {(tmp_path / "two" / path).read_bytes() for path in paths}


@pytest.mark.skipif(sys.platform == "win32", reason="scans require processes that are forked")
def test_scans_are_measured(tmp_path: Path) -> None:
    store.write_store(tmp_path, [{"manifest.json": MANIFEST.encode(), "background.js": b"chrome.a()"}], 3, 0)
    one, two = (scan.measure(tmp_path, jobs, ["--limit", "2"]) for jobs in (1, 2))
    assert (one.packages, one.checked) == (two.packages, two.checked) == (2, 2)
    assert one.checksum == two.checksum


def test_costs_of_rules_are_relative_to_a_run_without_them(tmp_path: Path) -> None:
    rows = list(rule_costs.lines("folder/own", ["a,b", "a", "b"], [1.5, 1.2, 1.5, 1.25]))
    assert [row.split() for row in rows] == [
        ["own", "1.200", "1.500", "25.0%"],
        ["a", "1.500", "1.500", "0.0%"],
        ["b", "1.250", "1.500", "20.0%"],
    ]
    (tmp_path / "manifest.json").write_text(MANIFEST)
    assert min(rule_costs.measure(str(tmp_path), ["missing-file"], rule_costs.seconds, rounds=1)) > 0
