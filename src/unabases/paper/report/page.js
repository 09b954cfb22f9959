// Marks tables that scroll, and opens what is folded for paper. The page works without it.
const boxes = document.querySelectorAll(".scroll");
const mark = () => boxes.forEach((box) => box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 1));
mark();
window.addEventListener("resize", mark);
document.querySelectorAll("details").forEach((one) => one.addEventListener("toggle", mark));
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
