// The result of a check: findings, permissions, the comparison, and what was not checked.

import { browser, button, counted, download, element, message, visible } from "./elements.js";
import { filterForm } from "./filters.js";
import { FindingList, totals } from "./findings.js";
import { changedFiles, fixedName, Fixes, patched } from "./fixes.js";
import { permissionsOf } from "./permissions.js";
import { addressOf } from "./service.js";
import { Text } from "./texts.js";

const FORMATS = [
  ["JSON", "application/json", "json"],
  ["SARIF", "application/sarif+json", "sarif"],
  ["HTML", "text/html", "html"],
  ["Markdown", "text/markdown", "md"],
];

/** Returns the elements of a result.
 *
 * `source` has the name and the Blob that were checked, or null in place of the Blob for a kept result.
 * `actions` has `check(source)`, `compare(blob)`, `report(type)` and `say(text)`.
 */
export function resultOf({ report, files, permissions, unchecked = [], id }, source, seconds, actions) {
  locateInArchive(report.findings);
  const texts = new Map();
  const text = (path) => {
    if (!texts.has(path)) texts.set(path, Object.hasOwn(files, path) ? new Text(files[path]) : null);
    return texts.get(path);
  };
  const fixes = new Fixes(report.findings, text);
  const sections = [
    findingsSection(report, text, fixes, source, actions),
    permissionsSection(permissions.extensions),
    source.blob === null ? null : comparisonSection(actions),
    notesSection(report, unchecked),
  ].filter((each) => each !== null);
  const links = sections.map((each) =>
    element("a", { href: `#${each.id}` }, each.querySelector("h3").textContent)
  );
  return [
    element("h2", {}, visible(source.name)),
    element("p", { class: "total" }, totals(report.summary), element("span", { class: "soft" }, about(report, seconds))),
    element("nav", { "aria-label": "Result" }, links),
    source.blob === null ? null : downloads(source, actions),
    id === null ? null : link(id, actions),
    ...sections,
  ].filter((each) => each !== null);
}

/** Makes the paths of findings those in the archive, which may have several extensions. */
export function locateInArchive(findings) {
  for (const each of findings) {
    const folder = each.extension.split("/").slice(1).map((part) => `${part}/`).join("");
    const places = [each, ...each.related, ...(each.fix?.edits ?? [])];
    for (const place of places) place.path = folder + place.path;
    each.extension = "";
  }
}

function about({ summary, extensions }, seconds) {
  const targets = extensions.flatMap((each) => each.targets).map(browser);
  const time = seconds === null ? "" : ` in ${seconds.toFixed(2)} s`;
  return ` · ${counted(summary.files, "file")}, checked for ${targets.join(" and ")}${time}`;
}

function section(id, title, ...children) {
  return element("section", { id, "aria-labelledby": `${id}-title` }, element("h3", { id: `${id}-title` }, title), ...children);
}

function permissionsSection(extensions) {
  if (extensions.length === 0) return null;
  const tables = extensions.map((each) => [
    extensions.length > 1 ? element("h4", {}, visible(each.path)) : null,
    permissionsOf(each),
  ]);
  return section("permissions", "Permissions", tables);
}

function findingsSection(report, text, fixes, source, actions) {
  const { findings } = report;
  const title = `Findings: ${findings.length}`;
  if (findings.length === 0) return section("list", title, element("p", { class: "clean" }, "No problems found."));
  const list = new FindingList(text, fixes, (rule) => {
    filters.show(rule);
    filters.form.scrollIntoView();
    filters.form.elements.rule.focus();
  });
  const filters = filterForm(findings, (matching) => list.show(matching));
  return section("list", title, fixesPanel(fixes, text, source, actions), filters.form, list.element);
}

function fixesPanel(fixes, text, source, actions) {
  if (fixes.all === 0) return null;
  const count = element("span");
  const make = async () => {
    const { texts, applied, left } = fixes.apply();
    const { blob, unchanged } = await fixedBlob(texts, text, source);
    const parts = [`${counted(applied, "fix", "fixes")} in ${counted(texts.size, "file")}`];
    if (left > 0) parts.push(`${left} left out, because others change the same text or the file is too large`);
    if (unchanged.length > 0) parts.push(`not changed: ${unchanged.map(visible).join(", ")}`);
    return { blob, text: parts.join("; ") };
  };
  const attempt = (action) => async () => {
    try {
      await action(await make());
    } catch (error) {
      actions.say(`The fixed package could not be made: ${visible(error.message)}`);
    }
  };
  const save = button(source.blob === null ? "Download the fixed files" : "Download the fixed package", attempt((made) => {
    const name = fixedName(source.name);
    download(made.blob, source.blob === null ? name.replace(/\.\w+$/, ".zip") : name);
    actions.say(`Downloaded ${visible(name)}: ${made.text}.`);
  }), { id: "save-fixed", class: "main" });
  const again = button("Check with these fixes", attempt(({ blob }) => {
    actions.check({ name: fixedName(source.name), blob });
  }), { id: "check-fixed" });
  fixes.onChange = () => {
    count.textContent = `${fixes.chosen} of ${fixes.all} fixes chosen`;
    save.disabled = again.disabled = fixes.chosen === 0;
  };
  fixes.onChange();
  return element("p", { class: "buttons" }, save, source.blob === null ? null : again, count);
}

async function fixedBlob(texts, text, source) {
  if (source.blob === null) return { blob: await changedFiles(texts), unchanged: [] };
  if (source.isManifest) return { blob: new Blob([...texts.values()], { type: "application/json" }), unchanged: [] };
  return patched(source.blob, texts, text);
}

function comparisonSection(actions) {
  const input = element("input", { type: "file", id: "older", accept: ".zip,.xpi,.crx", hidden: true, "aria-label": "Older package" });
  input.addEventListener("change", () => {
    if (input.files.length > 0) actions.compare(input.files[0]);
    input.value = "";
  });
  return section(
    "comparison",
    "Comparison",
    element("p", {}, "Compare with an older version: its permissions, findings, and what browsers ask at the update."),
    button("Choose the older package", () => input.click(), { id: "choose-older" }),
    input,
    element("div", { id: "compared" })
  );
}

function notesSection({ extensions, summary, unused_entries: unused }, unchecked) {
  const notes = [...unchecked, ...extensions.flatMap((each) => each.unchecked.map((code) => code.message))];
  notes.push(...unused.map((each) => each.message));
  if (summary.incomplete > 0) notes.push(`${counted(summary.incomplete, "file")} could be analyzed only in part`);
  if (summary.suppressed > 0) notes.push(`${counted(summary.suppressed, "finding")} suppressed by comments or the configuration`);
  if (notes.length === 0) return null;
  return section("notes", "Notes", element("ul", {}, notes.map((each) => element("li", {}, message(each)))));
}

function downloads(source, actions) {
  const items = FORMATS.map(([label, type, suffix]) =>
    button(label, async () => {
      try {
        download(await actions.report(type), `${fixedName(source.name).replace(/-fixed\.\w+$/, "")}.${suffix}`);
      } catch (error) {
        actions.say(visible(error.message));
      }
    }, { class: "small", "aria-label": `Download the report as ${label}` })
  );
  return element("p", { class: "buttons" }, element("span", { class: "soft" }, "Report:"), items);
}

function link(id, actions) {
  const address = addressOf(id);
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    actions.say("Copied the address of this result.");
  };
  const isSecure = navigator.clipboard !== undefined;
  return element(
    "p",
    { class: "buttons" },
    element("span", {}, "This result is kept at ", element("a", { href: address }, address)),
    isSecure ? button("Copy the address", copy, { class: "small" }) : null
  );
}
