// The beginning: the first choice, what the address says, and everything drawn once.
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

// What was chosen is in the address; what any page begins with is not.
const toAddress = () => {
  const { metric, label: matching } = state.column === core.default_column ? {} : columns.get(state.column);
  const document = detail.documents.length && listed()[0]?.id === state.document ? "" : state.document;
  const now = { dataset, measure: metric, matching, document, order: state.order === startState.order ? "" : state.order ?? "", search: state.search ?? "", filter: state.filter, near: state.near ? "yes" : "" };
  const parts = new URLSearchParams(Object.entries(now).filter(([, value]) => value));
  const said = JSON.stringify(state.chosen) !== JSON.stringify(firstChoice());
  for (const name of said ? state.chosen : []) parts.append("system", name);
  return parts.size ? `#${parts}` : location.pathname.slice(location.pathname.lastIndexOf("/") + 1) || "#";
};
const fromAddress = () => {
  const said = address();
  const column = core.columns.find(({ metric, label: matching }) => metric === said.get("measure") && matching === said.get("matching"));
  const named = said.getAll("system").filter((name, place, all) => !name || (systems.has(name) && all.indexOf(name) === place));
  const order = ORDERS.some(([name]) => name === said.get("order")) ? said.get("order") : startState.order;
  return {
    column: column?.name ?? core.default_column,
    chosen: named.some(Boolean) ? [...named, "", "", ""].slice(0, SLOTS.length) : firstChoice(),
    document: said.get("document") ?? "", order, search: said.get("search") ?? "",
    filter: said.get("filter") ?? "", near: said.get("near") === "yes",
  };
};
const startState = { order: state.order };
const showFields = () => {
  byId("filter").value = state.filter;
  byId("near").checked = state.near;
  if (byId("search")) byId("search").value = state.search ?? "";
};
view([...Object.keys(state), "document", "order", "search"], () => history.replaceState(null, "", toAddress()));
addEventListener("hashchange", () => {
  if (!location.hash.includes("=") || (address().get("dataset") ?? "") !== dataset) return;
  change(fromAddress());
  showFields();
});

const begin = async () => {
  if (!core.systems.length) return;
  Object.assign(state, fromAddress());
  showFields();
  const linked = address().get("document");
  for (const draw of [drawChoices, drawHeadline, drawHeatmap, drawList, drawPublished, drawWaterfall, drawSteps, drawFifths, drawReliability]) draw();
  detail = await unpack("detail");
  for (const draw of [drawCurves, drawDuels, drawSizes, drawDocuments, drawErrors]) draw();
  if (!detail.documents.length) drawDocument();
  if (linked) byId("explorer").scrollIntoView();
  document.documentElement.dataset.ready = "yes";
};
begin();
