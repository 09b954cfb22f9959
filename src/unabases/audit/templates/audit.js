"use strict";
// Tables that sort by a click on a column's name. Numbers come first, then text, then empty cells.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending" && head.classList.contains("n") ||
        head.getAttribute("aria-sort") === "ascending";
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = row => {
        const cell = row.cells[place];
        return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
      };
      const rows = [...body.rows].map(row => [key(row), row]);
      rows.sort(([a], [b]) => {
        if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
        const order = typeof a === "number" ? a - b : a.localeCompare(b);
        return down ? -order : order;
      });
      body.append(...rows.map(([, row]) => row));
    });
  });
}
// One column's strips at a time; without this script all of them are shown.
const choice = document.querySelector("#column");
if (choice) {
  const panels = [...document.querySelectorAll(".panel")];
  const show = () => panels.forEach((panel, place) => { panel.hidden = String(place) !== choice.value; });
  choice.closest("p").hidden = false;
  choice.addEventListener("change", show);
  show();
}
// What a mark stands for, also under a finger.
for (const name of ["pointerover", "click"]) {
  document.addEventListener(name, event => {
    const mark = event.target.closest && event.target.closest("circle");
    if (!mark) return;
    const said = mark.closest(".panel").querySelector("output");
    said.textContent = mark.closest(".strip").querySelector("b").textContent + ": " +
      mark.querySelector("title").textContent;
  });
}
