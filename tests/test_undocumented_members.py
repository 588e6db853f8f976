"""Members that Chromium has and no package documents."""

from __future__ import annotations

import pytest
from harness import manifest, reported

MEMBERS = {
    "a member of the developer tools": 'chrome.devtools.network.addRequestHeaders({ a: "b" })',
    "an event of the developer tools": "chrome.devtools.network.onFinished.addListener(() => {})",
    "a namespace of the developer tools": (
        'chrome.devtools.languageServices.registerLanguageExtensionPlugin({}, "a", {})'
    ),
    "a setting": "chrome.privacy.services.autofillSettings.get({}, () => {})",
    "an event": "chrome.tts.onEvent.addListener((event) => console.log(event.charIndex))",
    "another event": "chrome.omnibox.onActionExecuted.addListener((run) => console.log(run.actionName))",
}


@pytest.mark.parametrize("source", MEMBERS.values(), ids=MEMBERS.keys())
def test_undocumented_member_of_chromium_is_known(source: str) -> None:
    keys = {"devtools_page": "a.html", "omnibox": {"keyword": "a"}, "permissions": ["privacy", "tts"]}
    page = {"manifest.json": manifest(**keys), "a.html": "<script src='a.js'></script>"}
    rules = ["unknown-api", "wrong-context", "unknown-result-field", "invalid-argument"]
    assert reported({**page, "a.js": source}, rules, "chrome") == []
    misspelled = source.replace("add", "ad").replace("get", "gett").replace("register", "registr")
    has_members = "autofill" not in source
    found = reported({**page, "a.js": misspelled}, rules, "chrome")
    assert [rule for rule, _ in found] == ["unknown-api"] * has_members
