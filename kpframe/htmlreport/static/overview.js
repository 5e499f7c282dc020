// The systems and their scores: the bar of choices, the heat map, the list with intervals, ours beside theirs.
const HEATS = 10;

const choose = (slot, name) => {
  const next = state.chosen.map((other, index) => (index === slot ? name : other === name ? "" : other));
  change({ chosen: next });
};
const toggle = (name) => {
  const slot = state.chosen.indexOf(name);
  if (slot >= 0) return choose(slot, "");
  const free = state.chosen.indexOf("");
  return choose(free < 0 ? 2 : free, name);
};

const drawChoices = () => {
  const { metric, label: matching } = columns.get(state.column);
  const metrics = [...new Set(core.columns.map((column) => column.metric))];
  const pick = (wanted, by) => {
    const same = core.columns.filter((column) => column.metric === wanted);
    change({ column: (same.find((column) => column.label === by) ?? same[0]).name });
  };
  const matchings = core.columns.filter((column) => column.metric === metric);
  fill("choices",
    select("Measure", metrics.map((name) => [name, name]), metric, (name) => pick(name, matching), { id: "measure" }),
    select("Matching", matchings.map((column) => [column.label, column.matching || column.label]), matching,
      (name) => pick(metric, name), { id: "matching" }),
    SLOTS.map((letter, slot) =>
      select(el("span", {}, hidden("System "), badge(slot)), [["", slot ? "none" : "choose …"], ...core.systems.map(({ name }) => [name, name])],
        state.chosen[slot], (name) => choose(slot, name), { id: `system-${letter.toLowerCase()}` })));
};
view(["column", "chosen"], drawChoices);

const shown = () => {
  const wanted = state.filter.trim().toLowerCase();
  return core.systems.filter((system) =>
    (!wanted || [system.name, ...Object.values(system.axes)].some((text) => text.toLowerCase().includes(wanted))) &&
    (!state.near || score(system).best || score(system).significant_vs_best === false));
};
const standing = (one) => {
  if (one.best) return ["★", "the best"];
  if (one.significant_vs_best === true) return ["▽", "worse than the best, significantly"];
  if (one.significant_vs_best === false) return ["≈", "not significantly worse than the best"];
  return ["", ""];
};
const interval = (one) => (one.low === null || one.low === undefined ? "" : `${figures(one.low)}–${figures(one.high)}`);

const heat = (() => {
  let range = [0, 1];
  return {
    prepare: () => {
      const values = core.systems.map((system) => score(system).value).filter((value) => typeof value === "number");
      range = [Math.min(...values), Math.max(...values)];
    },
    step: (value) => {
      if (typeof value !== "number") return "heat-none";
      return `heat-${Math.round(scale(range, [0, HEATS])(value))}`;
    },
  };
})();
const heatCell = (system) => {
  if (!system) return el("span", { class: "empty" }, "–", hidden("not in this run"));
  const one = score(system);
  const [sign, says] = standing(one);
  const slot = state.chosen.indexOf(system.name);
  return el("button", {
    type: "button", class: `heat ${heat.step(one.value)}`, "aria-pressed": String(slot >= 0), "data-system": system.name,
    title: `${visible(system.name)}: press to ${slot < 0 ? "compare" : "leave out"}`, onclick: () => { toggle(system.name); focusOn(system.name); },
  },
  el("span", { class: "value" }, slot >= 0 && badge(slot), figures(one.value), says && hidden(`, ${says}`),
    sign && el("span", { class: "sign", "aria-hidden": "true" }, sign)),
  el("span", { class: "range" }, hidden(" interval "), interval(one)),
  typeof one.reference === "number" && el("span", { class: "published" }, hidden(" published "), `(${figures(one.reference, 2)})`));
};
// The table is made anew when a choice changes; the key that was pressed keeps the focus.
const focusOn = (name) => [...document.querySelectorAll("#heatmap button.heat")].find((button) => button.dataset.system === name)?.focus();

const gridAxes = () => {
  const names = Object.keys(core.axes).filter((name) => core.axes[name].length);
  if (names.length < 2) return null;
  const across = names.includes("ranking") ? "ranking" : names[names.length - 1];
  return { across, down: names.filter((name) => name !== across) };
};
const drawHeatmap = () => {
  heat.prepare();
  const axes = gridAxes();
  const all = shown();
  const inGrid = (system) => axes && [axes.across, ...axes.down].every((name) => system.axes[name] !== undefined);
  const rows = new Map();
  for (const system of all.filter(inGrid)) {
    const name = axes.down.map((axis) => system.axes[axis]).join(" · ");
    if (!rows.has(name)) rows.set(name, { name, cells: {} });
    rows.get(name).cells[system.axes[axes.across]] = system;
  }
  const alone = all.filter((system) => !inGrid(system)).sort((one, other) => (score(other).value ?? -1) - (score(one).value ?? -1));
  if (!all.length) return fill("heatmap", nothing("No system is left by the filter."));
  const across = axes ? core.axes[axes.across].filter((value) => all.some((system) => system.axes[axes.across] === value)) : [];
  const places = Math.max(1, across.length);
  const last = alone.map((system) => el("tr", {}, el("th", { scope: "row" }, foreign(system.name)), el("td", { colspan: places }, heatCell(system))));
  const heading = axes ? `${axes.down.join(" · ")} \\ ${axes.across}` : "system";
  const fields = [{ head: foreign(heading), value: (record) => record.name, cell: (record) => foreign(record.name) }];
  for (const value of across.length ? across : [null]) {
    fields.push({
      head: value === null ? columnSays() : foreign(value), numeric: true, fixed: !rows.size,
      value: (record) => (record.cells[value] ? score(record.cells[value]).value : null),
      cell: (record) => heatCell(record.cells[value]),
    });
  }
  return fill("heatmap", table(`Scores: ${columnSays()}`, fields, [...rows.values()], { name: "heatmap", last, attributes: { class: "heatmap" } }));
};
view(["column", "chosen", "filter", "near"], drawHeatmap);

const forest = (system, [low, high]) => {
  const one = score(system);
  const sx = scale([low, high], [6, 174]);
  const root = svg("svg", { width: 180, height: 20, viewBox: "0 0 180 20", "aria-hidden": "true", class: "forest" },
    svg("line", { class: "grid", x1: 6, x2: 174, y1: 10, y2: 10 }));
  if (typeof one.low === "number") root.append(svg("line", { class: "whisker", x1: sx(one.low), x2: sx(one.high), y1: 10, y2: 10 }));
  if (typeof one.reference === "number") root.append(svg("path", { class: "theirs", d: `M${sx(one.reference)} 4l5 6l-5 6l-5-6Z` }));
  if (typeof one.value === "number") root.append(svg("circle", { class: "ours", cx: sx(one.value), cy: 10, r: 4 }));
  return root;
};
const drawList = () => {
  const all = core.systems.map((system) => score(system));
  const values = all.flatMap((one) => [one.low, one.high, one.value, one.reference]).filter((value) => typeof value === "number");
  const range = padded(values, { top: 0.02 });
  const published = all.some((one) => typeof one.reference === "number");
  const field = (head, value, cell, numeric = true) => ({ head, value, cell, numeric });
  const fields = [
    field("system", (system) => system.name, (system) => [...chosen().filter(({ name }) => name === system.name).map(({ slot }) => badge(slot)), foreign(system.name)], false),
    field("score", (system) => score(system).value, (system) => figures(score(system).value)),
    { head: el("span", {}, "interval", published && " · ◆ published"), cell: (system) => [forest(system, range), hidden(interval(score(system)))] },
    published && field("published", (system) => score(system).reference, (system) => figures(score(system).reference, 2)),
    published && field("difference", (system) => gap(score(system)), (system) => (gap(score(system)) === null ? "–" : signed(gap(score(system))))),
    field("against the best", (system) => score(system).corrected_p, (system) => againstBest(score(system))),
    field("documents", (system) => score(system).documents, (system) => whole(score(system).documents)),
  ].filter(Boolean);
  fill("list", table(`All systems: ${columnSays()}`, fields, shown(), { name: "list", start: 1 }));
};
const gap = (one) => (typeof one.reference === "number" && typeof one.value === "number" ? one.value - one.reference : null);
const againstBest = (one) => {
  const [sign, says] = standing(one);
  if (one.best) return `${sign} best`;
  if (typeof one.corrected_p !== "number") return "–";
  const p = one.corrected_p < 0.001 ? "p < 0.001" : `p = ${figures(one.corrected_p)}`;
  return [`${p} ${sign}`, hidden(says)];
};
view(["column", "chosen", "filter", "near"], drawList);

const drawPublished = () => {
  const pairs = core.systems.map((system) => ({ name: system.name, ...score(system) })).filter((one) => gap(one) !== null);
  byId("published").hidden = !pairs.length;
  if (!pairs.length) return;
  const found = core.agreement.find((one) => one.column === state.column);
  const says = `Our scores against the published ones, ${counted(pairs.length, "system")}`;
  const range = padded(pairs.flatMap((one) => [one.value, one.reference]));
  fill("published-chart",
    found && el("p", {}, `${counted(found.systems, "system")} compared: ours is ${signed(found.mean_difference)} on average, ` +
      `mean absolute difference ${figures(found.mean_absolute_difference)}, rank correlation (Spearman) ${figures(found.spearman)}.`),
    responsive((width) => {
      const size = Math.min(width, 420);
      const { root, sx, sy } = frame(size, { height: size * 0.85, x: range, y: range, xLabel: "published", yLabel: "ours", says });
      diagonal(root, sx, sy, ...range);
      const chosenLast = [...pairs].sort((one, other) => state.chosen.indexOf(one.name) - state.chosen.indexOf(other.name));
      for (const one of chosenLast) {
        const slot = state.chosen.indexOf(one.name);
        const mark = slot < 0 ? svg("circle", { class: "dot", cx: sx(one.reference), cy: sy(one.value), r: 4.5 }) : glyph(slot, sx(one.reference), sy(one.value), 5.5);
        mark.append(title(`${one.name}: ours ${figures(one.value)}, published ${figures(one.reference, 2)}`));
        root.append(mark);
      }
      return root;
    }), key());
};
view(["column", "chosen"], drawPublished);
