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
    !single && SLOTS.map((letter, slot) =>
      select([badge(slot), "system"], [["", slot ? "none" : "choose …"], ...core.systems.map(({ name }) => [name, name])],
        state.chosen[slot], (name) => choose(slot, name), { id: `system-${letter.toLowerCase()}` })));
};
view(["column", "chosen"], drawChoices);

const drawHeadline = () => {
  const ranked = core.systems.filter((system) => isNumber(score(system).value)).sort((one, other) => score(other).value - score(one).value);
  const best = ranked.find((system) => score(system).best) ?? ranked[0];
  if (!best) return fill("headline", el("span", {}, core.systems.every(({ documents }) => !documents)
    ? "Every document failed: there are no scores. The recipe lists the failures."
    : `There is no score in ${columnSays()}: no document has gold keyphrases that count.`));
  if (!hasGold) return fill("headline", el("span", {}, "Nothing is scored against gold keyphrases; the explorer shows what was found in the texts."));
  const one = score(best);
  const near = core.systems.filter((system) => score(system).significant_vs_best === false).length;
  const tested = near + core.systems.filter((system) => score(system).significant_vs_best === true).length;
  const level = Math.round(100 * (1 - core.significance.level));
  const range = interval(one) && ` (${level} % interval ${interval(one)})`;
  const others = tested ? ` Of the ${counted(tested, "other system")}, ${near ? whole(near) : "none"} ${near === 1 ? "is" : "are"} not significantly worse.` : "";
  return fill("headline", el("span", {}, foreign(best.name, { class: "foreign strong" }), single ? " has " : " is best with ",
    el("strong", {}, figures(one.value)), ` ${columnSays()}${range}, over ${counted(one.documents, "document")}.${others}`));
};
view(["column"], drawHeadline);

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
      const values = core.systems.map((system) => score(system).value).filter((value) => isNumber(value));
      range = [Math.min(...values), Math.max(...values)];
    },
    range: () => (Number.isFinite(range[0]) ? range : null),
    step: (value) => {
      if (!isNumber(value)) return "heat-none";
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
  isNumber(one.reference) && el("span", { class: "published" }, hidden(" published "), `(${figures(one.reference, 2)})`));
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
  if (single) return fill("heatmap");
  heat.prepare();
  const axes = gridAxes();
  const all = shown();
  const inGrid = (system) => axes && [axes.across, ...axes.down].every((name) => system.axes[name] !== undefined);
  const several = new Set(core.systems.map(({ run }) => run)).size > 1;
  const rows = new Map();
  for (const system of all.filter(inGrid)) {
    const name = [several && system.run, ...axes.down.map((axis) => system.axes[axis])].filter(Boolean).join(" · ");
    if (!rows.has(name)) rows.set(name, { name, cells: {} });
    rows.get(name).cells[system.axes[axes.across]] = system;
  }
  const alone = all.filter((system) => !inGrid(system)).sort((one, other) => (score(other).value ?? -1) - (score(one).value ?? -1));
  if (!all.length) return fill("heatmap", nothing("No system is left by the filter."));
  const across = axes ? core.axes[axes.across].filter((value) => all.some((system) => system.axes[axes.across] === value)) : [];
  const places = Math.max(1, across.length);
  const last = alone.map((system) => el("tr", {}, el("th", { scope: "row" }, foreign(system.name)), el("td", { colspan: places }, heatCell(system))));
  const heading = axes ? `${[several && "run", ...axes.down].filter(Boolean).join(" · ")} \\ ${axes.across}` : "system";
  const fields = [{ head: foreign(heading), value: (record) => record.name, cell: (record) => foreign(record.name) }];
  for (const value of across.length ? across : [null]) {
    fields.push({
      head: value === null ? columnSays() : foreign(value), numeric: true, fixed: !rows.size,
      value: (record) => (record.cells[value] ? score(record.cells[value]).value : null),
      cell: (record) => heatCell(record.cells[value]),
    });
  }
  return fill("heatmap", table(`Scores: ${columnSays()}`, fields, [...rows.values()], { name: "heatmap", last, attributes: { class: "heatmap" } }),
    heat.range() && el("p", { class: "ramp small" }, figures(heat.range()[0]), Array.from({ length: HEATS + 1 }, (_, step) => el("span", { class: `heat-${step}`, "aria-hidden": "true" })), figures(heat.range()[1])));
};
view(["column", "chosen", "filter", "near"], drawHeatmap);

const forest = (one, [low, high]) => {
  const sx = scale([low, high], [6, 174]);
  const root = svg("svg", { width: 180, height: 20, viewBox: "0 0 180 20", "aria-hidden": "true", class: "forest" },
    svg("line", { class: "grid", x1: 6, x2: 174, y1: 10, y2: 10 }));
  if (isNumber(one.low)) root.append(svg("line", { class: "whisker", x1: sx(one.low), x2: sx(one.high), y1: 10, y2: 10 }));
  if (isNumber(one.reference)) root.append(svg("path", { class: "theirs", d: `M${sx(one.reference)} 4l5 6l-5 6l-5-6Z` }));
  if (isNumber(one.value)) root.append(svg("circle", { class: "ours", cx: sx(one.value), cy: 10, r: 4 }));
  return root;
};
// The fields of a table of scores; `of` gives the score of a record.
const scoreFields = (all, of) => {
  const values = all.flatMap((one) => [one.low, one.high, one.value, one.reference]).filter(isNumber);
  const range = padded(values, { top: 0.02 });
  const published = all.some((one) => isNumber(one.reference));
  const field = (head, value, cell) => ({ head, numeric: true, value: (record) => value(of(record)), cell: (record) => cell(of(record)) });
  return [
    field("score", (one) => one.value, (one) => figures(one.value)),
    { head: el("span", {}, "interval", published && " · ◇ published"), cell: (record) => [forest(of(record), range), hidden(interval(of(record)))] },
    published && field("published", (one) => one.reference, (one) => figures(one.reference, 2)),
    published && field("difference", gap, (one) => (gap(one) === null ? "–" : signed(gap(one)))),
    !single && field("against the best", (one) => one.corrected_p, againstBest),
    field("documents", (one) => one.documents, (one) => whole(one.documents)),
  ].filter(Boolean);
};
// Rows of publications stand last and are not sorted: nothing of them was computed here.
const sources = [...new Set((core.printed ?? []).map(({ source }) => source))];
const printedIn = (source) => (sources.length > 1 ? `printed ${sources.indexOf(source) + 1}` : "printed");
const printedRows = (fields, cellsOf) => (core.printed ?? []).map((one) => {
  const cells = cellsOf(one);
  return cells && el("tr", { class: "printed-row" }, el("th", { scope: "row" }, foreign(one.system), ` (${printedIn(one.source)})`),
    cells.map((value) => el("td", { class: "number" }, isNumber(value) ? `${figures(value)}†` : "–")),
    cells.length + 1 < fields.length && el("td", { colspan: fields.length - cells.length - 1 }));
}).filter(Boolean);
const printedNote = () => sources.length > 0 && el("p", { class: "small" }, "† ",
  sources.flatMap((source) => [printedIn(source), " in ", foreign(source), "; "]), "not computed here, in no test, and never the best.");
const named = ({ name }) => [...chosen().filter((one) => one.name === name).map(({ slot }) => badge(slot)), foreign(name)];
const drawMeasures = () => {
  const [system] = core.systems;
  const fields = [
    { head: "measure", value: (column) => column.metric, cell: (column) => foreign(column.metric) },
    { head: "matching", value: (column) => column.matching || column.label, cell: (column) => foreign(column.matching || column.label) },
    ...scoreFields(core.columns.map(({ name }) => score(system, name)), ({ name }) => score(system, name)),
  ];
  fill("list", table("All measures", fields, core.columns, { name: "list" }), (core.printed ?? []).length > 0 && everyMeasure(), printedNote());
};
const everyMeasure = () => {
  if (core.columns.length < 2 && !single) return null;
  const fields = [
    { head: "system", value: (system) => system.name, cell: named },
    ...core.columns.map((column) => ({ head: foreign(column.name), numeric: true, value: (system) => score(system, column.name).value, cell: (system) => [figures(score(system, column.name).value), score(system, column.name).best && " ★"] })),
  ];
  const last = printedRows(fields, (one) => core.columns.map(({ name }) => one.values[name]));
  return behind(table("All measures", fields, shown(), { name: "measures", last }), "All measures in one table");
};
const drawList = () => {
  if (single) return drawMeasures();
  const fields = [{ head: "system", value: (system) => system.name, cell: named }, ...scoreFields(core.systems.map((system) => score(system)), (system) => score(system))];
  const last = printedRows(fields, (one) => isNumber(one.values[state.column]) && [one.values[state.column]]);
  return fill("list", table(`All systems: ${columnSays()}`, fields, shown(), { name: "list", start: 1, last }), printedNote(), everyMeasure());
};
const gap = (one) => (isNumber(one.reference) && isNumber(one.value) ? one.value - one.reference : null);
const againstBest = (one) => {
  const [sign, says] = standing(one);
  if (one.best) return `${sign} best`;
  if (!isNumber(one.corrected_p)) return "–";
  const p = one.corrected_p < 0.001 ? "p < 0.001" : `p = ${figures(one.corrected_p)}`;
  return [`${p} ${sign}`, hidden(says)];
};
view(["column", "chosen", "filter", "near"], drawList);

const agreements = () => table("All columns with published scores", [
  { head: "column", value: (one) => one.column, cell: (one) => foreign(one.column.replaceAll("/", "/\u200b")) },
  { head: "systems", numeric: true, value: (one) => one.systems, cell: (one) => whole(one.systems) },
  { head: "mean diff.", numeric: true, value: (one) => one.mean_difference, cell: (one) => signed(one.mean_difference) },
  { head: "mean |diff.|", numeric: true, value: (one) => one.mean_absolute_difference, cell: (one) => figures(one.mean_absolute_difference) },
  { head: "Spearman", numeric: true, value: (one) => one.spearman, cell: (one) => figures(one.spearman) },
], core.agreement, { name: "agreement" });
const drawPublished = () => {
  const pairs = core.systems.map((system) => ({ name: system.name, ...score(system) })).filter((one) => gap(one) !== null);
  byId("published").hidden = !pairs.length;
  if (!pairs.length) return;
  const says = `Our scores against the published ones: ${columnSays()}, ${counted(pairs.length, "system")}`;
  const range = padded(pairs.flatMap((one) => [one.value, one.reference]));
  fill("published-chart", el("div", { class: "pair" },
    el("div", {}, el("p", { class: "small" }, `${columnSays()}; a point is a system, above the diagonal ours is higher.`), responsive((width) => {
      const { root, sx, sy } = square(Math.min(width, 420), range, { xLabel: "published", yLabel: "ours", says });
      diagonal(root, sx, sy, ...range);
      const chosenLast = [...pairs].sort((one, other) => state.chosen.indexOf(one.name) - state.chosen.indexOf(other.name));
      for (const one of chosenLast) {
        const slot = state.chosen.indexOf(one.name);
        const mark = slot < 0 ? svg("circle", { class: "dot", cx: sx(one.reference), cy: sy(one.value), r: 4.5 }) : glyph(slot, sx(one.reference), sy(one.value), 5.5);
        mark.append(title(`${one.name}: ours ${figures(one.value)}, published ${figures(one.reference, 2)}`));
        root.append(mark);
      }
      return root;
    }), key()),
    agreements()));
};
view(["column", "chosen"], drawPublished);
