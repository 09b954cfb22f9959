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
