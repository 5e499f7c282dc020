// Elements, the state of the page and what is said about numbers. Text from documents is only ever set as
// text: no markup is parsed by any of these files.
const core = JSON.parse(document.getElementById("core").textContent);
const state = { column: core.default_column, chosen: ["", "", ""], filter: "", near: false };
const SLOTS = ["A", "B", "C"];
const systems = new Map(core.systems.map((system) => [system.name, system]));
const columns = new Map(core.columns.map((column) => [column.name, column]));
const byId = (id) => document.getElementById(id);
const single = core.systems.length === 1;
const isNumber = (value) => typeof value === "number";
const scored = core.systems.some((system) => Object.values(system.scores).some(({ value }) => isNumber(value)));
if (!scored) document.body.classList.add("unscored");
// Against gold, unlike a mere number of phrases.
const hasGold = core.systems.some(({ scores }) => core.columns.some(({ name, needs_gold }) => needs_gold !== false && isNumber(scores[name]?.value)));
if (!hasGold) document.body.classList.add("unjudged");
// What is long comes compressed and a moment later.
let detail = { curves: {}, per_document: { ids: [], length: [], gold: [], values: {} }, documents: [], missed: {}, spurious: {} };

const add = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
};
const el = (tag, attributes, ...children) => add(document.createElement(tag), attributes, children);
const SVG = "http://www.w3.org/2000/svg";
const svg = (tag, attributes, ...children) => add(document.createElementNS(SVG, tag), attributes, children);
const hidden = (text) => el("span", { class: "hidden" }, text);

// Phrases and names may hold any character: each is a world of its own for the direction of writing.
const foreign = (text, attributes) => el("bdi", { class: "foreign", ...attributes }, visible(text));
const visible = (text) => String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "\ufffd");
const figures = (value, digits = 3) => (value === null || value === undefined ? "–" : value.toFixed(digits).replace("-", "−"));
const signed = (value, digits = 3) => (value > 0 ? "+" : "") + figures(value, digits);
const whole = (value) => (value === null || value === undefined ? "–" : String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u2009"));
const percent = (part, all) => (all ? `${((100 * part) / all).toFixed(1)} %` : "–");
const counted = (number, noun) => `${whole(number)} ${noun}${number === 1 ? "" : "s"}`;
const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null);

const views = [];
// A view is drawn again when one of the `keys` of the state changes.
const view = (keys, draw) => views.push({ keys, draw });
const change = (patch) => {
  const changed = Object.keys(patch).filter((key) => JSON.stringify(state[key]) !== JSON.stringify(patch[key]));
  Object.assign(state, patch);
  for (const { keys, draw } of views) if (keys.some((key) => changed.includes(key))) draw();
};
const chosen = () =>
  state.chosen.map((name, slot) => ({ name, slot, system: systems.get(name) })).filter(({ name }) => name);
const score = (system, column = state.column) => system.scores[column] ?? {};
const label = () => columns.get(state.column)?.label;
const columnSays = () => {
  const { metric, matching } = columns.get(state.column) ?? {};
  return matching ? `${metric}, ${matching} matching` : String(metric);
};

// The sign, letter and dash of a slot tell systems apart where colours do not.
const DASHES = ["", "7 4", "2 3"];
const badge = (slot) => !single && el("span", { class: `badge slot-${slot}` }, SLOTS[slot]);
const glyph = (slot, x, y, size = 4) => {
  const at = { class: `mark slot-${slot}` };
  if (slot === 0) return svg("circle", { ...at, cx: x, cy: y, r: size });
  if (slot === 1) return svg("rect", { ...at, x: x - size, y: y - size, width: 2 * size, height: 2 * size });
  return svg("path", { ...at, d: `M${x} ${y - size * 1.3}L${x + size * 1.2} ${y + size}H${x - size * 1.2}Z` });
};
const key = () => !single &&
  el("ul", { class: "key" }, chosen().map(({ name, slot }) => el("li", {},
    svg("svg", { width: 34, height: 14, "aria-hidden": "true" },
      svg("line", { class: `line slot-${slot}`, x1: 0, x2: 34, y1: 7, y2: 7, "stroke-dasharray": DASHES[slot] }),
      glyph(slot, 17, 7)),
    badge(slot), foreign(name))));

// Who chooses by keys must not lose the place because what has the focus is drawn anew.
const fill = (id, ...nodes) => {
  const place = byId(id);
  const held = place?.contains(document.activeElement) ? document.activeElement.id : "";
  place?.replaceChildren(...nodes.flat().filter(Boolean));
  if (held) byId(held)?.focus({ preventScroll: true });
};
const nothing = (why) => el("p", { class: "nothing" }, why);
const option = (value, text, selected) => el("option", { value, selected }, visible(text));
const select = (caption, options, current, onchange, attributes) =>
  el("label", { class: "field" }, el("span", { class: "caption" }, caption),
    el("select", { ...attributes, onchange: (event) => onchange(event.target.value) },
      options.map(([value, text]) => option(value, text, value === current))));

// A compressed part of the page: base64 of gzip of JSON.
const unpack = async (id) => {
  const bytes = Uint8Array.from(atob(byId(id).textContent.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
};
