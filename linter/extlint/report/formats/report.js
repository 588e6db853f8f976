"use strict";
(() => {
  const form = document.getElementById("filter");
  const all = [...document.querySelectorAll(".finding")];
  const texts = all.map((each) => each.textContent.toLowerCase());
  const { rule, file, text, shown } = form.elements;

  const count = (key) => {
    const counts = new Map();
    for (const each of all) {
      counts.set(each.dataset[key], (counts.get(each.dataset[key]) ?? 0) + 1);
    }
    return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  };
  const fill = (select, key) => {
    for (const [name, number] of count(key)) {
      select.add(new Option(`${name} (${number})`, name));
    }
  };
  const hideEmpty = (kind) => {
    for (const each of document.querySelectorAll(kind)) {
      each.hidden = each.querySelector(".finding:not([hidden])") === null;
    }
  };
  const filter = () => {
    const severities = new Set([...form.querySelectorAll("input:checked")].map((each) => each.value));
    const words = text.value.toLowerCase().split(/\s+/);
    let number = 0;
    for (const [at, each] of all.entries()) {
      const { severity, rule: own, file: path } = each.dataset;
      each.hidden = !(
        severities.has(severity) &&
        (rule.value === "" || rule.value === own) &&
        (file.value === "" || file.value === path) &&
        words.every((word) => texts[at].includes(word))
      );
      number += each.hidden ? 0 : 1;
    }
    hideEmpty(".file");
    hideEmpty(".extension");
    if (number === all.length) {
      document.querySelectorAll(".extension").forEach((each) => (each.hidden = false));
    }
    shown.value = `${number} of ${all.length} shown`;
  };

  fill(rule, "rule");
  fill(file, "file");
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const each of document.querySelectorAll("button[data-rule]")) {
    each.addEventListener("click", () => {
      rule.value = each.dataset.rule;
      filter();
      form.scrollIntoView();
    });
  }
  form.hidden = all.length === 0;
  filter();
})();
