// The beginning: the theme, the first choice, and everything drawn once.
const remembered = (value) => {
  try { // a page from disk may have no memory
    if (value === undefined) return localStorage.getItem("kpframe-theme");
    localStorage.setItem("kpframe-theme", value);
  } catch { /* then the theme lasts as long as the page */ }
  return null;
};
const dark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const drawTheme = () => { byId("theme").textContent = dark() ? "Light" : "Dark"; };
byId("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = dark() ? "light" : "dark";
  remembered(document.documentElement.dataset.theme);
  drawTheme();
});
if (["light", "dark"].includes(remembered())) document.documentElement.dataset.theme = remembered();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTheme);
drawTheme();
byId("print").addEventListener("click", () => print());
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details.printed:not([open])")];
  for (const one of closed) one.open = true;
  document.documentElement.classList.add("on-paper"); // as wide as paper, so that charts are drawn for it
  redraw();
});
addEventListener("afterprint", () => {
  for (const one of closed) one.open = false;
  document.documentElement.classList.remove("on-paper");
  redraw();
});

byId("filter").addEventListener("input", (event) => change({ filter: event.target.value }));
byId("near").addEventListener("change", (event) => change({ near: event.target.checked }));
byId("search")?.addEventListener("input", (event) => change({ search: event.target.value }));
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard?.writeText(byId(button.dataset.copy).textContent);
    button.textContent = "Copied";
  });
}

const firstChoice = () => {
  const ranked = [...core.systems].filter((system) => isNumber(score(system).value)).sort((one, other) => score(other).value - score(one).value);
  const [first, second] = [...ranked, ...core.systems.filter((system) => !ranked.includes(system))];
  return [first?.name ?? "", second?.name ?? "", ""];
};
const begin = async () => {
  if (!core.systems.length) return;
  state.chosen = firstChoice();
  for (const draw of [drawChoices, drawHeadline, drawHeatmap, drawList, drawPublished, drawWaterfall, drawSteps, drawFifths, drawReliability]) draw();
  detail = await unpack("detail");
  for (const draw of [drawCurves, drawDuels, drawSizes, drawDocuments, drawErrors]) draw();
  if (!detail.documents.length) drawDocument();
  document.documentElement.dataset.ready = "yes";
};
begin();
