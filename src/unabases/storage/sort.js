"use strict";
// Tables of class "sortable" sort by a click on the name of a column, or by Enter or Space on it. Numbers come first, then
// text, then empty cells. The first click puts the smallest first, or the largest where the name has class "n".
const secondsPer = { ms: 0.001, s: 1, min: 60, h: 3600 };
// What a cell is sorted by: the number in data-v; else the number that its text begins with, times by their length; else
// its text, as for dates.
function sortKey(cell) {
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  const text = cell.textContent.trim();
  const found = text.replace("−", "-").match(/^([-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)(?![\d-])(?: (ms|s|min|h)\b)?/);
  return found ? parseFloat(found[1].replaceAll(",", "")) * (secondsPer[found[2]] ?? 1) : text;
}
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  const group = (key) => (typeof key === "number" ? 0 : key ? 1 : 2);
  heads.forEach((head, place) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.title = "sort by this column";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const down = now === "ascending" || (now !== "descending" && head.classList.contains("n"));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows].map((row) => ({ row, key: sortKey(row.cells[place]) }));
      rows.sort(({ key: a }, { key: b }) => {
        if (group(a) !== group(b)) return group(a) - group(b);
        return (typeof a === "number" ? a - b : a.localeCompare(b)) * (down ? -1 : 1);
      });
      table.tBodies[0].append(...rows.map(({ row }) => row));
    });
  });
}
