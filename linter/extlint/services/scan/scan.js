"use strict";
(() => {
  const valueOf = (row, at) => {
    const cell = row.cells[at];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compare = (one, other) =>
    typeof one === "number" ? one - other : one.localeCompare(other, "en", { numeric: true });

  for (const button of document.querySelectorAll("th button")) {
    button.addEventListener("click", () => {
      const header = button.parentElement;
      const table = header.closest("table");
      const isNumber = header.classList.contains("number");
      const before = header.getAttribute("aria-sort");
      const descending = before === null ? isNumber : before === "ascending";
      for (const each of table.querySelectorAll("th")) {
        each.removeAttribute("aria-sort");
      }
      header.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const sign = descending ? -1 : 1;
      const at = header.cellIndex;
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row) => [valueOf(row, at), row]);
      rows.sort(([one], [other]) => sign * compare(one, other));
      body.append(...rows.map(([, row]) => row));
    });
  }
})();
