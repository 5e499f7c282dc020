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
const padded = (values, { zero = true, top = 0.05 } = {}) => {
  const low = Math.min(...values, zero ? 0 : Infinity);
  const high = Math.max(...values);
  return [low, high > low ? high + (high - low) * top : low + 1];
};

// `draw(width)` returns the drawing; it is called again when the place for it grows or shrinks.
const responsive = (draw, attributes) => {
  let drawn = 0;
  const box = el("div", { class: "chart", ...attributes });
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    if (width < 60 || width === drawn) return;
    drawn = width;
    box.replaceChildren(draw(width));
  }).observe(box);
  return box;
};

const frame = (width, options) => {
  const { height = 260, left = 46, right = 14, top = 12, bottom = 42, x, y, xLabel, yLabel, says } = options;
  const sx = scale(x, [left, width - right]);
  const sy = scale(y, [height - bottom, top]);
  const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": says });
  for (const value of options.yTicks ?? ticks(...y)) {
    root.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: sy(value), y2: sy(value) }),
      svg("text", { class: "tick", x: left - 7, y: sy(value) + 4, "text-anchor": "end" }, tick(value)));
  }
  for (const value of options.xTicks ?? ticks(...x, Math.max(2, Math.min(8, width / 70)))) {
    root.append(svg("line", { class: "axis", x1: sx(value), x2: sx(value), y1: height - bottom, y2: height - bottom + 4 }),
      svg("text", { class: "tick", x: sx(value), y: height - bottom + 17, "text-anchor": "middle" }, options.xSays?.(value) ?? tick(value)));
  }
  root.append(svg("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }),
    svg("text", { class: "label", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, xLabel));
  if (yLabel) {
    const middle = (top + height - bottom) / 2;
    root.append(svg("text", { class: "label", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, yLabel));
  }
  return { root, sx, sy };
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
