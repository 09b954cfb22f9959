// Sorts a table by the column whose heading is clicked, and marks tables that scroll. The page works without it.
// What begins with a number is sorted by it, times by their length, and everything else, dates too, by its text.
const seconds = { s: 1, min: 60, h: 3600 };
const number = (text) => {
  const found = text.replace("−", "-").match(/^([-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)(?![\d-])(?: (s|min|h)\b)?/);
  return found ? parseFloat(found[1].replaceAll(",", "")) * (seconds[found[2]] ?? 1) : null;
};
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, place) => {
    if (!head.textContent.trim()) return;
    head.tabIndex = 0;
    head.title = "sort by this column";
    const sort = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows].map((row, at) => {
        const text = row.cells[place].textContent.trim();
        return { row, at, text, value: number(text) };
      });
      rows.sort((a, b) => {
        if (a.value !== null && b.value !== null) return (a.value - b.value) * (up ? 1 : -1) || a.at - b.at;
        if (a.value !== null || b.value !== null) return a.value === null ? 1 : -1;
        return a.text.localeCompare(b.text) * (up ? 1 : -1) || a.at - b.at;
      });
      table.tBodies[0].append(...rows.map((one) => one.row));
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
  });
}
const boxes = document.querySelectorAll(".scroll");
const mark = () => boxes.forEach((box) => box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 1));
mark();
window.addEventListener("resize", mark);
document.querySelectorAll("details").forEach((one) => one.addEventListener("toggle", mark));
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
