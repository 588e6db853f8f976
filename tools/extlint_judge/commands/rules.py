"""Queries a real browser's verdicts on declarativeNetRequest rules, and compares them with extlint's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from extlint.checks.request_rules import mistakes_in
from extlint_judge.browsers.processes import facts_target
from extlint_judge.browsers.session import InFirefox, session
from extlint_judge.extensions import extension, manifest
from extlint_judge.options import browser_option, command_of, exit_with, workspace
from extlint_judge.request_rules.random_patterns import random_pattern_rules
from extlint_judge.request_rules.random_rules import random_rules

FIREFOX_SCRIPT = """
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
"""The script that returns Firefox's error for each rule, using the code that reads rule files."""

CHROMIUM_SCRIPT = """(async () => {
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
"""The script that returns Chromium's error for each dynamic rule, the same as for rules of files."""

BATCH_SIZE = 100
MAX_SHOWN = 40


@click.command()
@browser_option
@click.option("--patterns", is_flag=True, help="Ask about regular expressions alone.")
@click.option("--seed", default=1, show_default=True, help="What the rules are made from.")
@click.option("--number", default=2_000, show_default=True, help="How many rules are made.")
def rules(browser: str, patterns: bool, seed: int, number: int) -> None:
    """Query random declarativeNetRequest rules.

    The exit code is 1 if extlint reports a rule that the browser accepts. Rules that the browser rejects and
    extlint accepts are shown.
    """
    command = command_of(browser)
    generate = random_pattern_rules if patterns else random_rules
    rules = list(generate(seed, number))
    with workspace() as folder:
        answers = observe(browser, command, rules, folder)
    ours = [mistakes_in([rule], facts_target(browser)) for rule in rules]
    messages = [next((each.message for each in mistakes), None) for mistakes in ours]
    both = list(zip(rules, answers, messages, strict=True))
    wrong = [each for each in both if each[1] is None and each[2] is not None]
    missed = [each for each in both if each[1] is not None and each[2] is None]
    refused = sum(answer is not None for answer in answers)
    click.echo(f"{len(rules)} rules, {refused} refused; {len(wrong)} false alarms, {len(missed)} missed")
    for rule, answer, message in (*wrong, *missed)[:MAX_SHOWN]:
        click.echo(f"  {json.dumps(rule)}\n    {browser}: {answer}\n    extlint: {message}")
    exit_with(1 if wrong else 0)


def observe(browser: str, command: str, rules: Sequence[dict[str, Any]], folder: Path) -> list[str | None]:
    """Returns the browser's reason for rejecting each rule, or None if it accepts it. Raises BrowserError."""
    keys = manifest(
        permissions=["declarativeNetRequest"],
        host_permissions=["<all_urls>"],
        declarative_net_request={"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
    )
    files = extension(keys, {"rules.json": "[]"})
    answers: list[str | None] = []
    with session(browser, command, folder) as running:
        if isinstance(running, InFirefox):
            where = str(running.write(files))
            answers += running.marionette.script(FIREFOX_SCRIPT, where, json.dumps(rules))
            return answers
        for at in range(0, len(rules), BATCH_SIZE):
            some = json.dumps(json.dumps(rules[at : at + BATCH_SIZE]))
            answers += running.evaluate(files, CHROMIUM_SCRIPT % some)
    return answers
