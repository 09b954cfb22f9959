// One column's strips at a time; without this script all of them are shown.
const choice = document.querySelector("#column");
if (choice) {
  const panels = [...document.querySelectorAll(".panel")];
  const show = () => panels.forEach((panel, place) => { panel.hidden = String(place) !== choice.value; });
  choice.closest("p").hidden = false;
  choice.addEventListener("change", show);
  show();
}
// What a mark stands for: under the pointer, under a finger, and with the arrow keys.
const say = mark => {
  const said = mark.closest(".panel").querySelector("output");
  said.textContent = mark.closest(".strip").querySelector("b").textContent + ": " +
    mark.querySelector("title").textContent;
};
for (const name of ["pointerover", "click"]) {
  document.addEventListener(name, event => {
    const mark = event.target.closest && event.target.closest("circle");
    if (mark) say(mark);
  });
}
for (const lane of document.querySelectorAll(".strip svg")) {
  const place = mark => parseFloat(mark.getAttribute("cx"));
  const marks = [...lane.querySelectorAll("circle")].sort((a, b) => place(a) - place(b));
  if (!marks.length) continue;
  let at = -1;
  const go = to => {
    marks[at]?.classList.remove("here");
    at = to;
    marks[at]?.classList.add("here");
    if (marks[at]) say(marks[at]);
  };
  lane.tabIndex = 0;
  lane.setAttribute("aria-label", lane.getAttribute("aria-label") + "; the arrow keys go from row to row");
  lane.addEventListener("blur", () => go(-1));
  lane.addEventListener("keydown", event => {
    const last = marks.length - 1;
    const to = { ArrowRight: Math.min(at + 1, last), ArrowLeft: Math.max(at - 1, 0), Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
}
