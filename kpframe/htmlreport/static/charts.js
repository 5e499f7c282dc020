// Drawing: scales, axes and a frame that is drawn again when its width changes.
const scale = ([low, high], [from, to]) => {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
};
const ticks = (low, high, wanted = 5) => {
  const rough = (high - low || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999);
  const found = [];
  for (let index = Math.ceil(low / step - 1e-9); index * step <= high + step * 1e-9; index += 1) found.push(index * step);
  return found;
};
const tick = (value) => String(Number(value.toPrecision(6))).replace("-", "−");
// From 0 (or less) to a little more than the highest value; what is a share ends at 1.
const padded = (values, { top = 0.05 } = {}) => {
  const low = Math.min(...values, 0);
  const high = Math.max(...values, 0);
  const end = high > low ? high + (high - low) * top : low + 1;
  return [low, high <= 1 ? Math.min(1, end) : end];
};

// `draw(width)` returns the drawing; it is called again when the place for it grows or shrinks, and for paper.
const drawings = new Set();
const responsive = (draw, attributes) => {
  let drawn = 0;
  const box = el("div", { class: "chart", ...attributes });
  const fit = (width) => {
    if (width < 60 || width === drawn) return;
    drawn = width;
    box.replaceChildren(draw(width));
  };
  new ResizeObserver(([entry]) => fit(Math.floor(entry.contentRect.width))).observe(box);
  drawings.add({ box, fit: () => fit(Math.floor(box.getBoundingClientRect().width)) });
  return box;
};
const redraw = () => {
  for (const drawing of drawings) {
    if (drawing.box.isConnected) drawing.fit();
    else drawings.delete(drawing);
  }
};

const frame = (width, options) => {
  const { height = 260, right = 14, top = 12, bottom = 42, x, y, xLabel, yLabel, says } = options;
  const yTicks = options.yTicks ?? ticks(...y);
  const xTicks = options.xTicks ?? ticks(...x, Math.max(2, Math.min(8, width / 70)));
  const left = 16 + 7 * Math.max(...yTicks.map((value) => tick(value).length)) + (yLabel ? 18 : 0);
  const sx = scale(x, [left, width - right]);
  const sy = scale(y, [height - bottom, top]);
  const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": says });
  for (const value of yTicks) {
    root.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: sy(value), y2: sy(value) }),
      svg("text", { class: "tick", x: left - 7, y: sy(value) + 4, "text-anchor": "end" }, tick(value)));
  }
  for (const value of xTicks) {
    root.append(svg("line", { class: "axis", x1: sx(value), x2: sx(value), y1: height - bottom, y2: height - bottom + 4 }),
      svg("text", { class: "tick", x: sx(value), y: height - bottom + 17, "text-anchor": "middle" }, options.xSays?.(value) ?? tick(value)));
  }
  root.append(svg("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }),
    svg("text", { class: "label", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, shortened(xLabel, width - left)));
  if (yLabel) {
    const middle = (top + height - bottom) / 2;
    root.append(svg("text", { class: "label", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, shortened(yLabel, height - top - bottom)));
  }
  return { root, sx, sy };
};

// What is longer than its axis ends in dots: its whole is said beside the chart.
const shortened = (text, space) => {
  const signs = Array.from(visible(text));
  const room = Math.max(4, Math.floor(space / 7));
  return signs.length > room ? `${signs.slice(0, room - 1).join("")}…` : signs.join("");
};
// Both axes of a square have one scale.
const square = (size, range, options) => {
  const marks = ticks(...range, Math.max(2, Math.min(5, size / 80)));
  return frame(size, { height: size * 0.9, x: range, y: range, xTicks: marks, yTicks: marks, ...options });
};
const title = (text) => svg("title", {}, visible(text));
const line = (slot, points) =>
  svg("path", {
    class: `line slot-${slot}`,
    "stroke-dasharray": DASHES[slot],
    d: points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""),
  });
const diagonal = (root, sx, sy, low, high) =>
  root.append(svg("line", { class: "diagonal", x1: sx(low), y1: sy(low), x2: sx(high), y2: sy(high) }));
const whisker = (slot, x, low, high) => svg("line", { class: `whisker slot-${slot}`, x1: x, x2: x, y1: low, y2: high });
