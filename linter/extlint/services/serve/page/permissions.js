// The table of permissions, and what browsers ask the user.

import { browser, element, message, visible } from "./elements.js";

const MAX_USES = 5;

/** Returns the questions of browsers and the table, for one extension of `extlint permissions`. */
export function permissionsOf(extension) {
  const { permissions, prompts } = extension;
  const browsers = Object.keys(prompts);
  if (permissions.length === 0) return [element("p", {}, "The extension requests no permissions.")];
  const columns = ["Permission", "Requested as", "Used by", ...browsers.map((each) => `${browser(each)} asks`)];
  const rows = permissions.map((each) => row(each, browsers));
  return [
    questions(prompts, "asks at installation", "asks nothing at installation"),
    element(
      "div",
      { class: "scroll", role: "region", "aria-label": "Table of permissions", tabindex: "0" },
      element(
        "table",
        { "aria-label": "Permissions" },
        element("thead", {}, element("tr", {}, columns.map((each) => element("th", { scope: "col" }, each)))),
        element("tbody", {}, rows)
      )
    ),
  ];
}

/** Returns a list of what each browser asks. */
export function questions(prompts, asks, asksNothing) {
  const items = Object.entries(prompts).map(([target, phrases]) =>
    phrases.length === 0
      ? element("li", {}, `${browser(target)} ${asksNothing}.`)
      : element(
          "li",
          {},
          `${browser(target)} ${asks} whether it may:`,
          element("ul", {}, phrases.map((each) => element("li", {}, message(each))))
        )
  );
  return element("ul", { class: "questions" }, items);
}

function row({ name, kind, path, start, unused, uses, prompts }, browsers) {
  const listed = uses
    .slice(0, MAX_USES)
    .map((use) =>
      element("li", {}, element("code", {}, visible(use.api)), ` ${visible(use.path)}, line ${use.start.line}`)
    );
  const more = uses.length > MAX_USES ? element("li", {}, `and ${uses.length - MAX_USES} more`) : null;
  const used = uses.length > 0 ? element("ul", { class: "uses" }, listed, more) : unused ? "nothing" : "";
  const cells = [
    [kind, element("small", {}, ` ${visible(path)}, line ${start.line}`)],
    used,
    ...browsers.map((each) => (prompts[each] === undefined ? "nothing" : message(prompts[each]))),
  ];
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("code", {}, visible(name))),
    cells.map((each) => element("td", {}, each))
  );
}
