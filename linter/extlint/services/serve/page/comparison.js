// The comparison of a package with an older one.

import { browser, element, message, visible } from "./elements.js";
import { questions } from "./permissions.js";

const MAX_LISTED = 100;
const GECKO = new Set(["firefox", "firefox_android"]);

/** Returns the differences: `extension` is of `extlint permissions` with `against`, and the lists are findings. */
export function comparisonOf(extension, before, after) {
  const { added, removed, prompts } = extension.against;
  const [appeared, gone] = differences(before, after);
  return [
    updates(prompts),
    requests("Permissions added", added),
    requests("Permissions removed", removed),
    listed("New findings", appeared),
    listed("Findings that are gone", gone),
  ];
}

/** Returns the findings that only the second list has, and those that only the first has. */
export function differences(before, after) {
  const key = ({ rule, path, message: text }) => JSON.stringify([rule, path, text]);
  const without = (some, others) => {
    const counts = new Map();
    for (const each of others) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
    return some.filter((each) => {
      const left = counts.get(key(each)) ?? 0;
      counts.set(key(each), left - 1);
      return left <= 0;
    });
  };
  return [without(after, before), without(before, after)];
}

function updates(prompts) {
  const browsers = Object.keys(prompts);
  if (browsers.length === 0) return element("p", {}, "No browser asks the user before the update.");
  const consequences = browsers.map((each) =>
    GECKO.has(each)
      ? `${browser(each)} keeps the old version until the user lets the new one.`
      : `${browser(each)} turns the extension off until the user lets it.`
  );
  return [
    questions(prompts, "asks before the update", ""),
    element("p", {}, element("strong", {}, consequences.join(" "))),
  ];
}

function requests(title, items) {
  if (items.length === 0) return [];
  const list = items.map(({ name, kind }) => element("li", {}, element("code", {}, visible(name)), ` (${kind})`));
  return [element("h4", {}, `${title}: ${items.length}`), element("ul", {}, list)];
}

function listed(title, findings) {
  const items = findings.slice(0, MAX_LISTED).map((each) =>
    element(
      "li",
      { class: each.severity },
      element("span", { class: "badge" }, each.severity === "info" ? "note" : each.severity),
      " ",
      message(each.message),
      element("span", { class: "place" }, ` ${visible(each.path)}, line ${each.start.line}`)
    )
  );
  const more = findings.length > MAX_LISTED ? element("li", {}, `and ${findings.length - MAX_LISTED} more`) : null;
  return [
    element("h4", {}, `${title}: ${findings.length}`),
    findings.length === 0 ? null : element("ul", { class: "compared" }, items, more),
  ].filter((each) => each !== null);
}
