// Why one system beats another: curves, documents, lengths, places in the text, confidence.
Object.assign(state, { variant: Object.keys(Object.values(core.positions)[0] ?? {})[0] ?? "" });
const CURVES = [["precision", "precision"], ["recall", "recall"], ["f1", "F1"]];
const noChoice = () => !chosen().length && nothing("Choose a system above.");

const curve = ([value, name], all, longest) => {
  const y = padded(all.flatMap(({ points }) => points.map((point) => point[value])));
  const says = visible(`${name} of the first k keyphrases, k from 1 to ${longest}, for ${all.map((one) => one.name).join(", ")}`);
  return responsive((width) => {
    const { root, sx, sy } = frame(width, { height: 240, x: [1, Math.max(2, longest)], y, xLabel: "k", yLabel: name, says });
    for (const { name: system, slot, points } of all) {
      root.append(line(slot, points.map((point) => [sx(point.k), sy(point[value])])));
      const every = Math.max(1, Math.round(longest / 5));
      for (const point of points.filter(({ k }) => k === 1 || k % every === 0)) {
        const mark = glyph(slot, sx(point.k), sy(point[value]));
        mark.append(title(`${system}: ${name}@${point.k} = ${figures(point[value])}`));
        root.append(mark);
      }
    }
    return root;
  });
};
const drawCurves = () => {
  const all = chosen().map((one) => ({ ...one, points: detail.curves[one.name]?.[label()] ?? [] })).filter(({ points }) => points.length);
  if (!all.length) return fill("curves", noChoice() || nothing("There are no curves: no document has both gold that counts and keyphrases, for these systems and this matching."));
  const longest = Math.max(...all.map(({ points }) => points[points.length - 1].k));
  const records = Array.from({ length: longest }, (_, index) => ({ k: index + 1 }));
  const fields = [{ head: "k", value: (record) => record.k, numeric: true }];
  for (const { name: system, slot, points } of all) {
    for (const [value, text] of CURVES) {
      fields.push({ head: [badge(slot) || null, text, hidden(` of ${system}`)], numeric: true, value: (record) => points[record.k - 1]?.[value], cell: (record) => figures(points[record.k - 1]?.[value]) });
    }
  }
  return fill("curves", key(), el("div", { class: "three" }, CURVES.map((one) => curve(one, all, longest))),
    behind(table("Precision, recall and F1 along k", fields, records)));
};
view(["column", "chosen"], drawCurves);

const valuesOf = (name) => detail.per_document.values[name]?.[state.column] ?? [];
const pairsOf = (one, other) => {
  const right = valuesOf(other);
  return valuesOf(one)
    .map((value, index) => ({ id: detail.per_document.ids[index], one: value, other: right[index] }))
    .filter((pair) => isNumber(pair.one) && isNumber(pair.other));
};
const outcome = (pairs) => ({
  wins: pairs.filter((pair) => pair.one > pair.other).length,
  ties: pairs.filter((pair) => pair.one === pair.other).length,
  losses: pairs.filter((pair) => pair.one < pair.other).length,
});
const duel = (one, other) => {
  const pairs = pairsOf(one.name, other.name);
  if (!pairs.length) return nothing("No document counts for both systems.");
  const { wins, ties, losses } = outcome(pairs);
  const says = `${SLOTS[one.slot]} is better in ${wins}, equal in ${ties} and worse in ${losses} of ${counted(pairs.length, "document")}`;
  const places = new Map();
  for (const pair of pairs) {
    const place = `${pair.one} ${pair.other}`;
    if (!places.has(place)) places.set(place, { ...pair, ids: [] });
    places.get(place).ids.push(pair.id);
  }
  const range = padded(pairs.flatMap((pair) => [pair.one, pair.other]));
  const chart = responsive((width) => {
    const { root, sx, sy } = square(Math.min(width, 480), range, { says, right: 18, top: 16,
      xLabel: `${SLOTS[other.slot]}: ${other.name}`, yLabel: `${SLOTS[one.slot]}: ${one.name}` });
    diagonal(root, sx, sy, ...range);
    const largestFirst = [...places.values()].sort((left, right) => right.ids.length - left.ids.length);
    for (const place of largestFirst) {
      const side = place.one > place.other ? one.slot : place.one < place.other ? other.slot : "tie";
      root.append(svg("circle", { class: `dot slot-${side}`, cx: sx(place.other), cy: sy(place.one), r: Math.min(14, 3 + 1.5 * Math.sqrt(place.ids.length)), onclick: () => open(place.ids) },
        title(`${figures(place.one)} against ${figures(place.other)}: ${place.ids.slice(0, 8).join(", ")}${place.ids.length > 8 ? ", …" : ""}`)));
    }
    return root;
  });
  const far = [...pairs].sort((left, right) => Math.abs(right.one - right.other) - Math.abs(left.one - left.other)).slice(0, 20);
  const fields = [
    { head: "document", value: (pair) => pair.id, cell: (pair) => (sampled(pair.id) ? el("button", { type: "button", class: "link", onclick: () => open([pair.id]) }, foreign(pair.id)) : foreign(pair.id)) },
    { head: badge(one.slot), numeric: true, value: (pair) => pair.one, cell: (pair) => figures(pair.one) },
    { head: badge(other.slot), numeric: true, value: (pair) => pair.other, cell: (pair) => figures(pair.other) },
    { head: "difference", numeric: true, value: (pair) => pair.one - pair.other, cell: (pair) => signed(pair.one - pair.other) },
  ];
  return el("div", { class: "duel" },
    el("p", { class: "outcome" }, badge(one.slot), ` better in ${whole(wins)}, equal in ${whole(ties)}, `, badge(other.slot), ` better in ${whole(losses)} of ${counted(pairs.length, "document")}.`),
    shares([[wins, `slot-${one.slot}`], [ties, "slot-tie"], [losses, `slot-${other.slot}`]], says),
    el("div", { class: "pair" }, chart, el("div", { class: "tall" }, table("The documents that differ most", fields, far))));
};
const shares = (parts, says) => {
  const all = parts.reduce((sum, [number]) => sum + number, 0) || 1;
  return responsive((width) => {
    const root = svg("svg", { width, height: 20, viewBox: `0 0 ${width} 20`, role: "img", "aria-label": says });
    let x = 0;
    for (const [number, style] of parts) {
      const size = (number / all) * width;
      root.append(svg("rect", { class: `part ${style}`, x, y: 0, width: Math.max(0, size - 1), height: 20 }));
      if (size > 34) root.append(svg("text", { class: "inside", x: x + size / 2, y: 14, "text-anchor": "middle" }, whole(number)));
      x += size;
    }
    return root;
  });
};
const drawDuels = () => {
  const [one, ...others] = chosen();
  if (single) return fill("duels");
  if (!others.length) return fill("duels", nothing("Choose two systems above to see them document by document."));
  return fill("duels", ...others.map((other) => duel(one, other)));
};
view(["column", "chosen"], drawDuels);

const BY = [["length", "words in the document"], ["gold", "gold keyphrases of the document"]];
// Groups of about equal size; documents of one size stay together.
const groups = (sizes, wanted = 6) => {
  const order = sizes.map((size, index) => ({ size, index })).filter(({ size }) => isNumber(size)).sort((one, other) => one.size - other.size);
  const made = [];
  for (const [place, item] of order.entries()) {
    const last = made[made.length - 1];
    const full = place >= ((made.length || 1) * order.length) / wanted;
    if (!last || (full && item.size !== last.high)) made.push({ low: item.size, high: item.size, members: [item.index] });
    else Object.assign(last, { high: item.size }).members.push(item.index);
  }
  return made;
};
const groupMean = (values, members) => {
  const known = members.map((index) => values[index]).filter((value) => isNumber(value));
  const middle = mean(known);
  if (known.length < 2) return { middle, half: 0, documents: known.length };
  const spread = Math.sqrt(known.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (known.length - 1));
  return { middle, half: (1.96 * spread) / Math.sqrt(known.length), documents: known.length };
};
const sizeSays = (group) => (group.low === group.high ? whole(group.low) : `${whole(group.low)}–${whole(group.high)}`);
const sizeChart = (name, made, all) => {
  const known = all.flatMap(({ means }) => means).filter(({ middle }) => middle !== null);
  const y = padded(known.map(({ middle, half }) => middle + half));
  const chart = responsive((width) => {
    const longest = Math.max(...made.map((group) => sizeSays(group).length));
    const every = Math.ceil(((7 * longest + 10) * made.length) / (width - 60)); // labels that do not touch
    const { root, sx, sy } = frame(width, { height: 280, x: [-0.5, made.length - 0.5], xTicks: made.map((_, index) => index).filter((index) => index % every === 0), xSays: (index) => sizeSays(made[index]), y, xLabel: name, yLabel: "mean score", says: `Mean score by ${name}` });
    for (const { name: system, slot, means } of all) {
      const points = means.map((one, index) => ({ ...one, x: sx(index) + (slot - 1) * 7 })).filter(({ middle }) => middle !== null);
      root.append(line(slot, points.map(({ x, middle }) => [x, sy(middle)])));
      for (const { x, middle, half, documents } of points) {
        const mark = glyph(slot, x, sy(middle));
        mark.append(title(`${system}: ${figures(middle)} ± ${figures(half)}, ${counted(documents, "document")}`));
        root.append(whisker(slot, x, sy(Math.max(0, middle - half)), sy(Math.min(y[1], middle + half))), mark);
      }
    }
    return root;
  });
  const fields = [{ head: name, value: (group) => group.low, cell: sizeSays, numeric: true }, { head: "documents", numeric: true, value: (group) => group.members.length, cell: (group) => whole(group.members.length) }];
  for (const { slot, means } of all) {
    const at = (group) => means[made.indexOf(group)];
    fields.push({ head: badge(slot) || "mean score", numeric: true, value: (group) => at(group).middle, cell: (group) => `${figures(at(group).middle)} ± ${figures(at(group).half)}` });
  }
  return el("div", {}, chart, behind(table(`Mean score by ${name}`, fields, made)));
};
const drawSizes = () => {
  const charts = BY.map(([by, name]) => {
    const made = groups(detail.per_document[by]);
    const all = chosen().map((one) => ({ ...one, means: made.map(({ members }) => groupMean(valuesOf(one.name), members)) }));
    return all.some(({ means }) => means.some(({ middle }) => middle !== null)) && sizeChart(name, made, all);
  }).filter(Boolean);
  if (!charts.length) return fill("sizes", noChoice() || nothing("No document has both a known size and a score."));
  return fill("sizes", key(), el("div", { class: "side-by-side" }, charts));
};
view(["column", "chosen"], drawSizes);
