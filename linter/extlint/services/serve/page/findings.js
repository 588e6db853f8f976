// Findings by file, with their code and fixes.

import { browser, button, counted, element, message, visible, visibleCode } from "./elements.js";
import { changedLines, located, units } from "./texts.js";

const MAX_SHOWN = 100;
const MAX_AROUND = 2;
const MAX_LINES = 6;
const MAX_CHARACTERS = 400;
const LEAD = 60;
const WORDS = { error: "error", warning: "warning", info: "note" };

/** Shows findings in an element, in place of those before. `text` returns the text of a file, or null. */
export class FindingList {
  constructor(text, fixes, onRule) {
    this.element = element("div", { id: "findings" });
    this._text = text;
    this._fixes = fixes;
    this._onRule = onRule;
  }

  show(findings) {
    this.element.replaceChildren();
    this._path = null;
    if (findings.length === 0) this.element.append(element("p", { class: "soft" }, "No finding matches the filter."));
    this._more(findings, 0);
  }

  _more(findings, from) {
    const some = findings.slice(from, from + MAX_SHOWN);
    const articles = some.map((each) => this._article(each));
    for (const [at, article] of articles.entries()) this._sectionOf(some[at]).append(article);
    const left = findings.length - from - some.length;
    if (left > 0) {
      const more = button(`Show ${Math.min(left, MAX_SHOWN)} more of ${left}`, () => {
        more.remove();
        const next = this._more(findings, from + MAX_SHOWN);
        next.tabIndex = -1;
        next.focus();
      });
      this.element.append(more);
    }
    return articles[0];
  }

  _sectionOf({ path }) {
    if (path !== this._path) {
      this._path = path;
      this._section = element("section", { class: "file" }, element("h4", {}, visible(path)));
      this.element.append(this._section);
    }
    return this._section;
  }

  _article(finding) {
    const { line, column } = finding.start;
    return element(
      "article",
      { class: `finding ${finding.severity}` },
      element(
        "p",
        { class: "head" },
        element("span", { class: "badge" }, WORDS[finding.severity]),
        this._rule(finding),
        element("span", { class: "soft" }, finding.targets.map(browser).join(", ")),
        element("span", { class: "place" }, `line ${line}, column ${column}`)
      ),
      element("h5", {}, message(finding.message)),
      excerpt(this._text(finding.path), finding),
      finding.help === null ? null : element("p", { class: "help" }, element("b", {}, "Help: "), message(finding.help)),
      finding.related.map((each) => this._related(each)),
      finding.fix === null ? null : this._fix(finding)
    );
  }

  _rule({ rule, url }) {
    const documented = url.startsWith("https://");
    const link = { href: url, target: "_blank", rel: "noopener noreferrer", title: "Documentation of the rule" };
    return element(
      "span",
      {},
      documented ? element("a", link, rule) : rule,
      " ",
      button("only this", () => this._onRule(rule), { class: "small", "aria-label": `only this rule: ${rule}` })
    );
  }

  _related(related) {
    const place = `${visible(related.path)}, line ${related.start.line}`;
    return element(
      "div",
      { class: "related" },
      element("p", {}, message(related.message), element("span", { class: "place" }, ` ${place}`)),
      excerpt(this._text(related.path), related)
    );
  }

  _fix(finding) {
    const { fix } = finding;
    const input = element("input", {
      type: "checkbox",
      checked: this._fixes.has(finding),
      change: () => this._fixes.choose(finding, input.checked),
    });
    const title = `Fix: ${fix.message}${fix.safe ? "" : " (review it)"}`;
    return element(
      "details",
      { class: "fix" },
      element("summary", {}, message(title)),
      [...new Set(fix.edits.map((each) => each.path))].map((path) => this._diff(path, fix)),
      element("label", {}, input, " Apply in the fixed package")
    );
  }

  _diff(path, fix) {
    const text = this._text(path);
    const name = element("p", { class: "place" }, visible(path));
    if (text === null) return [name, element("p", { class: "soft" }, "The file is too large to be shown.")];
    const edits = located(text, fix.edits.filter((each) => each.path === path));
    const changes = changedLines(text, edits).flatMap(({ first, removed, added }) => [
      ...removed.map((line, at) => changed("del", first + at, "-", line)),
      ...added.map((line, at) => changed("ins", first + at, "+", line)),
    ]);
    return [name, element("pre", { class: "diff" }, changes)];
  }
}

function changed(name, number, sign, line) {
  const code = line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
  return element(name, { class: "line" }, element("b", {}, `${sign}${number}`), element("span", {}, visibleCode(code)));
}

/** Returns the lines of a span with those around them, or null if the text is not there. */
export function excerpt(text, { start, end }) {
  if (text === null) return null;
  const last = Math.min(end.line, start.line + MAX_LINES - 1);
  const isEmpty = (number) => text.line(number).trim() === "";
  let from = Math.max(1, start.line - MAX_AROUND);
  let to = Math.min(text.lines, last + MAX_AROUND);
  while (from < start.line && isEmpty(from)) from++;
  while (to > last && isEmpty(to)) to--;
  const lines = [];
  for (let number = from; number <= to; number++) {
    const line = text.line(number);
    const own = number >= start.line && number <= last;
    const code = own ? marked(line, number, start, end) : visibleCode(line.slice(0, MAX_CHARACTERS));
    lines.push(
      element("span", { class: own ? "line" : "line around" }, element("b", {}, `${number}`), element("span", {}, code))
    );
  }
  return element("pre", {}, lines);
}

function marked(line, number, start, end) {
  const first = number === start.line ? units(line, start.column - 1) : line.length - line.trimStart().length;
  const after = number === end.line ? units(line, end.column - 1) : line.length;
  const low = line.length > MAX_CHARACTERS ? Math.max(0, first - LEAD) : 0;
  const high = Math.min(line.length, low + MAX_CHARACTERS);
  const stop = Math.min(Math.max(after, first), high);
  return [
    (low > 0 ? "…" : "") + visibleCode(line.slice(low, first)),
    element("mark", {}, visibleCode(line.slice(first, stop)) || "\u200b"),
    visibleCode(line.slice(stop, high)) + (high < line.length ? "…" : ""),
  ];
}

/** Returns a sentence with the number of findings of each severity. */
export function totals({ errors, warnings, infos }) {
  const parts = [
    [errors, "error"],
    [warnings, "warning"],
    [infos, "note"],
  ].filter(([count]) => count > 0);
  return parts.length === 0 ? "No problems found" : parts.map(([count, noun]) => counted(count, noun)).join(", ");
}
