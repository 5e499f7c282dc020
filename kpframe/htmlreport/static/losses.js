// Where gold keyphrases are lost: stage by stage, by place in the text, by steps; and whether confidence is true.
const PARTS = [
  ["not_in_text", "not in the text", "Gold that stands nowhere in the document, in no variant."],
  ["left_out", "left out by the matching", "Gold in the text that a matching of absent phrases does not count."],
  ["never_proposed", "never proposed", "In the text, but a phrase of no list, however far down: not selected as a candidate, nor built out of candidates by a step such as merging."],
  ["ranked_too_low", "ranked too low", "Proposed, as a candidate or by a step, but always behind the cut-off."],
  ["lost_in_postprocessing", "lost in post-processing", "Within the cut-off after the ranking or a step, but gone or pushed behind it at the end."],
  ["found", "found", "Within the cut-off of the final list."],
];
const partsOf = (name) => core.waterfall[name]?.[label()];
const used = () => PARTS.filter(([part]) => part === "found" || core.systems.some(({ name }) => partsOf(name)?.[part]));

const waterfall = ({ name, slot }) => {
  const all = partsOf(name);
  const head = el("h4", {}, badge(slot), foreign(name));
  if (!all) return el("div", {}, head, nothing("There is no waterfall for this system; see the notes."));
  let left = all.gold;
  const rows = [["gold", "gold keyphrases", 0, all.gold], ...used().map(([part, says]) => {
    const size = all[part];
    const end = left;
    if (part !== "found") left -= size;
    return [part, says, part === "found" ? 0 : end - size, size];
  })];
  const says = `${name}: of ${all.gold} gold keyphrases ${used().map(([part, text]) => `${all[part]} ${text}`).join(", ")}`;
  const chart = responsive((width) => {
    const step = 40;
    const root = svg("svg", { width, height: rows.length * step, viewBox: `0 0 ${width} ${rows.length * step}`, role: "img", "aria-label": visible(says) });
    const sx = scale([0, all.gold || 1], [0, width]);
    for (const [index, [part, text, from, size]] of rows.entries()) {
      const y = index * step;
      root.append(svg("text", { class: "tick strong", x: 0, y: y + 13 }, part === "gold" || part === "found" ? text : `− ${text}`),
        svg("text", { class: "tick", x: width, y: y + 13, "text-anchor": "end" }, `${whole(size)} · ${percent(size, all.gold)}`),
        svg("rect", { class: "rail", x: 0, y: y + 18, width, height: 14 }),
        svg("rect", { class: `part part-${part}`, x: sx(from), y: y + 18, width: Math.max(size ? 1.5 : 0, sx(size)), height: 14 }));
    }
    return root;
  });
  const extra = all.found_by_postprocessing;
  return el("div", {}, head, chart, extra ? el("p", { class: "small" }, `${whole(extra)} of those found ${extra === 1 ? "was" : "were"} built by post-processing: no candidate was one.`) : null);
};
const drawWaterfall = () => {
  const matching = core.matchings[label()];
  const records = core.systems.filter(({ name }) => partsOf(name)).map(({ name }) => ({ name, ...partsOf(name) }));
  if (!records.length) return fill("waterfall", nothing("It was not counted; the notes above say why."));
  const fields = [
    { head: "system", value: (one) => one.name, cell: named },
    { head: "gold", numeric: true, value: (one) => one.gold, cell: (one) => whole(one.gold) },
    ...used().map(([part, says]) => ({ head: el("span", {}, swatch(`part-${part}`), says), numeric: true, value: (one) => one[part], cell: (one) => [whole(one[part]), " ", el("span", { class: "small share" }, one[part] ? percent(one[part], one.gold) : "")] })),
  ];
  return fill("waterfall",
    el("p", {}, `A keyphrase is found when it is among ${matching?.cutoff_says ?? "those that count"}.`),
    chosen().length ? el("div", { class: "side-by-side" }, chosen().map(waterfall)) : noChoice(),
    el("dl", { class: "terms" }, used().map(([part, says, explains]) => el("div", {}, el("dt", {}, swatch(`part-${part}`), says), el("dd", {}, explains)))),
    !single && table("Where each system loses gold keyphrases", fields, records, { name: "waterfall", start: fields.length - 1 }));
};
const swatch = (style) => svg("svg", { width: 12, height: 12, "aria-hidden": "true", class: "swatch" }, svg("rect", { class: `part ${style}`, width: 12, height: 12 }));
view(["column", "chosen"], drawWaterfall);

const STEPS = [["before", "phrases before"], ["removed", "gone"], ["made", "new"], ["after", "phrases after"], ["removed_gold", "gold gone"], ["made_gold", "gold new"]];
const drawSteps = () => {
  const made = chosen().filter(({ name }) => core.steps[name]?.length).map(({ name, slot }) => {
    const fields = [
      { head: "step", value: (step) => step.label, fixed: true, cell: (step) => stepSays(step) },
      ...STEPS.map(([part, head]) => ({ head, numeric: true, fixed: true, value: (step) => step[part], cell: (step) => whole(step[part]) })),
    ];
    return table([badge(slot) || null, foreign(name)].filter(Boolean), fields, core.steps[name], { says: `Post-processing of ${name}` });
  });
  fill("steps", made.length ? el("div", { class: "side-by-side wide" }, made) : noChoice() || nothing("There is no post-processing of which this was counted."));
};
const stepSays = (step) => [el("code", {}, visible(step.kind)), el("span", { class: "small parameters" }, visible(step.label.slice(step.kind.length)))];
view(["chosen"], drawSteps);

const VARIANT = { proper: "whole tokens, by stems", paper: "as Kundu et al. (2023) count: any run of characters" };
const fifths = ({ name, slot }) => {
  const parts = core.positions[name]?.[state.variant];
  const head = el("h4", {}, badge(slot), foreign(name));
  if (!parts) return el("div", {}, head, nothing("Not known for this system."));
  const most = Math.max(1, ...parts.map((part) => part.gold));
  const says = `${name}: ${parts.map((part, index) => `fifth ${index + 1}: ${part.found} of ${part.gold} found`).join("; ")}`;
  return el("div", {}, head, responsive((width) => {
    const { root, sx, sy } = frame(width, { height: 220, x: [0, 5], y: [0, most * 1.12], xTicks: [0.5, 1.5, 2.5, 3.5, 4.5], xSays: (place) => ["1st", "2nd", "3rd", "4th", "5th"][Math.floor(place)], xLabel: "fifth of the document", yLabel: "gold keyphrases", says: visible(says) });
    for (const [index, part] of parts.entries()) {
      const [left, right] = [sx(index + 0.12), sx(index + 0.88)];
      root.append(
        svg("rect", { class: "part part-missed", x: left, width: right - left, y: sy(part.gold), height: sy(0) - sy(part.gold) }, title(`${part.missed} missed`)),
        svg("rect", { class: "part part-found", x: left, width: right - left, y: sy(part.found), height: sy(0) - sy(part.found) }, title(`${part.found} found`)),
        svg("text", { class: "tick", x: (left + right) / 2, y: sy(part.gold) - 5, "text-anchor": "middle" }, part.gold ? `${Math.round((100 * part.found) / part.gold)} %` : ""));
    }
    return root;
  }));
};
const drawFifths = () => {
  const variants = Object.keys(Object.values(core.positions)[0] ?? {});
  if (!variants.length) return fill("fifths", nothing("No text with gold keyphrases is at hand in which they could be placed."));
  if (!chosen().length) return fill("fifths", noChoice());
  const records = chosen().flatMap(({ name, slot }) => (core.positions[name]?.[state.variant] ?? []).map((part, index) => ({ name, slot, index, ...part })));
  const fields = [
    { head: "system", value: (one) => one.name, cell: (one) => [badge(one.slot), foreign(one.name)] },
    { head: "fifth", numeric: true, value: (one) => one.index + 1 },
    ...["gold", "found", "missed"].map((head) => ({ head, numeric: true, value: (one) => one[head], cell: (one) => whole(one[head]) })),
  ];
  const absent = core.positions_absent?.[state.variant];
  return fill("fifths",
    variants.length > 1 && select("Places are told by", variants.map((name) => [name, VARIANT[name] ?? name]), state.variant, (value) => change({ variant: value }), { id: "variant" }),
    el("ul", { class: "key" }, el("li", {}, swatch("part-found"), "found, with its share"), el("li", {}, swatch("part-missed"), "missed")),
    el("div", { class: "side-by-side" }, chosen().map(fifths)),
    absent ? el("p", { class: "small" }, `${counted(absent, "gold keyphrase")} not in the text stand in no fifth.`) : null,
    behind(table("Gold keyphrases by fifth of the document", fields, records)));
};
view(["chosen", "variant"], drawFifths);

const reliability = (name) => {
  const found = core.reliability[name];
  const bins = found.bins.filter((bin) => bin.n);
  const most = Math.max(...bins.map((bin) => bin.n), 1);
  const highest = Math.max(...bins.flatMap((bin) => [bin.confidence, bin.accuracy]), 0);
  const range = [0, highest < 0.5 ? highest * 1.2 || 1 : 1];
  const says = `${name}: expected calibration error ${figures(found.ece)}; ${bins.map((bin) => `confidence ${figures(bin.confidence, 2)}: right ${figures(bin.accuracy, 2)}`).join("; ")}`;
  const fields = ["low", "high", "n", "correct", "confidence", "accuracy"].map((head) => ({ head, numeric: true, fixed: true, value: (bin) => bin[head], cell: (bin) => (head === "n" || head === "correct" ? whole(bin[head]) : figures(bin[head], head === "low" || head === "high" ? 2 : 4)) }));
  return el("div", {}, el("h4", {}, foreign(name)),
    el("p", { class: "small" }, `Expected calibration error (ECE) ${figures(found.ece)}, largest of a bin ${figures(found.mce)}, over ${counted(found.n, "phrase")}.`),
    responsive((width) => {
      const { root, sx, sy } = square(Math.min(width, 380), range, { xLabel: "confidence of the system", yLabel: "share that is right", says: visible(says) });
      diagonal(root, sx, sy, ...range);
      for (const bin of bins) {
        root.append(svg("line", { class: "gap", x1: sx(bin.confidence), x2: sx(bin.confidence), y1: sy(bin.accuracy), y2: sy(bin.confidence) }),
          svg("circle", { class: "dot slot-0", cx: sx(bin.confidence), cy: sy(bin.accuracy), r: 3 + 9 * Math.sqrt(bin.n / most) }, title(`confidence ${figures(bin.confidence)}, right ${figures(bin.accuracy)}, ${counted(bin.n, "phrase")}`)));
      }
      return root;
    }),
    behind(table(`Reliability of ${visible(name)}`, fields, found.bins)));
};
const drawReliability = () => {
  const names = Object.keys(core.reliability);
  fill("reliability", names.length ? el("div", { class: "side-by-side" }, names.map(reliability)) : nothing("No system here gives probabilities: only rankings that learn from gold do."));
};
