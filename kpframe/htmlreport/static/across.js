// All data sets side by side: one measure over them, or one system with all measures. Only on a page of several.
const across = () => {
  const { sheets, groups, systems } = JSON.parse(study.textContent);
  const find = (id) => document.getElementById(id);
  const make = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  const said = address();
  const current = { view: said.get("view") ?? groups[0].views[0], filter: said.get("filter") ?? "" };
  if (!(current.view in sheets)) current.view = groups[0].views[0];
  const cell = (entry) => {
    const mark = entry.best ? "★ " : entry.close ? "≈ " : "";
    const told = entry.best ? "best of its data set, " : entry.close ? "not significantly different from the best, " : "";
    return make("td", { class: entry.best ? "number best" : "number" },
      make("span", { class: "hidden" }, told), make("span", { "aria-hidden": "true" }, mark), entry.text);
  };
  const draw = () => {
    const sheet = sheets[current.view];
    const wanted = current.filter.trim().toLowerCase();
    const rows = sheet.rows.filter(({ label }) => systems.length < 2 || !wanted || label.toLowerCase().includes(wanted));
    const head = make("thead", {});
    if (sheet.groups.length) {
      head.append(make("tr", {}, make("td", {}), ...sheet.groups.map(([name, span]) => make("th", { scope: "colgroup", colspan: span }, make("bdi", {}, name)))));
    }
    head.append(make("tr", {}, make("th", { scope: "col" }, sheet.heading), ...sheet.heads.map((name) => make("th", { scope: "col", class: "number" }, make("bdi", {}, name)))));
    const body = make("tbody", {}, ...rows.map(({ label, printed, entries }) => make("tr", { class: printed ? "printed-row" : null }, make("th", { scope: "row" }, make("bdi", { class: "foreign" }, label)), ...entries.map(cell))));
    find("across-table").replaceChildren(make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": sheet.title },
      make("table", {}, make("caption", {}, sheet.title), head, body)));
    find("across-notes").replaceChildren(make("p", {}, sheet.heading === "system" ? "★ best of its column" : "★ best of its data set"), ...sheet.notes.map((note) => make("p", {}, note)));
    const kept = new URLSearchParams(Object.entries(current).filter(([, value]) => value));
    history.replaceState(null, "", `#${kept}`);
  };
  const select = make("select", { id: "view" }, ...groups.map(({ caption, views }) => make("optgroup", { label: caption }, ...views.map((name) => make("option", { value: name }, sheets[name].says)))));
  select.value = current.view;
  select.addEventListener("change", () => { current.view = select.value; draw(); });
  const filter = make("input", { type: "search", id: "filter", autocomplete: "off", spellcheck: "false", placeholder: "part of a name" });
  filter.value = current.filter;
  filter.addEventListener("input", () => { current.filter = filter.value; draw(); });
  find("across-choices").append(
    make("label", { class: "field" }, make("span", { class: "caption" }, "Table"), select),
    make("label", { class: "field" }, make("span", { class: "caption" }, "Filter systems"), filter));
  draw();
  document.documentElement.dataset.ready = "yes";
};
