"""Asks a real browser what it says to rules of declarativeNetRequest, and compares that with extlint.

Usage: `python -m extlint_judge rules --browser firefox|chromium [--patterns] [--seed N] [--number N]`. With
`--patterns` the rules are right but for their regular expressions. Where there is no such browser it does
nothing, and says so.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from extlint.request_rules.check import mistakes_in
from extlint_judge.ask_chromium import attached, chromium, loaded
from extlint_judge.ask_firefox import firefox
from extlint_judge.browsers import COMMANDS, BrowserError, facts_target, find
from extlint_judge.extensions import ID, write_files
from extlint_judge.random_patterns import random_pattern_rules
from extlint_judge.random_rules import random_rules

IN_FIREFOX = """
const { AddonManager } = ChromeUtils.importESModule("resource://gre/modules/AddonManager.sys.mjs");
const { ExtensionDNR } = ChromeUtils.importESModule("resource://gre/modules/ExtensionDNR.sys.mjs");
const { FileUtils } = ChromeUtils.importESModule("resource://gre/modules/FileUtils.sys.mjs");
const { Schemas } = ChromeUtils.importESModule("resource://gre/modules/Schemas.sys.mjs");
const addon = await AddonManager.installTemporaryAddon(new FileUtils.File(args[0]));
const { extension } = WebExtensionPolicy.getByID(addon.id);
await ExtensionDNR.ensureInitialized(extension);
const context = {
  url: extension.baseURI.spec, principal: extension.principal, logError() {}, preprocessors: {},
  manifestVersion: 3, ignoreUnrecognizedProperties: true,
};
return JSON.parse(args[1]).map(rule => {
  const { value, error } = Schemas.normalize(rule, "declarativeNetRequest.Rule", context);
  if (!value) return `${error}`;
  const validator = new ExtensionDNR.RuleValidator([]);
  validator.addRules([value]);
  return validator.getFailures().map(each => each.message).join() || null;
});
"""
"""What Firefox says to each rule of a file, by what it reads such files with."""

IN_CHROMIUM = """(async () => {
  const answers = [];
  for (const rule of JSON.parse(%s)) {
    try {
      const removeRuleIds = (await chrome.declarativeNetRequest.getDynamicRules()).map(each => each.id);
      await chrome.declarativeNetRequest.updateDynamicRules({ removeRuleIds, addRules: [rule] });
      answers.push(null);
    } catch (error) {
      answers.push(error.message);
    }
  }
  return answers;
})()"""
"""What Chromium says to each rule that a script adds: the same as to rules of files."""

AT_ONCE = 100
SHOWN = 40


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if extlint speaks of a rule that the browser takes, 2 if the browser fails."""
    parser = argparse.ArgumentParser(description="Asks a real browser what it says to rules.")
    parser.add_argument("--browser", choices=sorted(COMMANDS), required=True)
    parser.add_argument("--patterns", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=2_000)
    options = parser.parse_args(arguments)
    command = find(options.browser)
    if command is None:
        print(f"judge: there is no {' or '.join(COMMANDS[options.browser])}, so nothing is judged")
        return 0
    made = random_pattern_rules if options.patterns else random_rules
    rules = list(made(options.seed, options.number))
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            answers = asked(options.browser, command, rules, Path(folder))
    except BrowserError as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    ours = [mistakes_in([rule], facts_target(options.browser)) for rule in rules]
    told = [next((each.message for each in mistakes), None) for mistakes in ours]
    both = list(zip(rules, answers, told, strict=True))
    wrong = [each for each in both if each[1] is None and each[2] is not None]
    missed = [each for each in both if each[1] is not None and each[2] is None]
    refused = sum(answer is not None for answer in answers)
    print(f"{len(rules)} rules, {refused} refused; {len(wrong)} told in vain, {len(missed)} missed")
    for rule, answer, message in (*wrong, *missed)[:SHOWN]:
        print(f"  {json.dumps(rule)}\n    {options.browser}: {answer}\n    extlint: {message}")
    return 1 if wrong else 0


def asked(browser: str, command: str, rules: Sequence[dict[str, Any]], folder: Path) -> list[str | None]:
    """For each rule why the browser refuses it, None if it takes it. Raises BrowserError."""
    where = folder / "extension"
    manifest = {
        "manifest_version": 3,
        "name": "judge",
        "version": "1",
        "permissions": ["declarativeNetRequest"],
        "host_permissions": ["<all_urls>"],
        "browser_specific_settings": {"gecko": {"id": ID}},
        "declarative_net_request": {"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
    }
    files = {"manifest.json": json.dumps(manifest), "rules.json": "[]", "page.html": "<p>", "a.js": ""}
    write_files(files, where)
    answers: list[str | None] = []
    if browser == "firefox":
        with firefox(command, folder) as marionette:
            answers += marionette.script(IN_FIREFOX, str(where), json.dumps(rules))
        return answers
    with chromium(command, folder) as connection:
        extension = connection.send("Extensions.loadUnpacked", path=str(where))["id"]
        page = f"chrome-extension://{extension}/page.html"
        connection.send("Target.createTarget", url=page)
        session = attached(connection, page)
        loaded(connection, session, page)
        for at in range(0, len(rules), AT_ONCE):
            some = json.dumps(json.dumps(rules[at : at + AT_ONCE]))
            answers += connection.evaluate(session, IN_CHROMIUM % some)
    return answers
