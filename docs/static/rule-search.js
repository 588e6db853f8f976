// The search for rules and error messages. Each entry is a list: title, description, address, and other words.

/**
 * Returns the entries that have most words of a query, the best first. Rare words count more than common ones, words in
 * titles more than others, and the start of a word more than its middle, which must have four letters.
 */
function searchRules(entries, query) {
  const words = [...new Set(query.toLowerCase().match(/[a-z0-9_]+/g) ?? [])];
  const weights = [8, 3, 0, 1];
  const fit = (text, word) => {
    if (new RegExp(`(?<![a-z0-9_])${word}`).test(text)) return 2;
    return word.length > 3 && text.includes(word) ? 1 : 0;
  };
  const scored = entries.map((entry, index) => ({ entry, index, covered: 0, score: 0 }));
  let total = 0;
  for (const word of words) {
    const fits = entries.map((entry) =>
      Math.max(...entry.map((text, field) => weights[field] * fit(text.toLowerCase(), word))),
    );
    const number = fits.filter((each) => each > 0).length;
    const rarity = number === 0 ? 0 : Math.log((entries.length + 1) / number);
    total += rarity;
    fits.forEach((each, index) => {
      scored[index].covered += each > 0 ? rarity : 0;
      scored[index].score += each * rarity;
    });
  }
  const required = words.length < 3 ? 0.99 : 0.5;
  return scored
    .filter((each) => each.covered > 0 && each.covered >= required * total)
    .sort((one, other) => other.score - one.score || one.index - other.index)
    .map((each) => each.entry);
}

/** Shows the form, and the results while the user types. */
function startRuleSearch(form, entries, root) {
  const input = form.querySelector("input");
  const status = form.querySelector("[role=status]");
  const list = form.querySelector("ol");
  const shownAtOnce = 20;

  const show = () => {
    const found = searchRules(entries, input.value);
    const items = found.slice(0, shownAtOnce).map(([title, description, address]) => {
      const link = document.createElement("a");
      link.href = root + address;
      const code = document.createElement("code");
      code.textContent = title;
      link.append(code);
      const item = document.createElement("li");
      item.append(link, " ", description);
      return item;
    });
    list.replaceChildren(...items);
    const number = found.length === 1 ? "1 result" : `${found.length} results`;
    const part = found.length > shownAtOnce ? `, of which the first ${shownAtOnce} are shown` : "";
    status.textContent = input.value.trim() === "" ? "" : `${number}${part}`;
    history.replaceState(null, "", input.value === "" ? location.pathname : `?find=${encodeURIComponent(input.value)}`);
  };

  const move = (step) => {
    const stops = [input, ...list.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement) + step];
    if (next !== undefined) next.focus();
  };

  form.hidden = false;
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape") {
      input.value = "";
      input.focus();
      show();
    }
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select, [contenteditable]") !== null;
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
    }
  });
  const query = new URLSearchParams(location.search).get("find");
  if (query !== null) {
    input.value = query;
    show();
  }
}

if (typeof document !== "undefined") {
  const form = document.querySelector(".rule-search");
  if (form !== null) startRuleSearch(form, globalThis.ruleSearchEntries ?? [], "../");
}
