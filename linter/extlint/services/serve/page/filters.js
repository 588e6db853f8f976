// The form that filters findings.

import { counted, element, visible } from "./elements.js";

const SEVERITIES = ["error", "warning", "info"];
const PLURALS = { error: "errors", warning: "warnings", info: "notes" };

/** Returns the form, and calls `onChange` with the matching findings, at first with all.
 *
 * `show` selects the findings of one rule.
 */
export function filterForm(findings, onChange) {
  const texts = findings.map((each) => [each.message, each.help, each.path, each.rule, each.api].join("\n").toLowerCase());
  const shown = element("output", { for: "filter-text" });
  const text = element("input", { type: "search", id: "filter-text", name: "text", autocomplete: "off" });
  const form = element(
    "form",
    { id: "filter", role: "search", "aria-label": "Filter findings", submit: (event) => event.preventDefault() },
    element("fieldset", {}, element("legend", {}, "Severity"), SEVERITIES.map((each) => box(each, findings))),
    field("Rule", selection("rule", findings)),
    field("File", selection("path", findings)),
    field("Text", text),
    element("button", { type: "reset" }, "Reset"),
    shown
  );
  const filter = () => {
    const severities = new Set([...form.querySelectorAll("input:checked")].map((each) => each.value));
    const { rule, path } = form.elements;
    const words = text.value.toLowerCase().split(/\s+/);
    const matching = findings.filter(
      (each, at) =>
        severities.has(each.severity) &&
        (rule.value === "" || rule.value === each.rule) &&
        (path.selectedIndex === 0 || path.selectedOptions[0].path === each.path) &&
        words.every((word) => texts[at].includes(word))
    );
    shown.value = `${matching.length} of ${counted(findings.length, "finding")}`;
    onChange(matching);
  };
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  filter();
  return {
    form,
    show(rule) {
      form.elements.rule.value = rule;
      filter();
    },
  };
}

function box(severity, findings) {
  const count = findings.filter((each) => each.severity === severity).length;
  const input = element("input", { type: "checkbox", name: "severity", value: severity, checked: true });
  return element("label", { class: severity }, input, ` ${PLURALS[severity]} (${count})`);
}

function field(label, input) {
  return element("label", { class: "field" }, `${label} `, input);
}

function selection(key, findings) {
  const counts = new Map();
  for (const each of findings) counts.set(each[key], (counts.get(each[key]) ?? 0) + 1);
  const options = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => {
      const option = element("option", { value: visible(name) }, `${visible(name)} (${count})`);
      option.path = name;
      return option;
    });
  return element("select", { name: key }, element("option", { value: "" }, "all"), options);
}
